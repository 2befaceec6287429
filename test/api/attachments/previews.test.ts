/** Small pictures of files, as people notice them. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import sharp from 'sharp';
import { verifyBlobs } from '../../../src/actions/files/attachments/verify-blobs.js';
import { startApp, type App } from '../../support/app.js';
import { eventually, Work } from '../../support/direct-upload.js';
import { missingPermission, notFound } from '../../support/expected.js';
import type { ContainerHandle, Person } from '../../support/factories.js';
import { afterAll, beforeAll, describe, expect, test } from '../../support/jest.js';
import { decided, flag, NO_PREVIEW, pathOf, previewsOf } from '../../support/pictures.js';
import { describeWith } from '../../support/programs.js';
import { describeS3, freshBucket, s3Environment } from '../../support/rgw.js';
import { curious, emptyPng, unreadable } from './hostile-files.js';

const PATH = process.env['PATH']!;
const none = { ...NO_PREVIEW, previewState: 'NONE' };
const failed = { ...NO_PREVIEW, previewState: 'FAILED' };
const pending = { ...NO_PREVIEW, previewState: 'PENDING' };

/** A service with a work package. */
class Service {
  app!: App;
  work!: Work;
  author!: Person;
  container!: ContainerHandle;

  async start(environment: { [name: string]: string } = {}): Promise<void> {
    this.app = await startApp({ PATH, ...environment });
    this.work = new Work(this.app);
    const project = await this.app.given.project();
    this.author = await this.app.given.member(project, [
      'view_work_packages',
      'edit_work_packages',
    ]);
    this.container = await this.app.given.workPackage(project, this.author);
    this.work.start();
  }

  async stop(): Promise<void> {
    await this.work.stop();
    await this.app.stop();
  }

  async uploaded(fileName: string, content: Uint8Array): Promise<{ id: number }> {
    const path = `/api/v3/work_packages/${this.container.id}/attachments`;
    const { status, body } = await this.app.upload(path, { as: this.author, fileName, content });
    expect(status).toBe(200);
    return body;
  }

  /** A file that was there before there were previews. */
  older(contentType: string, content: Uint8Array, more: object = {}) {
    const { container, author } = this;
    return this.app.given.attachment({ container, author, contentType, content, ...more });
  }

  decided = (row: { id: number }) => decided(this.app, row, this.author);

  async keys(): Promise<string[]> {
    const keys: string[] = [];
    for await (const { key } of this.app.running.services.blobs.list()) keys.push(key);
    return keys.sort();
  }

  rows = () => this.app.running.services.db.read('previews').orderBy('id');
}

const service = new Service();
const photo = () => flag(1200, 800).jpeg().toBuffer();

describe('a small picture', () => {
  beforeAll(() => service.start());
  afterAll(() => service.stop());

  test('is upright, has no metadata, and is never enlarged', async () => {
    const turned = await flag(1200, 800)
      .withExif({ IFD0: { Copyright: 'Somebody' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    const { app, author } = service;
    const row = await service.uploaded('photo.jpg', turned);
    const { small, medium, large, ...about } = await service.decided(row);
    expect(about).toEqual({
      previewState: 'READY',
      width: 800,
      height: 1200,
      pageCount: null,
      duration: null,
      preview: null,
    });
    expect([small, medium, large]).toEqual([
      { href: expect.any(String), width: 85, height: 128, contentType: 'image/webp' },
      { href: expect.any(String), width: 341, height: 512, contentType: 'image/webp' },
      { href: expect.any(String), width: 800, height: 1200, contentType: 'image/webp' },
    ]);
    for (const one of [small, medium, large]) {
      const { status, bytes, headers } = await app.get(pathOf(app, one), author);
      expect([status, headers.get('content-type')]).toEqual([200, 'image/webp']);
      const { width, height, exif, icc, orientation } = await sharp(bytes).metadata();
      expect({ width, height, exif, icc, orientation }).toEqual({
        width: one.width,
        height: one.height,
        exif: undefined,
        icc: undefined,
        orientation: undefined,
      });
      // Turned by a quarter: red, which was above, is on the right.
      const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
      const at = (Math.floor(info.height / 2) * info.width + info.width - 5) * info.channels;
      expect(data[at]).toBeGreaterThan(200);
      expect(data[at + 2]).toBeLessThan(50);
    }
  });

  test('of a picture below 128 pixels is the same in all sizes', async () => {
    const row = await service.uploaded('dot.png', await flag(60, 40).png().toBuffer());
    const { small, medium, large } = await service.decided(row);
    expect([small.width, small.height]).toEqual([60, 40]);
    expect([medium, large]).toEqual([small, small]);
  });

  test('of the smallest size has at most 20,000 bytes, even of noise', async () => {
    const noise = sharp({
      create: {
        width: 900,
        height: 900,
        channels: 3,
        background: 'grey',
        noise: { type: 'gaussian', mean: 128, sigma: 90 },
      },
    });
    const row = await service.uploaded('noise.png', await noise.png().toBuffer());
    const { small } = await service.decided(row);
    const { bytes } = await service.app.get(pathOf(service.app, small), service.author);
    expect(bytes.length).toBeLessThanOrEqual(20_000);
  });

  test.each([
    ['PNG', 'image/png', () => flag(300, 200).png().toBuffer()],
    ['WebP', 'image/webp', () => flag(300, 200).webp().toBuffer()],
    ['GIF', 'image/gif', () => flag(300, 200).gif().toBuffer()],
    ['TIFF', 'image/tiff', () => flag(300, 200).tiff({ compression: 'none' }).toBuffer()],
    ['AVIF', 'image/avif', () => flag(300, 200).avif().toBuffer()],
    [
      'SVG',
      'image/svg+xml',
      async () =>
        Buffer.from(
          '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="200"><rect width="300" height="100" fill="red"/></svg>',
        ),
    ],
  ])('is made of %s', async (_, contentType, content) => {
    const row = await service.older(contentType, await content());
    expect(await service.decided(row)).toMatchObject({
      previewState: 'READY',
      width: 300,
      height: 200,
      small: { width: 128, height: 85 },
      medium: { width: 300, height: 200 },
    });
  });

  test('is made of files from before, when somebody asks for it first', async () => {
    const row = await service.older('image/jpeg', await photo());
    expect(await previewsOf(service.app, row, service.author)).toEqual(pending);
    expect(await service.decided(row)).toMatchObject({ previewState: 'READY', width: 1200 });
  });

  test('does not exist for other types', async () => {
    const row = await service.uploaded('notes.txt', Buffer.from('words'));
    expect(await previewsOf(service.app, row, service.author)).toEqual(none);
  });

  test('is made by another process if one ended while it drew', async () => {
    const { db } = service.app.running.services;
    const row = await service.older('image/jpeg', await photo());
    await db.write('previews').insert({
      blob_key: row.blobKey,
      state: 'pending',
      objects: '[]',
      attempts: 1,
      lease_until: '2026-01-01T00:00:00.000Z',
      lease_token: 'of a dead process',
      created_at: '2026-01-01T00:00:00.000Z',
      updated_at: '2026-01-01T00:00:00.000Z',
    });
    expect(await service.decided(row)).toMatchObject({ previewState: 'READY' });
  });
});

describe('the address of a small picture', () => {
  let row: { id: number };
  let path: string;
  beforeAll(async () => {
    await service.start();
    row = await service.uploaded('photo.jpg', await photo());
    path = pathOf(service.app, (await service.decided(row)).small);
  });
  afterAll(() => service.stop());

  test('never shows another one, so browsers keep it, for this person only', async () => {
    const { headers } = await service.app.get(path, service.author);
    expect([headers.get('cache-control'), headers.get('vary')]).toEqual([
      'private, max-age=31536000, immutable',
      'Authorization, Cookie',
    ]);
    expect(headers.get('etag')).toBe(`"${path.split('-').at(-1)}"`);
    const again = await service.app.get(path, service.author, {
      headers: { 'if-none-match': headers.get('etag')! },
    });
    expect([again.status, again.bytes.length]).toEqual([304, 0]);
  });

  test('is missing for those who do not see the file, and with another digest', async () => {
    const { app, author } = service;
    const stranger = await app.given.user();
    for (const [address, person] of [
      [path, stranger],
      [path, undefined],
      [`${path.slice(0, -1)}x`, author],
      [path.replace('/previews/', '/previews/x'), author],
    ] as const) {
      const { status, body } = await app.get(address, person);
      expect({ status, body }).toEqual({ status: 404, body: notFound });
    }
  });

  test('shows nothing while the file is in quarantine', async () => {
    const { app, author } = service;
    const { db } = app.running.services;
    await db.write('attachments').where({ id: row.id }).update({ status: 'quarantined' });
    expect(await previewsOf(app, row, author)).toEqual(none);
    const { status, body } = await app.get(path, author);
    expect({ status, body }).toEqual({
      status: 403,
      body: {
        ...missingPermission,
        message: 'The file is quarantined because the virus scan found something in it.',
      },
    });
    await db.write('attachments').where({ id: row.id }).update({ status: 'uploaded' });
    expect((await app.get(path, author)).status).toBe(200);
  });

  test('is compared by verify: a missing object is found, and one that nothing names', async () => {
    const { services } = service.app.running;
    const verified = async () => {
      const findings: unknown[] = [];
      await verifyBlobs(services, { found: (finding) => findings.push(finding) });
      return findings;
    };
    expect(await verified()).toEqual([]);
    const [key] = (await service.keys()).filter((one) => one.endsWith('-small')) as [string];
    const kept = await (await services.blobs.read(key)).toArray();
    await services.blobs.remove(key);
    await services.blobs.put('0123-small', Readable.from([Buffer.from('x')]));
    expect(await verified()).toEqual([
      { problem: 'missing', key, previewId: expect.any(Number) },
      { problem: 'unnamed', key: '0123-small', size: 1 },
    ]);
    await services.blobs.put(key, Readable.from(kept));
    await services.blobs.remove('0123-small');
  });

  test('ends with the file: its objects are removed', async () => {
    const { app, author } = service;
    const keys = await service.keys();
    expect(keys.map((key) => /-\w+$/.exec(key)?.[0])).toEqual([
      undefined,
      '-large',
      '-medium',
      '-small',
    ]);
    expect((await app.delete(`/api/v3/attachments/${row.id}`, author)).status).toBe(204);
    expect((await app.get(path, author)).status).toBe(404);
    expect([await service.keys(), await service.rows()]).toEqual([[], []]);
  });
});

describeWith(['ffmpeg'], 'REQUIRE_PREVIEWS', 'a small picture of a film', () => {
  beforeAll(() => service.start());
  afterAll(() => service.stop());

  test('is made of a frame of a film that is not black, with its length', async () => {
    const file = join(service.app.folder, 'film.mp4');
    const inputs = ['color=black:s=320x180:d=0.2', 'color=red:s=320x180:d=2'];
    const args = inputs.flatMap((input) => ['-f', 'lavfi', '-i', input]);
    args.push('-v', 'error', '-filter_complex', 'concat=n=2:v=1:a=0', file);
    const made = spawnSync('ffmpeg', args);
    expect(made.status).toBe(0);
    const row = await service.uploaded('film.mp4', readFileSync(file));
    const { small, ...about } = await service.decided(row);
    expect(about).toMatchObject({ previewState: 'READY', width: 320, height: 180 });
    expect(about.duration).toBeCloseTo(2.2, 1);
    const { bytes } = await service.app.get(pathOf(service.app, small), service.author);
    expect((await sharp(bytes).raw().toBuffer())[0]).toBeGreaterThan(200);
  });

  test('is not made of a list of other files that calls itself a film', async () => {
    const list = '#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\n/etc/passwd\n#EXT-X-ENDLIST\n';
    const row = await service.older('video/mp4', Buffer.from(list));
    expect(await service.decided(row)).toEqual(failed);
  });
});

const PROGRAM_FOR_PDF = ['pdftoppm'];

describeWith(PROGRAM_FOR_PDF, 'REQUIRE_PREVIEWS', 'a small picture of a document', () => {
  beforeAll(() => service.start());
  afterAll(() => service.stop());

  test('is made of the first page of a PDF, with the number of pages', async () => {
    const page = '/Type /Page /Parent 2 0 R /MediaBox [0 0 200 300]';
    const content = Buffer.from(
      '%PDF-1.4\n1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj\n' +
        '2 0 obj << /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 >> endobj\n' +
        `3 0 obj << ${page} >> endobj\n4 0 obj << ${page} >> endobj\n` +
        'trailer << /Root 1 0 R /Size 5 >>\n%%EOF\n',
    );
    const row = await service.uploaded('plan.pdf', content);
    expect(await service.decided(row)).toMatchObject({
      previewState: 'READY',
      width: null,
      height: null,
      pageCount: 2,
      small: { width: 85, height: 128 },
      preview: null,
    });
  });
});

describeWith(PROGRAM_FOR_PDF, 'REQUIRE_PREVIEWS', 'a file that wants to harm', () => {
  const asked: string[] = [];
  let listener: Server;
  beforeAll(async () => {
    await service.start();
    listener = createServer((req, res) => {
      asked.push(req.url!);
      res.end();
    });
    await once(listener.listen(0, '127.0.0.1'), 'listening');
  });
  afterAll(async () => {
    listener.close();
    await service.stop();
  });

  test.each(Object.entries(unreadable))('has no picture: %s', async (_, file) => {
    expect(await service.decided(await service.older(file.contentType, file.content))).toEqual(
      failed,
    );
  });

  test('that ends early has no picture', async () => {
    const whole = await photo();
    const row = await service.older('image/jpeg', whole.subarray(0, whole.length / 2));
    expect(await service.decided(row)).toEqual(failed);
  });

  test('that names what lies elsewhere, is drawn without it', async () => {
    const { port } = listener.address() as AddressInfo;
    const secret = join(service.app.folder, 'secret.txt');
    writeFileSync(secret, 'secret');
    for (const [name, content] of Object.entries(curious(`http://127.0.0.1:${port}/a`, secret))) {
      const preview = await service.decided(await service.older('image/svg+xml', content));
      expect([name, ['READY', 'FAILED'].includes(preview.previewState)]).toEqual([name, true]);
    }
    expect(asked).toEqual([]);
  });

  test('leaves nothing behind, and the next file is drawn', async () => {
    const left = join(tmpdir(), 'moorage-preview-99999999-1-of-a-killed-process');
    mkdirSync(left, { recursive: true });
    await service.work.paused(() => Promise.resolve());
    await eventually(
      () => existsSync(left),
      (isThere) => !isThere,
    );
    const row = await service.older('image/png', emptyPng(9_000, 9_000, 9_000));
    expect(await service.decided(row)).toMatchObject({ previewState: 'READY', width: 9_000 });
    await eventually(
      () =>
        readdirSync(tmpdir()).filter((name) => name.startsWith(`moorage-preview-${process.pid}-`)),
      ({ length }) => length === 0,
    );
  });
});

describe('a file that waits for its virus scan', () => {
  beforeAll(() => service.start({ CLAMD_URL: 'tcp://127.0.0.1:1', SCAN_POLICY: 'open' }));
  afterAll(() => service.stop());

  test('is read by no program before', async () => {
    const row = await service.uploaded('photo.jpg', await photo());
    expect(await previewsOf(service.app, row, service.author)).toEqual(pending);
    expect(await service.rows()).toEqual([]);
    const { db } = service.app.running.services;
    await db.write('attachments').where({ id: row.id }).update({ status: 'scanned' });
    expect(await service.decided(row)).toMatchObject({ previewState: 'READY' });
  });
});

describeWith(PROGRAM_FOR_PDF, 'REQUIRE_PREVIEWS', 'programs of other makers', () => {
  const PDF = 'pdf';
  let programs: string;

  /** Programs that behave like those of the names. */
  const startWith = async (scripts: { [name: string]: string }) => {
    await service.start();
    const { folder } = service.app;
    await service.stop();
    mkdirSync((programs = `${folder}-programs`), { recursive: true });
    for (const [name, lines] of Object.entries(scripts)) {
      writeFileSync(join(programs, name), `#!/bin/sh\n${lines}\n`);
      chmodSync(join(programs, name), 0o755);
    }
    await service.start({ PATH: `${programs}:${PATH}` });
  };
  afterAll(() => service.stop());
  const docx = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

  test('make pages of office documents, without the settings of the service', async () => {
    const page = '/Type /Page /Parent 2 0 R /MediaBox [0 0 300 200]';
    await startWith({
      soffice:
        '[ -z "$SECRET_KEY$DATABASE_URL$HTTP_PROXY" ] && [ "$HOME" = "$PWD" ] || exit 1\n' +
        'grep -q DisableMacrosExecution profile/user/registrymodifications.xcu || exit 1\n' +
        `mkdir made && cat > made/source.pdf <<'${PDF}'\n%PDF-1.4\n1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj\n` +
        '2 0 obj << /Type /Pages /Kids [3 0 R] /Count 1 >> endobj\n' +
        `3 0 obj << ${page} >> endobj\ntrailer << /Root 1 0 R /Size 4 >>\n%%EOF\n${PDF}`,
    });
    const { app, author } = service;
    const { small, preview, ...about } = await service.decided(
      await service.older(docx, Buffer.from('a letter')),
    );
    expect(about).toMatchObject({ previewState: 'READY', pageCount: 1 });
    expect([small.width, small.height]).toEqual([128, 85]);
    expect(preview.contentType).toBe('application/pdf');
    const { status, text, headers } = await app.get(pathOf(app, preview), author);
    expect([status, text.slice(0, 8), headers.get('content-type')]).toEqual([
      200,
      '%PDF-1.4',
      'application/pdf',
    ]);
  });

  test.each([
    ['writes a file without end', 'exec cat /dev/zero > made'],
    ['wants all memory', 'exec tail -c 5000000000 /dev/zero'],
    ['starts others and ends', 'sleep 999 & exit 3'],
    ['makes nothing and says that all is well', 'exit 0'],
  ])('that %s ends, and nothing else does', async (_, script) => {
    await service.stop();
    await startWith({ soffice: script });
    expect(await service.decided(await service.older(docx, Buffer.from('a letter')))).toEqual(
      failed,
    );
    const row = await service.older('image/jpeg', await photo());
    expect(await service.decided(row)).toMatchObject({ previewState: 'READY' });
  });
});

describe('a service without previews', () => {
  afterAll(() => service.stop());

  test('has none, and answers as before', async () => {
    await service.start({ PREVIEWS: 'false' });
    const row = await service.uploaded('photo.jpg', await photo());
    expect(await previewsOf(service.app, row, service.author)).toEqual(none);
  });
});

describeS3('with a store for objects, a small picture', () => {
  beforeAll(async () => service.start(s3Environment(await freshBucket())));
  afterAll(() => service.stop());

  test('is served by the service, and removed with its file', async () => {
    const { app, author } = service;
    const row = await service.uploaded('photo.jpg', await photo());
    const { small } = await service.decided(row);
    const { status, bytes } = await app.get(pathOf(app, small), author);
    expect([status, (await sharp(bytes).metadata()).format]).toEqual([200, 'webp']);
    expect(await service.keys()).toHaveLength(4);
    await app.delete(`/api/v3/attachments/${row.id}`, author);
    expect(await service.keys()).toEqual([]);
  });
});

/** Files in an object store: where the service redirects readers, and how the store serves them. */
import { createHash } from 'node:crypto';
import { startProxy } from '../../unit/blobs/proxy.js';
import { startApp, startBeside, type App } from '../../support/app.js';
import { eventually, objects, uploadDirectly, Work } from '../../support/direct-upload.js';
import {
  attachmentElement,
  collectionOf,
  missingPermission,
  notFound,
  userBody,
} from '../../support/expected.js';
import type { ContainerHandle, Person } from '../../support/factories.js';
import { afterAll, beforeAll, describe, expect, test } from '../../support/jest.js';
import { describeS3, freshBucket, s3Environment, type S3Bucket } from '../../support/rgw.js';

const sha256 = (content: string | Uint8Array) => ({
  algorithm: 'sha256',
  hash: createHash('sha256').update(content).digest('hex'),
});
const TEXT = 'text/plain; charset=utf-8';
const OCTETS = 'application/octet-stream';

let app: App;
let bucket: S3Bucket;
let author: Person;
let viewer: Person;
let stranger: Person;
let container: ContainerHandle;

const stored = (
  fileName: string,
  contentType: string,
  more: Partial<Parameters<App['given']['attachment']>[0]> = {},
) =>
  app.given.attachment({
    container,
    author,
    fileName,
    contentType,
    content: '0123456789',
    ...more,
  });
const contentOf = (row: { id: number }) => `/api/v3/attachments/${row.id}/content`;

/** The redirect target of a content request. */
async function locationOf(row: { id: number }, person = viewer, on = app): Promise<string> {
  const { status, headers } = await on.get(contentOf(row), person);
  expect(status).toBe(302);
  return headers.get('location')!;
}

const signedFor = (blobKey: string, seconds = 300) =>
  expect.stringMatching(
    new RegExp(
      `^${bucket.endpoint}/${bucket.bucket}/files/${blobKey}\\?.*X-Amz-Expires=${seconds}&.*X-Amz-Signature=[0-9a-f]{64}`,
    ),
  );

describeS3('content in an object store', () => {
  beforeAll(async () => {
    bucket = await freshBucket();
    app = await startApp(s3Environment(bucket));
    const project = await app.given.project();
    author = await app.given.member(project, ['view_wiki_pages', 'edit_wiki_pages']);
    viewer = await app.given.member(project, ['view_wiki_pages']);
    stranger = await app.given.user();
    container = await app.given.wikiPage(project, author);
  });
  afterAll(() => app?.stop());

  describe('reading', () => {
    test('content answers 302 to a short-lived URL that needs no credentials and is not cached', async () => {
      const row = await stored('notes.txt', 'text/plain');
      const { status, headers, text } = await app.get(contentOf(row), viewer);
      expect({
        status,
        text,
        location: headers.get('location'),
        cache: headers.get('cache-control'),
        sniff: headers.get('x-content-type-options'),
        referrer: headers.get('referrer-policy'),
        etag: headers.get('etag'),
        type: headers.get('content-type'),
        disposition: headers.get('content-disposition'),
      }).toEqual({
        status: 302,
        text: '',
        location: signedFor(row.blobKey),
        cache: 'private, no-store',
        sniff: 'nosniff',
        referrer: 'no-referrer',
        etag: null,
        type: null,
        disposition: null,
      });
      const answer = await fetch(headers.get('location')!);
      expect({
        status: answer.status,
        length: answer.headers.get('content-length'),
        text: await answer.text(),
      }).toEqual({ status: 200, length: '10', text: '0123456789' });
    });

    test('HEAD answers the same headers', async () => {
      const row = await stored('notes.txt', 'text/plain');
      const { status, headers, text } = await app.request('HEAD', contentOf(row), { as: viewer });
      expect({
        status,
        text,
        location: headers.get('location'),
        cache: headers.get('cache-control'),
      }).toEqual({
        status: 302,
        text: '',
        location: signedFor(row.blobKey),
        cache: 'private, no-store',
      });
    });

    test('HEAD leads to an address that the store answers as GET, without the bytes', async () => {
      const row = await stored('notes.txt', 'text/plain');
      const described = async (method: 'GET' | 'HEAD') => {
        const { headers } = await app.request(method, contentOf(row), { as: viewer });
        const answer = await fetch(headers.get('location')!, { method });
        return {
          status: answer.status,
          length: answer.headers.get('content-length'),
          type: answer.headers.get('content-type'),
          etag: answer.headers.get('etag'),
          disposition: answer.headers.get('content-disposition'),
          text: await answer.text(),
        };
      };
      const get = await described('GET');
      expect(get).toMatchObject({ status: 200, length: '10', text: '0123456789' });
      expect(await described('HEAD')).toEqual({ ...get, text: '' });
    });

    test('the service redirects whatever conditions and ranges the request has, and the store evaluates them', async () => {
      const row = await stored('notes.txt', 'text/plain');
      for (const headers of [
        { 'if-none-match': '*' },
        { 'if-match': '"x"' },
        { range: 'bytes=99-' },
        { accept: 'image/png' },
      ] as { [name: string]: string }[]) {
        expect((await app.get(contentOf(row), viewer, { headers })).status).toBe(302);
      }
    });

    test('the store answers ranges and conditions at the signed URL', async () => {
      const location = await locationOf(await stored('notes.txt', 'text/plain'));
      const part = await fetch(location, { headers: { range: 'bytes=2-4' } });
      expect({
        status: part.status,
        range: part.headers.get('content-range'),
        text: await part.text(),
      }).toEqual({ status: 206, range: 'bytes 2-4/10', text: '234' });
      expect((await fetch(location, { headers: { range: 'bytes=10-' } })).status).toBe(416);
      const etag = (await fetch(location)).headers.get('etag')!;
      expect((await fetch(location, { headers: { 'if-none-match': etag } })).status).toBe(304);
    });

    test.each([
      ['plain text', 'notes.txt', 'text/plain', TEXT, 'inline; filename="notes.txt"'],
      ['JavaScript', 'code.js', 'text/x-javascript', TEXT, 'inline; filename="code.js"'],
      ['unknown bytes', 'blob.dat', OCTETS, OCTETS, 'attachment; filename="blob.dat"'],
      ['JSON', 'data.json', 'application/json', OCTETS, 'attachment; filename="data.json"'],
      ['SVG', 'logo.svg', 'image/svg+xml', OCTETS, 'attachment; filename="logo.svg"'],
      ['HTML', 'page.html', 'text/html', TEXT, 'inline; filename="page.html"'],
      ['xhtml', 'page.xhtml', 'application/xhtml+xml', OCTETS, 'attachment; filename="page.xhtml"'],
      ['png', 'a.png', 'image/png', 'image/png', 'inline; filename="a.png"'],
      ['jpeg', 'a.jpg', 'image/jpeg', 'image/jpeg', 'inline; filename="a.jpg"'],
      ['pdf', 'a.pdf', 'application/pdf', 'application/pdf', 'inline; filename="a.pdf"'],
      ['mp4', 'a.mp4', 'video/mp4', 'video/mp4', 'inline; filename="a.mp4"'],
      [
        'TIFF, which is not shown inline',
        'a.tif',
        'image/tiff',
        OCTETS,
        'attachment; filename="a.tif"',
      ],
      [
        'a unicode name',
        'Grundriß 見😀.txt',
        'text/plain',
        TEXT,
        /^inline; filename="Grundri\? \?+.txt"; filename\*=UTF-8''Grundri%C3%9F%20%E8%A6%8B%F0%9F%98%80.txt$/,
      ],
      [
        'quotes, symbols and spaces',
        "a\"b;c&d+e%20f='g'(1)!*.txt",
        'text/plain',
        TEXT,
        /^inline; filename="a\\"b;c&d\+e%20f='g'\(1\)!\*.txt"(; filename\*=UTF-8''a%22b%3Bc%26d%2Be%2520f%3D%27g%27%281%29!%2A.txt)?$/,
      ],
    ])(
      '%s: the store serves it with the content type and disposition of the service',
      async (_name, fileName, contentType, type, disposition) => {
        const answer = await fetch(await locationOf(await stored(fileName, contentType)));
        expect({
          status: answer.status,
          type: answer.headers.get('content-type'),
          disposition: answer.headers.get('content-disposition'),
          text: await answer.text(),
        }).toEqual({
          status: 200,
          type,
          disposition:
            typeof disposition === 'string' ? disposition : expect.stringMatching(disposition),
          text: '0123456789',
        });
      },
    );

    test('a signed URL with a changed disposition, type, key or method is refused', async () => {
      const [one, other] = [
        await stored('page.html', 'text/html'),
        await stored('other.txt', 'text/plain'),
      ];
      const location = await locationOf(one);
      const fetchChanged = (change: (url: URL) => void) => {
        const url = new URL(location);
        change(url);
        return fetch(url);
      };
      expect([
        (await fetchChanged((url) => url.searchParams.set('response-content-type', 'text/html')))
          .status,
        (await fetchChanged((url) => url.searchParams.delete('response-content-type'))).status,
        (
          await fetchChanged((url) =>
            url.searchParams.set('response-content-disposition', 'inline'),
          )
        ).status,
        (await fetchChanged((url) => url.searchParams.set('X-Amz-Expires', '604800'))).status,
        (
          await fetchChanged((url) => {
            url.pathname = url.pathname.replace(one.blobKey, other.blobKey);
          })
        ).status,
        (await fetch(location, { method: 'DELETE' })).status,
        (await fetch(location, { method: 'PUT', body: 'evil' })).status,
        (await fetch(new URL(new URL(location).pathname, location))).status,
      ]).toEqual([403, 403, 403, 403, 403, 403, 403, 403]);
      expect(await (await fetch(location)).text()).toBe('0123456789');
    });

    test('the signed URL expires', async () => {
      const brief = await startBeside(app, { DOWNLOAD_URL_SECONDS: '1' });
      try {
        const row = await stored('notes.txt', 'text/plain');
        const location = await locationOf(row, viewer, brief);
        expect(location).toEqual(signedFor(row.blobKey, 1));
        await eventually(
          async () => (await fetch(location)).status,
          (status) => status === 403,
        );
        expect((await fetch(await locationOf(row))).status).toBe(200);
      } finally {
        await brief.stop();
      }
    });

    test('a user without read access gets no URL', async () => {
      const [row, quarantined, pending] = [
        await stored('a.txt', 'text/plain'),
        await stored('b.txt', 'text/plain', { status: 'quarantined' }),
        await stored('c.txt', 'text/plain', { status: 'prepared', blob: false }),
      ];
      for (const person of [stranger, undefined]) {
        const { status, body, headers } = await app.get(contentOf(row), person);
        expect({ status, body, location: headers.get('location') }).toEqual({
          status: 404,
          body: notFound,
          location: null,
        });
      }
      for (const person of [viewer, author]) {
        const { status, body, headers } = await app.get(contentOf(quarantined), person);
        expect({ status, body, location: headers.get('location') }).toEqual({
          status: 403,
          body: {
            ...missingPermission,
            message: 'The file is quarantined because the virus scan found something in it.',
          },
          location: null,
        });
      }
      expect((await app.get(contentOf(pending), author)).body).toEqual(notFound);
    });

    test('a file that is missing from the store answers 404 there', async () => {
      const row = await stored('gone.txt', 'text/plain', { blob: false });
      expect((await fetch(await locationOf(row))).status).toBe(404);
    });
  });

  describe('the link downloadLocation', () => {
    const ASK = 'query ($id: ID!) { attachment(id: $id) { downloadLocation } }';
    const linkOf = async (row: { id: number }, person: Person) => {
      const { body } = await app.get(`/api/v3/attachments/${row.id}`, person);
      return body._links.downloadLocation.href as string;
    };

    test('is a URL of the store in single views, lists and GraphQL, and serves the same content as /content', async () => {
      const own = await app.given.wikiPage({ id: container.projectId }, author);
      const row = await stored('page.html', 'text/html', { container: own });
      const element = (deletable: boolean) =>
        attachmentElement({
          id: row.id,
          fileName: 'page.html',
          fileSize: 10,
          contentType: 'text/html',
          digest: sha256('0123456789'),
          author,
          container: own,
          deletable,
          downloadLocation: signedFor(row.blobKey),
        });
      const single = await app.get(`/api/v3/attachments/${row.id}`, viewer);
      expect(single.body).toEqual({
        ...element(false),
        _embedded: { author: userBody(author), container: expect.objectContaining({ id: own.id }) },
      });
      const list = await app.get(own.attachments, author);
      expect(list.body).toEqual(collectionOf(own.attachments, [element(true)]));
      const { data } = await app.graphql(ASK, { id: String(row.id) }, viewer);
      expect(data).toEqual({ attachment: { downloadLocation: signedFor(row.blobKey) } });
      for (const href of [
        single.body._links.downloadLocation.href,
        list.body._embedded.elements[0]._links.downloadLocation.href,
        data.attachment.downloadLocation,
        await locationOf(row),
      ]) {
        const answer = await fetch(href);
        expect({
          status: answer.status,
          type: answer.headers.get('content-type'),
          disposition: answer.headers.get('content-disposition'),
          text: await answer.text(),
        }).toEqual({
          status: 200,
          type: TEXT,
          disposition: 'inline; filename="page.html"',
          text: '0123456789',
        });
      }
    });

    test.each(['quarantined', 'prepared'] as const)(
      'of a %s file is the static URL, which answers an error, and null over GraphQL',
      async (status) => {
        const row = await stored('a.txt', 'text/plain', { status });
        expect(await linkOf(row, author)).toBe(contentOf(row));
        expect((await app.graphql(ASK, { id: String(row.id) }, author)).data).toEqual({
          attachment: { downloadLocation: null },
        });
      },
    );

    test.each(['scanned', 'rescan', 'uploaded'] as const)(
      'of a %s file is a URL of the store',
      async (status) => {
        const row = await stored('a.txt', 'text/plain', { status });
        expect(await linkOf(row, viewer)).toEqual(signedFor(row.blobKey));
      },
    );

    test('uses S3_PUBLIC_ENDPOINT if clients reach the store elsewhere, and so does the upload form', async () => {
      const elsewhere = await startProxy(bucket.endpoint);
      const outside = await startBeside(app, { S3_PUBLIC_ENDPOINT: elsewhere.endpoint });
      const work = new Work(outside);
      try {
        const row = await stored('a.txt', 'text/plain');
        const href = await locationOf(row, viewer, outside);
        expect(new URL(href).origin).toBe(elsewhere.endpoint);
        expect(await (await fetch(href)).text()).toBe('0123456789');
        work.start();
        const { body } = await uploadDirectly(outside, {
          as: author,
          to: container.attachments,
          content: 'from outside',
        });
        expect({
          status: body.status,
          origin: new URL(body._links.downloadLocation.href).origin,
          text: await (await fetch(body._links.downloadLocation.href)).text(),
        }).toEqual({ status: 'uploaded', origin: elsewhere.endpoint, text: 'from outside' });
      } finally {
        await work.stop();
        await outside.stop();
        await elsewhere.close();
      }
    });
  });

  describe('regular uploads', () => {
    test('the bytes are returned unchanged for files of any size', async () => {
      const letters = (bytes: number) =>
        Buffer.from(Array.from({ length: bytes }, (_, index) => (index * 31 + (index >> 8)) % 256));
      for (const content of [Buffer.alloc(0), letters(1), letters(70_000), letters(5_242_880)]) {
        const added = await app.upload(container.attachments, {
          as: author,
          fileName: 'roof.bin',
          content,
        });
        expect(added.status).toBe(200);
        expect(added.body).toEqual({
          ...attachmentElement({
            id: added.body.id,
            fileName: 'roof.bin',
            fileSize: content.byteLength,
            contentType: OCTETS,
            digest: sha256(content),
            author,
            container,
            deletable: true,
            downloadLocation: expect.stringContaining(`${bucket.endpoint}/${bucket.bucket}/files/`),
          }),
          _embedded: {
            author: userBody(author),
            container: expect.objectContaining({ id: container.id }),
          },
        });
        const bytes = Buffer.from(await (await fetch(await locationOf(added.body))).arrayBuffer());
        expect(bytes.equals(content)).toBe(true);
      }
    });

    test('refused uploads leave no object in the store', async () => {
      const before = await objects(bucket);
      expect(
        (await app.upload(container.attachments, { as: author, content: Buffer.alloc(5_242_881) }))
          .status,
      ).toBe(422);
      expect(
        (await app.upload(container.attachments, { as: author, metadata: '{}', fileFirst: true }))
          .status,
      ).toBe(422);
      expect((await app.upload(container.attachments, { as: viewer })).status).toBe(403);
      await eventually(
        () => objects(bucket),
        (names) => names.length === before.length,
      );
      expect((await objects(bucket)).sort()).toEqual(before.sort());
    });
  });

  test('a deletion removes the object from the store, and earlier signed URLs stop working', async () => {
    const added = await app.upload(container.attachments, { as: author, content: 'short life' });
    const location = await locationOf(added.body);
    const name = new URL(location).pathname.replace(`/${bucket.bucket}/`, '');
    expect(await objects(bucket)).toContain(name);
    expect((await app.delete(`/api/v3/attachments/${added.body.id}`, author)).status).toBe(204);
    expect(await objects(bucket)).not.toContain(name);
    expect((await fetch(location)).status).toBe(404);
    expect(await app.get(contentOf(added.body), author)).toMatchObject({
      status: 404,
      body: notFound,
    });
  });

  test('deleting a container removes the objects of all its attachments', async () => {
    const own = await app.given.wikiPage({ id: container.projectId }, author);
    const rows = [
      await stored('a.txt', 'text/plain', { container: own }),
      await stored('b.txt', 'text/plain', { container: own }),
    ];
    expect(
      (
        await app.graphql(
          'mutation ($id: ID!) { deleteWikiPage(input: { id: $id }) { deletedWikiPageId } }',
          { id: own.globalId },
          author,
        )
      ).errors,
    ).toBeUndefined();
    const left = await objects(bucket);
    for (const { blobKey } of rows) expect(left).not.toContain(`files/${blobKey}`);
  });
});

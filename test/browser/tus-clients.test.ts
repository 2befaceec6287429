/** The guide for resumable uploads: clients of other makers run its examples in a browser. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import { startApp, type App } from '../support/app.js';
import { describeBrowser, startBrowser, startFrontEnd } from '../support/browser.js';
import { eventually, Work } from '../support/direct-upload.js';
import type { ContainerHandle, Person } from '../support/factories.js';
import { afterAll, beforeAll, beforeEach, expect, test } from '../support/jest.js';
import { Gate } from '../client/gate.js';

const MIB = 1024 * 1024;
const SIZE = 5 * MIB;
const guide = readFileSync(
  fileURLToPath(new URL('../../docs/how-to/resumable-uploads.md', import.meta.url)),
  'utf8',
);

/** The example of the guide that imports a package, as a script that calls `run`. */
async function script(code: string, result: string): Promise<string> {
  const imports = code.match(/^import .*$/gm)!.join('\n');
  const body = code.replaceAll(/^import .*$/gm, '');
  const { outputFiles } = await build({
    stdin: {
      contents: `${imports}
        globalThis.run = async ({ service, key, container, uploadKey, size }) => {
          const file = new File([new Uint8Array(size).fill(7)], 'tour.bin', { type: 'application/octet-stream' });
          ${body}
          return ${result};
        };`,
      resolveDir: fileURLToPath(new URL('..', import.meta.url)),
    },
    bundle: true,
    write: false,
    format: 'iife',
    platform: 'browser',
  });
  return outputFiles[0]!.text;
}

const example = (name: string): string => {
  const found = [...guide.matchAll(/```js\n(.*?)```/gs)].filter(([, code]) =>
    code!.includes(`from '${name}'`),
  );
  expect(found).toHaveLength(1);
  return found[0]![1]!;
};

/** Uploady has no words in the guide. It shows that a client of a third maker works. */
const UPLOADY = `import createUploader, { UPLOADER_EVENTS } from '@rpldy/uploader';
import getTusEnhancer from '@rpldy/tus-sender';
const headers = { Authorization: 'Bearer ' + key };
const ended = new Promise((resolve, reject) => {
  const uploader = createUploader({
    enhancer: getTusEnhancer({ chunkSize: 2 * 1024 * 1024, resumeHeaders: headers }),
    destination: { url: service + '/uploads', headers },
    params: { filename: file.name, container },
    autoUpload: true,
  });
  uploader.on(UPLOADER_EVENTS.ITEM_FINISH, resolve);
  uploader.on(UPLOADER_EVENTS.ITEM_ERROR, (item) => reject(new Error(JSON.stringify(item.uploadResponse))));
  uploader.add(file);
});
await ended;`;

describeBrowser('clients of the protocol tus', () => {
  let app: App;
  let work: Work;
  let gate: Gate;
  let browser: Browser;
  let frontEnd: Awaited<ReturnType<typeof startFrontEnd>>;
  let person: Person;
  let project: { id: number };
  let container: ContainerHandle;
  let page: Page;
  /** Of the requests of the page. */
  let methods: string[];
  beforeAll(async () => {
    [browser, frontEnd] = await Promise.all([startBrowser(), startFrontEnd()]);
    app = await startApp({ CORS_ORIGINS: frontEnd.origin, ATTACHMENT_MAX_SIZE: '20MiB' });
    gate = await Gate.to(app.url);
    work = new Work(app);
    work.start();
    project = await app.given.project();
    person = await app.given.member(project, ['view_work_packages', 'edit_work_packages']);
  }, 60_000);
  beforeEach(async () => {
    container = await app.given.workPackage(project, person);
    page = await browser.newPage();
    methods = [];
    page.on('request', (request) => void methods.push(request.method()));
    await page.goto(frontEnd.origin);
  });
  afterAll(async () => {
    await browser?.close();
    await work?.stop();
    await Promise.all([gate?.stop(), frontEnd?.stop(), app?.stop()]);
  });

  async function run(code: string): Promise<unknown> {
    await page.evaluate(code);
    return page.evaluate((values) => (globalThis as any).run(values), {
      service: gate.url,
      key: person.key,
      container: container.globalId,
      uploadKey: `tour-${container.id}`,
      size: SIZE,
    });
  }

  /** Cuts the connection when the first MiB of the file is there. */
  async function cutOnce<T>(sending: () => Promise<T>): Promise<T> {
    gate.hold();
    gate.large = 0;
    const sent = sending();
    await eventually(
      () => gate.waiting,
      (waiting) => waiting > 0,
    );
    gate.cut();
    gate.release();
    const result = await sent;
    // The one that is cut, and the one that goes on. A browser may repeat the first one by itself.
    expect([2, 3]).toContain(gate.large);
    return result;
  }

  async function expectAttached(): Promise<void> {
    const { body } = await eventually(
      () => app.get(container.attachments, person),
      ({ body: { total } }) => total === 1,
    );
    expect(body._embedded.elements).toEqual([
      expect.objectContaining({ fileName: 'tour.bin', fileSize: SIZE, status: 'uploaded' }),
    ]);
  }

  test('Uppy sends a file through a connection that is cut', async () => {
    const code = await script(example('@uppy/tus'), 'successful.map(({ uploadURL }) => uploadURL)');
    expect(await cutOnce(() => run(code))).toEqual([expect.stringMatching(/\/uploads\/\d+$/)]);
    await expectAttached();
  }, 60_000);

  test('tus-js-client sends a file through a connection that is cut', async () => {
    const code = await script(example('tus-js-client'), 'true');
    await cutOnce(() => run(code));
    await expectAttached();
  }, 60_000);

  test('Uploady sends a file in pieces', async () => {
    await run(await script(UPLOADY, 'true'));
    expect(methods.filter((method) => method === 'PATCH')).toHaveLength(3);
    await expectAttached();
  }, 60_000);
});

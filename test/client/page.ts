/** The package moorage-client in a page of a browser. */
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Browser, BrowserContext, Page } from 'playwright-core';

const entry = fileURLToPath(import.meta.resolve('moorage-client'));

let bundle: Promise<string> | undefined;

/** The client as a script: its exports are members of the global `moorage`. */
const script = (): Promise<string> =>
  (bundle ??= build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'moorage',
    platform: 'browser',
  }).then(({ outputFiles: [file] }) => file?.text ?? ''));

export interface Options {
  url: string;
  /** Absent: the session of the browser. */
  key?: string;
}

/** Opens a page with a client, `client`, and an input for files. Its own scripts do not run. */
export async function openPage(
  browser: Browser | BrowserContext,
  address: string,
  options: Options,
): Promise<Page> {
  const page = await browser.newPage();
  await loadPage(page, address, options);
  return page;
}

/** Loads the page, or loads it again. */
export async function loadPage(page: Page, address: string, { url, key }: Options): Promise<void> {
  await page.goto(address);
  await page.evaluate(`${await script()}; globalThis.moorage = moorage`);
  await page.evaluate(
    ({ url, key }) => {
      const all = globalThis as any;
      all.client = all.moorage.createClient({ url, auth: key === undefined ? 'session' : { key } });
      all.document.body.innerHTML = '<input type="file">';
    },
    { url, key },
  );
}

/** Picks a file of the disk and begins an upload, `upload`, with its `states`. */
export async function beginUpload(page: Page, path: string, options: object): Promise<void> {
  await page.setInputFiles('input', path);
  await page.evaluate((options) => {
    const all = globalThis as any;
    const [file] = all.document.querySelector('input').files;
    all.upload = all.client.upload(file, options);
    all.states = [all.upload.state];
    all.sent = [];
    all.upload.on('state', (state: string) => all.states.push(state));
    all.upload.on('progress', ({ sent }: { sent: number }) => all.sent.push(sent));
  }, options);
}

export interface Seen {
  state: string;
  sent: number;
  states: string[];
  /** `sent` of all progress. */
  progress: number[];
  error: string | undefined;
  needsFile: boolean;
}

/** What a page can see of its upload. */
export const see = (page: Page): Promise<Seen> =>
  page.evaluate(() => {
    const { upload, states, sent } = globalThis as any;
    return {
      state: upload.state,
      sent: upload.sent,
      states,
      progress: sent,
      error: upload.error?.code,
      needsFile: upload.needsFile,
    };
  });

/** Waits for the end of the upload. @returns the attachment, or the code of the error */
export const ended = (page: Page): Promise<any> =>
  page.evaluate(() => (globalThis as any).upload.done.catch(({ code }: { code: string }) => code));

/** Restores the uploads of the page. The first one is `upload` then. @returns what is known of each */
export const restore = (page: Page): Promise<object[]> =>
  page.evaluate(async () => {
    const all = globalThis as any;
    const uploads = await all.client.uploads.restore();
    [all.upload] = uploads;
    all.states = [];
    all.sent = [];
    all.upload?.on('state', (state: string) => all.states.push(state));
    return uploads.map(({ fileName, size, state, needsFile }: any) => ({
      fileName,
      size,
      state,
      needsFile,
    }));
  });

/** The files that the browser keeps for this origin. */
export const keptIn = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const { indexedDB } = globalThis as any;
    // Opening it would make it.
    if ((await indexedDB.databases()).length === 0) return [];
    return new Promise<string[]>((resolve) => {
      const opening = indexedDB.open('moorage-client');
      opening.onsuccess = () => {
        const database = opening.result;
        const all = database.transaction('uploads').objectStore('uploads').getAll();
        all.onsuccess = () => {
          database.close();
          resolve(all.result.map(({ fileName }: { fileName: string }) => fileName));
        };
      };
    });
  });

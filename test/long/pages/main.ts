/**
 * `npm run test:pages [-- --runs 3 --lighthouse]`: what a page of the application costs a browser. It fails when the
 * median of the runs is above a budget; times and memory may be twice their budget, because machines differ.
 */
import 'reflect-metadata';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { signable } from '../../api/auth/support/applications.js';
import { program, startBrowser } from '../../support/browser.js';
import { openHarbour } from '../../support/harbour.js';
import { openAs } from '../../support/pages.js';
import { addRows, dropMany } from './many.js';
import { addPhotographs, openAlbum } from './photographs.js';

const { values } = parseArgs({
  options: { runs: { type: 'string', default: '3' }, lighthouse: { type: 'boolean' } },
});
const MANY = 10_000;
const PHOTOGRAPHS = 60;
const GIB = 1024 ** 3;
const MARGIN = 2;

interface Budget {
  name: string;
  limit: number;
  unit: string;
  /** For times and memory. */
  margin?: number;
}
const budgets = {
  scripts: { name: 'first load of a work package, scripts', limit: 200, unit: 'kB' },
  styles: { name: 'first load of a work package, styles', limit: 20, unit: 'kB' },
  requests: { name: 'first load of a work package, files of the application', limit: 5, unit: '' },
  administration: {
    name: 'the administration: what its pages load beyond those of everybody',
    limit: 60,
    unit: 'kB',
  },
  rows: { name: '10,000 attachments, rows in the document', limit: 100, unit: '' },
  rowsTask: {
    name: '10,000 attachments, longest task',
    limit: 200,
    unit: 'ms',
    margin: MARGIN,
  },
  album: { name: '60 photographs, on the wire before one scrolls', limit: 1_200, unit: 'kB' },
  picture: {
    name: '60 photographs at 1.6 Mbit/s, all pictures on the screen are painted',
    limit: 2_500,
    unit: 'ms',
    margin: MARGIN,
  },
  lines: { name: '10,000 dropped files, lines in the tray', limit: 100, unit: '' },
  linesTask: {
    name: '10,000 dropped files, longest task',
    limit: 200,
    unit: 'ms',
    margin: MARGIN,
  },
  memory: {
    name: 'upload of 1 GiB, memory of the page',
    limit: 100,
    unit: 'MB',
    margin: MARGIN,
  },
} satisfies { [name: string]: Budget };
type Figure = keyof typeof budgets;
let passed = 0;
let failed = 0;
const figures = new Map<Figure, number[]>();
const note = (name: Figure, value: number): void =>
  void figures.set(name, [...(figures.get(name) ?? []), value]);

const browser = await startBrowser();
const harbour = await openHarbour();
const { app, mia, project, wall, bare } = harbour;
const ada = await signable(app, { firstName: 'Ada', lastName: 'Moor', admin: true });
const full = await addRows(harbour, MANY);
const album = await addPhotographs(harbour, PHOTOGRAPHS);
const folder = mkdtempSync(join(tmpdir(), 'moorage-pages-'));
const large = join(folder, 'Drone film.mov');
writeFileSync(large, '');
truncateSync(large, GIB);

for (let run = 0; run < Number(values.runs); run += 1) {
  await firstLoad();
  await administration();
  await manyRows();
  await manyFiles();
  await photographs();
  // It writes as much as all others together.
  if (run === 0) await largeFile();
}
if (values.lighthouse) await lighthouse(await cookieOf());

await browser.close();
await harbour.stop();
rmSync(folder, { recursive: true, force: true });
report();

/** Bytes as they are sent, without those of the pages' data. */
async function firstLoad(): Promise<void> {
  const page = await openAs(browser, app, mia, '/recent');
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Network.setCacheDisabled', { cacheDisabled: true });
  await page.goto(address(wall));
  await page.locator('.file').first().waitFor();
  await page.locator('.linked').first().waitFor();
  const sent = await page.evaluate<{ path: string; bytes: number }[]>(
    `performance.getEntriesByType('resource').map((one) =>
      ({ path: new URL(one.name).pathname, bytes: one.encodedBodySize }))`,
  );
  const kB = (end: string) =>
    sent.filter(({ path }) => path.endsWith(end)).reduce((sum, { bytes }) => sum + bytes, 0) / 1000;
  note('scripts', kB('.js'));
  note('styles', kB('.css'));
  note('requests', 1 + sent.filter(({ path }) => path.startsWith('/assets/')).length);
  await page.context().close();
}

/** Its scripts, words and styles are files of their own. */
async function administration(): Promise<void> {
  const page = await openAs(browser, app, ada, '/projects');
  const loaded = () =>
    page.evaluate<{ path: string; bytes: number }[]>(
      `performance.getEntriesByType('resource').map((one) =>
        ({ path: new URL(one.name).pathname, bytes: one.encodedBodySize }))
        .filter(({ path }) => path.startsWith('/assets/'))`,
    );
  await page.getByRole('heading', { level: 1 }).waitFor();
  const before = new Set((await loaded()).map(({ path }) => path));
  await page.getByRole('link', { name: 'Administration' }).first().click();
  await page.locator('.rail').waitFor();
  const more = (await loaded()).filter(({ path }) => !before.has(path));
  note('administration', more.reduce((sum, { bytes }) => sum + bytes, 0) / 1000);
  await page.context().close();
}

async function manyRows(): Promise<void> {
  const page = await openAs(browser, app, mia, '/recent');
  await watchTasks(page);
  await page.goto(address(full));
  await page.locator('.file').first().waitFor();
  await page.mouse.wheel(0, 5_000);
  await page.getByLabel('Order').selectOption({ label: 'Name, A to Z' });
  await page.waitForTimeout(1_500);
  note('rows', await page.locator('.file').count());
  note('rowsTask', await longestTask(page));
  await page.context().close();
}

async function manyFiles(): Promise<void> {
  // A new one each time: the page asks about names that are there already.
  const empty = await app.given.workPackage(project, mia, 'Photographs of today');
  const page = await openAs(browser, app, mia, address(empty));
  await page.getByText('Drop files or folders anywhere').waitFor();
  await watchTasks(page);
  await page.reload();
  await page.getByText('Drop files or folders anywhere').waitFor();
  await dropMany(page, MANY);
  await page.getByRole('button', { name: 'Show the uploads' }).click();
  await page.locator('.tray-line').first().waitFor();
  await page.waitForTimeout(1_500);
  note('lines', await page.locator('.tray-line').count());
  note('linesTask', await longestTask(page));
  await page.context().close();
}

async function photographs(): Promise<void> {
  const { bytes, painted } = await openAlbum(browser, harbour, album);
  note('album', bytes / 1_000);
  note('picture', painted);
}

async function largeFile(): Promise<void> {
  const page = await openAs(browser, app, mia, address(bare));
  await page.locator('main input[type=file]').first().waitFor({ state: 'attached' });
  const before = await memoryOfPage();
  let highest = 0;
  await page.locator('main input[type=file]').first().setInputFiles(large);
  const done = page.getByText('All done').waitFor({ timeout: 240_000 });
  let isDone = false;
  void done.then(() => (isDone = true));
  while (!isDone) {
    highest = Math.max(highest, await memoryOfPage());
    await page.waitForTimeout(200);
  }
  await done;
  note('memory', (highest - before) / 1e6);
  await page.context().close();
}

/** The memory of the largest process of a page, in bytes. Only one page is open. */
async function memoryOfPage(): Promise<number> {
  const cdp = await browser.newBrowserCDPSession();
  const { processInfo } = await cdp.send('SystemInfo.getProcessInfo');
  await cdp.detach();
  const sizes = processInfo
    .filter(({ type }) => type === 'renderer')
    .map(({ id }) => {
      try {
        return Number(readFileSync(`/proc/${id}/statm`, 'utf8').split(' ')[1]) * 4096;
      } catch {
        return 0;
      }
    });
  return Math.max(0, ...sizes);
}

async function watchTasks(page: Page): Promise<void> {
  await page.addInitScript(`window.longest = 0;
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) longest = Math.max(longest, duration);
    }).observe({ type: 'longtask', buffered: true });`);
}
function longestTask(page: Page): Promise<number> {
  return page.evaluate('longest');
}

function address({ id }: { id: number }): string {
  return `/work_packages/${id}`;
}

async function cookieOf(): Promise<string> {
  const page = await openAs(browser, app, mia, '/recent');
  const cookies = await page.context().cookies();
  await page.context().close();
  return cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
}

/** Google's audits of the page of files, on a phone and on a desk. npm fetches them when asked. */
async function lighthouse(cookie: string): Promise<void> {
  for (const [form, least] of [
    ['mobile', { performance: 85, accessibility: 100, 'best-practices': 100 }],
    ['desktop', { performance: 98, accessibility: 100, 'best-practices': 100 }],
  ] as const) {
    const output = join(folder, `${form}.json`);
    await promisify(execFile)(
      'npm',
      [
        'exec',
        '--yes',
        '--',
        'lighthouse@12.8.2',
        app.url + address(wall),
        '--quiet',
        '--output=json',
        `--output-path=${output}`,
        `--only-categories=${Object.keys(least).join(',')}`,
        `--extra-headers=${JSON.stringify({ Cookie: cookie })}`,
        '--chrome-flags=--headless=new --no-sandbox',
        ...(form === 'desktop' ? ['--preset=desktop'] : []),
      ],
      { env: { ...process.env, CHROME_PATH: program }, timeout: 180_000 },
    );
    const { categories, audits } = JSON.parse(readFileSync(output, 'utf8'));
    for (const [category, limit] of Object.entries(least)) {
      const score = Math.round(categories[category].score * 100);
      check(`Lighthouse, ${form}, ${category}`, score >= limit, `${score} of at least ${limit}`);
      if (score < limit)
        for (const { id } of categories[category].auditRefs)
          if (audits[id].score !== null && audits[id].score < 1)
            process.stdout.write(`  ${id}: ${audits[id].title} ${audits[id].displayValue ?? ''}\n`);
    }
  }
}

function check(name: string, isGood: boolean, what: string): void {
  if (isGood) passed += 1;
  else failed += 1;
  process.stdout.write(`${isGood ? 'ok  ' : 'FAIL'} ${name}: ${what}\n`);
}

function report(): void {
  for (const [name, all] of figures) {
    const { name: title, limit, unit, margin = 1 }: Budget = budgets[name];
    const median = all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)]!;
    const round = (value: number) => Math.round(value * 10) / 10;
    check(title, median <= limit * margin, `${round(median)} ${unit}, budget ${limit} ${unit}`);
  }
  process.stdout.write(`${passed} passed, ${failed} failed, 0 skipped\n`);
  process.exit(failed === 0 ? 0 : 1);
}

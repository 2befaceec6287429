/** Code in the viewer: its words have colours, and it stays text. */
import type { Browser, Page } from 'playwright-core';
import { signable } from '../api/auth/support/applications.js';
import { startApp, type App } from '../support/app.js';
import { describeBrowser, startBrowser } from '../support/browser.js';
import { eventually } from '../support/direct-upload.js';
import type { ContainerHandle, Person } from '../support/factories.js';
import { afterAll, afterEach, beforeAll, expect, test } from '../support/jest.js';
import { accessibilityOf, complaintsOf, isTooWide, openAs } from '../support/pages.js';

const RIGHTS = ['view_work_packages', 'edit_work_packages', 'add_work_package_attachments'];

const FILES: { [name: string]: string } = {
  'page.ts':
    '/** A wall. */\nexport class Wall {\n  @Field() height = 4.5; // metres\n  name = `<img src=x onerror="complain(1)">`;\n}\n',
  'data.json':
    '{\n  "wall": { "height": 4.5, "isOld": true, "name": "</code><script>complain(2)</script>" }\n}\n',
  'backup.sh': '#!/bin/sh\n# Copies all.\nfor file in *.txt; do\n  cp "$file" /backup\ndone\n',
  'route.gpx': '<?xml version="1.0"?>\n<gpx version="1.1"><wpt lat="54.3" lon="10.1"/></gpx>\n',
  'style.css': '/* Blue */\n.wall > a:hover { color: #0d5468; margin: 4px; }\n',
  Dockerfile: 'FROM node:22\nRUN echo "ready"\n',
};

describeBrowser('code in the viewer', () => {
  let app: App;
  let browser: Browser;
  let mia: Person;
  let page: Page;
  let workPackage: ContainerHandle;
  const text = () => page.locator('.viewer-stage > pre');
  const coloured = () => text().locator('span[class^="hljs-"]');
  const open = async (fileName: string, content: string) => {
    const sent = { as: mia, fileName, content };
    const { body } = await app.upload(workPackage.attachments, sent);
    await page.goto(`/work_packages/${workPackage.id}?file=${body.id}`);
    await text().waitFor();
  };

  beforeAll(async () => {
    browser = await startBrowser();
    app = await startApp({ BACKGROUND_WORK: 'true' });
    const project = await app.given.project();
    mia = await signable(app, { firstName: 'Mia', lastName: 'Ray' });
    await app.given.membership(mia, project, RIGHTS);
    workPackage = await app.given.workPackage(project, mia, 'Programs');
    page = await openAs(browser, app, mia, '/recent');
  }, 180_000);
  afterAll(async () => {
    await browser?.close();
    await app?.stop();
  });
  afterEach(() => {
    expect(complaintsOf(page)).toEqual([]);
  });

  test.each(Object.entries(FILES))(
    '%s has colours with enough contrast, the same words, and nothing that acts',
    async (name, content) => {
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await open(name, content);
        await coloured().first().waitFor();
        expect(await text().textContent()).toBe(content);
        expect(await text().locator('img, script, a').count()).toBe(0);
        const colours = await coloured().evaluateAll((all) =>
          all.map((one) => (globalThis as any).getComputedStyle(one).color),
        );
        expect(new Set(colours).size).toBeGreaterThan(1);
        expect(await accessibilityOf(page)).toEqual([]);
      }
      await page.emulateMedia({ colorScheme: 'light' });
    },
  );

  test('what is no code, and code that is too long, stays as it is', async () => {
    await open('letter.txt', 'for each of us, the class of "1999" returns');
    expect(await text().textContent()).toBe('for each of us, the class of "1999" returns');
    const long = 'const wall = "old"; // quay\n'.repeat(5_000);
    await open('long.js', long);
    await eventually(
      () => text().textContent(),
      (now) => now === long,
    );
    expect(await coloured().count()).toBe(0);
    const dense = JSON.stringify(Array.from({ length: 7_000 }, (_, wall) => ({ wall })));
    const ended = page.waitForEvent('worker').then((worker) => worker.waitForEvent('close'));
    await open('dense.json', dense);
    await ended;
    await page.evaluate(
      'new Promise(requestAnimationFrame).then(() => new Promise(requestAnimationFrame))',
    );
    expect(await coloured().count()).toBe(0);
    expect(await text().textContent()).toBe(dense);
  });

  test('code runs from left to right in Arabic too, and other text as its words do', async () => {
    await page.context().addCookies([{ name: 'moorage_language', value: 'ar', url: app.url }]);
    await open('page.js', 'return wall(4);');
    await coloured().first().waitFor();
    expect(
      await text().evaluate((one) => (globalThis as any).getComputedStyle(one).direction),
    ).toBe('ltr');
    await open('words.txt', 'تقرير فحص الميناء');
    expect(
      await text().evaluate((one) => (globalThis as any).getComputedStyle(one).direction),
    ).toBe('rtl');
    await page.setViewportSize({ width: 320, height: 640 });
    expect(await isTooWide(page)).toBe(false);
    await page.context().clearCookies({ name: 'moorage_language' });
  });
});

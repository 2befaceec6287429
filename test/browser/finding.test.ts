/** Finding what files belong to: search, projects, recent files, notifications, a new work package. */
import type { Browser, Page, Route } from 'playwright-core';
import { FileLink } from '../../src/models/file-link.js';
import { signable } from '../api/auth/support/applications.js';
import { startApp, type App } from '../support/app.js';
import { describeBrowser, startBrowser } from '../support/browser.js';
import type { ContainerHandle, Person } from '../support/factories.js';
import { afterAll, afterEach, beforeAll, expect, test } from '../support/jest.js';
import { accessibilityOf, complaintsOf, hasFocus, isTooWide, openAs } from '../support/pages.js';

const RIGHTS = [
  'view_work_packages',
  'edit_work_packages',
  'add_work_packages',
  'add_work_package_attachments',
  'view_meetings',
  'view_messages',
  'view_wiki_pages',
  'view_file_links',
  'manage_file_links',
];
/** More than two pages of a list. */
const MANY = 120;

describeBrowser('finding', () => {
  let app: App;
  let browser: Browser;
  let mia: Person;
  let rob: Person;
  let eve: Person;
  let page: Page;
  let quay: { id: number };
  let wall: ContainerHandle;

  beforeAll(async () => {
    [browser, app] = await Promise.all([startBrowser(), startApp({ BACKGROUND_WORK: 'true' })]);
    mia = await signable(app, { firstName: 'Mia', lastName: 'Ray' });
    rob = await signable(app, { firstName: 'Rob', lastName: 'Ott' });
    eve = await signable(app, { firstName: 'Eve', lastName: 'Lind' });
    quay = await app.given.project({ name: 'North quay repair', identifier: 'north-quay' });
    const hidden = await app.given.project({ name: 'North harbour, secret' });
    for (const person of [mia, rob]) await app.given.membership(person, quay, RIGHTS);
    await app.given.workPackage(hidden, rob, 'Repair of the hidden wall');
    for (let at = 1; at < MANY; at += 1)
      await app.given.workPackage(quay, rob, `Inspect pile ${at}`);
    wall = await app.given.workPackage(quay, mia, 'Repair the quay wall, section 4');
    await app.given.meeting(quay, rob, 'Weekly call');
    await app.given.post(quay, rob, 'Who has the drawings?');
    await app.given.wikiPage(quay, rob, 'How we moor');
    page = await openAs(browser, app, mia, '/login?return_to=%2F');
  }, 180_000);
  afterAll(async () => {
    await browser?.close();
    await app?.stop();
  });
  afterEach(() => {
    expect(complaintsOf(page)).toEqual([]);
  });

  const heading = (name: string) => page.getByRole('heading', { level: 1, name });
  const path = () => decodeURIComponent(new URL(page.url()).pathname + new URL(page.url()).search);
  const rows = () => page.locator('main .item a').allInnerTexts();

  test('the first page greets, and shows the projects of the person', async () => {
    await heading('Hello, Mia').waitFor();
    const projects = page.getByRole('region', { name: 'My projects' });
    await projects.getByRole('link', { name: 'North quay repair' }).waitFor();
    expect(await projects.getByRole('link').allInnerTexts()).toEqual([
      'All projects',
      'North quay repair',
    ]);
    expect(await page.getByText('You have not added a file yet.').isVisible()).toBe(true);
    expect(await page.getByText('Nothing new for you.').isVisible()).toBe(true);
  });

  test('the key / leads to the search box, and words lead to work packages and projects', async () => {
    await page.keyboard.press('/');
    const box = page.getByRole('searchbox', { name: 'Search' });
    expect(await hasFocus(box)).toBe(true);
    await page.keyboard.type('WALL quay');
    await page.keyboard.press('Enter');
    await heading('Search').waitFor();
    await page.getByRole('link', { name: 'Repair the quay wall, section 4' }).waitFor();
    expect([path(), await rows()]).toEqual([
      '/search?q=WALL+quay',
      ['Repair the quay wall, section 4'],
    ]);
    await page.goto('/search?q=north');
    await page.getByRole('link', { name: 'North quay repair' }).waitFor();
    expect(await page.getByText('secret').count()).toBe(0);
    // What was searched for is marked, and nothing else.
    const marked = await page.evaluate<string[]>(`[...CSS.highlights.get('found')].map(String)`);
    expect(new Set(marked.map((word) => word.toLowerCase()))).toEqual(new Set(['north']));
  });

  test('a number leads to its work package, and what is not there says so', async () => {
    const box = page.getByRole('main').getByRole('searchbox', { name: 'Search' });
    await box.fill(`#${wall.id}`);
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Repair the quay wall, section 4' }).waitFor();
    await box.fill('hidden wall');
    await page.keyboard.press('Enter');
    await page.getByText('Nothing was found for “hidden wall”.').waitFor();
    expect(await accessibilityOf(page)).toEqual([]);
  });

  test('a project shows its work packages page by page, and finds among them', async () => {
    await page.goto('/projects/north-quay/work_packages');
    await heading('North quay repair').waitFor();
    await page.getByRole('heading', { name: `Work packages ${MANY}` }).waitFor();
    expect((await rows()).length).toBe(50);
    await page.getByRole('button', { name: 'Show more' }).click();
    await page.locator('main .item').nth(99).waitFor();
    await page.getByRole('button', { name: 'Show more' }).click();
    await page
      .locator('main .item')
      .nth(MANY - 1)
      .waitFor();
    expect(await page.getByRole('button', { name: 'Show more' }).count()).toBe(0);
    await page.getByLabel('Search in this project').fill('pile 11');
    await page.getByRole('heading', { name: 'Work packages 11' }).waitFor();
    expect((await rows()).length).toBe(11);
    await page.getByLabel('Search in this project').fill('no such thing');
    await page.getByText('Nothing has these words.').waitFor();
  });

  test.each([
    ['Meetings', 'Weekly call', '/meetings/'],
    ['Forum posts', 'Who has the drawings?', '/posts/'],
    ['Wiki pages', 'How we moor', '/wiki_pages/'],
  ])('a project lists its %s, which have files of their own', async (section, name, address) => {
    await page.goto('/projects/north-quay');
    await page.getByRole('navigation', { name: 'Parts of the project' }).getByText(section).click();
    await page.getByRole('link', { name }).click();
    await heading(name).waitFor();
    expect(path()).toMatch(new RegExp(`^${address}\\d+$`));
    await page.getByText('No attachments yet').waitFor();
  });

  test('the id of a project in an address leads to it, as its identifier does', async () => {
    await page.goto(`/projects/${quay.id}/work_packages`);
    await page.getByRole('heading', { level: 1, name: 'North quay repair' }).waitFor();
    await page.locator('.row-link, main a', { hasText: 'Repair' }).first().waitFor();
  });

  test('whoever may only see meetings finds them in the project', async () => {
    const max = await signable(app, { firstName: 'Max', lastName: 'Berg' });
    await app.given.membership(max, quay, ['view_meetings']);
    const own = await openAs(
      browser,
      app,
      max,
      '/login?return_to=%2Fprojects%2Fnorth-quay%2Fwork_packages',
    );
    await own.getByText('You may not see these').waitFor();
    await own.getByRole('link', { name: 'Meetings' }).click();
    await own.getByRole('link', { name: 'Weekly call' }).waitFor();
    expect(complaintsOf(own)).toEqual([]);
    await own.context().close();
  });

  test('the parts of a project have numbers, of what the person may view only', async () => {
    const { given } = app;
    const lock = await given.project({ name: 'Lock', identifier: 'lock' });
    const eve = await signable(app, { firstName: 'Eve', lastName: 'Low' });
    const max = await signable(app, { firstName: 'Max', lastName: 'Low' });
    await given.membership(eve, lock, RIGHTS);
    await given.membership(max, lock, ['view_meetings']);
    const work = await given.workPackage(lock, eve, 'Gates');
    await given.workPackage(lock, eve, 'Paint');
    const call = await given.meeting(lock, eve, 'Call');
    for (const container of [work, work, call])
      await given.attachment({ author: eve, container, fileName: 'a.txt', content: 'x' });
    const tabs = async (person: Person, expected: string[]) => {
      const own = await openAs(browser, app, person, '/login?return_to=%2Fprojects%2Flock');
      const links = own.getByRole('navigation', { name: 'Parts of the project' }).getByRole('link');
      await links.filter({ hasText: /Files\s*\d/ }).waitFor();
      expect((await links.allInnerTexts()).map((text) => text.replace(/\s+/g, ' '))).toEqual(
        expected,
      );
      expect(await accessibilityOf(own)).toEqual([]);
      return own;
    };
    const own = await tabs(eve, [
      'Files 3',
      'Work packages 2',
      'Meetings 1',
      'Forum posts 0',
      'Wiki pages 0',
      'Storages 0',
      'Members 2',
    ]);
    await given.workPackage(lock, eve, 'Lamps');
    await own.getByRole('link', { name: /^Work packages/ }).click();
    await own.getByRole('link', { name: /^Work packages\s*3$/ }).waitFor();
    await own.context().close();
    const other = await tabs(max, [
      'Files 1',
      'Work packages',
      'Meetings 1',
      'Forum posts',
      'Wiki pages',
      'Storages 0',
      'Members 2',
    ]);
    await other.context().close();
  });

  test('a new work package opens after it is made', async () => {
    await page.goto('/projects/north-quay');
    await page.getByRole('link', { name: 'New work package' }).click();
    const subject = page.getByLabel('Subject');
    expect(await hasFocus(subject)).toBe(true);
    expect(await accessibilityOf(page)).toEqual([]);
    await subject.fill('Order “bollards” <b>& ropes</b>');
    await page.getByLabel('Description').fill('Twelve of them');
    await page.getByRole('button', { name: 'Create' }).click();
    await heading('Order “bollards” <b>& ropes</b>').waitFor();
    await page.getByText('Twelve of them').waitFor();
    expect(path()).toMatch(/^\/work_packages\/\d+$/);
  });

  test('files of others are news at once, and are read one by one or all at once', async () => {
    await page.goto('/');
    await page.getByText('Nothing new for you.').waitFor();
    await app.upload(wall.attachments, { as: rob, fileName: 'Survey.txt' });
    await page.getByRole('link', { name: '1 unread notification' }).waitFor();
    const news = page.getByRole('region', { name: 'What is new' });
    await news.getByText('Rob Ott added Survey.txt. You opened it.').waitFor();
    for (const fileName of ['Level.txt', 'Depth.txt'])
      await app.upload(wall.attachments, { as: rob, fileName });
    await news
      .getByText('Rob Ott added Survey.txt, Level.txt, and 1 more. You opened it.')
      .or(news.getByText('Rob Ott added Survey.txt, Level.txt and 1 more. You opened it.'))
      .waitFor();
    await news.getByRole('button', { name: 'Mark as read: Repair the quay wall' }).click();
    await page.getByRole('link', { name: 'Notifications', exact: true }).waitFor();

    for (let at = 0; at < 3; at += 1)
      await app.given.notification(mia, await app.given.workPackage(quay, mia), rob);
    await page.goto('/notifications');
    const fourth = page.locator('main .item').nth(3);
    await fourth.waitFor();
    await page.getByLabel('Unread only').check();
    await fourth.waitFor({ state: 'detached' });
    expect((await rows()).length).toBe(3);
    expect(await accessibilityOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Mark all as read' }).click();
    await page.getByText('No notifications.').waitFor();
  });

  test('news that come while the page loads its list are shown too', async () => {
    let isHeld = false;
    let read = (): void => undefined;
    const isRead = new Promise<void>((resolve) => (read = resolve));
    let go = (): void => undefined;
    const mayGo = new Promise<void>((resolve) => (go = resolve));
    const slowly = async (route: Route) => {
      const isList = route.request().postData()?.includes('query Notifications');
      if (!isList || isHeld) return route.fallback();
      isHeld = true;
      const response = await route.fetch();
      read();
      await mayGo;
      return route.fulfill({ response });
    };
    await page.route('**/graphql', slowly);
    await page.goto('/');
    await isRead;
    await app.given.notification(mia, await app.given.workPackage(quay, mia, 'Dredge'), rob);
    await app.upload(wall.attachments, { as: rob, fileName: 'Late.txt' });
    await page.getByRole('link', { name: '2 unread notifications' }).waitFor();
    expect(await page.getByText('Nothing new for you.').count()).toBe(0);
    go();
    const news = page.getByRole('region', { name: 'What is new' });
    await news.getByRole('link', { name: 'Repair the quay wall, section 4' }).waitFor();
    // Otherwise a request that ends with its page fails in the handler.
    await page.unrouteAll({ behavior: 'wait' });
    await news.getByRole('button', { name: 'Mark all as read' }).click();
    await page.getByRole('link', { name: 'Notifications', exact: true }).waitFor();
  });

  const closeViewer = async (name: string) => {
    const viewer = page.getByRole('dialog', { name });
    await viewer.waitFor();
    await page.keyboard.press('Escape');
    await viewer.waitFor({ state: 'detached' });
  };

  test('recent files open in what they belong to, those of a comment in its work package', async () => {
    await app.upload(wall.attachments, { as: mia, fileName: 'My plan.txt' });
    const comment = await app.given.comment(wall, mia);
    await app.given.attachment({ container: comment, author: mia, fileName: 'Of a comment.txt' });
    await page.goto('/recent');
    await page.getByRole('link', { name: 'Of a comment.txt' }).waitFor();
    expect(await page.locator('main tbody tr').count()).toBe(2);
    await page.getByRole('link', { name: 'Of a comment.txt' }).click();
    await closeViewer('Of a comment.txt');
    await heading('Repair the quay wall, section 4').waitFor();
    await page.getByRole('link', { name: 'My files' }).click();
    await page.getByRole('link', { name: 'My plan.txt' }).click();
    await closeViewer('My plan.txt');
    await heading('Repair the quay wall, section 4').waitFor();
  });

  test.each([
    '/wp/:id',
    '/work_packages/:id/activity',
    '/work_packages/details/:id',
    '/projects/north-quay/work_packages/:id/activity',
    '/notifications/details/:id/activity/',
  ])('the address %s of companion apps leads to the work package', async (address) => {
    await page.goto(address.replace(':id', String(wall.id)));
    await heading('Repair the quay wall, section 4').waitFor();
  });

  test('a status has a sign for its stage, which is also read out', async () => {
    const { given } = app;
    const dock = await given.project({ name: 'Dock', identifier: 'dock' });
    await given.membership(mia, dock, RIGHTS);
    for (const [name, color, isClosed] of [
      ['Confirmed', '#1A67A3', false],
      ['On hold', null, false],
      ['Built', '#000000', true],
      ['Rejected', '#FFFFFF', true],
    ] as const) {
      const { id } = await given.status(name, { color, isClosed });
      const { id: of } = await given.workPackage(dock, mia, `It is ${name}`);
      await app.running.services.db
        .write('work_packages')
        .where({ id: of })
        .update({ status_id: id });
    }
    await given.workPackage(dock, mia, 'It begins');
    await page.goto('/projects/dock/work_packages');
    await page.getByRole('link', { name: 'It begins' }).waitFor();
    expect(await page.locator('main .status').allTextContents()).toEqual([
      'New',
      'Refused: Rejected',
      'Done: Built',
      'Waiting: On hold',
      'In work: Confirmed',
    ]);
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await accessibilityOf(page)).toEqual([]);
    }
  });

  test('a list that a person may not read says so', async () => {
    const { given } = app;
    const basin = await given.project({ name: 'Basin', identifier: 'basin' });
    await given.membership(mia, basin, ['view_meetings']);
    await page.goto('/projects/basin');
    const sentence = page.getByText('You may not see these.');
    for (const part of ['Forum posts', 'Wiki pages', 'Work packages']) {
      await page.getByRole('link', { name: part }).click();
      await sentence.waitFor();
    }
    expect(await accessibilityOf(page)).toEqual([]);
    await page.getByRole('link', { name: 'Meetings' }).click();
    await page.getByText('Nothing here yet.').waitFor();
    expect(await sentence.count()).toBe(0);
  });

  test('what is not there, or hidden, looks the same', async () => {
    for (const address of [
      '/work_packages/999999',
      '/projects/north-harbour',
      '/meetings/0',
      '/elsewhere/7',
    ]) {
      expect((await page.goto(address))?.status()).toBe(404);
      await heading('There is nothing at this address').waitFor();
      const buttons = page.getByRole('main').getByRole('button');
      expect([await buttons.count(), await page.title()]).toEqual([0, 'Not found · Moorage']);
    }
    expect(await accessibilityOf(page)).toEqual([]);
    await page.getByRole('link', { name: 'Search for it' }).click();
    await page.waitForURL('**/search*');
  });

  test('words find files, linked files, work packages and projects together, by keyboard', async () => {
    const { given } = app;
    const lea = await signable(app, { firstName: 'Lea', lastName: 'Sand' });
    const ferry = await given.project({ name: 'Ferry ladders 2027' });
    await given.membership(lea, ferry, RIGHTS);
    const rungs = await given.workPackage(ferry, rob, 'Nine rungs of ladder 3');
    const minutes = await given.meeting(ferry, rob, 'Steel and rust');
    await given.attachment({ author: rob, container: rungs, fileName: 'ladder at low water.txt' });
    await given.attachment({
      author: rob,
      container: minutes,
      fileName: 'minutes.txt',
      description: 'Who orders the ladder?',
    });
    const storage = await given.storage({ name: 'Site files' });
    await given.projectStorage(ferry, storage);
    const time = new Date().toISOString();
    await FileLink.query(app.running.services.db.write).insert({
      workPackageId: rungs.id,
      storageId: storage.id,
      creatorId: rob.id,
      originId: '7',
      originName: 'Ladder type B.dwg',
      createdAt: time,
      updatedAt: time,
    });
    const own = await openAs(browser, app, lea, '/login?return_to=%2F');
    await own.getByRole('heading', { level: 1, name: 'Hello, Lea' }).waitFor();
    await own.keyboard.press('/');
    await own.keyboard.type('LADDER');
    await own.keyboard.press('Enter');
    await own.getByRole('heading', { name: 'Files 2', exact: true }).waitFor();
    expect(await own.locator('main h2').allTextContents()).toEqual([
      'Files 2',
      'Linked files 1',
      'Work packages 1',
      'Projects 1',
    ]);
    const found = async (section: string) =>
      own
        .getByRole('region', { name: section })
        .locator('li')
        .evaluateAll((rows) =>
          rows.map((row) => [
            row.querySelector('a')?.innerText.split('\n')[0],
            ...[...row.querySelectorAll('.meta > *')].map((one) => one.textContent),
          ]),
        );
    expect(await found('Files 2')).toEqual([
      ['minutes.txt', 'Meeting: Steel and rust', 'Ferry ladders 2027', '9 bytes'],
      [
        'ladder at low water.txt',
        'Work package: Nine rungs of ladder 3',
        'Ferry ladders 2027',
        '9 bytes',
      ],
    ]);
    expect(await found('Linked files 1')).toEqual([
      ['Ladder type B.dwg', 'Nine rungs of ladder 3', 'Site files'],
    ]);
    for (const width of [1440, 320]) {
      await own.setViewportSize({ width, height: 800 });
      expect([width, await accessibilityOf(own), await isTooWide(own)]).toEqual([width, [], false]);
    }
    const link = own.getByRole('link', { name: 'minutes.txt' });
    for (let at = 0; at < 20 && !(await hasFocus(link)); at += 1) await own.keyboard.press('Tab');
    await own.keyboard.press('Enter');
    await own.getByRole('heading', { level: 1, name: 'Steel and rust' }).waitFor();
    expect(complaintsOf(own)).toEqual([]);
    await own.context().close();
  });

  test('filters narrow the files that were found, and the address keeps them', async () => {
    const { given } = app;
    const tim = await signable(app, { firstName: 'Tim', lastName: 'Oak' });
    const pier = await given.project({ name: 'Pier 9' });
    await given.membership(tim, pier, RIGHTS);
    const deck = await given.workPackage(pier, tim, 'Deck');
    for (const [author, fileName, contentType] of [
      [rob, 'anchor chart.pdf', 'application/pdf'],
      [rob, 'anchor list.txt', 'text/plain'],
      [tim, 'anchor notes.txt', 'text/plain'],
    ] as const)
      await given.attachment({ author, container: deck, fileName, contentType });
    const own = await openAs(browser, app, tim, '/login?return_to=%2Fsearch%3Fq%3Danchor');
    const names = async (count: number) => {
      await own.getByRole('heading', { name: `Files ${count}`, exact: true }).waitFor();
      const links = await own.locator('main .item a').allInnerTexts();
      return links.map((one) => one.split('\n')[0]).sort();
    };
    expect((await names(3)).length).toBe(3);
    await own.getByLabel('Kind of file').selectOption({ label: 'Texts' });
    expect(await names(2)).toEqual(['anchor list.txt', 'anchor notes.txt']);
    await own.getByLabel('Added by').selectOption({ label: rob.name });
    expect(await names(1)).toEqual(['anchor list.txt']);
    await own.reload();
    expect(await names(1)).toEqual(['anchor list.txt']);
    await own.getByLabel('Kind of file').selectOption({ label: 'Films' });
    await own.getByText('Nothing was found for “anchor”.').waitFor();
    expect(await accessibilityOf(own)).toEqual([]);
    await own.getByRole('button', { name: 'Clear the filters' }).click();
    expect((await names(3)).length).toBe(3);
    // Nobody has chosen these, and the page leaves them out.
    await own.goto('/search?q=anchor&kind=nonsense&person=x&days=8');
    expect((await names(3)).length).toBe(3);
    expect(complaintsOf(own)).toEqual([]);
    await own.context().close();
  });

  test('a project shows all files in it, sorted as one likes, and its members', async () => {
    const { given } = app;
    const mole = await given.project({ name: 'Mole', identifier: 'mole' });
    const ben = await signable(app, { firstName: 'Ben', lastName: 'Kay' });
    await given.membership(ben, mole, RIGHTS);
    const work = await given.workPackage(mole, ben, 'Stones');
    const call = await given.meeting(mole, ben, 'Call');
    await given.attachment({
      author: ben,
      container: work,
      fileName: 'b.txt',
      content: 'long text',
    });
    await given.attachment({ author: ben, container: call, fileName: 'a.txt', content: 'x' });
    const own = await openAs(browser, app, ben, '/login?return_to=%2Fprojects%2Fmole');
    const table = own.getByRole('table', { name: 'Files' });
    const cells = async () =>
      (await table
        .locator('tbody tr')
        .evaluateAll((all) =>
          all.map((row) => [
            row.querySelector('th a')?.textContent?.slice(0, 5),
            row.querySelector('.where')?.textContent,
          ]),
        )) as string[][];
    await table.getByRole('link', { name: 'b.txt' }).waitFor();
    await table.getByRole('button', { name: 'Size' }).click();
    await table.locator('[aria-sort="descending"]', { hasText: 'Size' }).waitFor();
    await table.locator('tbody tr').first().getByText('Stones').waitFor();
    expect(await cells()).toEqual([
      ['b.txt', 'Work package Stones'],
      ['a.txt', 'Meeting Call'],
    ]);
    await table.getByRole('button', { name: 'Name' }).click();
    await table.locator('tbody tr').first().getByText('Call').waitFor();
    await own.getByRole('link', { name: 'Members' }).click();
    await own.getByRole('row', { name: 'Ben Kay' }).waitFor();
    expect(await accessibilityOf(own)).toEqual([]);
    expect(complaintsOf(own)).toEqual([]);
    await own.context().close();
  });

  test('what one does most is within ten presses of Tab, the skip link included', async () => {
    await page.goto(`/work_packages/${wall.id}`);
    await page.getByRole('heading', { name: 'Linked files' }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    const reached: string[] = [];
    for (let tabs = 1; tabs < 10; tabs += 1) {
      await page.keyboard.press('Tab');
      reached.push(await page.evaluate<string>('document.activeElement.textContent'));
    }
    expect(reached).toEqual(expect.arrayContaining(['Link files', 'Add files']));
  });

  test('the key ? shows what the keys do, but not to those who write', async () => {
    await page.goto('/search?q=');
    const box = page.getByRole('main').getByRole('searchbox', { name: 'Search' });
    await box.fill('Why');
    await box.press('?');
    expect(await box.inputValue()).toBe('Why?');
    expect(await page.getByRole('dialog').count()).toBe(0);
    await box.blur();
    await page.keyboard.press('?');
    const map = page.getByRole('dialog', { name: 'Keyboard' });
    await map.getByText('Show these keys').waitFor();
    expect(await accessibilityOf(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await map.waitFor({ state: 'detached' });
  });

  test('who belongs to no project reads what to do', async () => {
    const own = await openAs(browser, app, eve, '/login?return_to=%2F');
    await own
      .getByText('You belong to no project yet. Ask an administrator to add you to one.')
      .waitFor();
    expect(await accessibilityOf(own)).toEqual([]);
    await own.goto('/search?q=quay');
    await own.getByText('Nothing was found for “quay”.').waitFor();
    expect(complaintsOf(own)).toEqual([]);
    await own.context().close();
  });

  test.each([1440, 320])('from right to left nothing is cut off: %d px', async (width) => {
    await page.setViewportSize({ width, height: 800 });
    for (const address of ['/', '/projects/north-quay', `/work_packages/${wall.id}`]) {
      await page.goto(address);
      await page.locator('main .card, main .item, main .file, main tbody tr').first().waitFor();
      await page.evaluate("document.documentElement.dir = 'rtl'");
      expect([address, await isTooWide(page)]).toEqual([address, false]);
      const cut = await page.locator('main h1, main h2').evaluateAll(
        (all) =>
          all.filter((one) => {
            const { left, right } = one.getBoundingClientRect();
            return left < 0 || right > (globalThis as any).innerWidth;
          }).length,
      );
      expect([address, cut]).toEqual([address, 0]);
    }
  });

  test.each([
    ['light', 1440],
    ['dark', 1440],
    ['light', 320],
    ['dark', 320],
  ] as const)(
    'no barrier on any page: %s, %d px',
    async (colorScheme, width) => {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 800 });
      for (const address of [
        '/',
        '/projects',
        '/projects/north-quay',
        '/search?q=quay',
        '/recent',
      ]) {
        await page.goto(address);
        await page.locator('main .card, main .item, main tbody tr').first().waitFor();
        expect([address, await accessibilityOf(page), await isTooWide(page)]).toEqual([
          address,
          [],
          false,
        ]);
      }
    },
    60_000,
  );
});

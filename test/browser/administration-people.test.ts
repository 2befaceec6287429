/** Administrators help people: a lost laptop by keyboard, a new person, memberships, and the lock. */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { PASSWORD, signable } from '../api/auth/support/applications.js';
import { startApp, type App } from '../support/app.js';
import { Visitor } from '../support/browser-visitor.js';
import { describeBrowser, startBrowser } from '../support/browser.js';
import type { Person } from '../support/factories.js';
import { afterAll, beforeAll, expect, test } from '../support/jest.js';
import { accessibilityOf, complaintsOf, isTooWide, openAs } from '../support/pages.js';

describeBrowser('the people of an administrator', () => {
  let app: App;
  let browser: Browser;
  let ada: Person;
  let quay: { id: number };
  beforeAll(async () => {
    [browser, app] = await Promise.all([startBrowser(), startApp()]);
    ada = await signable(app, { firstName: 'Ada', lastName: 'Moor', admin: true });
    quay = await app.given.project({ name: 'North quay repair', identifier: 'north-quay' });
  }, 180_000);
  afterAll(async () => {
    await browser?.close();
    await app?.stop();
  });

  const visit = (path: string, options?: BrowserContextOptions) =>
    openAs(browser, app, ada, `/login?return_to=${encodeURIComponent(path)}`, options);
  const said = (page: Page, text: string | RegExp) =>
    page.locator('.message').getByText(text).first().waitFor();
  const dialogOf = (page: Page) => page.getByRole('dialog');
  /** Goes on by keyboard until the focus is on what has the name. */
  async function tabTo(page: Page, name: string): Promise<void> {
    const focused = () => page.evaluate<string>('document.activeElement.textContent.trim()');
    for (let steps = 0; (await focused()) !== name; steps += 1) {
      expect(steps).toBeLessThan(40);
      await page.keyboard.press('Tab');
    }
  }

  test('after a lost laptop, everything that acts for a person is ended by keyboard', async () => {
    const rob = await signable(app, { firstName: 'Rob', lastName: 'van Dijk' });
    const laptop = new Visitor(app);
    await laptop.signIn(rob.login, PASSWORD);
    const token = await app.given.accessToken(rob);
    const storage = await app.given.storage({
      name: 'Site files',
      client: { id: 'a', secret: 'b' },
    });
    await app.given.storageTokens(rob, storage, { accessToken: 'x', refreshToken: 'y' });
    const works = async () => [
      (await laptop.get('/api/v3/users/me')).status,
      (await app.get('/api/v3/users/me', rob)).status,
      (
        await app.request('GET', '/api/v3/users/me', {
          headers: { authorization: `Bearer ${token}` },
        })
      ).status,
      (await app.running.services.db.read('storage_tokens').where({ user_id: rob.id })).length,
    ];
    expect(await works()).toEqual([200, 200, 200, 1]);

    const page = await visit('/administration/people');
    await page.getByRole('searchbox', { name: 'Find a person' }).waitFor();
    await page.keyboard.type('dijk');
    await page.getByRole('link', { name: 'Ada Moor' }).waitFor({ state: 'detached' });
    await tabTo(page, 'Rob van Dijk');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'What has access' }).waitFor();
    expect(await page.locator('.access li').count()).toBe(4);
    await tabTo(page, 'End all access');
    await page.keyboard.press('Enter');
    await dialogOf(page).waitFor();
    await page.keyboard.press('Shift+Tab');
    await tabTo(page, 'End all access');
    await page.keyboard.press('Enter');
    await page.getByText('Nothing acts in the name of this person.').waitFor();
    await said(page, '4 accesses have ended.');
    expect(await works()).toEqual([401, 401, 401, 0]);
    expect(complaintsOf(page)).toEqual([]);
    await page.context().close();
  }, 60_000);

  test('one access ends alone', async () => {
    const rob = await signable(app, { firstName: 'Rob', lastName: 'Small' });
    await app.given.apiKey(rob, 'Nightly export');
    const page = await visit(`/administration/people/${rob.id}`);
    await page.getByRole('button', { name: /End.*Nightly export/ }).click();
    await said(page, /Nightly export has ended/);
    await page.getByText('Nightly export', { exact: true }).waitFor({ state: 'detached' });
    expect((await app.get('/api/v3/users/me', rob)).status).toBe(200);
    await page.context().close();
  }, 60_000);

  test('a new person gets a link once, and signs in with the password that is set there', async () => {
    const page = await visit('/administration/people/new');
    await page.getByLabel('First name').fill('Mia');
    await page.getByLabel('Last name').fill('Okafor');
    await page.getByLabel('Login').fill(ada.login);
    await page.getByRole('button', { name: 'Create the person' }).click();
    // The service refuses the login, and the page says so at the field.
    await page.locator('[name=login][aria-invalid=true]').waitFor();
    expect(await page.evaluate('document.activeElement.name')).toBe('login');
    expect(await accessibilityOf(page)).toEqual([]);
    await page.getByLabel('Login').fill('mia-okafor');
    await page.getByRole('button', { name: 'Create the person' }).click();
    const link = await page.getByLabel('Link to set a password').first().inputValue();
    await page.getByRole('link', { name: 'Continue to the projects' }).click();
    await page.getByRole('heading', { name: 'Mia Okafor', level: 1 }).waitFor();
    expect(await page.content()).not.toContain(link);
    await page.goBack();
    await page.getByRole('button', { name: 'Create the person' }).waitFor();
    expect(await page.content()).not.toContain(link);
    const other = await browser.newPage();
    await other.goto(link);
    for (const name of ['password', 'repeated'])
      await other.locator(`[name=${name}]`).fill('another harbour');
    await other.locator('main button').first().click();
    await other.waitForLoadState();
    expect((await new Visitor(app).signIn('mia-okafor', 'another harbour')).status).toBe(303);
    await other.close();
    await page.context().close();
  }, 60_000);

  test('roles in projects are set, changed and taken back', async () => {
    await app.given.role(['view_work_packages']);
    const zoe = await signable(app, { firstName: 'Zoe', lastName: 'Park' });
    const page = await visit(`/administration/people/${zoe.id}`);
    await page.getByText('This person belongs to no project yet.').waitFor();
    const form = page.getByRole('form', { name: 'Add, with roles' });
    await form.getByRole('combobox', { name: 'Project', exact: true }).selectOption({
      label: 'North quay repair',
    });
    await form.getByRole('button', { name: 'Save' }).click();
    await form.locator('fieldset[aria-invalid=true]').waitFor();
    expect(await accessibilityOf(page)).toEqual([]);
    await form.getByRole('checkbox').first().check();
    await form.getByRole('button', { name: 'Save' }).click();
    const table = page.getByRole('table', { name: 'Projects' });
    await table.getByRole('link', { name: 'North quay repair' }).click();
    await page.getByRole('heading', { name: 'North quay repair', level: 1 }).waitFor();
    const members = page.getByRole('table', { name: 'Members' });
    await members.getByRole('link', { name: 'Zoe Park' }).waitFor();
    await members.getByRole('button', { name: /Remove.*Zoe Park/ }).click();
    await dialogOf(page).getByRole('button', { name: 'Remove' }).click();
    await members.getByRole('link', { name: 'Zoe Park' }).waitFor({ state: 'detached' });
    await page.context().close();
  }, 60_000);

  test('whom somebody else has changed meanwhile is not written over', async () => {
    const kim = await signable(app, { firstName: 'Kim', lastName: 'Wray' });
    const page = await visit(`/administration/people/${kim.id}`);
    const form = page.getByRole('form', { name: 'Person' });
    await form.getByLabel('First name').fill('Kimberly');
    const { errors } = await app.graphql(
      'mutation ($input: UpdateUserInput!) { updateUser(input: $input) { user { id } } }',
      { input: { id: String(kim.id), lastName: 'Wray-Lund' } },
      ada,
    );
    expect(errors).toBeUndefined();
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByText('Somebody else has changed this meanwhile. Nothing was saved.').waitFor();
    expect(await form.getByLabel('First name').inputValue()).toBe('Kimberly');
    await form.getByRole('button', { name: 'Show the new values' }).click();
    expect(await form.getByLabel('Last name').inputValue()).toBe('Wray-Lund');
    await form.getByLabel('First name').fill('Kimberly');
    await form.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Kimberly Wray-Lund', level: 1 }).waitFor();
    expect(await form.getByText('Somebody else').count()).toBe(0);
    await page.context().close();
  }, 60_000);

  test('a person is locked and unlocked', async () => {
    const lee = await signable(app, { firstName: 'Lee', lastName: 'Hart' });
    const page = await visit(`/administration/people/${lee.id}`);
    const signsIn = async () => (await new Visitor(app).signIn(lee.login, PASSWORD)).status === 303;
    await page.getByRole('button', { name: 'Lock' }).click();
    await dialogOf(page).getByRole('button', { name: 'Lock' }).click();
    await page.getByText('This person cannot sign in.').waitFor();
    expect([await accessibilityOf(page), await signsIn()]).toEqual([[], false]);
    await page.getByRole('button', { name: 'Unlock' }).click();
    await dialogOf(page).getByRole('button', { name: 'Unlock' }).click();
    await said(page, 'Lee Hart is unlocked.');
    expect(await signsIn()).toBe(true);
    await page.context().close();
  }, 60_000);

  test('a person is erased only after the login was typed', async () => {
    const mia = await signable(app, { firstName: 'Mia', lastName: 'Gone' });
    const page = await visit(`/administration/people/${mia.id}`);
    await page.getByRole('button', { name: 'Erase' }).click();
    const act = dialogOf(page).getByRole('button', { name: 'Erase' });
    const login = dialogOf(page).getByRole('textbox');
    await login.fill(`${mia.login}x`);
    expect(await act.getAttribute('aria-disabled')).toBe('true');
    await act.click({ force: true });
    expect((await new Visitor(app).signIn(mia.login, PASSWORD)).status).toBe(303);
    expect(await accessibilityOf(page)).toEqual([]);
    await login.fill(mia.login);
    await act.click();
    await page.getByRole('heading', { name: 'Deleted user', level: 1 }).waitFor();
    await page.getByText('This person was erased.').waitFor();
    expect(await page.getByRole('main').getByRole('button').count()).toBe(0);
    expect(await page.getByRole('main').innerText()).not.toContain('Gone');
    expect([await accessibilityOf(page), await isTooWide(page)]).toEqual([[], false]);
    await page.goto('/administration/people');
    const row = page.getByRole('row', { name: /Deleted user/ });
    expect((await row.innerText()).split(/\s*\t\s*/).slice(-2)).toEqual(['–', '']);
    expect((await new Visitor(app).signIn(mia.login, PASSWORD)).status).not.toBe(303);
    expect(complaintsOf(page)).toEqual([]);
    await page.context().close();
  }, 60_000);

  test('an administrator cannot erase the own account, and reads why', async () => {
    const page = await visit(`/administration/people/${ada.id}`);
    await page.getByRole('button', { name: 'Erase' }).click();
    await dialogOf(page).getByRole('textbox').fill(ada.login);
    await dialogOf(page).getByRole('button', { name: 'Erase' }).click();
    await dialogOf(page).getByText('You cannot erase yourself.').waitFor();
    await page.context().close();
  }, 60_000);

  test('a role is made, changed and deleted, but not while a member has it', async () => {
    const page = await visit('/administration/roles');
    await page.getByRole('link', { name: 'Add a role' }).click();
    const made = page.getByRole('form', { name: 'New role' });
    await made.getByRole('button', { name: 'Create' }).click();
    await page.locator('[name=name][aria-invalid=true]').waitFor();
    await made.getByLabel('Name').fill('Guest diver');
    await made.getByRole('checkbox', { name: 'Write comments' }).check();
    await made.getByRole('checkbox', { name: 'See linked files' }).check();
    await made.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'Guest diver', level: 1 }).waitFor();
    const id = Number(new URL(page.url()).pathname.split('/').pop());
    const permits = async (role = id) =>
      (await app.running.services.db.read('role_permissions').where({ role_id: role }))
        .map(({ permission }) => String(permission))
        .sort();
    expect(await permits()).toEqual(['add_work_package_comments', 'view_file_links']);
    const form = page.getByRole('form', { name: 'What it permits' });
    expect(await form.getByRole('checkbox', { checked: true }).count()).toBe(2);
    await form.getByLabel('Name').fill('Diver');
    await form.getByRole('checkbox', { name: 'See linked files' }).uncheck();
    await form.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Diver', level: 1, exact: true }).waitFor();
    expect(await permits()).toEqual(['add_work_package_comments']);
    expect([await accessibilityOf(page), await isTooWide(page)]).toEqual([[], false]);

    const sam = await app.given.user();
    await app.given.membership(sam, quay, ['view_work_packages']);
    const memberRoles = () => app.running.services.db.write('membership_roles');
    const given = await memberRoles().orderBy('membership_id', 'desc').first();
    await memberRoles().where(given).update({ role_id: id });
    await page.getByRole('button', { name: 'Delete' }).click();
    await dialogOf(page).getByRole('button', { name: 'Delete' }).click();
    await dialogOf(page).getByText('A member has the role.').waitFor();
    await memberRoles()
      .where({ ...given, role_id: id })
      .update({ role_id: given.role_id });
    await dialogOf(page).getByRole('button', { name: 'Delete' }).click();
    await said(page, 'The role Diver is deleted.');
    expect(await page.getByRole('link', { name: 'Diver' }).count()).toBe(0);
    expect(complaintsOf(page)).toEqual([]);
    await page.context().close();
  }, 60_000);

  test('the role of those who are not members has no other name, but other permissions', async () => {
    await app.given.role(['view_work_packages'], 'Non member');
    const page = await visit('/administration/roles');
    await page.getByRole('link', { name: 'Non member' }).click();
    const form = page.getByRole('form', { name: 'What it permits' });
    await form.getByRole('checkbox', { name: 'See the wiki' }).check();
    expect(await form.getByRole('textbox').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Delete' }).count()).toBe(0);
    await form.getByRole('button', { name: 'Save' }).click();
    await said(page, 'Saved');
    const { data } = await app.graphql('{ publicRoles { name permissions } }', {}, ada);
    expect(data).toEqual({
      publicRoles: [{ name: 'Non member', permissions: ['VIEW_WIKI_PAGES', 'VIEW_WORK_PACKAGES'] }],
    });
    await page.context().close();
  }, 60_000);

  test('a project gets a quota with its unit, and loses it again', async () => {
    const page = await visit(`/administration/projects/${quay.id}`);
    const form = page.getByRole('form', { name: 'Project', exact: true });
    const quota = form.getByLabel('Quota');
    const save = () => form.getByRole('button', { name: 'Save' }).click();
    for (const wrong of ['-1', '1 GB', '0.00000000001']) {
      await quota.fill(wrong);
      await save();
      await form.locator('[name=storageQuota][aria-invalid=true]').waitFor();
      await form.getByText('The quota must be a whole number of bytes').waitFor();
    }
    expect(await accessibilityOf(page)).toEqual([]);
    const unit = form.getByLabel('Unit');
    for (const [number, label] of [
      ['150', 'GB'],
      ['1.5', 'TB'],
    ] as const) {
      await quota.fill(number);
      await unit.selectOption({ label });
      await save();
      await page.getByText(new RegExp(`of .?${number}.${label}`)).waitFor();
      await page.reload();
      await quota.waitFor();
      expect([await quota.inputValue(), await unit.locator(':checked').innerText()]).toEqual([
        number,
        label,
      ]);
    }
    await quota.fill('');
    await save();
    await page.getByText('no limit').waitFor();
    expect(complaintsOf(page)).toEqual([]);
    await page.context().close();
  }, 60_000);

  test.each([
    ['light', 390],
    ['dark', 390],
    ['dark', 1_440],
  ] as const)(
    'pages have no fault of accessibility, %s, %s px wide',
    async (colorScheme, width) => {
      const page = await visit('/administration/people', {
        colorScheme,
        viewport: { width, height: 800 },
      });
      for (const path of [
        'people',
        'people/new',
        `people/${ada.id}`,
        'projects',
        'projects/new',
        `projects/${quay.id}`,
        'roles',
        'roles/new',
      ]) {
        await page.goto(`/administration/${path}`);
        await page.getByRole('heading', { level: 1 }).waitFor();
        await page.locator('.admin-main :is(table, form, .access, .blank)').first().waitFor();
        expect([path, await accessibilityOf(page), await isTooWide(page)]).toEqual([
          path,
          [],
          false,
        ]);
      }
      expect(complaintsOf(page)).toEqual([]);
      await page.context().close();
    },
    90_000,
  );
});

/** The explorer and the API page in a browser, with the session of the person who is signed in. */
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { examples } from '../../web/developers/explorer/examples.js';
import { startApp, type App } from '../support/app.js';
import { describeBrowser, startBrowser } from '../support/browser.js';
import { eventually } from '../support/direct-upload.js';
import type { ContainerHandle, Person } from '../support/factories.js';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '../support/jest.js';

const PASSWORD = 'correct horse battery';

describeBrowser('in a browser', () => {
  let app: App;
  let browser: Browser;
  let mia: Person;
  let workPackage: ContainerHandle;
  let context: BrowserContext;
  let page: Page;
  /** Errors, refused requests, violations of the policy and requests to other hosts. */
  const complaints: string[] = [];

  beforeAll(async () => {
    [app, browser] = await Promise.all([startApp(), startBrowser()]);
    const { given } = app;
    const project = await given.project({ name: 'Depot' });
    mia = await given.member(
      project,
      ['view_work_packages', 'add_work_packages', 'edit_work_packages', 'view_file_links'],
      { password: PASSWORD, firstName: 'Mia', lastName: 'Ray' },
    );
    workPackage = await given.workPackage(project, mia, 'Order bricks');
    await given.attachment({ container: workPackage, author: mia, fileName: 'plan.txt' });
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    await app?.stop();
  });

  beforeEach(async () => {
    complaints.length = 0;
    context = await browser.newContext();
    page = await context.newPage();
    page.on('console', (message) => {
      // Wrong credentials are an expected answer.
      if (message.type() === 'error' && !/status of 401/.test(message.text()))
        complaints.push(message.text());
    });
    page.on('pageerror', (error) => void complaints.push(error.message));
    page.on('request', (request) => {
      const url = request.url();
      if (!url.startsWith(app.url) && !url.startsWith('data:')) complaints.push(url);
    });
    await context.exposeFunction('violated', (text: string) => void complaints.push(text));
    await context.addInitScript(
      "addEventListener('securitypolicyviolation', (event) => violated(event.violatedDirective + ' ' + event.blockedURI))",
    );
  });
  afterEach(() => context.close());

  async function openSignedIn(path: string): Promise<void> {
    await page.goto(`${app.url}/login?return_to=${encodeURIComponent(path)}`);
    await page.getByLabel('Login').fill(mia.login);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.waitForURL(app.url + path);
  }
  const run = () => page.getByRole('button', { name: 'Execute query' }).click();
  const query = () => page.getByLabel('Query Editor').locator('.CodeMirror-code');
  /** The whole answer, as soon as it has the text. */
  async function answerWith(text: string): Promise<unknown> {
    const shown = page.getByLabel('Result Window').getByText(text).first();
    await shown.waitFor().catch(async () => {
      throw new Error(`The answer with ${text} is not shown. Editors: ${await editors()}`);
    });
    // The editor has only those lines in the page that are in sight.
    return page.evaluate(
      "JSON.parse(document.querySelector('.result-window .CodeMirror').CodeMirror.getValue())",
    );
  }
  /** The texts of all editors, for the message of a failed test. */
  const editors = () =>
    page.evaluate<string>(
      "JSON.stringify([...document.querySelectorAll('.CodeMirror')].map((one) => one.CodeMirror.getValue()))",
    );
  async function openExample(title: string, operation: string): Promise<void> {
    await page.locator('.examples').getByText(title, { exact: true }).click();
    await query().getByText(operation, { exact: true }).waitFor();
  }
  /** Waits until the explorer has loaded its editors. */
  const ready = () => page.getByRole('button', { name: /^First look/, disabled: false }).waitFor();
  async function openExplorer(): Promise<void> {
    await openSignedIn('/graphql');
    await ready();
  }
  const write = async (editor: string, text: string) => {
    await page.getByLabel(editor, { exact: true }).locator('.CodeMirror >> visible=true').click();
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.insertText(text);
  };

  test('the first tab asks for the work packages of the person who is signed in', async () => {
    await openExplorer();
    expect(await page.title()).toBe('GraphQL explorer – Moorage');
    await page.getByRole('link', { name: 'Mia Ray' }).waitFor();
    await run();
    expect(await answerWith('Order bricks')).toEqual({
      data: {
        viewer: { name: 'Mia Ray' },
        workPackages: {
          totalCount: 1,
          nodes: [
            {
              id: workPackage.globalId,
              subject: 'Order bricks',
              attachments: { totalCount: 1, nodes: [{ fileName: 'plan.txt' }] },
            },
          ],
        },
      },
    });
    expect(await page.getByRole('button', { name: 'Headers' }).count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  test('a subscription shows an upload over the API, until it is stopped', async () => {
    await openExplorer();
    await openExample('Subscribe to changes', 'FilesChanged');
    const open = page.waitForResponse(`${app.url}/graphql/stream`);
    await run();
    expect((await open).status()).toBe(200);
    const { body } = await app.upload(workPackage.attachments, { as: mia, fileName: 'bricks.txt' });
    expect(await answerWith('bricks.txt')).toEqual({
      data: {
        attachmentChanged: {
          event: 'CREATED',
          createdAt: expect.stringMatching(/^2\d{3}-/),
          attachment: { databaseId: body.id, fileName: 'bricks.txt', status: 'UPLOADED' },
        },
      },
    });
    await page.getByRole('button', { name: 'Stop query' }).click();
    await page.getByRole('button', { name: 'Execute query' }).waitFor();
    expect(complaints).toEqual([]);
  });

  test('a new text runs at once, without waiting for the explorer to read it', async () => {
    await openExplorer();
    await page.evaluate(
      "(document.querySelector('.graphiql-query-editor .CodeMirror').CodeMirror.setValue('query Another { viewer { name } }'), document.querySelector('.graphiql-execute-button').click())",
    );
    expect(await answerWith('Mia Ray')).toEqual({ data: { viewer: { name: 'Mia Ray' } } });
    expect(complaints).toEqual([]);
  });

  test('an upload asks for the file and sends it as a form', async () => {
    await openExplorer();
    await openExample('Upload a file', 'UploadFile');
    const chooser = page.waitForEvent('filechooser');
    await run();
    await (
      await chooser
    ).setFiles({ name: 'local.txt', mimeType: 'text/plain', buffer: Buffer.from('ninety bricks') });
    const uploaded = await answerWith('example.txt');
    expect(uploaded).toEqual({
      data: {
        createAttachment: {
          attachment: {
            id: expect.any(String),
            databaseId: expect.any(Number),
            fileName: 'example.txt',
            fileSize: 13,
            digest: { algorithm: 'SHA256', hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
          },
        },
      },
    });
    expect(complaints).toEqual([]);
  });

  test.each(
    examples
      .filter(({ query }) => !/^(mutation|subscription) /m.test(query))
      .map(({ title, query }) => [title, /query (\w+)/.exec(query)?.[1] ?? '']),
  )('the example "%s" runs', async (title, operation) => {
    await openExplorer();
    await openExample(title, operation);
    await run();
    expect(await answerWith('"data"')).toEqual({ data: expect.any(Object) });
    expect(complaints).toEqual([]);
  });

  test('the panels and dialogs keep to the policy, in both colour schemes', async () => {
    const grounds: string[] = [];
    await openExplorer();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      grounds.push(
        await page.evaluate(
          "getComputedStyle(document.querySelector('.graphiql-container')).backgroundColor",
        ),
      );
      for (const panel of ['Documentation Explorer', 'History', 'Examples']) {
        await page.getByRole('button', { name: `Show ${panel}` }).click();
        await page.getByRole('button', { name: `Hide ${panel}` }).waitFor();
      }
      for (const dialog of ['settings', 'short keys']) {
        await page.getByRole('button', { name: `Open ${dialog} dialog` }).click();
        await page.getByRole('dialog').waitFor();
        await page.keyboard.press('Escape');
        await page.getByRole('dialog').waitFor({ state: 'detached' });
      }
    }
    expect(grounds).toEqual(['rgb(252, 253, 253)', 'rgb(10, 24, 30)']);
    expect(complaints).toEqual([]);
  });

  test('a visitor asks with an API key, which the browser does not keep', async () => {
    await page.goto(`${app.url}/graphql`);
    await ready();
    await page.getByRole('button', { name: 'Headers' }).click();
    await write('Headers', JSON.stringify({ Authorization: `Bearer ${mia.key}` }));
    await run();
    expect(await answerWith('Mia Ray')).toMatchObject({ data: { viewer: { name: 'Mia Ray' } } });
    // The tabs and the history are kept a moment later.
    for (const name of ['graphiql:tabState', 'graphiql:queries'])
      await eventually(
        () => page.evaluate<string | null>(`localStorage.getItem('${name}')`),
        (text) => text?.includes('FirstLook') ?? false,
      );
    expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain(mia.key);

    await openExample('Subscribe to changes', 'FilesChanged');
    await write('Headers', JSON.stringify({ Authorization: 'Bearer wrong' }));
    await run();
    expect(await answerWith('errors')).toEqual({
      errors: [
        {
          message: 'You did not provide the correct credentials.',
          extensions: {
            code: 'UNAUTHENTICATED',
            errorIdentifier: 'urn:service-org:api:v3:errors:Unauthenticated',
            status: 401,
          },
        },
      ],
    });
    expect(complaints).toEqual([]);
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.waitForURL(`${app.url}/login?return_to=%2Fgraphql`);
  });

  test('the API page shows examples, and its operations use the session', async () => {
    const attachment = await app.given.attachment({
      container: workPackage,
      author: mia,
      fileName: 'wrong.txt',
    });
    await openSignedIn('/api/docs');
    await page.getByRole('link', { name: 'Mia Ray' }).waitFor();
    const operation = page.locator('.opblock-delete', { hasText: 'Delete an attachment' });
    const shown = page.locator('.opblock-get', { hasText: 'View an attachment' });
    await shown.locator('.opblock-summary-control').click();
    expect(await shown.locator('.responses-inner').innerText()).toContain('"_type": "Attachment"');
    await operation.locator('.opblock-summary-control').click();
    await operation.getByRole('button', { name: 'Try it out' }).click();
    await operation.getByPlaceholder('id').fill(String(attachment.id));
    await operation.getByRole('button', { name: 'Execute' }).click();
    expect(
      await operation.locator('.live-responses-table .response-col_status').last().innerText(),
    ).toMatch(/^204/);
    expect((await app.get(`/api/v3/attachments/${attachment.id}`, mia)).status).toBe(404);
    expect(complaints).toEqual([]);
  });
});

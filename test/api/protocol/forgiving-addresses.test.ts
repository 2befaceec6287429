/** Addresses as clients build them, and links that people open in a browser without a session. */
import { request } from 'undici';
import { startApp, type App } from '../../support/app.js';
import { errorBody, notFound } from '../../support/expected.js';
import type { ContainerHandle, Person } from '../../support/factories.js';
import { afterAll, beforeAll, describe, expect, test } from '../../support/jest.js';
import { ask, head } from '../../support/raw.js';

let app: App;
let person: Person;
let workPackage: ContainerHandle;
let attachment: { id: number };
let content: string;
let publicContent: string;
beforeAll(async () => {
  app = await startApp();
  const project = await app.given.project();
  person = await app.given.member(project, ['view_work_packages', 'edit_work_packages']);
  workPackage = await app.given.workPackage(project, person);
  attachment = await app.given.attachment({ container: workPackage, author: person, content: 'a' });
  content = `/api/v3/attachments/${attachment.id}/content`;
  await app.given.role(['view_wiki_pages'], 'Anonymous');
  const open = await app.given.project({ isPublic: true });
  const page = await app.given.wikiPage(open, person);
  const shown = await app.given.attachment({ container: page, author: person, content: 'shown' });
  publicContent = `/api/v3/attachments/${shown.id}/content`;
});
afterAll(() => app?.stop());

describe('doubled slashes', () => {
  test.each([
    ['before the path', () => `//api/v3/attachments/${attachment.id}`],
    ['inside the path', () => `/api/v3//attachments/${attachment.id}`],
    ['several times', () => `///api//v3///attachments////${attachment.id}`],
    ['at the end', () => `/api/v3/attachments/${attachment.id}//`],
  ])('%s are answered as a single one', async (_name, path) => {
    const single = await ask(
      app,
      head('GET', `/api/v3/attachments/${attachment.id}`, { as: person }),
    );
    const doubled = await ask(app, head('GET', path(), { as: person }));
    expect([doubled.status, doubled.body]).toEqual([200, single.body]);
    const stranger = await ask(app, head('GET', path()));
    expect([stranger.status, stranger.body]).toEqual([404, notFound]);
  });

  test('are answered at other addresses too, and stay in the query', async () => {
    const graph = await ask(
      app,
      head('GET', `//graphql?query=${encodeURIComponent('{viewer{name}}')}&x=//`, { as: person }),
    );
    expect([graph.status, graph.body.data.viewer.name]).toEqual([200, person.name]);
    const signIn = await ask(app, head('GET', '//wp//7?return=//a//b'));
    expect([signIn.status, signIn.headers['location']]).toEqual([
      303,
      `/login?return_to=${encodeURIComponent('/wp/7?return=//a//b')}`,
    ]);
  });

  test('lead to no other host', async () => {
    const answer = await ask(app, head('GET', '//evil.example.test/wp/7'));
    expect([answer.status, answer.headers['location'], answer.body]).toEqual([
      404,
      undefined,
      notFound,
    ]);
  });
});

describe('a link that is opened in a browser', () => {
  const navigation = { 'Sec-Fetch-Mode': 'navigate', Accept: 'text/html,*/*;q=0.8' };
  const MISSING = 2_147_483_647;
  const clicked = (): [string, string][] => [
    ['the content of a hidden file', content],
    ['the content of a missing file', `/api/v3/attachments/${MISSING}/content`],
    ['an archive', `/api/v3/work_packages/${MISSING}/attachments/archive`],
    ['a linked file', `/api/v3/file_links/${MISSING}/open`],
    ['the download of a linked file', `/api/v3/file_links/${MISSING}/download`],
    ['a storage', `/api/v3/storages/${MISSING}/open`],
    ['the folder of a project', `/api/v3/project_storages/${MISSING}/open`],
  ];
  // `fetch` would send a mode of its own.
  const get = (path: string, headers: { [name: string]: string }, as?: Person) =>
    ask(app, head('GET', path, { headers, ...(as && { as }) }));

  test('leads to the sign-in and back, the same for hidden and missing files', async () => {
    for (const [name, path] of clicked()) {
      const { status, headers, text } = await get(path, navigation);
      expect({ name, status, text, cache: headers['cache-control'] }).toEqual({
        name,
        status: 303,
        text: '',
        cache: 'private, no-store',
      });
      expect(headers['location']).toBe(`${app.url}/login?return_to=${encodeURIComponent(path)}`);
    }
  });

  test('leads to the sign-in too when the session has ended', async () => {
    const { status, headers } = await get(content, { ...navigation, Cookie: 'moorage_session=x' });
    expect([status, headers['location']]).toEqual([
      303,
      `${app.url}/login?return_to=${encodeURIComponent(content)}`,
    ]);
  });

  test('shows a file that everybody may see', async () => {
    const { status, text } = await get(publicContent, navigation);
    expect([status, text]).toEqual([200, 'shown']);
  });

  test.each([
    ['a program', {}],
    ['a program that accepts HTML', { Accept: 'text/html' }],
    ['a picture of a page', { 'Sec-Fetch-Mode': 'no-cors', Accept: 'text/html' }],
    ['a script of a page', { 'Sec-Fetch-Mode': 'cors', Accept: 'text/html' }],
    ['a navigation that wants JSON', { 'Sec-Fetch-Mode': 'navigate', Accept: 'application/json' }],
  ] as [string, { [name: string]: string }][])(
    '%s gets the same 404 as before',
    async (_name, headers) => {
      for (const [, path] of clicked()) {
        const { status, body } = await get(path, headers);
        expect([status, body]).toEqual([404, notFound]);
      }
    },
  );

  test('all other addresses, methods and credentials are answered as before', async () => {
    for (const path of [`/api/v3/attachments/${MISSING}`, `/api/v3/storages/${MISSING}`]) {
      const { status, body } = await get(path, navigation);
      expect([status, body]).toEqual([404, notFound]);
    }
    const { statusCode } = await request(app.url + content, {
      method: 'HEAD',
      headers: navigation,
    });
    expect(statusCode).toBe(404);
    const stranger = await app.given.user();
    const known = await get(content, navigation, stranger);
    expect([known.status, known.body]).toEqual([404, notFound]);
    const wrong = await get(content, {
      ...navigation,
      Authorization: 'Bearer wrong-key-of-somebody',
    });
    expect([wrong.status, wrong.body]).toEqual([
      401,
      errorBody('Unauthenticated', wrong.body.message),
    ]);
  });
});

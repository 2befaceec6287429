/** The codes of errors in GraphQL: one enum, one table in the documents, and what is answered. */
import { readFileSync } from 'node:fs';
import { startApp, type App, type RequestOptions } from '../../support/app.js';
import type { Person } from '../../support/factories.js';
import { afterAll, beforeAll, describe, expect, test } from '../../support/jest.js';

const page = new URL('../../../docs/reference/generated/errors.md', import.meta.url);

async function enumOf(app: App): Promise<{ name: string; description: string }[]> {
  const { data } = await app.graphql(
    '{ __type(name: "ErrorCode") { enumValues { name description } } }',
    {},
  );
  return data.__type.enumValues;
}

/** Every code in an answer, and the status of HTTP. */
async function codesOf(app: App, path: string, options: RequestOptions, method = 'POST') {
  const { status, text } = await app.request(method, path, options);
  return [status, ...[...text.matchAll(/"code":"([^"]*)"/g)].map(([, code]) => code)];
}

const asked = (query: string, more: object = {}) => ({ json: { query, ...more } });
const sent = (body: string) => ({ body, headers: { 'content-type': 'application/json' } });

describe.each(['standard', 'openproject'])('the profile %s', (profile) => {
  let app: App;
  let admin: Person;
  let person: Person;
  beforeAll(async () => {
    app = await startApp({ API_PROFILE: profile });
    admin = await app.given.user({ admin: true });
    person = await app.given.user();
  });
  afterAll(() => app?.stop());

  test('the enum has the codes and meanings of the table in the documents', async () => {
    const rows = readFileSync(page, 'utf8').matchAll(
      /^\| \d+ \| `[^`]*` \| `([^`]*)` \| (.*?) \|/gm,
    );
    const table = new Map([...rows].map(([, code, meaning]) => [code, meaning]));
    const values = await enumOf(app);
    expect(Object.fromEntries(values.map(({ name, description }) => [name, description]))).toEqual(
      Object.fromEntries(table),
    );
    expect(values.length).toBeGreaterThan(15);
  });

  test('errors of libraries, of the service and of storages have codes of the enum', async () => {
    const storage = await app.given.storage({ origin: 'http://127.0.0.1:1' });
    const known = (await enumOf(app)).map(({ name }) => name);
    const as = admin;
    const folder = `{ storage(id: ${storage.id}) { files(parent: "/") { files { id } } } }`;
    const cases: [RequestOptions, unknown[], string?][] = [
      [asked('{'), [400, 'INVALID_QUERY']],
      [asked('{ nothing }'), [400, 'INVALID_QUERY']],
      [asked('query A { viewer { id } } query B { viewer { id } }'), [400, 'INVALID_QUERY']],
      [
        asked('query ($id: ID!) { node(id: $id) { id } }', { variables: { id: {} } }),
        [400, 'INVALID_REQUEST_BODY'],
      ],
      [asked('{ viewer { id } }', { variables: 'none' }), [400, 'INVALID_REQUEST_BODY']],
      [{ json: {} }, [400, 'INVALID_REQUEST_BODY']],
      [{ json: [{ query: '{ viewer { id } }' }] }, [400, 'INVALID_REQUEST_BODY']],
      [
        { json: { extensions: { persistedQuery: { version: 1, sha256Hash: 'a' } } } },
        [200, 'INVALID_QUERY'],
      ],
      [sent('{'), [400, 'INVALID_REQUEST_BODY']],
      [
        { ...asked('{ viewer { id } }'), headers: { 'content-encoding': 'gzip' } },
        [415, 'TYPE_NOT_SUPPORTED'],
      ],
      [asked('{ viewer { id } }'), [405, 'METHOD_NOT_ALLOWED'], 'PUT'],
      [
        { ...asked('{ viewer { id } }'), headers: { authorization: 'Bearer x' } },
        [401, 'UNAUTHENTICATED'],
      ],
      [asked('{ workPackage(id: "4711") { id } }'), [200, 'NOT_FOUND']],
      [{ ...asked('{ webhooks { totalCount } }'), as: person }, [200, 'MISSING_PERMISSION']],
      [
        asked(folder),
        [200, profile === 'standard' ? 'OUTBOUND_REQUEST_NOT_FOUND' : 'UNAUTHENTICATED'],
      ],
    ];
    const seen = [];
    for (const [options, , method] of cases)
      seen.push(await codesOf(app, '/graphql', { as, ...options }, method));
    expect(seen).toEqual(cases.map(([, expected]) => expected));
    const codes = seen.flatMap((answer) => answer.slice(1));
    expect(codes.filter((code) => !known.includes(String(code)))).toEqual([]);
  });

  test('a subscription that is refused has a code of the enum', async () => {
    const known = (await enumOf(app)).map(({ name }) => name);
    const headers = { accept: 'text/event-stream' };
    const refusals = await Promise.all(
      ['{', 'subscription { nothing }', '{ viewer { id } }'].map((query) =>
        codesOf(app, '/graphql/stream', { ...asked(query), headers, as: person }),
      ),
    );
    expect(refusals.flatMap((answer) => answer.slice(1))).toEqual(Array(3).fill('INVALID_QUERY'));
    expect(known).toContain('INVALID_QUERY');
  });
});

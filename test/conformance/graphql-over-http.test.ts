/** The audits of graphql-http, which follow the GraphQL over HTTP specification, against the running server. */
import { serverAudits } from 'graphql-http';
import { startApp, type App } from '../support/app.js';
import { afterAll, beforeAll, expect, test } from '../support/jest.js';

let app: App;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.stop());

/**
 * The specification wants 200 for a request that is refused before it is executed, where the client asks for the older
 * `application/json`: a SHOULD, for clients that read no body of a 400. Here a refusal has the same status in either media type
 * and over REST, like in Apollo Server; with `application/graphql-response+json` the specification wants it as well.
 */
const refusedAs400: { [id: string]: string } = {
  '572B': 'a document that does not parse',
  FDE2: 'a document that is not valid',
  '7B9B': 'variables that do not fit',
};

/** Queries by GET need the header that no other site can send in a browser's name; the audits know nothing of it. */
const fetchFn = (url: string, init: RequestInit = {}) => {
  const headers = new Headers(init.headers);
  if (init.method !== 'POST') headers.set('apollo-require-preflight', '1');
  return fetch(url, { ...init, headers });
};

const audits = serverAudits({ url: () => `${app.url}/graphql`, fetchFn });
const required = audits.filter(({ id }) => !(id in refusedAs400));
const others = audits.filter(({ id }) => id in refusedAs400);

test.each(required)('$id: $name', async ({ fn }) => {
  expect(await fn()).toMatchObject({ status: 'ok' });
});

test.each(others)('not followed, $id: $name', async ({ id, fn }) => {
  const result = await fn();
  expect(result).toMatchObject({ id, status: 'warn', reason: 'Response status code is not 200', response: { status: 400 } });
  const { errors } = await (result as { response: Response }).response.json() as { errors: { extensions: { status: number } }[] };
  expect(errors.map(({ extensions: { status } }) => status)).toEqual([400]);
});

test('nothing but those three is left out, and none of them is a MUST', () => {
  expect(others.map(({ id, name }) => [id, name.split(' ')[0]])).toEqual(Object.keys(refusedAs400).map((id) => [id, 'SHOULD']));
});

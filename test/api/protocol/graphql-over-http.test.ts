/** The audits of graphql-http, which follow the GraphQL over HTTP specification, on the running server. */
import { serverAudits } from 'graphql-http';
import { startApp, type App } from '../../support/app.js';
import { afterAll, beforeAll, describe, expect, test } from '../../support/jest.js';

let app: App;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.stop());

/**
 * A client can request the older `application/json`. For that, the specification recommends 200 for requests that
 * are refused before execution, because some clients do not read the body of a 400. This service answers 400 for both
 * media types and over REST, like Apollo Server. For `application/graphql-response+json` the specification wants 400.
 */
const refusedAs400: { [id: string]: string } = {
  '572B': 'a document that does not parse',
  FDE2: 'a document that is not valid',
  '7B9B': 'variables that do not fit',
};

const audits = serverAudits({ url: () => `${app.url}/graphql` });
const required = audits.filter(({ id }) => !(id in refusedAs400));
const others = audits.filter(({ id }) => id in refusedAs400);

test.each(required)('$id: $name', async ({ fn }) => {
  expect(await fn()).toMatchObject({ status: 'ok' });
});

test.each(others)('not supported, $id: $name', async ({ id, fn }) => {
  const result = await fn();
  expect(result).toMatchObject({
    id,
    status: 'warn',
    reason: 'Response status code is not 200',
    response: { status: 400 },
  });
  const { errors } = (await (result as { response: Response }).response.json()) as {
    errors: { extensions: { status: number } }[];
  };
  expect(errors.map(({ extensions: { status } }) => status)).toEqual([400]);
});

test('only those three audits are excluded, and none of them is a MUST', () => {
  expect(others.map(({ id, name }) => [id, name.split(' ')[0]])).toEqual(
    Object.keys(refusedAs400).map((id) => [id, 'SHOULD']),
  );
});

describe('GET', () => {
  const get = (query: string, headers: { [name: string]: string } = {}) =>
    app.get(`/graphql?query=${encodeURIComponent(query)}`, undefined, {
      headers: { accept: '*/*', ...headers },
    });
  const blocked = {
    errors: [
      {
        message: expect.stringContaining('CSRF'),
        extensions: expect.objectContaining({ code: 'INVALID_REQUEST_BODY', status: 400 }),
      },
    ],
  };

  test('answers a query without cookies; with cookies it needs a header that other sites cannot send', async () => {
    const one = await get('{ __typename }');
    expect([one.status, one.body]).toEqual([200, { data: { __typename: 'Query' } }]);
    for (const cookie of ['moorage_device=x', 'anything=1']) {
      const refused = await get('{ __typename }', { cookie });
      expect([refused.status, refused.body]).toEqual([400, blocked]);
      expect(
        (await get('{ __typename }', { cookie, 'apollo-require-preflight': '1' })).status,
      ).toBe(200);
    }
  });

  test('changes nothing, and a form still needs the header', async () => {
    const { status, headers } = await get(
      'mutation { deleteAttachment(input: { id: 1 }) { deletedAttachmentId } }',
    );
    expect([status, headers.get('allow')]).toEqual([405, 'POST']);
    const form = new FormData();
    form.append(
      'operations',
      JSON.stringify({
        query:
          'mutation ($file: Upload!) { createAttachment(input: { file: $file }) { attachment { id } } }',
        variables: { file: null },
      }),
    );
    form.append('map', '{"0":["variables.file"]}');
    form.append('0', new Blob(['x']), 'x.txt');
    const refused = await app.request('POST', '/graphql', { body: form });
    expect([refused.status, refused.body]).toEqual([400, blocked]);
  });
});

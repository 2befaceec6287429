/** What access tokens of applications may write: our own tokens, and those of the OpenID provider. */
import type { GraphQLField } from 'graphql';
import { startApp, type App } from '../../support/app.js';
import { Visitor } from '../../support/browser-visitor.js';
import { errorBody } from '../../support/expected.js';
import {
  OUR_CLIENT,
  startIdentityProvider,
  type IdentityProvider,
} from '../../support/fakes/identity-provider.js';
import type { Person } from '../../support/factories.js';
import { afterAll, beforeAll, expect, test } from '../../support/jest.js';
import { callOperation, operationsOf, UNKNOWN } from '../../support/schema-calls.js';
import { application, PASSWORD, signable } from './support/applications.js';
import { codeGrant } from './support/grants.js';

/** Every mutation that a token may call. A new mutation is refused until it is named here and marked. */
const ALLOWED = [
  'completeAttachmentUpload',
  'copyAttachments',
  'createAttachment',
  'createComment',
  'createFileLinks',
  'markNotificationsRead',
  'createMeeting',
  'createPost',
  'createStorageFolder',
  'createWikiPage',
  'createWorkPackage',
  'deleteAttachment',
  'deleteAttachments',
  'deleteComment',
  'deleteFileLink',
  'deleteMeeting',
  'deletePost',
  'deleteWikiPage',
  'deleteWorkPackage',
  'moveAttachments',
  'prepareAttachmentUpload',
  'prepareStorageUpload',
  'replaceAttachment',
  'restoreAttachments',
  'updateAttachment',
  'updateComment',
  'updateMeeting',
  'updatePost',
  'updateWikiPage',
  'updateWorkPackage',
];
/** The same for the operations of `/api/v3`. */
const REFUSED_OVER_REST = [
  'DELETE /storages/{id}',
  'PATCH /storages/{id}',
  'POST /storages',
  'POST /storages/{id}/oauth_client_credentials',
];
const REFUSAL = 'An application may not do this: sign in, or use an API key of your own.';
let app: App;
let provider: IdentityProvider;
let admin: Person;
/** The tokens, by their issuer. */
let tokens: { [issuer: string]: { key: string } };
beforeAll(async () => {
  provider = await startIdentityProvider();
  app = await startApp({
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: OUR_CLIENT.id,
    OIDC_CLIENT_SECRET: OUR_CLIENT.secret,
    OIDC_AUDIENCE: 'moorage-api',
  });
  admin = await signable(app, { admin: true });
  await app.running.services.db
    .write('users')
    .where({ id: admin.id })
    .update({ identity: `${provider.issuer} s-admin` });
  const { body } = await codeGrant(app, await application(app, admin), admin);
  tokens = {
    ours: { key: body.access_token },
    'the OpenID provider': {
      key: await provider.mint({ sub: 's-admin', aud: 'moorage-api', scope: 'api_v3' }),
    },
  };
});
afterAll(async () => {
  await app.stop();
  await provider.close();
});

const mutations = async () => (await operationsOf(app, admin)).mutations;
const call = (mutation: GraphQLField<unknown, unknown>, as: { key: string }) =>
  callOperation(app, 'mutation', mutation, as);

test.each(['ours', 'the OpenID provider'])(
  'a token of %s may call the named mutations, and no other one, also with unknown ids',
  async (issuer) => {
    const all = await mutations();
    expect(all.map(({ name }) => name)).toEqual(expect.arrayContaining(ALLOWED));
    for (const mutation of all) {
      const { errors = [], status } = await call(mutation, tokens[issuer]!);
      const refusals = errors.filter(({ message }) => message === REFUSAL);
      expect({ name: mutation.name, status, refusals }).toEqual({
        name: mutation.name,
        status: 200,
        refusals: ALLOWED.includes(mutation.name)
          ? []
          : [
              {
                message: REFUSAL,
                locations: expect.anything(),
                path: [mutation.name],
                extensions: {
                  code: 'MISSING_PERMISSION',
                  errorIdentifier: 'urn:service-org:api:v3:errors:MissingPermission',
                  status: 403,
                },
              },
            ],
      });
    }
  },
);

test.each(['ours', 'the OpenID provider'])(
  'a token of %s may use every operation of /api/v3 but four',
  async (issuer) => {
    const { paths } = (await app.get('/api/v3/spec.json', admin)).body;
    const refused: string[] = [];
    for (const [path, methods] of Object.entries<{ [method: string]: unknown }>(paths))
      for (const method of Object.keys(methods).filter((name) =>
        /^(post|patch|delete)$/.test(name),
      )) {
        const { status, body } = await app.request(
          method.toUpperCase(),
          `/api/v3${path.replace(/^\/api\/v3/, '').replace(/\{\w+\}/g, String(UNKNOWN))}`,
          { as: tokens[issuer], ...(method !== 'delete' && { json: {} }) },
        );
        if (body?.message !== REFUSAL) continue;
        expect({ status, body }).toEqual({
          status: 403,
          body: errorBody('MissingPermission', REFUSAL),
        });
        refused.push(`${method.toUpperCase()} ${path.replace(/^\/api\/v3/, '')}`);
      }
    expect(refused.sort()).toEqual(REFUSED_OVER_REST);
  },
);

test('an API key and a session of the same administrator call every mutation', async () => {
  const visitor = new Visitor(app);
  await visitor.post('/login', { login: admin.login, password: PASSWORD });
  const cookie = [...visitor.cookies].map(([name, { value }]) => `${name}=${value}`).join('; ');
  for (const mutation of await mutations()) {
    const { errors = [] } = await call(mutation, admin);
    expect(errors.map(({ message }) => message)).not.toContain(REFUSAL);
  }
  const { body } = await app.request('POST', '/graphql', {
    json: { query: 'mutation { createApiKey(input: { name: "mine" }) { apiKey { name } } }' },
    headers: { cookie, 'sec-fetch-site': 'same-origin' },
  });
  expect(body).toEqual({ data: { createApiKey: { apiKey: { name: 'mine' } } } });
});

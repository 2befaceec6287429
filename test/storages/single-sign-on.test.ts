/** Storages that accept tokens of an OpenID provider (`OAuth2SSO`). */
import { setTimeout as sleep } from 'node:timers/promises';
import { acquireSync } from '../../src/actions/base/project-folder-queue/acquire-sync.js';
import { hashPassword } from '../../src/secrets/passwords.js';
import { synchroniseFolders } from '../../src/workers/folder-job.js';
import { startApp, startBeside, type App } from '../support/app.js';
import { Visitor } from '../support/browser-visitor.js';
import { errorBody } from '../support/expected.js';
import type { Person, StorageHandle } from '../support/factories.js';
import { startFileServer, type FileServer } from '../../demo/servers/file-server.js';
import {
  OUR_CLIENT,
  startIdentityProvider,
  type IdentityProvider,
} from '../support/fakes/identity-provider.js';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '../support/jest.js';
import { contentOf, holding } from './connection-contract.js';
import { placedFolders } from './folders/remotes.js';

let provider: IdentityProvider;
let server: FileServer;
let app: App;
beforeAll(async () => {
  provider = await startIdentityProvider();
  server = await startFileServer();
  server.sso = {
    issuer: provider.issuer,
    audience: 'file-server',
    jwks: () => ({ keys: [provider.publicJwk()] }),
    autoProvision: true,
  } as never;
  app = await startApp({
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: OUR_CLIENT.id,
    OIDC_CLIENT_SECRET: OUR_CLIENT.secret,
    STORAGE_TIMEOUT_MS: '20000',
  });
});
beforeEach(async () => {
  await app.running.services.db.write('storages').delete();
  provider.repair();
  provider.forget();
  server.repair();
  server.forget();
  provider.exchangeable.clear();
});
afterEach(() => {
  expect(
    app.logLines.filter((line) => (JSON.parse(line) as { level: number }).level >= 50),
  ).toEqual([]);
});
afterAll(async () => {
  await app.stop();
  await server.close();
  await provider.close();
});

/** A user with this login at the provider, and a storage that the user can see. */
async function seen(
  storageAudience: string | null = 'file-server',
): Promise<{ person: Person; storage: StorageHandle }> {
  const project = await app.given.project();
  const person = await app.given.member(project, ['view_work_packages', 'view_file_links']);
  const storage = await app.given.storage({
    origin: server.url,
    authenticationMethod: 'OAuth2SSO',
    storageAudience,
  });
  await app.given.projectStorage(project, storage);
  return { person, storage };
}
const stateOf = async (storage: StorageHandle, as: Person) => {
  const { body } = await app.get(storage.path, as);
  // There is no authorize link, because the provider authorizes.
  expect(body._links.authorize).toBeUndefined();
  return body._links.authorizationState.title;
};
const bearer = async (person: Person, aud: string[]): Promise<Person> => ({
  ...person,
  key: await provider.mint({
    sub: `sub-${person.login}`,
    preferred_username: person.login,
    aud,
    scope: 'openid api_v3',
  }),
});
const exchanges = () =>
  provider.requests.filter(({ body }) => body.toString().includes('token-exchange'));

test('whoever the storage has named once has the rights of the project in its folder', async () => {
  const team = server.teamFolder();
  const project = await app.given.project({ name: 'Bridge' });
  const person = await app.given.member(project, [
    'view_work_packages',
    'view_file_links',
    'read_files',
  ]);
  const storage = await app.given.storage({
    origin: server.url,
    authenticationMethod: 'OAuth2SSO',
    storageAudience: 'file-server',
    applicationPassword: team.password,
  });
  await app.given.projectStorage(project, storage, { mode: 'automatic' });
  const presented = await bearer(person, [OUR_CLIENT.id, 'file-server']);
  expect(await stateOf(storage, presented)).toBe('Connected');
  expect((await app.get(`${storage.path}/files`, presented)).status).toBe(200);
  const { services } = app.running;
  const later = { ...services, clock: () => new Date(Date.now() + 6_000) };
  const row = await acquireSync(later);
  await synchroniseFolders(later, row!, new AbortController().signal);
  expect(placedFolders(team).map(({ name }) => name)).toEqual([`Bridge (${project.id})`]);
  expect(team.rights(`sub-${person.login}`, placedFolders(team)[0]!.id)).toBe(1);
});

test('who is erased while the storage answers is not remembered', async () => {
  const ada = await app.given.user({ admin: true });
  const { person, storage } = await seen();
  const presented = await bearer(person, [OUR_CLIENT.id, 'file-server']);
  const { asked, release } = holding({ server }, ({ path }) => path === '/ocs/v1.php/cloud/user');
  const answer = app.get(storage.path, presented);
  await asked;
  const { errors } = await app.graphql(
    'mutation ($id: ID!) { eraseUser(input: { id: $id }) { user { id } } }',
    { id: String(person.id) },
    ada,
  );
  expect(errors).toBeUndefined();
  release();
  await answer;
  expect(await app.running.services.db.read('sign_on_users')).toEqual([]);
});

test('the page of a project storage opens it at once, because there is nothing to connect', async () => {
  const { person, storage } = await seen();
  const { db } = app.running.services;
  const use = await db.read('project_storages').where('storage_id', storage.id).first();
  const { identifier } = await db.read('projects').where('id', use.project_id).first();
  const page = `/projects/${identifier}/project_storages/${use.id}/open`;
  const links = async () => {
    const { body } = await app.get(`/api/v3/project_storages/${use.id}`, person);
    const { data } = await app.graphql(
      'query ($id: ID!) { projectStorage(id: $id) { openWithConnectionUrl openUrl } }',
      { id: String(use.id) },
      person,
    );
    return [body._links.openWithConnectionEnsured, data.projectStorage];
  };
  const openUrl = `${server.url}/index.php/apps/files`;
  expect(await links()).toEqual([{ href: page }, { openWithConnectionUrl: page, openUrl }]);
  const browser = new Visitor(app);
  await db
    .write('users')
    .where('id', person.id)
    .update({ password_hash: await hashPassword('planted-password') });
  expect((await browser.get(page)).location).toMatch(/^\/login\?/);
  await browser.signIn(person.login, 'planted-password');
  expect(await browser.get(page)).toMatchObject({ status: 303, location: openUrl });
  await db.write('storages').where('id', storage.id).update({ storage_audience: null });
  expect(await links()).toEqual([{ href: null }, { openWithConnectionUrl: null, openUrl }]);
});

test('a token with the right audience is used as it is', async () => {
  const { person, storage } = await seen();
  expect(await stateOf(storage, await bearer(person, [OUR_CLIENT.id, 'file-server']))).toBe(
    'Connected',
  );
  expect(exchanges()).toEqual([]);
  // It is kept for requests with an API key.
  expect(await stateOf(storage, person)).toBe('Connected');
});

test('another token is exchanged for the audience of the storage, once for many requests', async () => {
  const { person, storage } = await seen();
  provider.exchangeable.add('file-server');
  const presented = await bearer(person, [OUR_CLIENT.id]);
  expect(await stateOf(storage, presented)).toBe('Connected');
  expect(
    new Set(await Promise.all(Array.from({ length: 10 }, () => stateOf(storage, presented)))),
  ).toEqual(new Set(['Connected']));
  expect(exchanges()).toHaveLength(1);
  const form = new URLSearchParams(exchanges()[0]!.body.toString());
  expect([form.get('subject_token'), form.get('subject_token_type'), form.get('audience')]).toEqual(
    [presented.key, 'urn:ietf:params:oauth:token-type:access_token', 'file-server'],
  );
});

test('the scope of the storage is sent with the exchange; a token for one scope is not used for another', async () => {
  const { person, storage } = await seen();
  provider.exchangeable.add('file-server');
  const presented = await bearer(person, [OUR_CLIENT.id]);
  const scopes = () =>
    exchanges().map(({ body }) => new URLSearchParams(body.toString()).get('scope'));
  const set = (scope: string | null) =>
    app.running.services.db.write('storages').update({ token_exchange_scope: scope });
  expect(await stateOf(storage, presented)).toBe('Connected');
  for (const scope of ['openid files', 'openid files', 'openid', null]) {
    await set(scope);
    expect(await stateOf(storage, presented)).toBe('Connected');
  }
  expect(scopes()).toEqual([null, 'openid files', 'openid']);
});

test('the audience __op-idp__ uses every token unchanged', async () => {
  const { person, storage } = await seen('__op-idp__');
  server.sso = { ...server.sso!, audience: OUR_CLIENT.id };
  expect(await stateOf(storage, await bearer(person, [OUR_CLIENT.id]))).toBe('Connected');
  server.sso = { ...server.sso, audience: 'file-server' };
  expect(exchanges()).toEqual([]);
});

test('without a token, and without an exchange, the user is not connected', async () => {
  const { person, storage } = await seen();
  expect(await stateOf(storage, person)).toBe('Authorization failed');
  expect(await stateOf(storage, await bearer(person, [OUR_CLIENT.id]))).toBe(
    'Authorization failed',
  );
  expect(server.requests).toEqual([]);
});

test('somebody without a usable token is told why, in the openproject profile with 401', async () => {
  const vendor = await startBeside(app, { API_PROFILE: 'openproject' });
  try {
    const { person, storage } = await seen();
    const presented = await bearer(person, [OUR_CLIENT.id]);
    const path = `${storage.path}/files`;
    const noToken =
      'The storage needs a token of the OpenID provider, and there is none of yours. Sign in with the provider.';
    // The provider exchanges for no audience.
    const noExchange =
      'The OpenID provider gives you no token for the audience file-server (invalid_target).';
    const notSetUp = 'Single sign-on is not set up for the storage.';
    for (const [as, audience, sentence] of [
      [await app.given.user({ admin: true }), 'file-server', noToken],
      [presented, 'file-server', noExchange],
      [presented, null, notSetUp],
    ] as const) {
      await app.running.services.db.write('storages').update({ storage_audience: audience });
      const { status, body } = await app.get(path, as);
      expect({ status, body }).toEqual({
        status: 500,
        body: errorBody(
          'OutboundRequest:NotFound',
          `An outbound request to another resource has failed: ${sentence}`,
        ),
      });
      const answer = await vendor.get(path, as);
      expect({ status: answer.status, body: answer.body }).toEqual({
        status: 401,
        body: errorBody('Unauthenticated', sentence, undefined, 'openproject-org'),
      });
    }
    expect(server.requests).toEqual([]);
  } finally {
    await vendor.stop();
  }
});

test('a provider that does not answer is an error, not a refusal', async () => {
  const { person, storage } = await seen();
  provider.exchangeable.add('file-server');
  const presented = await bearer(person, [OUR_CLIENT.id]);
  provider.fault({ status: 503 }, ({ body }) => body.toString().includes('token-exchange'));
  expect(await stateOf(storage, presented)).toBe('Error');
  provider.repair();
  expect(await stateOf(storage, presented)).toBe('Connected');
});

test('the user is not connected if the storage refuses the token', async () => {
  const { person, storage } = await seen();
  server.sso = { ...server.sso!, audience: 'another' };
  expect(await stateOf(storage, await bearer(person, [OUR_CLIENT.id, 'file-server']))).toBe(
    'Authorization failed',
  );
  server.sso = { ...server.sso, audience: 'file-server' };
});

const refusal = {
  status: 401,
  headers: { 'content-type': 'application/json' },
  body: '{"ocs":{"meta":{"statuscode":997},"data":[]}}',
};

test('a cached token that the storage refuses is exchanged again, and the request succeeds', async () => {
  const { person, storage } = await seen();
  provider.exchangeable.add('file-server');
  const presented = await bearer(person, [OUR_CLIENT.id]);
  expect(await stateOf(storage, presented)).toBe('Connected');
  const [
    {
      headers: { authorization: ended },
    },
  ] = server.requests as [FileServer['requests'][number]];
  server.fault(refusal, ({ headers }) => headers.authorization === ended);
  expect(await stateOf(storage, presented)).toBe('Connected');
  // From now on the new token is cached.
  expect(await stateOf(storage, presented)).toBe('Connected');
  expect(exchanges()).toHaveLength(2);
  const used = server.requests.map(({ headers }) => headers.authorization);
  expect(used).toEqual([ended, ended, used[2], used[2]]);
  expect(used[2]).not.toBe(ended);
});

test('if the storage refuses the new token too, the user is not connected; each request costs one exchange', async () => {
  const { person, storage } = await seen();
  provider.exchangeable.add('file-server');
  const presented = await bearer(person, [OUR_CLIENT.id]);
  expect(await stateOf(storage, presented)).toBe('Connected');
  server.fault(refusal);
  server.forget();
  expect(await stateOf(storage, presented)).toBe('Authorization failed');
  expect([exchanges().length, server.requests.length]).toEqual([2, 2]);
  const { status, body } = await app.get(`${storage.path}/files`, presented);
  expect({ status, body }).toEqual({
    status: 500,
    body: errorBody(
      'OutboundRequest:NotFound',
      'An outbound request to another resource has failed: The storage refuses your token of the OpenID provider. ' +
        'Sign in with the provider again. If that does not help, an administrator must check the audience of the storage.',
    ),
  });
  expect([exchanges().length, server.requests.length]).toEqual([3, 4]);
  server.repair();
  expect(await stateOf(storage, presented)).toBe('Connected');
});

test('concurrent requests whose cached token is refused all get a new one', async () => {
  const { person, storage } = await seen();
  provider.exchangeable.add('file-server');
  const presented = await bearer(person, [OUR_CLIENT.id]);
  expect(await stateOf(storage, presented)).toBe('Connected');
  const [
    {
      headers: { authorization: ended },
    },
  ] = server.requests as [FileServer['requests'][number]];
  server.fault(refusal, ({ headers }) => headers.authorization === ended);
  expect(await Promise.all(Array.from({ length: 5 }, () => stateOf(storage, presented)))).toEqual(
    Array.from({ length: 5 }, () => 'Connected'),
  );
});

test('all fields of a document whose token is refused get one new token', async () => {
  const { person, storage } = await seen();
  provider.exchangeable.add('file-server');
  const presented = await bearer(person, [OUR_CLIENT.id]);
  expect(await stateOf(storage, presented)).toBe('Connected');
  const [
    {
      headers: { authorization: ended },
    },
  ] = server.requests as [FileServer['requests'][number]];
  server.fault(refusal, ({ headers }) => headers.authorization === ended);
  const { data, errors } = await app.graphql(
    'query($id: ID!) { storage(id: $id) { authorizationState files { files { name } } } }',
    { id: storage.id },
    presented,
  );
  expect([data.storage.authorizationState, errors?.map(({ message }) => message)]).toEqual([
    'CONNECTED',
    undefined,
  ]);
});

test('a storage that refuses every token costs a list one exchange, even with many links', async () => {
  const { person, storage } = await seen();
  const [{ project_id: id }] = await app.running.services.db
    .read('project_storages')
    .where('storage_id', storage.id);
  await app.given.membership(person, { id }, [
    'view_work_packages',
    'view_file_links',
    'manage_file_links',
  ]);
  const workPackage = await app.given.workPackage({ id }, person);
  provider.exchangeable.add('file-server');
  const presented = await bearer(person, [OUR_CLIENT.id]);
  for (const half of [0, 1]) {
    const elements = Array.from({ length: 20 }, (_, index) => ({
      originData: { id: String(half * 20 + index), name: 'plan.txt' },
      _links: { storage: { href: storage.path } },
    }));
    expect(
      (await app.post(`${workPackage.path}/file_links`, presented, { _embedded: { elements } }))
        .status,
    ).toBe(201);
  }
  server.fault(refusal);
  server.forget();
  provider.forget();
  const { data, errors } = await app.graphql(
    'query($id: ID!) { workPackage(id: $id) { fileLinks(first: 100) { nodes { downloadUrl } } } }',
    { id: workPackage.id },
    presented,
  );
  expect(data.workPackage.fileLinks.nodes).toEqual(
    Array.from({ length: 40 }, () => ({ downloadUrl: null })),
  );
  expect(errors).toHaveLength(40);
  // The cached token is refused.
  expect(exchanges()).toHaveLength(1);
});

const who = ({ path }: { path: string }) => path.endsWith('/cloud/user');
const whoRequests = () => server.requests.filter(who).length;

test('the very first requests of a user ask once who the user is, and others wait for it', async () => {
  const { person, storage } = await seen();
  const presented = await bearer(person, [OUR_CLIENT.id, 'file-server']);
  let others = 0;
  // While it makes the account, the file server fails everything else. It also fails once itself.
  server.fault(
    {
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: '{"ocs":{"meta":{"status":"failure","statuscode":996,"message":"x"},"data":[]}}',
      hold: async () => {
        others = server.requests.length - whoRequests();
        await sleep(100);
      },
    },
    who,
    1,
  );
  const answers = await Promise.all(
    Array.from({ length: 6 }, () => app.get(`${storage.path}/files`, presented)),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 200));
  expect([whoRequests(), others]).toEqual([2, 0]);
});

test('the id of the user is remembered, so a list takes one request less; the state is asked each time', async () => {
  const { person, storage } = await seen();
  const presented = await bearer(person, [OUR_CLIENT.id, 'file-server']);
  const list = () => app.get(`${storage.path}/files`, presented);
  expect((await list()).status).toBe(200);
  const first = server.requests.length;
  expect((await list()).status).toBe(200);
  expect([whoRequests(), server.requests.length - first]).toEqual([1, first - 1]);
  expect(await stateOf(storage, presented)).toBe('Connected');
  expect(whoRequests()).toBe(2);
  // A changed storage may be another server.
  await app.running.services.db
    .write('storages')
    .update({ updated_at: new Date(Date.now() + 1000).toISOString() });
  expect((await list()).status).toBe(200);
  expect(whoRequests()).toBe(3);
});

test('a storage that always fails to say who the user is gets two requests', async () => {
  const { person, storage } = await seen();
  const presented = await bearer(person, [OUR_CLIENT.id, 'file-server']);
  server.fault({ status: 500, body: 'x' }, who);
  expect((await app.get(`${storage.path}/files`, presented)).status).toBe(500);
  expect(server.requests).toHaveLength(2);
});

test('the health report blames the provider, the exchange or the storage', async () => {
  const HEALTH =
    'query($id: ID!) { storage(id: $id) { health { checks { check code status hint } } } }';
  const { storage } = await seen();
  const admin = await app.given.user({ admin: true });
  const last = async (at = app) => {
    const { data } = await at.graphql(HEALTH, { id: storage.id }, admin);
    return data.storage.health.checks
      .filter(({ check }: { check: string }) => /^(openid|connection)$/.test(check))
      .map(({ code, status, hint }: any) => [`${code} ${status}`, hint]);
  };
  expect(await last()).toEqual([
    ['openid OK', 'The OpenID provider answers. Sign in with it, then your token can be checked.'],
    ['connection SKIPPED', expect.stringContaining('there is none of yours')],
  ]);
  // Claims never link an administrator.
  await app.running.services.db
    .write('users')
    .where('id', admin.id)
    .update({ identity: `${provider.issuer} sub-${admin.login}` });
  await app.get('/api/v3/users/me', await bearer(admin, [OUR_CLIENT.id]));
  expect(await last()).toEqual([
    [
      'openid_exchange_refused FAILED',
      'The OpenID provider gives you no token for the audience file-server (invalid_target). ' +
        'Allow the exchange at the provider, or correct the audience and the scope of the storage.',
    ],
    ['connection SKIPPED', 'It needs the check openid.'],
  ]);
  provider.exchangeable.add('file-server');
  expect(await last()).toEqual([
    ['openid OK', 'The OpenID provider gives you a token for the storage.'],
    ['connection OK', 'The storage accepts you.'],
  ]);
  server.sso = { ...server.sso!, audience: 'another' };
  expect((await last())[1]).toEqual([
    'connection_refused FAILED',
    expect.stringContaining('The storage refuses your token of the OpenID provider.'),
  ]);
  server.sso = { ...server.sso, audience: 'file-server' };
  const wrong = await startBeside(app, { OIDC_CLIENT_SECRET: 'planted-wrong' });
  try {
    expect((await last(wrong))[0]).toEqual([
      'openid_client_refused FAILED',
      'The OpenID provider refuses this service as its client (invalid_client). ' +
        'Check OIDC_CLIENT_ID and OIDC_CLIENT_SECRET.',
    ]);
  } finally {
    await wrong.stop();
  }
  provider.fault({ status: 503 });
  expect((await last())[0]).toEqual([
    'openid_error FAILED',
    expect.stringContaining('The OpenID provider of OIDC_ISSUER cannot be used at the moment'),
  ]);
});

test('a refused token that was not exchanged is not tried again', async () => {
  const { person, storage } = await seen();
  const presented = await bearer(person, [OUR_CLIENT.id, 'file-server']);
  server.fault(refusal);
  expect(await stateOf(storage, presented)).toBe('Authorization failed');
  expect([exchanges().length, server.requests.length]).toEqual([0, 1]);
});

test('links, refreshes, lists and downloads use the user of the provider', async () => {
  const { person, storage } = await seen();
  const [{ project_id: id }] = await app.running.services.db
    .read('project_storages')
    .where('storage_id', storage.id);
  await app.given.membership(person, { id }, [
    'view_work_packages',
    'view_file_links',
    'manage_file_links',
  ]);
  const workPackage = await app.given.workPackage({ id }, person);
  provider.exchangeable.add('file-server');
  const presented = await bearer(person, [OUR_CLIENT.id]);
  server.user(`sub-${person.login}`);
  const plan = String(server.file(`sub-${person.login}`, '/plan.txt', { content: 'the plan' }));
  const list = `${workPackage.path}/file_links`;
  const made = await app.post(list, presented, {
    _embedded: {
      elements: [
        {
          originData: { id: plan, name: 'old name.txt' },
          _links: { storage: { href: storage.path } },
        },
      ],
    },
  });
  expect(made.status).toBe(201);
  server.forget();
  const { body } = await app.get(list, presented);
  expect(
    body._embedded.elements.map(({ originData, _links, _embedded }: any) => [
      originData.name,
      _links.status.title,
      _embedded.storage._links.authorizationState.title,
    ]),
  ).toEqual([['plan.txt', 'View allowed', 'Connected']]);
  expect(server.requests).toHaveLength(1);
  expect(
    (await app.get(`${storage.path}/files`, presented)).body.files.map(({ name }: any) => name),
  ).toEqual(['plan.txt']);
  const download = await app.get(
    `/api/v3/file_links/${body._embedded.elements[0].id}/download`,
    presented,
  );
  expect([download.status, await (await fetch(download.headers.get('location')!)).text()]).toEqual([
    303,
    'the plan',
  ]);
  expect(exchanges()).toHaveLength(1);
});

test('no token is in the database in clear', async () => {
  const { person, storage } = await seen();
  const presented = await bearer(person, [OUR_CLIENT.id, 'file-server']);
  expect(await stateOf(storage, presented)).toBe('Connected');
  expect(await contentOf(app)).not.toContain(presented.key.split('.')[2]);
  expect(app.logLines.join('\n')).not.toContain(presented.key.split('.')[2]);
});

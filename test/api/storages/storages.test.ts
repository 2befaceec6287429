/** Storages over REST. */
import { setTimeout as sleep } from 'node:timers/promises';
import { globalId } from '../../../src/contract/ids.js';
import { startApp, startBeside, type Answer, type App } from '../../support/app.js';
import {
  errorBody,
  missingPermission,
  notFound,
  TIME,
  violations,
} from '../../support/expected.js';
import type { NewStorage, Person, StorageHandle } from '../../support/factories.js';
import { startFileServer, type FileServer } from '../../../demo/servers/file-server.js';
import { serveFake, type FakeServer } from '../../../demo/servers/http-server.js';
import { afterAll, beforeAll, describe, expect, test } from '../../support/jest.js';

/** The URNs of both profiles, written again here as the expected values. */
const standard = {
  name: 'standard',
  word: 'service-org',
  types: { SelfHostedFileServer: 'SelfHostedFileServer', CloudDrive: 'CloudDrive' },
};
const openproject = {
  name: 'openproject',
  word: 'openproject-org',
  types: { SelfHostedFileServer: 'Nextcloud', CloudDrive: 'OneDrive' },
};
type Dialect = typeof standard;
type Type = keyof typeof standard.types;

const urn = ({ word }: Dialect, name: string) => `urn:${word}:api:v3:storages:${name}`;
const typeLink = (type: Type, dialect: Dialect = standard) => ({
  href: urn(dialect, dialect.types[type]),
});
const server = (origin: string | undefined, more: object = {}, dialect = standard) => ({
  ...more,
  _links: {
    type: typeLink('SelfHostedFileServer', dialect),
    ...(origin !== undefined && { origin: { href: origin } }),
  },
});
const drive = (more: object = {}, dialect = standard) => ({
  ...more,
  _links: { type: typeLink('CloudDrive', dialect) },
});

const viewing = ['view_work_packages', 'view_file_links'];
const TENANT = '6f1c2e9a-0d7b-4c55-9a57-1f0e9d8c7b6a';
const DRIVE = 'b!0123456789abcdefgh';
const TOKEN = expect.stringMatching(/^[\w-]{32,}$/);
const states = {
  Connected: 'Connected',
  FailedAuthorization: 'Authorization failed',
  Error: 'Error',
};

interface Expected {
  id: number;
  name: string;
  dialect?: Dialect;
  type?: Type;
  /** With a trailing slash. */
  origin?: string;
  storageAudience?: string | null;
  tenantId?: string | null;
  driveId?: string | null;
  hasApplicationPassword?: boolean;
  authenticationMethod?: string;
  configured?: boolean;
  state?: keyof typeof states;
  authorize?: string;
  uploads?: { id: number }[];
  /** Only administrators see it. */
  application?: { id: unknown; clientId: unknown; owner: Person; clientSecret?: unknown };
  credentials?: { id: unknown; clientId: string };
  /** An administrator sees it, and it has no application. */
  boss?: boolean;
}

const applicationBody = ({
  id,
  name,
  dialect = standard,
  type = 'SelfHostedFileServer',
  origin,
  application,
}: Expected) => ({
  _type: 'OAuthApplication',
  id: application!.id,
  name: `${name} (${dialect.types[type]})`,
  clientId: application!.clientId,
  confidential: true,
  createdAt: TIME,
  updatedAt: TIME,
  scopes: ['api_v3'],
  ...(application!.clientSecret !== undefined && { clientSecret: application!.clientSecret }),
  _links: {
    self: {
      href: `/api/v3/oauth_applications/${application!.id}`,
      title: `${name} (${dialect.types[type]})`,
    },
    owner: { href: `/api/v3/users/${application!.owner.id}`, title: application!.owner.name },
    integration: { href: `/api/v3/storages/${id}`, title: name },
    redirectUri:
      type === 'SelfHostedFileServer'
        ? [{ href: `${origin}index.php/apps/integration_openproject/oauth-redirect` }]
        : [],
  },
});

const credentialsBody = ({
  id,
  name,
  credentials,
}: Pick<Expected, 'id' | 'name' | 'credentials'>) => ({
  _type: 'OAuthClientCredentials',
  id: credentials!.id,
  clientId: credentials!.clientId,
  confidential: true,
  createdAt: TIME,
  updatedAt: TIME,
  _links: {
    self: { href: `/api/v3/oauth_client_credentials/${credentials!.id}` },
    integration: { href: `/api/v3/storages/${id}`, title: name },
  },
});

function storageBody(expected: Expected) {
  const {
    id,
    name,
    dialect = standard,
    type = 'SelfHostedFileServer',
    origin,
    storageAudience = null,
    tenantId = null,
    driveId = null,
    hasApplicationPassword = false,
    authenticationMethod = 'TwoWayOAuth2',
    configured = false,
    state = 'FailedAuthorization',
    authorize,
    uploads = [],
    application,
    credentials,
    boss = false,
  } = expected;
  const hasRecords = application !== undefined || credentials !== undefined;
  const path = `/api/v3/storages/${id}`;
  const own =
    type === 'SelfHostedFileServer'
      ? {
          // The openproject profile leaves it out instead of null.
          ...((storageAudience !== null || dialect === standard) && { storageAudience }),
          hasApplicationPassword,
        }
      : { tenantId, driveId, automaticallyManagedFolders: false };
  return {
    _type: 'Storage',
    id,
    name,
    ...own,
    configured,
    createdAt: TIME,
    updatedAt: TIME,
    ...(hasRecords && {
      _embedded: {
        ...(application && { oauthApplication: applicationBody(expected) }),
        ...(credentials && { oauthClientCredentials: credentialsBody(expected) }),
      },
    }),
    _links: {
      self: { href: path, title: name },
      type: { href: urn(dialect, dialect.types[type]), title: dialect.types[type] },
      ...(type === 'SelfHostedFileServer' && {
        authenticationMethod: {
          href: urn(dialect, `authenticationMethod:${authenticationMethod}`),
        },
        origin: { href: origin },
      }),
      prepareUpload: uploads.map((project) => ({
        href: `${path}/files/prepare_upload`,
        method: 'post',
        title: 'Upload file',
        payload: { projectId: project.id, fileName: '{fileName}', parent: '{parent}' },
        templated: true,
      })),
      open: { href: `${path}/open` },
      authorizationState: { href: urn(dialect, `authorization:${state}`), title: states[state] },
      ...(authorize !== undefined && { authorize: { href: authorize, title: 'Authorize' } }),
      projectStorages: {
        href: `/api/v3/project_storages?filters=${encodeURIComponent(`[{"storageId":{"operator":"=","values":["${id}"]}}]`)}`,
      },
      ...(application && {
        oauthApplication: {
          href: `/api/v3/oauth_applications/${application.id}`,
          title: `${name} (${dialect.types[type]})`,
        },
      }),
      ...((application || boss) && {
        oauthClientCredentials: {
          href: credentials ? `/api/v3/oauth_client_credentials/${credentials.id}` : null,
        },
      }),
    },
  };
}

const shown = ({ id, name }: StorageHandle) => ({ id, name });

const fakes: { close(): Promise<void> }[] = [];
async function fileServer(options: { prefix?: string } = {}): Promise<FileServer> {
  const fake = await startFileServer(options);
  fakes.push(fake);
  return fake;
}
async function otherServer(
  status: number,
  headers: { [name: string]: string } = {},
  body = '',
): Promise<FakeServer> {
  const fake = await serveFake(
    (_request, response) => void response.writeHead(status, headers).end(body),
  );
  fakes.push(fake);
  return fake;
}

let counter = 0;
const someName = () => `Files ${(counter += 1)}`;

let app: App;
let vendor: App;
let admin: Person;
let vendorAdmin: Person;
beforeAll(async () => {
  [app, vendor] = await Promise.all([startApp(), startApp({ API_PROFILE: 'openproject' })]);
  [admin, vendorAdmin] = (await Promise.all(
    [app, vendor].map(({ given }) =>
      given.user({ admin: true, firstName: 'Ada', lastName: 'Admin' }),
    ),
  )) as [Person, Person];
});
afterAll(() => Promise.all([app.stop(), vendor.stop(), ...fakes.map((fake) => fake.close())]));

const rows = (table: string, where: object = {}): Promise<any[]> =>
  app.running.services.db.write(table).where(where).orderBy('id');
const refusedWith = ({ status, body }: Answer, ...all: [message: string, attribute: string][]) =>
  expect({ status, body }).toEqual({ status: 422, body: violations(...all) });

describe.each([standard, openproject])('in the $name profile', (dialect) => {
  const here = () =>
    dialect === standard ? { at: app, boss: admin } : { at: vendor, boss: vendorAdmin };

  test('a new self-hosted file server is answered in full, with the secret of its application only this time', async () => {
    const { at, boss } = here();
    const { url } = await fileServer({ prefix: '/cloud' });
    const name = someName();
    const made = await at.post(
      '/api/v3/storages',
      boss,
      server(url, { name, storageAudience: 'files' }, dialect),
    );
    expect(made.status).toBe(201);
    expect(made.headers.get('cache-control')).toBe('private, no-store');
    const {
      id,
      _embedded: {
        oauthApplication: { id: applicationId, clientId, clientSecret },
      },
    } = made.body;
    const application = { id: applicationId, clientId: TOKEN, owner: boss };
    expect(made.body).toEqual(
      storageBody({
        id,
        name,
        dialect,
        origin: `${url}/`,
        storageAudience: 'files',
        application: { ...application, clientSecret: TOKEN },
      }),
    );
    const expected = storageBody({
      id,
      name,
      dialect,
      origin: `${url}/`,
      storageAudience: 'files',
      application: { ...application, clientId },
    });
    const later = await at.get(`/api/v3/storages/${id}`, boss);
    expect({ status: later.status, body: later.body }).toEqual({ status: 200, body: expected });
    expect(later.text).not.toContain(clientSecret);
    expect((await at.get(`/api/v3/oauth_applications/${applicationId}`, boss)).body).toEqual(
      expected._embedded!.oauthApplication,
    );
    for (const cache of [later, await at.get(`/api/v3/oauth_applications/${applicationId}`, boss)])
      expect(cache.headers.get('cache-control')).toBe('private, no-cache');
  });

  test('the scope of token exchanges is kept, and shown in the openproject profile and over GraphQL', async () => {
    const { at, boss } = here();
    const { url } = await fileServer();
    const audience = { storageAudience: 'files' };
    const made = await at.post(
      '/api/v3/storages',
      boss,
      server(url, { name: someName(), ...audience, tokenExchangeScope: 'openid files' }, dialect),
    );
    const path = `/api/v3/storages/${made.body.id}`;
    const shownIn = ({ body }: Answer) => [
      body.storageAudience,
      'tokenExchangeScope' in body ? body.tokenExchangeScope : 'absent',
    ];
    const graph = async () =>
      (
        await at.graphql(
          'query($id: ID!) { storage(id: $id) { tokenExchangeScope } }',
          { id: made.body.id },
          boss,
        )
      ).data.storage.tokenExchangeScope;
    const shown = dialect === openproject ? 'openid files' : 'absent';
    for (const answer of [
      made,
      await at.get(path, boss),
      await at.patch(path, boss, { name: someName() }),
    ])
      expect(shownIn(answer)).toEqual(['files', shown]);
    expect(await graph()).toBe('openid files');
    const long = await at.patch(path, boss, { tokenExchangeScope: 'x'.repeat(256) });
    expect([long.status, long.body.message]).toEqual([
      422,
      'Token exchange scope is too long (maximum is 255 characters).',
    ]);
    expect(shownIn(await at.patch(path, boss, { tokenExchangeScope: null }))).toEqual([
      'files',
      'absent',
    ]);
    expect(await graph()).toBeNull();
  });

  test('a new cloud drive has a tenant and a drive, no file-server fields, and an application without redirect URI, or none in the openproject profile', async () => {
    const { at, boss } = here();
    const name = someName();
    const body = {
      ...server(
        'ftp://ignored',
        {
          name,
          tenantId: TENANT,
          driveId: DRIVE,
          storageAudience: 'ignored',
          applicationPassword: 'ignored',
        },
        dialect,
      ),
    };
    const made = await at.post('/api/v3/storages', boss, {
      ...body,
      _links: { ...body._links, type: typeLink('CloudDrive', dialect) },
    });
    // The openproject profile makes none.
    const application = dialect === standard && {
      id: made.body._embedded.oauthApplication.id,
      clientId: TOKEN,
      owner: boss,
      clientSecret: TOKEN,
    };
    expect(
      await at.running.services.db.read('oauth_applications').where('storage_id', made.body.id),
    ).toHaveLength(application ? 1 : 0);
    expect({ status: made.status, body: made.body }).toEqual({
      status: 201,
      body: storageBody({
        id: made.body.id,
        name,
        dialect,
        type: 'CloudDrive',
        tenantId: TENANT,
        driveId: DRIVE,
        ...(application ? { application } : { boss: true }),
      }),
    });
    const { data } = await at.graphql(
      'query($id: ID!) { storage(id: $id) { viewerCanSeeOAuthRecords oauthApplication { databaseId } } }',
      { id: made.body.id },
      boss,
    );
    expect(data.storage).toEqual({
      viewerCanSeeOAuthRecords: true,
      oauthApplication: application ? { databaseId: application.id } : null,
    });
    const bare = await at.post(
      '/api/v3/storages',
      boss,
      drive({ name: someName(), tenantId: '', driveId: null }, dialect),
    );
    expect([bare.status, bare.body.tenantId, bare.body.driveId]).toEqual([201, null, null]);
  });

  test('an application that a cloud drive got in the standard profile exists only there', async () => {
    const { at, boss } = here();
    const of = async (type: 'CloudDrive' | 'SelfHostedFileServer') => {
      const storage = await at.given.storage({ type });
      const { id } = storage.application;
      const ids = { id: String(id), global: globalId('OAuthApplication', id) };
      const { data, errors } = await at.graphql(
        'query ($id: ID!, $global: ID!) { oauthApplication(id: $id) { databaseId } node(id: $global) { id } nodes(ids: [$global]) { id } }',
        ids,
        boss,
      );
      const rotated = await at.graphql(
        'mutation ($id: ID!) { rotateOAuthApplicationSecret(input: { storageId: $id }) { oauthApplication { databaseId } } }',
        { id: String(storage.id) },
        boss,
      );
      return {
        status: (await at.get(`/api/v3/oauth_applications/${id}`, boss)).status,
        isNull: [data.oauthApplication, data.node, data.nodes].map(
          (one) => JSON.stringify(one) === JSON.stringify(Array.isArray(one) ? [null] : null),
        ),
        codes: [errors, rotated.errors].map((all) => all?.map(({ extensions }) => extensions.code)),
      };
    };
    const missing404 = {
      status: 404,
      isNull: [true, true, true],
      codes: [['NOT_FOUND'], ['NOT_FOUND']],
    };
    const exists = {
      status: 200,
      isNull: [false, false, false],
      codes: [undefined, undefined],
    };
    expect(await of('SelfHostedFileServer')).toEqual(exists);
    expect(await of('CloudDrive')).toEqual(dialect === standard ? exists : missing404);
  });

  test('URNs of both profiles are accepted, and those of this profile are answered', async () => {
    const { at, boss } = here();
    for (const spoken of [standard, openproject]) {
      const { url } = await fileServer();
      const body = server(url, { name: someName() }, spoken);
      const made = await at.post('/api/v3/storages', boss, {
        ...body,
        _links: {
          ...body._links,
          authenticationMethod: { href: urn(spoken, 'authenticationMethod:OAuth2SSO') },
        },
      });
      expect(made.status).toBe(201);
      expect(made.body._links.type).toEqual({
        href: urn(dialect, dialect.types.SelfHostedFileServer),
        title: dialect.types.SelfHostedFileServer,
      });
      expect(made.body._links.authenticationMethod).toEqual({
        href: urn(dialect, 'authenticationMethod:OAuth2SSO'),
      });
      const patched = await at.patch(made.body._links.self.href, boss, {
        _links: {
          type: typeLink('SelfHostedFileServer', spoken),
          authenticationMethod: { href: urn(spoken, 'authenticationMethod:TwoWayOAuth2') },
        },
      });
      expect([patched.status, patched.body._links.authenticationMethod]).toEqual([
        200,
        { href: urn(dialect, 'authenticationMethod:TwoWayOAuth2') },
      ]);
      const cloud = await at.post('/api/v3/storages', boss, drive({ name: someName() }, spoken));
      expect([cloud.status, cloud.body._links.type.title]).toEqual([201, dialect.types.CloudDrive]);
    }
  });

  test('a taken host and a taken name are both reported; neither host gets a request', async () => {
    const { at, boss } = here();
    const { url, requests } = await fileServer();
    const name = someName();
    expect((await at.post('/api/v3/storages', boss, server(url, { name }, dialect))).status).toBe(
      201,
    );
    const asked = requests.length;
    const host = (word: string) =>
      errorBody('PropertyConstraintViolation', 'Host has already been taken.', 'host', word);
    const named = (word: string) =>
      errorBody('PropertyConstraintViolation', 'Name has already been taken.', 'name', word);
    const both = await at.post('/api/v3/storages', boss, server(url, { name }, dialect));
    const errors = [host(dialect.word), named(dialect.word)];
    expect({ status: both.status, body: both.body }).toEqual({
      status: 422,
      body:
        dialect === openproject
          ? {
              ...errorBody(
                'MultipleErrors',
                'Multiple field constraints have been violated.',
                undefined,
                dialect.word,
              ),
              _embedded: { errors },
            }
          : { ...errors[0], _embedded: { details: { attribute: 'host' }, errors } },
    });
    expect(
      (await at.post('/api/v3/storages', boss, server(url, { name: someName() }, dialect))).body,
    ).toEqual(host(dialect.word));
    expect(
      (await at.post('/api/v3/storages', boss, server(`${url}/other`, { name }, dialect))).body,
    ).toEqual(named(dialect.word));
    expect((await at.post('/api/v3/storages', boss, drive({ name }, dialect))).body).toEqual(
      named(dialect.word),
    );
    expect(requests).toHaveLength(asked);
  });

  test('hasApplicationPassword is true for a password and false for null; for a blank one it depends on the profile', async () => {
    const { at, boss } = here();
    const make = async (applicationPassword: unknown) => {
      const fake = await fileServer();
      fake.user('OpenProject');
      fake.appPassword('OpenProject', 'correct');
      return at.post(
        '/api/v3/storages',
        boss,
        server(
          fake.url,
          { name: someName(), ...(applicationPassword !== undefined && { applicationPassword }) },
          dialect,
        ),
      );
    };
    const answers = await Promise.all(['correct', null, undefined].map(make));
    expect(answers.map(({ status, body }) => [status, body.hasApplicationPassword])).toEqual([
      [201, true],
      [201, false],
      [201, false],
    ]);
    const blank = errorBody(
      'PropertyConstraintViolation',
      "Application password can't be blank.",
      'applicationPassword',
      dialect.word,
    );
    const answer = await make('');
    if (dialect === standard)
      expect({ status: answer.status, body: answer.body }).toEqual({ status: 422, body: blank });
    else expect([answer.status, answer.body.hasApplicationPassword]).toEqual([201, false]);
    // The openproject profile accepts only the empty string, not spaces.
    expect((await make('  ')).body).toEqual(blank);

    const {
      _links: {
        self: { href },
      },
    } = answers[0]!.body;
    const toggled = async (applicationPassword: unknown) =>
      (await at.patch(href, boss, { applicationPassword })).body.hasApplicationPassword;
    expect([await toggled(null), await toggled('correct')]).toEqual([false, true]);
    const patched = await at.patch(href, boss, { applicationPassword: '' });
    if (dialect === standard)
      expect({ status: patched.status, body: patched.body }).toEqual({ status: 422, body: blank });
    else expect([patched.status, patched.body.hasApplicationPassword]).toEqual([200, false]);
    expect((await at.get(href, boss)).body.hasApplicationPassword).toBe(dialect === standard);
  });

  test('client credentials replace earlier ones and are answered without the secret, in the form of the profile', async () => {
    const { at, boss } = here();
    const storage = await at.given.storage({ creator: boss });
    const origin = `${(await at.get(storage.path, boss)).body._links.origin.href}`;
    const post = (clientId: string) =>
      at.post(`${storage.path}/oauth_client_credentials`, boss, {
        clientId,
        clientSecret: `secret of ${clientId}`,
      });
    const whole = (credentials: { id: number; clientId: string }) =>
      storageBody({
        ...storage,
        dialect,
        origin,
        configured: true,
        authorize: `${at.url}/oauth_clients/${credentials.clientId}/ensure_connection?storage_id=${storage.id}`,
        credentials,
        application: {
          id: storage.application.id,
          clientId: storage.application.clientId,
          owner: boss,
        },
      });
    const found: number[] = [];
    for (const clientId of ['zz9', 'zz10']) {
      const { status, body, text } = await post(clientId);
      const {
        oauthClientCredentials: { href },
      } = (await at.get(storage.path, boss)).body._links;
      const id = Number(href.split('/').at(-1));
      found.push(id);
      const expected = whole({ id, clientId });
      if (dialect === standard) expect({ status, body }).toEqual({ status: 201, body: expected });
      else
        expect({ status, body }).toEqual({
          status: 201,
          body: credentialsBody({ ...storage, credentials: { id, clientId } }),
        });
      expect(text).not.toContain('secret of');
      expect((await at.get(href, boss)).body).toEqual(
        credentialsBody({ ...storage, credentials: { id, clientId } }),
      );
      expect((await at.get(storage.path, boss)).body._embedded.oauthClientCredentials).toEqual(
        expected._embedded!.oauthClientCredentials,
      );
    }
    expect((await at.get(`/api/v3/oauth_client_credentials/${found[0]}`, boss)).status).toBe(404);
  });

  test('a missing client id or secret is reported', async () => {
    const { at, boss } = here();
    const { path } = await at.given.storage();
    const post = async (json: object) =>
      (await at.post(`${path}/oauth_client_credentials`, boss, json)).body;
    const id = errorBody(
      'PropertyConstraintViolation',
      "Client ID can't be blank.",
      'clientId',
      dialect.word,
    );
    const secret = errorBody(
      'PropertyConstraintViolation',
      "Client secret can't be blank.",
      'clientSecret',
      dialect.word,
    );
    for (const clientId of [undefined, null, '', ' '])
      expect(await post({ clientId, clientSecret: 'secret' })).toEqual(id);
    for (const clientSecret of [undefined, null, '', ' '])
      expect(await post({ clientId: 'ours', clientSecret })).toEqual(secret);
    expect(await post({})).toEqual(
      dialect === standard
        ? { ...id, _embedded: { details: { attribute: 'clientId' }, errors: [id, secret] } }
        : {
            ...errorBody(
              'MultipleErrors',
              'Multiple field constraints have been violated.',
              undefined,
              dialect.word,
            ),
            _embedded: { errors: [id, secret] },
          },
    );
    expect((await at.get(path, boss)).body._links.oauthClientCredentials).toEqual({ href: null });
  });

  test('if cloud drives are disabled, a cloud drive can only be viewed and deleted', async () => {
    const { at, boss } = here();
    const without = await startBeside(at, { CLOUD_DRIVE_ENABLED: 'false' });
    const { path } = await at.given.storage({ type: 'CloudDrive' });
    const refused = errorBody(
      'MissingEnterpriseToken',
      'The request can not be handled due to invalid or missing Enterprise token.',
      undefined,
      dialect.word,
    );
    const answers = [
      await without.post('/api/v3/storages', boss, drive({ name: someName() }, dialect)),
      await without.patch(path, boss, { name: someName() }),
      await without.post(`${path}/oauth_client_credentials`, boss, {
        clientId: 'ours',
        clientSecret: 'secret',
      }),
    ];
    for (const { status, body } of answers)
      expect({ status, body }).toEqual({ status: 500, body: refused });
    const stranger = await at.given.user();
    expect([
      (await without.post('/api/v3/storages', stranger, drive({}, dialect))).status,
      (await without.patch(path, stranger, { name: 'x' })).status,
    ]).toEqual([403, 404]);
    expect([
      (await without.get(path, boss)).status,
      (await without.delete(path, boss)).status,
    ]).toEqual([200, 204]);
    await without.stop();
  });
});

describe('creating', () => {
  const create = (json: unknown, as: Person | undefined = admin) =>
    app.post('/api/v3/storages', as, json);

  test('only administrators can create a storage; for other users no request is sent and nothing is stored', async () => {
    const { url, requests } = await fileServer();
    const member = await app.given.member(await app.given.project(), [
      ...viewing,
      'manage_file_links',
      'manage_files_in_project',
    ]);
    const before = await rows('storages');
    for (const as of [member, await app.given.user(), undefined]) {
      const { status, body } = await app.request('POST', '/api/v3/storages', {
        as,
        json: server(url, { name: someName() }),
      });
      expect({ status, body }).toEqual({ status: 403, body: missingPermission });
    }
    expect(requests).toHaveLength(0);
    expect(await rows('storages')).toEqual(before);
  });

  test('a missing origin, or one that is not the URL of a server, is not a valid host', async () => {
    const origins = [
      undefined,
      '',
      'files.example.test',
      '//files.example.test',
      'ftp://files.example.test',
      'file:///etc',
      'https://',
      'https://mia:secret@files.example.test',
      'https://files.example.test/?a=1',
      'https://files.example.test/#top',
      'javascript:alert(1)',
    ];
    for (const origin of origins)
      refusedWith(await create(server(origin, { name: someName() })), [
        'Host is not a valid URL.',
        'host',
      ]);
    for (const origin of [null, {}, { href: null }, { href: 5 }, 'https://files.example.test'])
      refusedWith(
        await create({
          name: someName(),
          _links: { type: typeLink('SelfHostedFileServer'), origin },
        }),
        ['Host is not a valid URL.', 'host'],
      );
  });

  test('plain http is accepted only for this machine, and a URL has at most 255 characters', async () => {
    for (const host of [
      'files.example.test',
      '10.0.0.1',
      '127.0.0.1.example.test',
      'localhost.example.test',
      '1.127.0.0',
    ]) {
      refusedWith(await create(server(`http://${host}`, { name: someName() })), [
        'Host must be reached by https; plain http is accepted for this machine only.',
        'host',
      ]);
    }
    refusedWith(
      await create(server(`https://files.example.test/${'a'.repeat(230)}`, { name: someName() })),
      ['Host is too long (maximum is 255 characters).', 'host'],
    );
  });

  test('an origin is stored with one trailing slash, a lower-case host and no default port', async () => {
    const { url, port } = await fileServer({ prefix: '/cloud' });
    const made = await create(server(`HTTP://LOCALHOST:${port}/cloud///`, { name: someName() }));
    expect([made.status, made.body._links.origin]).toEqual([
      201,
      { href: `http://localhost:${port}/cloud/` },
    ]);
    for (const same of [
      `http://localhost:${port}/cloud`,
      `http://LocalHost:${port}/cloud/`,
      `https://localhost:${port}/cloud`,
    ])
      refusedWith(await create(server(same, { name: someName() })), [
        'Host has already been taken.',
        'host',
      ]);
    expect((await create(server(url, { name: someName() }))).status).toBe(201);
    const other = await app.given.storage({ origin: 'https://default-port.example.test' });
    for (const same of [
      'https://default-port.example.test:443/',
      'https://DEFAULT-port.example.test',
    ])
      refusedWith(await create(server(same, { name: someName() })), [
        'Host has already been taken.',
        'host',
      ]);
    expect((await app.get(other.path, admin)).status).toBe(200);
  });

  describe('repeated slashes in an origin', () => {
    const client = { id: 'ours', secret: 'secret' };
    /** A URL whose path names another host if it is read alone, and the servers at both hosts. */
    const ambiguous = async (slashes: string) => {
      const other = await otherServer(207);
      const { host } = new URL(other.url);
      const fake = await fileServer({ prefix: slashes + host });
      fake.user('mia');
      const file = String(fake.file('mia', '/Plans/plan.txt', { content: 'the plan' }));
      return { base: `http://127.0.0.1:${fake.port}`, host, fake, other, file };
    };
    /** Sends every request that depends on the origin. */
    const use = async (storage: StorageHandle, fake: FileServer, file: string) => {
      const project = await app.given.project();
      const person = await app.given.member(project, [...viewing, 'manage_file_links']);
      await app.given.projectStorage(project, storage);
      await app.given.storageTokens(person, storage, { ...fake.grant('mia'), originUserId: 'mia' });
      const answers = [
        await app.get(storage.path, person),
        await app.get(`${storage.path}/files?parent=%2FPlans`, person),
        await app.get(`${storage.path}/files/${file}`, person),
        await app.post(`${storage.path}/folders`, person, { name: 'New', parentId: '/Plans' }),
        await app.post(`${storage.path}/files/prepare_upload`, person, {
          projectId: project.id,
          fileName: 'x.txt',
          parent: '/Plans',
        }),
      ];
      return answers.map(({ status, body }) => [
        status,
        body._links?.authorizationState?.title ?? body.files?.[0]?.name ?? body.name ?? body._type,
      ]);
    };
    const WORKS = [
      [200, 'Connected'],
      [200, 'plan.txt'],
      [200, 'plan.txt'],
      [201, 'New'],
      [201, 'UploadLink'],
    ];

    test('are reduced to single ones in answers, comparisons and requests', async () => {
      const { base, host, fake, other, file } = await ambiguous('/');
      const origin = `${base}/${host}/`;
      const made = await create(server(`${base}//${host}///`, { name: someName() }));
      expect([made.status, made.body._links.origin]).toEqual([201, { href: origin }]);
      const path = made.body._links.self.href;
      expect((await app.get(path, admin)).body._links.origin).toEqual({ href: origin });
      expect(
        (
          await app.graphql(
            'query($id: ID!) { storage(id: $id) { origin } }',
            { id: made.body.id },
            admin,
          )
        ).data.storage,
      ).toEqual({ origin });
      for (const same of [`${base}/${host}`, `${base}//${host}`, `${base}////${host}//`])
        refusedWith(await create(server(same, { name: someName() })), [
          'Host has already been taken.',
          'host',
        ]);
      // For the file server, this is the same host.
      await app.post(`${path}/oauth_client_credentials`, admin, {
        clientId: client.id,
        clientSecret: client.secret,
      });
      const moved = await app.patch(path, admin, {
        _links: { origin: { href: `${base}///${host}` } },
      });
      expect([moved.status, moved.body._links.origin, moved.body.configured]).toEqual([
        200,
        { href: origin },
        true,
      ]);
      const credentialsId = Number(moved.body._links.oauthClientCredentials.href.split('/').at(-1));
      expect(await use({ ...made.body, path, credentialsId } as StorageHandle, fake, file)).toEqual(
        WORKS,
      );
      expect(fake.requests.filter(({ path: asked }) => asked.includes('//'))).toEqual([]);
      expect(other.requests).toEqual([]);
    });

    test('are reduced over GraphQL too, also directly after the host', async () => {
      const { url } = await fileServer();
      const made = await app.graphql(
        'mutation($origin: String) { createStorage(input: { type: SELF_HOSTED_FILE_SERVER, name: "Slashes", origin: $origin }) { storage { origin } } }',
        { origin: `${url}///` },
        admin,
      );
      expect([made.errors, made.data.createStorage]).toEqual([
        undefined,
        { storage: { origin: `${url}/` } },
      ]);
      refusedWith(await create(server(`${url}//`, { name: someName() })), [
        'Host has already been taken.',
        'host',
      ]);
    });

    test('that were stored earlier do not send requests to another host', async () => {
      const { base, host, fake, other, file } = await ambiguous('//');
      const storage = await app.given.storage({ origin: `${base}//${host}`, client });
      expect(await use(storage, fake, file)).toEqual(WORKS);
      expect(other.requests).toEqual([]);
    });
  });

  test('a name is unique and has 1 to 255 characters; the default is the name of the type', async () => {
    refusedWith(await create(drive({ name: '' })), ["Name can't be blank.", 'name']);
    refusedWith(await create(drive({ name: '   ' })), ["Name can't be blank.", 'name']);
    refusedWith(await create(drive({ name: 'x'.repeat(256) })), [
      'Name is too long (maximum is 255 characters).',
      'name',
    ]);
    refusedWith(await create(drive({ name: 'a\0b' })), ['Name is invalid.', 'name']);
    refusedWith(await create(drive({ name: 5 })), ['Name must be a string.', 'name']);
    for (const name of ['x'.repeat(255), '📁'.repeat(255), ' <b>Pläne</b> "\\ ']) {
      const made = await create(drive({ name }));
      expect([
        made.status,
        made.body.name,
        made.body._links.self.title,
        made.body._embedded.oauthApplication.name,
      ]).toEqual([201, name, name, `${name} (CloudDrive)`]);
    }
    expect((await create(drive())).body.name).toBe('Cloud drive');
    refusedWith(await create(drive({ name: null })), ['Name has already been taken.', 'name']);
    const { url } = await fileServer();
    expect((await create(server(url))).body.name).toBe('Self-hosted file server');
  });

  test('a method link without a target means the default for a new storage, and no change for an existing one', async () => {
    for (const authenticationMethod of [null, { href: null }]) {
      const { _links } = server((await fileServer()).url);
      const made = await create({ name: someName(), _links: { ..._links, authenticationMethod } });
      expect([made.status, made.body._links.authenticationMethod]).toEqual([
        201,
        { href: urn(standard, 'authenticationMethod:TwoWayOAuth2') },
      ]);
      const storage = await app.given.storage({ authenticationMethod: 'OAuth2SSO' });
      const { status, body } = await app.patch(storage.path, admin, {
        _links: { authenticationMethod },
      });
      expect([status, body._links.authenticationMethod]).toEqual([
        200,
        { href: urn(standard, 'authenticationMethod:OAuth2SSO') },
      ]);
    }
  });

  test('checking the URL and the password of a slow server share one time-out, on creation and on update', async () => {
    const hasty = await startBeside(app, { STORAGE_TIMEOUT_MS: '1500' });
    const [fake, storage] = [await fileServer(), await app.given.storage()];
    fake.user('OpenProject');
    fake.appPassword('OpenProject', 'correct');
    fake.fault({ delayMs: 900 });
    const tooSlow = [
      `Application password could not be checked: ${fake.url} did not answer in time.`,
      'applicationPassword',
    ] as [string, string];
    refusedWith(
      await hasty.post(
        '/api/v3/storages',
        admin,
        server(fake.url, { name: someName(), applicationPassword: 'correct' }),
      ),
      tooSlow,
    );
    refusedWith(
      await hasty.patch(storage.path, admin, {
        applicationPassword: 'correct',
        _links: { origin: { href: fake.url } },
      }),
      tooSlow,
    );
    // Each check alone would be in time.
    expect(
      (await hasty.patch(storage.path, admin, { _links: { origin: { href: fake.url } } })).status,
    ).toBe(200);
    expect(
      (await hasty.patch(storage.path, admin, { applicationPassword: 'correct' })).body
        .hasApplicationPassword,
    ).toBe(true);
    await hasty.stop();
  });

  test('an invalid type, method, tenant or drive is refused, and all errors are listed', async () => {
    const types = [
      undefined,
      null,
      {},
      { href: null },
      { href: 5 },
      ...[
        'urn:service-org:api:v3:storages:Sharepoint',
        'urn:service-org:api:v3:storages:__proto__',
        'urn:other-org:api:v3:storages:CloudDrive',
        'CloudDrive',
        `x${typeLink('CloudDrive').href}`,
      ].map((href) => ({ href })),
    ];
    for (const type of types)
      refusedWith(await create({ name: someName(), _links: { type } }), [
        'Type is not one of the types of storages.',
        'type',
      ]);
    refusedWith(await create({ name: someName() }), [
      'Type is not one of the types of storages.',
      'type',
    ]);
    refusedWith(await create({ name: someName(), _links: 5 }), [
      'The member _links must be an object.',
      '_links',
    ]);
    const { _links } = server('https://files.example.test');
    for (const authenticationMethod of [
      {},
      { href: 5 },
      { href: urn(standard, 'authenticationMethod:Password') },
      { href: 'OAuth2SSO' },
    ]) {
      refusedWith(await create({ name: someName(), _links: { ..._links, authenticationMethod } }), [
        'Authentication method is not one of the known methods.',
        'authenticationMethod',
      ]);
    }
    refusedWith(
      await create(drive({ name: '', tenantId: 'ours', driveId: 'too-short' })),
      ["Name can't be blank.", 'name'],
      ['Tenant ID is invalid.', 'tenantId'],
      ['Drive ID is invalid.', 'driveId'],
    );
    for (const tenantId of [TENANT.slice(1), `${TENANT}0`, `${TENANT}/..`, 'Consumers'])
      refusedWith(await create(drive({ name: someName(), tenantId })), [
        'Tenant ID is invalid.',
        'tenantId',
      ]);
    for (const tenantId of [TENANT.toUpperCase(), 'consumers'])
      expect((await create(drive({ name: someName(), tenantId }))).body.tenantId).toBe(tenantId);
    for (const member of ['tenantId', 'driveId', 'storageAudience'])
      refusedWith(await create(drive({ name: someName(), [member]: 5 })), [
        `${member[0]!.toUpperCase()}${member.slice(1)} must be a string.`,
        member,
      ]);
    expect((await create(drive({ name: someName(), applicationPassword: 5 }))).status).toBe(201);
  });

  test('a body that is not a single JSON object answers 400', async () => {
    for (const json of [[], 'text', 5, null, true])
      expect(await create(json)).toMatchObject({
        status: 400,
        body: errorBody('InvalidRequestBody', 'The request body was not a single JSON object.'),
      });
    const headers = { 'content-type': 'application/json' };
    expect(await app.request('POST', '/api/v3/storages', { as: admin, headers })).toMatchObject({
      status: 400,
      body: errorBody('InvalidRequestBody', 'The request body was empty.'),
    });
    expect(
      await app.request('POST', '/api/v3/storages', { as: admin, headers, body: '{' }),
    ).toMatchObject({
      status: 400,
      body: { errorIdentifier: 'urn:service-org:api:v3:errors:InvalidRequestBody' },
    });
  });

  test('operations with a body answer 415 for another type, and 406 for a missing type or without HAL in Accept', async () => {
    const { path } = await app.given.storage();
    for (const [method, at] of [
      ['POST', '/api/v3/storages'],
      ['PATCH', path],
      ['POST', `${path}/oauth_client_credentials`],
    ] as const) {
      for (const type of [
        'text/plain',
        'multipart/form-data; boundary=x',
        'application/x-www-form-urlencoded',
        'application/xml',
      ]) {
        expect(
          await app.request(method, at, {
            as: admin,
            body: '{}',
            headers: { 'content-type': type },
          }),
        ).toMatchObject({
          status: 415,
          body: errorBody(
            'TypeNotSupported',
            `Expected CONTENT-TYPE to be 'application/json application/hal+json' but got '${type.split(';')[0]}'.`,
          ),
        });
      }
      expect(await app.request(method, at, { as: admin })).toMatchObject({
        status: 406,
        body: errorBody('TypeNotSupported', 'Missing content-type header'),
      });
      expect(
        (await app.request(method, at, { as: admin, json: {}, headers: { accept: 'text/html' } }))
          .status,
      ).toBe(406);
      expect(
        (
          await app.request(method, at, {
            as: admin,
            json: { clientId: 5, name: 5 },
            headers: {
              'content-type': 'application/hal+json; charset=utf-8',
              accept: 'application/hal+json',
            },
          })
        ).status,
      ).toBe(422);
    }
  });

  test('a password that the server rejects is not valid', async () => {
    const fake = await fileServer();
    fake.user('OpenProject');
    fake.appPassword('OpenProject', 'correct');
    refusedWith(
      await create(server(fake.url, { name: someName(), applicationPassword: 'wrong' })),
      ['Password is not valid.', 'applicationPassword'],
    );
    expect(fake.requests.at(-1)!.headers.authorization).toBe(
      `Basic ${Buffer.from('OpenProject:wrong').toString('base64')}`,
    );
    fake.fault({ status: 502 }, ({ headers }) => headers.authorization !== undefined);
    refusedWith(
      await create(server(fake.url, { name: someName(), applicationPassword: 'correct' })),
      [
        'Application password could not be checked: The storage answered with status 502.',
        'applicationPassword',
      ],
    );
    fake.repair();
    expect(
      (await create(server(fake.url, { name: someName(), applicationPassword: 'correct' }))).status,
    ).toBe(201);
  });

  const NO_FILE_SERVER =
    'What answers there is not a file server of this type. ' +
    'Check the address, including its path.';
  test('the host is checked before any secret is sent to it, and only if all other input is valid', async () => {
    const fake = await fileServer();
    fake.user('OpenProject');
    fake.appPassword('OpenProject', 'correct');
    refusedWith(await create(server(fake.url, { name: '', applicationPassword: 'correct' })), [
      "Name can't be blank.",
      'name',
    ]);
    expect(fake.requests).toHaveLength(0);
    fake.fault({ status: 404, body: 'Not found' }, ({ path }) => path.includes('capabilities'));
    refusedWith(
      await create(server(fake.url, { name: someName(), applicationPassword: 'correct' })),
      [`Host could not be checked: ${NO_FILE_SERVER}`, 'host'],
    );
    expect(fake.requests.map(({ headers }) => headers.authorization)).toEqual([undefined]);
    fake.repair();
    expect(
      (await create(server(fake.url, { name: someName(), applicationPassword: 'correct' }))).status,
    ).toBe(201);
    expect(fake.requests.map(({ headers }) => headers.authorization)).toEqual([
      undefined,
      undefined,
      expect.stringMatching(/^Basic /),
    ]);
  });

  test('a host that is unreachable or not a file server gets a clear error, and nothing is stored', async () => {
    const before = [await rows('storages'), await rows('oauth_applications')];
    const gone = await otherServer(200);
    await gone.close();
    refusedWith(await create(server(gone.url, { name: someName() })), [
      `Host could not be checked: The connection to ${gone.url} failed (ECONNREFUSED).`,
      'host',
    ]);
    const json = { 'content-type': 'application/json' };
    const others: [FakeServer, string][] = [
      [await otherServer(200, { 'content-type': 'text/html' }, '<h1>Hello</h1>'), NO_FILE_SERVER],
      [await otherServer(404, { 'content-type': 'text/html' }, '<h1>Nothing</h1>'), NO_FILE_SERVER],
      [await otherServer(200, json, '{"ocs":'), NO_FILE_SERVER],
      [await otherServer(200, json, '{}'), NO_FILE_SERVER],
      [
        await otherServer(200, json, '{"ocs":{"meta":{"statuscode":200},"data":{}}}'),
        NO_FILE_SERVER,
      ],
      [await otherServer(503, json, '{}'), 'The storage answered with status 503.'],
      // Redirects are not followed, because they could lead to any host.
      [await otherServer(302, { ...json, location: (await fileServer()).url }), NO_FILE_SERVER],
    ];
    for (const [{ url }, problem] of others)
      refusedWith(await create(server(url, { name: someName() })), [
        `Host could not be checked: ${problem}`,
        'host',
      ]);
    expect([await rows('storages'), await rows('oauth_applications')]).toEqual(before);
  });

  test('a silent host is limited by STORAGE_TIMEOUT_MS, and an endless answer is cut off', async () => {
    const hasty = await startBeside(app, { STORAGE_TIMEOUT_MS: '300' });
    for (const fault of ['silence', { trickleMs: 20 }] as const) {
      const { url, fault: misbehave } = await fileServer();
      misbehave(fault);
      refusedWith(await hasty.post('/api/v3/storages', admin, server(url, { name: someName() })), [
        `Host could not be checked: ${url} did not answer in time.`,
        'host',
      ]);
    }
    const { url, fault } = await fileServer();
    fault('endless');
    refusedWith(await create(server(url, { name: someName() })), [
      `Host could not be checked: ${url} answered with more than 1048576 bytes.`,
      'host',
    ]);
    await hasty.stop();
  });

  test('if private addresses are not allowed, they get no requests', async () => {
    const strict = await startBeside(app, { STORAGE_ALLOW_PRIVATE: 'false' });
    const { port, requests } = await fileServer();
    for (const host of ['127.0.0.1', 'localhost', '[::1]'])
      refusedWith(
        await strict.post(
          '/api/v3/storages',
          admin,
          server(`http://${host}:${port}`, { name: someName() }),
        ),
        [`Host could not be checked: ${host} is at an address that must not be called.`, 'host'],
      );
    refusedWith(
      await strict.post(
        '/api/v3/storages',
        admin,
        server('https://169.254.169.254', { name: someName() }),
      ),
      [
        'Host could not be checked: 169.254.169.254 is at an address that must not be called.',
        'host',
      ],
    );
    refusedWith(await create(server('https://169.254.169.254', { name: someName() })), [
      'Host could not be checked: 169.254.169.254 is at an address that must not be called.',
      'host',
    ]);
    expect(requests).toHaveLength(0);
    await strict.stop();
  });

  test('of several concurrent storages with the same name or host, only one is created', async () => {
    for (let round = 0; round < 3; round += 1) {
      const name = someName();
      const named = await Promise.all(Array.from({ length: 4 }, () => create(drive({ name }))));
      expect(named.map(({ status }) => status).sort()).toEqual([201, 422, 422, 422]);
      for (const answer of named)
        if (answer.status === 422) refusedWith(answer, ['Name has already been taken.', 'name']);
      const { url } = await fileServer();
      const hosted = await Promise.all(
        Array.from({ length: 4 }, () => create(server(url, { name: someName() }))),
      );
      expect(hosted.map(({ status }) => status).sort()).toEqual([201, 422, 422, 422]);
      for (const answer of hosted)
        if (answer.status === 422) refusedWith(answer, ['Host has already been taken.', 'host']);
      const made = [...named, ...hosted]
        .filter(({ status }) => status === 201)
        .map(({ body }) => body.id);
      expect(
        await rows('oauth_applications').then(
          (all) => all.filter(({ storage_id }) => made.includes(storage_id)).length,
        ),
      ).toBe(2);
    }
  });
});

describe('viewing', () => {
  let project: { id: number; name: string };
  let member: Person;
  beforeAll(async () => {
    project = await app.given.project();
    member = await app.given.member(project, viewing);
  });
  const used = async (storage: NewStorage = {}) => {
    const made = await app.given.storage(storage);
    await app.given.projectStorage(project, made);
    return made;
  };

  test('administrators, users with view_file_links in its projects, and managers of files in any project see it', async () => {
    const storage = await used();
    const unused = await app.given.storage();
    const elsewhere = await app.given.project();
    const callers = {
      administrator: admin,
      member,
      'member without view_file_links': await app.given.member(project, ['view_work_packages']),
      'member without view_work_packages': await app.given.member(project, ['view_file_links']),
      'member of another project': await app.given.member(elsewhere, viewing),
      'manager of another project': await app.given.member(elsewhere, ['manage_files_in_project']),
      stranger: await app.given.user(),
      anonymous: undefined,
    };
    const expected = {
      administrator: [200, 200],
      member: [200, 404],
      'manager of another project': [200, 200],
    } as { [name: string]: number[] };
    for (const [name, person] of Object.entries(callers)) {
      const answers = [await app.get(storage.path, person), await app.get(unused.path, person)];
      expect([name, answers.map(({ status }) => status)]).toEqual([
        name,
        expected[name] ?? [404, 404],
      ]);
      for (const { status, body } of answers) if (status === 404) expect(body).toEqual(notFound);
      const { body } = await app.get('/api/v3/storages?pageSize=1000', person);
      const seen = body._embedded.elements.map(({ id }: { id: number }) => id);
      expect([
        name,
        [storage, unused].map(({ id }) => (seen.includes(id) ? 200 : 404)),
        body.total,
      ]).toEqual([name, expected[name] ?? [404, 404], seen.length]);
    }
    const missing = await app.get('/api/v3/storages/99999', member);
    expect((await app.get(unused.path, member)).bytes.equals(missing.bytes)).toBe(true);
    for (const id of ['0', '-1', '1.5', 'x', '2147483648', '1e3'])
      expect((await app.get(`/api/v3/storages/${id}`, admin)).body).toEqual(notFound);
  });

  test('anonymous users see what the role Anonymous can view in a public project', async () => {
    const open = await app.given.project({ isPublic: true });
    const storage = await app.given.storage();
    await app.given.projectStorage(open, storage);
    expect((await app.get(storage.path)).status).toBe(404);
    await app.given.role(viewing, 'Anonymous');
    expect((await app.get(storage.path)).body).toEqual(
      storageBody({ ...shown(storage), origin: expect.any(String) as never }),
    );
    expect((await app.get('/api/v3/storages')).body.total).toBe(1);
    await app.given.role([], 'Anonymous');
  });

  test('only administrators see the OAuth records', async () => {
    const storage = await used({ client: { id: 'ours', secret: 'secret' } });
    const { body } = await app.get(storage.path, member);
    expect(body).toEqual(
      storageBody({
        ...shown(storage),
        origin: body._links.origin.href,
        configured: true,
        authorize: `${app.url}/oauth_clients/ours/ensure_connection?storage_id=${storage.id}`,
      }),
    );
    for (const path of [
      `/api/v3/oauth_applications/${storage.application.id}`,
      `/api/v3/oauth_client_credentials/${storage.credentialsId}`,
    ]) {
      expect((await app.get(path, admin)).status).toBe(200);
      for (const as of [member, undefined]) {
        const hidden = await app.get(path, as);
        expect({ status: hidden.status, body: hidden.body }).toEqual({
          status: 404,
          body: notFound,
        });
        expect(hidden.bytes.equals((await app.get(path.replace(/\d+$/, '99999'), as)).bytes)).toBe(
          true,
        );
      }
    }
  });

  test("the authorization state is the caller's, as the storage answers; authorize links to our own page", async () => {
    const fake = await fileServer();
    const client = { id: 'id with/slash', secret: 'secret' };
    fake.setClient({ ...client, redirectUri: 'https://moorage.example.test/' });
    fake.user('mia');
    const storage = await used({ origin: fake.url, client });
    const authorize = `${app.url}/oauth_clients/id%20with%2Fslash/ensure_connection?storage_id=${storage.id}`;
    const expected = (state: keyof typeof states) =>
      storageBody({
        ...shown(storage),
        origin: `${fake.url}/`,
        configured: true,
        state,
        ...(state === 'FailedAuthorization' && { authorize }),
      });
    const view = async (as: Person) => (await app.get(storage.path, as)).body;

    expect(await view(member)).toEqual(expected('FailedAuthorization'));
    expect(fake.requests).toHaveLength(0);
    await app.given.storageTokens(member, storage, { ...fake.grant('mia') });
    expect(await view(member)).toEqual(expected('Connected'));
    expect((await view(admin))._links.authorizationState.title).toBe('Authorization failed');
    for (const fault of [
      { status: 500 },
      { status: 403 },
      { status: 404 },
      'reset',
      { status: 200, body: 'hello' },
    ] as const) {
      fake.fault(fault);
      expect(await view(member)).toEqual(expected('Error'));
      fake.repair();
    }
    fake.revokeGrant('mia');
    expect(await view(member)).toEqual(expected('FailedAuthorization'));
    expect(await rows('storage_tokens', { storage_id: storage.id })).toEqual([]);
  });

  test('without client credentials, and with single sign-on, there is no authorize link', async () => {
    const bare = await used();
    const single = await used({
      authenticationMethod: 'OAuth2SSO',
      storageAudience: 'files',
      client: { id: 'ours', secret: 'secret' },
    });
    const unset = await used({ authenticationMethod: 'OAuth2SSO' });
    for (const [storage, more] of [
      [bare, {}],
      [single, { authenticationMethod: 'OAuth2SSO', storageAudience: 'files', configured: true }],
      [unset, { authenticationMethod: 'OAuth2SSO' }],
    ] as const) {
      expect((await app.get(storage.path, member)).body).toEqual(
        storageBody({ ...shown(storage), origin: expect.any(String) as never, ...more }),
      );
    }
  });

  test('a cloud drive is configured if it has a tenant, a drive and client credentials', async () => {
    const client = { id: 'ours', secret: 'secret' };
    const storages: NewStorage[] = [
      { tenantId: TENANT, driveId: DRIVE, client },
      { tenantId: TENANT, client },
      { driveId: DRIVE, client },
      { tenantId: TENANT, driveId: DRIVE },
    ];
    const found = await Promise.all(
      storages.map(
        async (storage) =>
          (await app.get((await app.given.storage({ type: 'CloudDrive', ...storage })).path, admin))
            .body.configured,
      ),
    );
    expect(found).toEqual([true, false, false, false]);
  });

  test('prepareUpload has one entry for each project that uses it and in which the caller manages file links', async () => {
    const storage = await used();
    const [second, third, unused] = [
      await app.given.project(),
      await app.given.project(),
      await app.given.project(),
    ];
    for (const one of [second, third]) await app.given.projectStorage(one, storage);
    const uploader = await app.given.member(project, viewing);
    for (const one of [second, third, unused])
      await app.given.membership(
        uploader,
        one,
        one === third ? viewing : [...viewing, 'manage_file_links'],
      );
    const expected = (...uploads: { id: number }[]) =>
      storageBody({ ...shown(storage), origin: expect.any(String) as never, uploads })._links
        .prepareUpload;
    const uploads = async (as: Person) =>
      (await app.get(storage.path, as)).body._links.prepareUpload;
    expect(await uploads(uploader)).toEqual(expected(second));
    expect(await uploads(member)).toEqual([]);
    expect(await uploads(admin)).toEqual(expected(project, second, third));
  });

  test('open redirects to the storage, and answers 404 for users who cannot view it', async () => {
    const storage = await used({ origin: 'https://browse.example.test/cloud' });
    const { status, headers, text } = await app.get(`${storage.path}/open`, member);
    expect([status, headers.get('location'), headers.get('cache-control'), text]).toEqual([
      303,
      'https://browse.example.test/cloud/index.php/apps/files',
      'private, no-store',
      '',
    ]);
    for (const as of [await app.given.user(), undefined])
      expect((await app.get(`${storage.path}/open`, as)).body).toEqual(notFound);
    expect((await app.get('/api/v3/storages/99999/open', admin)).body).toEqual(notFound);
  });

  test('open of a cloud drive requests its URL as the caller; errors are failed outbound requests', async () => {
    const cloud = await serveFake(({ path, headers }, response) => {
      const status =
        headers.authorization === 'Bearer good'
          ? ({ gone: 404, closed: 403, broken: 502 }[/^\/drives\/(\w+?)-/.exec(path)?.[1] ?? ''] ??
            200)
          : 401;
      response
        .writeHead(status, { 'content-type': 'application/json' })
        .end(JSON.stringify({ webUrl: 'https://drive.example.test/plans' }));
    });
    fakes.push(cloud);
    const client = { id: 'ours', secret: 'secret' };
    for (const at of [app, vendor]) {
      const beside = await startBeside(at, {
        CLOUD_DRIVE_API_URL: cloud.url,
        CLOUD_DRIVE_LOGIN_URL: cloud.url,
      });
      const boss = at === app ? admin : vendorAdmin;
      const open = async (driveId: string, accessToken?: string) => {
        const storage = await at.given.storage({
          type: 'CloudDrive',
          tenantId: TENANT,
          driveId,
          client,
        });
        if (accessToken !== undefined) await at.given.storageTokens(boss, storage, { accessToken });
        const { status, headers, body } = await beside.get(`${storage.path}/open`, boss);
        return status === 303 ? headers.get('location') : [status, body];
      };
      const failed = (identifier: string, message: string) => [
        500,
        errorBody(
          at === app ? 'OutboundRequest:NotFound' : identifier,
          message,
          undefined,
          at === app ? 'service-org' : 'openproject-org',
        ),
      ];
      const status = (upstream: number) =>
        `An outbound request to another resource has failed with status code ${upstream}.`;
      expect(await open('plans-0123456789abc', 'good')).toBe('https://drive.example.test/plans');
      expect(await open('gone-0123456789abcd', 'good')).toEqual(
        failed('OutboundRequest:NotFound', status(404)),
      );
      expect(await open('closed-0123456789ab', 'good')).toEqual(
        failed('OutboundRequest:Forbidden', status(403)),
      );
      expect(await open('broken-0123456789ab', 'good')).toEqual(
        failed('InternalServerError', status(502)),
      );
      const unknown =
        'An outbound request to another resource has failed: The storage does not know you. Connect to it first.';
      expect(await open('plans-0123456789abc')).toEqual(failed('InternalServerError', unknown));
      expect(await open('plans-0123456789abc', 'bad')).toEqual(
        failed('InternalServerError', unknown),
      );
      await beside.stop();
    }
  });

  test('no answer, log line or column has a secret in plain text', async () => {
    const fake = await fileServer();
    fake.user('OpenProject');
    fake.appPassword('OpenProject', 'the-application-password');
    const made = await app.post(
      '/api/v3/storages',
      admin,
      server(fake.url, { name: someName(), applicationPassword: 'the-application-password' }),
    );
    const { clientSecret } = made.body._embedded.oauthApplication;
    const {
      self: { href: path },
      oauthApplication,
    } = made.body._links;
    await app.given.projectStorage(project, made.body);
    const set = await app.post(`${path}/oauth_client_credentials`, admin, {
      clientId: 'ours',
      clientSecret: 'the-client-secret',
    });
    const { href } = set.body._links.oauthClientCredentials;
    await app.given.storageTokens(
      member,
      { ...made.body, credentialsId: Number(href.split('/').at(-1)) } as StorageHandle,
      { accessToken: 'the-access-token', refreshToken: 'the-refresh-token' },
    );
    const answers = [
      set,
      await app.patch(path, admin, { name: someName() }),
      ...(await Promise.all(
        [
          path,
          '/api/v3/storages?pageSize=1000',
          oauthApplication.href,
          href,
          `${path}/open`,
          '/api/v3/project_storages',
        ].flatMap((one) => [admin, member].map((as) => app.get(one, as))),
      )),
    ];
    const text = [...answers.map((answer) => answer.text), ...app.logLines].join('\n');
    const kept = JSON.stringify([
      await rows('storages'),
      await rows('oauth_applications'),
      await rows('oauth_client_credentials'),
      await rows('storage_tokens'),
    ]);
    expect(kept).toContain('ours');
    for (const secret of [
      clientSecret,
      'the-application-password',
      'the-client-secret',
      'the-access-token',
      'the-refresh-token',
    ])
      expect([secret, text.includes(secret), kept.includes(secret)]).toEqual([
        secret,
        false,
        false,
      ]);
  });
});

describe('the list', () => {
  let alone: App;
  let boss: Person;
  let all: StorageHandle[];
  beforeAll(async () => {
    alone = await startApp();
    boss = await alone.given.user({ admin: true });
    all = [];
    for (let index = 0; index < 5; index += 1)
      all.unshift(await alone.given.storage({ type: 'CloudDrive' }));
  });
  afterAll(() => alone.stop());

  const list = async (query: string) => {
    const { status, body } = await alone.get(`/api/v3/storages${query}`, boss);
    return status === 200
      ? { ...body, _embedded: body._embedded.elements.map(({ id }: { id: number }) => id) }
      : { status, body };
  };
  const pageBody = (offset: number, pageSize: number, storages: StorageHandle[]) => ({
    _type: 'Collection',
    total: 5,
    count: storages.length,
    pageSize,
    offset,
    _embedded: storages.map(({ id }) => id),
    _links: {
      self: { href: `/api/v3/storages?offset=${offset}&pageSize=${pageSize}` },
      jumpTo: {
        href: `/api/v3/storages?offset=%7Boffset%7D&pageSize=${pageSize}`,
        templated: true,
      },
      changeSize: {
        href: `/api/v3/storages?offset=${offset}&pageSize=%7Bsize%7D`,
        templated: true,
      },
      ...(offset > 1 && {
        previousByOffset: { href: `/api/v3/storages?offset=${offset - 1}&pageSize=${pageSize}` },
      }),
      ...(pageSize > 0 &&
        offset * pageSize < 5 && {
          nextByOffset: { href: `/api/v3/storages?offset=${offset + 1}&pageSize=${pageSize}` },
        }),
    },
  });

  test('administrators get all storages, newest first, in pages, with the same elements as single views', async () => {
    expect(await list('')).toEqual(pageBody(1, 20, all));
    const { body } = await alone.get('/api/v3/storages/', boss);
    expect(body._embedded.elements[2]).toEqual((await alone.get(all[2]!.path, boss)).body);
  });

  test('the openproject profile answers all storages at once', async () => {
    const other = await startApp({ API_PROFILE: 'openproject' });
    try {
      const admin = await other.given.user({ admin: true });
      const ids: number[] = [];
      for (let index = 0; index < 22; index += 1)
        ids.unshift((await other.given.storage({ type: 'CloudDrive' })).id);
      for (const query of ['', '?pageSize=2&offset=2', '?filters=[]']) {
        const { status, body } = await other.get(`/api/v3/storages${query}`, admin);
        expect({
          status,
          body: { ...body, _embedded: body._embedded.elements.map(({ id }: { id: number }) => id) },
        }).toEqual({
          status: 200,
          body: {
            _type: 'Collection',
            total: 22,
            count: 22,
            _embedded: ids,
            _links: { self: { href: '/api/v3/storages' } },
          },
        });
      }
      const { body } = await other.get('/api/v3/storages', admin);
      expect(body._embedded.elements[3]).toEqual(
        (await other.get(`/api/v3/storages/${ids[3]}`, admin)).body,
      );
      const nobody = await other.get('/api/v3/storages', await other.given.user());
      expect([nobody.body.total, nobody.body._embedded.elements]).toEqual([0, []]);
    } finally {
      await other.stop();
    }
  });

  test('the pages are complete, with links to the next and previous page only if there is one', async () => {
    expect(await list('?pageSize=2')).toEqual(pageBody(1, 2, all.slice(0, 2)));
    expect(await list('?offset=2&pageSize=2')).toEqual(pageBody(2, 2, all.slice(2, 4)));
    expect(await list('?offset=3&pageSize=2')).toEqual(pageBody(3, 2, all.slice(4)));
    expect(await list('?offset=1&pageSize=5')).toEqual(pageBody(1, 5, all));
    expect(await list('?offset=9&pageSize=2')).toEqual(pageBody(9, 2, []));
    expect(await list('?offset=999999999&pageSize=1000')).toEqual(pageBody(999_999_999, 1000, []));
    let seen: number[] = [];
    for (let href: string | undefined = '/api/v3/storages?pageSize=2'; href;) {
      const { body }: Answer = await alone.get(href, boss);
      seen = [...seen, ...body._embedded.elements.map(({ id }: { id: number }) => id)];
      href = body._links.nextByOffset?.href;
    }
    expect(seen).toEqual(all.map(({ id }) => id));
  });

  test('page sizes above 1000 and -1 mean 1000, 0 only totals; a page before the first is the first', async () => {
    expect(await list('?pageSize=1000')).toEqual(pageBody(1, 1000, all));
    expect(await list('?pageSize=1001')).toEqual(pageBody(1, 1000, all));
    expect(await list('?pageSize=999999999')).toEqual(pageBody(1, 1000, all));
    expect(await list('?pageSize=-1')).toEqual(pageBody(1, 1000, all));
    expect(await list('?pageSize=0')).toEqual(pageBody(1, 0, []));
    for (const offset of ['0', '-1', '-999999999', ''])
      expect(await list(`?offset=${offset}&pageSize=`)).toEqual(pageBody(1, 20, all));
  });

  test('a text for a page means the first one; a filter is refused', async () => {
    for (const value of ['x', '1.5', '1e3', '%201', '0x1', '+']) {
      for (const name of ['offset', 'pageSize'])
        expect(await list(`?${name}=${value}`)).toEqual(pageBody(1, 20, all));
    }
    expect((await list('?offset=1&offset=2')).status).toBe(400);
    const digits = '9'.repeat(20);
    expect(await list(`?pageSize=${digits}`)).toEqual(pageBody(1, 1000, all));
    expect((await list(`?offset=${digits}`)).count).toBe(0);
    expect(await list('?filters=[]')).toEqual(pageBody(1, 20, all));
    expect(await list('?filters=')).toEqual(pageBody(1, 20, all));
    const named = (filter: string) => ({
      status: 400,
      body: errorBody('InvalidQuery', `Filter ${filter} does not exist.`, 'filters'),
    });
    expect(await list('?filters=[{"name":{"operator":"=","values":["x"]}}]')).toEqual(
      named('name'),
    );
    expect(await list('?filters=[{"__proto__":{"operator":"=","values":["x"]}}]')).toEqual(
      named('__proto__'),
    );
    expect(await list('?filters=[{"toString":{"operator":"=","values":["x"]}}]')).toEqual(
      named('toString'),
    );
    for (const filters of ['x', '{}', '[1]', '[[]]', '[null]', 'null', '"[]"'])
      expect(await list(`?filters=${encodeURIComponent(filters)}`)).toEqual({
        status: 400,
        body: errorBody(
          'InvalidQuery',
          "The query parameter 'filters' is missing or malformed.",
          'filters',
        ),
      });
    expect((await list('?filters=[]&filters=[{}]')).status).toBe(400);
  });

  test('more storages need no more SQL statements', async () => {
    // Users are cached for a second: one read for each of the two, or none, whatever the number of
    // storages.
    const ofUsers = (sql: string) => / from [`"]users[`"]/.test(sql);
    const reads = async (pageSize: number) => {
      const all = await alone.statements(() =>
        alone.get(`/api/v3/storages?pageSize=${pageSize}`, boss),
      );
      expect(all.filter(ofUsers).length).toBeLessThanOrEqual(2);
      return all.filter((sql) => !ofUsers(sql));
    };
    // Neither is the last page, which needs no count query.
    const one = await reads(1);
    const four = await reads(4);
    expect(four).toHaveLength(one.length);
    expect(one.length).toBeGreaterThan(0);
  });
});

describe('updating', () => {
  const client = { id: 'ours', secret: 'secret' };
  /** A storage with one of each dependent record. */
  const storageWithRecords = async (storage: NewStorage) => {
    const {
      given,
      running: {
        services: { db },
      },
    } = app;
    const made = await given.storage({
      client,
      creator: admin,
      applicationPassword: 'correct',
      ...storage,
    });
    await given.storageTokens(await given.user(), made, { accessToken: 'access' });
    const time = new Date().toISOString();
    await db.write('oauth_artifacts').insert(
      ['AccessToken', 'RefreshToken', 'AuthorizationCode'].map((kind) => ({
        kind,
        key_hash: `${kind}-${made.id}`,
        client_id: made.application.clientId,
        payload: '{}',
        created_at: time,
        updated_at: time,
      })),
    );
    return made;
  };
  /** Its dependent records. */
  const recordsOf = async ({ id, application: { clientId } }: StorageHandle) => {
    const [storage] = await rows('storages', { id });
    const counts = await Promise.all([
      rows('oauth_client_credentials', { storage_id: id }),
      rows('storage_tokens', { storage_id: id }),
      rows('oauth_artifacts', { client_id: clientId }),
    ]);
    return {
      password: Boolean(storage?.application_password),
      credentials: counts[0].length,
      tokens: counts[1].length,
      issued: counts[2].length,
    };
  };
  const ALL_RECORDS = { password: true, credentials: 1, tokens: 1, issued: 3 };
  const NO_RECORDS = { password: false, credentials: 0, tokens: 0, issued: 0 };

  test('a changed name is shown everywhere, and all other fields stay', async () => {
    const storage = await storageWithRecords({ storageAudience: 'files' });
    const before = (await app.get(storage.path, admin)).body;
    const name = someName();
    const { status, body } = await app.patch(storage.path, admin, { name });
    const expected = storageBody({
      ...storage,
      name,
      origin: before._links.origin.href,
      storageAudience: 'files',
      hasApplicationPassword: true,
      configured: true,
      authorize: before._links.authorize.href,
      application: {
        id: storage.application.id,
        clientId: storage.application.clientId,
        owner: admin,
      },
      credentials: { id: storage.credentialsId, clientId: 'ours' },
    });
    expect({ status, body }).toEqual({ status: 200, body: expected });
    expect((await app.get(storage.path, admin)).body).toEqual(expected);
    expect(body.createdAt).toBe(before.createdAt);
    expect(body.updatedAt > before.updatedAt).toBe(true);
    expect(await recordsOf(storage)).toEqual(ALL_RECORDS);
  });

  test('an update answers 403 to users who can view the storage and 404 to others, and changes nothing', async () => {
    const { given } = app;
    const project = await given.project();
    const storage = await storageWithRecords({});
    await given.projectStorage(project, storage);
    const before = [
      await rows('storages'),
      await rows('oauth_applications'),
      await rows('oauth_client_credentials'),
      await rows('storage_tokens'),
    ];
    const requests: [string, string, unknown][] = [
      ['PATCH', storage.path, { name: someName() }],
      ['DELETE', storage.path, undefined],
      [
        'POST',
        `${storage.path}/oauth_client_credentials`,
        { clientId: 'theirs', clientSecret: 'x' },
      ],
    ];
    for (const [as, status, body] of [
      [await given.member(project, [...viewing, 'manage_file_links']), 403, missingPermission],
      [
        await given.member(await given.project(), ['manage_files_in_project']),
        403,
        missingPermission,
      ],
      [await given.member(project, ['view_work_packages']), 404, notFound],
      [undefined, 404, notFound],
    ] as const) {
      for (const [method, path, json] of requests)
        expect(
          await app.request(method, path, { as, ...(json !== undefined && { json }) }),
        ).toMatchObject({ status, body });
    }
    for (const [method, path, json] of requests)
      expect(
        await app.request(method, path.replace(/storages\/\d+/, 'storages/99999'), {
          as: admin,
          ...(json !== undefined && { json }),
        }),
      ).toMatchObject({ status: 404, body: notFound });
    expect([
      await rows('storages'),
      await rows('oauth_applications'),
      await rows('oauth_client_credentials'),
      await rows('storage_tokens'),
    ]).toEqual(before);
  });

  test('missing members stay, null and the empty string clear optional members; an empty update changes nothing', async () => {
    const fake = await fileServer();
    const storage = await storageWithRecords({ origin: fake.url, storageAudience: 'files' });
    const before = (await app.get(storage.path, admin)).body;
    const empty = await app.patch(storage.path, admin, {});
    expect({ ...empty.body, updatedAt: before.updatedAt, _embedded: before._embedded }).toEqual(
      before,
    );
    expect(fake.requests).toHaveLength(0);
    expect(
      (await app.patch(storage.path, admin, { storageAudience: null })).body.storageAudience,
    ).toBeNull();
    expect(
      (await app.patch(storage.path, admin, { storageAudience: 'again' })).body.storageAudience,
    ).toBe('again');
    expect(
      (await app.patch(storage.path, admin, { storageAudience: '' })).body.storageAudience,
    ).toBeNull();
    refusedWith(await app.patch(storage.path, admin, { name: null }), [
      "Name can't be blank.",
      'name',
    ]);
    refusedWith(await app.patch(storage.path, admin, { _links: { origin: { href: null } } }), [
      'Host is not a valid URL.',
      'host',
    ]);
    // Clients cannot set generated members or counters.
    const ignored = await app.patch(storage.path, admin, {
      id: 7,
      hasApplicationPassword: false,
      configured: false,
      createdAt: '2000-01-01T00:00:00.000Z',
      tenantId: TENANT,
      driveId: DRIVE,
      _embedded: { oauthApplication: { clientId: 'x' } },
      _links: { self: { href: '/' } },
    });
    expect({
      ...ignored.body,
      updatedAt: before.updatedAt,
      storageAudience: 'files',
      _embedded: before._embedded,
    }).toEqual(before);
    expect(ignored.body._embedded.oauthApplication.clientId).toBe(storage.application.clientId);
    expect(await recordsOf(storage)).toEqual(ALL_RECORDS);
  });

  test('the type cannot be changed', async () => {
    const storage = await storageWithRecords({});
    for (const type of [
      typeLink('CloudDrive'),
      typeLink('CloudDrive', openproject),
      { href: 'urn:service-org:api:v3:storages:Sharepoint' },
      null,
    ])
      refusedWith(await app.patch(storage.path, admin, { name: someName(), _links: { type } }), [
        'Type cannot be changed.',
        'type',
      ]);
    for (const dialect of [standard, openproject])
      expect(
        (
          await app.patch(storage.path, admin, {
            _links: { type: typeLink('SelfHostedFileServer', dialect) },
          })
        ).status,
      ).toBe(200);
    expect((await app.get(storage.path, admin)).body.name).toBe(storage.name);
  });

  test('the name or host of another storage is taken; its own is accepted', async () => {
    const [first, second] = [
      await app.given.storage({ origin: 'https://one.example.test' }),
      await app.given.storage({ origin: 'https://two.example.test' }),
    ];
    refusedWith(await app.patch(second.path, admin, { name: first.name }), [
      'Name has already been taken.',
      'name',
    ]);
    refusedWith(
      await app.patch(second.path, admin, {
        _links: { origin: { href: 'https://ONE.example.test' } },
      }),
      ['Host has already been taken.', 'host'],
    );
    refusedWith(
      await app.patch(second.path, admin, {
        name: first.name,
        _links: { origin: { href: 'https://one.example.test/' } },
      }),
      ['Host has already been taken.', 'host'],
      ['Name has already been taken.', 'name'],
    );
    expect(
      (
        await app.patch(second.path, admin, {
          name: second.name,
          _links: { origin: { href: 'https://TWO.example.test:443' } },
        })
      ).status,
    ).toBe(200);
    const name = someName();
    const [, ...both] = (await Promise.all([
      undefined,
      ...[first, second].map(({ path }) => app.patch(path, admin, { name })),
    ])) as [undefined, Answer, Answer];
    expect(both.map(({ status }) => status).sort()).toEqual([200, 422]);
    refusedWith(
      both.find(({ status }) => status === 422)!,
      ['Name has already been taken.', 'name'],
    );
  });

  test('the password is checked, set and cleared; after a rejected one the old password stays', async () => {
    const fake = await fileServer();
    fake.user('OpenProject');
    fake.appPassword('OpenProject', 'correct');
    const storage = await app.given.storage({ origin: fake.url });
    expect(
      (await app.patch(storage.path, admin, { applicationPassword: 'correct' })).body
        .hasApplicationPassword,
    ).toBe(true);
    const before = await rows('storages', { id: storage.id });
    refusedWith(await app.patch(storage.path, admin, { applicationPassword: 'wrong' }), [
      'Password is not valid.',
      'applicationPassword',
    ]);
    expect(await rows('storages', { id: storage.id })).toEqual(before);
    expect(
      (await app.patch(storage.path, admin, { applicationPassword: null })).body
        .hasApplicationPassword,
    ).toBe(false);
  });

  test('a changed origin deletes client credentials, tokens, password and issued tokens, and moves the redirect URI', async () => {
    const fake = await fileServer();
    const storage = await storageWithRecords({});
    expect(await recordsOf(storage)).toEqual(ALL_RECORDS);
    const { status, body } = await app.patch(storage.path, admin, {
      _links: { origin: { href: fake.url } },
    });
    expect({ status, body }).toEqual({
      status: 200,
      body: storageBody({
        ...storage,
        origin: `${fake.url}/`,
        application: {
          id: storage.application.id,
          clientId: storage.application.clientId,
          owner: admin,
        },
      }),
    });
    expect(await recordsOf(storage)).toEqual(NO_RECORDS);
    expect(fake.requests.every(({ headers }) => headers.authorization === undefined)).toBe(true);
  });

  test('a password that comes with the new origin is checked there and stored', async () => {
    const fake = await fileServer();
    fake.user('OpenProject');
    fake.appPassword('OpenProject', 'of the new one');
    const storage = await storageWithRecords({});
    refusedWith(
      await app.patch(storage.path, admin, {
        applicationPassword: 'correct',
        _links: { origin: { href: fake.url } },
      }),
      ['Password is not valid.', 'applicationPassword'],
    );
    expect(await recordsOf(storage)).toEqual(ALL_RECORDS);
    const { body } = await app.patch(storage.path, admin, {
      applicationPassword: 'of the new one',
      _links: { origin: { href: fake.url } },
    });
    expect(body.hasApplicationPassword).toBe(true);
    expect(await recordsOf(storage)).toEqual({ ...NO_RECORDS, password: true });
  });

  test('a password that was checked at one host is not stored if the storage moves to another host meanwhile', async () => {
    const [from, to] = [await fileServer(), await fileServer()];
    from.user('OpenProject');
    from.appPassword('OpenProject', 'of the old one');
    const storage = await app.given.storage({ origin: from.url });
    from.fault({ delayMs: 700 }, ({ headers }) => headers.authorization !== undefined);
    const setting = app.patch(storage.path, admin, { applicationPassword: 'of the old one' });
    while (!from.requests.some(({ headers }) => headers.authorization !== undefined))
      await new Promise((resolve) => setTimeout(resolve, 5));
    expect(
      (await app.patch(storage.path, admin, { _links: { origin: { href: to.url } } })).status,
    ).toBe(200);
    const { status, body } = await setting;
    expect({ status, body }).toEqual({
      status: 409,
      body: errorBody(
        'UpdateConflict',
        'The resource was changed since you last read it. Read it again and repeat your change.',
      ),
    });
    expect((await app.get(storage.path, admin)).body.hasApplicationPassword).toBe(false);
  });

  test('another spelling of the origin deletes nothing; another scheme, port or path does', async () => {
    const fake = await fileServer({ prefix: '/cloud' });
    const storage = await storageWithRecords({ origin: fake.url });
    const move = async (origin: string) =>
      (await app.patch(storage.path, admin, { _links: { origin: { href: origin } } })).status;
    for (const same of [fake.url, `${fake.url}/`, fake.url.replace('http:', 'HTTP:')])
      expect([await move(same), await recordsOf(storage)]).toEqual([200, ALL_RECORDS]);
    expect(fake.requests).toHaveLength(0);
    // The server does not answer at the other URLs: nothing changes.
    for (const other of [
      fake.url.replace('http:', 'https:'),
      `${fake.url}/elsewhere`,
      fake.url.replace(/:\d+/, ':1'),
    ])
      expect([await move(other), await recordsOf(storage)]).toEqual([422, ALL_RECORDS]);
    expect(await move(fake.url.replace('127.0.0.1', 'localhost'))).toBe(200);
    expect(await recordsOf(storage)).toEqual(NO_RECORDS);
  });

  test('a changed tenant deletes the secrets of a cloud drive; a changed drive or the same tenant does not', async () => {
    const storage = await storageWithRecords({
      type: 'CloudDrive',
      tenantId: TENANT,
      driveId: DRIVE,
      applicationPassword: null,
    });
    const whole = { ...ALL_RECORDS, password: false };
    for (const change of [
      { driveId: `${DRIVE}-2` },
      { tenantId: TENANT },
      { name: someName() },
      { _links: { origin: { href: 'https://ignored.example.test' } } },
    ]) {
      expect([
        (await app.patch(storage.path, admin, change)).status,
        await recordsOf(storage),
      ]).toEqual([200, whole]);
    }
    const { body } = await app.patch(storage.path, admin, { tenantId: 'consumers' });
    expect([
      body.tenantId,
      body.driveId,
      body.configured,
      body._links.oauthClientCredentials,
    ]).toEqual(['consumers', `${DRIVE}-2`, false, { href: null }]);
    expect(await recordsOf(storage)).toEqual(NO_RECORDS);
    const unset = await storageWithRecords({
      type: 'CloudDrive',
      tenantId: TENANT,
      applicationPassword: null,
    });
    expect((await app.patch(unset.path, admin, { tenantId: null })).body.tenantId).toBeNull();
    expect(await recordsOf(unset)).toEqual(NO_RECORDS);
  });

  test("replaced client credentials end the users' connections, and nothing else", async () => {
    const storage = await storageWithRecords({});
    expect(
      (
        await app.post(`${storage.path}/oauth_client_credentials`, admin, {
          clientId: 'others',
          clientSecret: 'x',
        })
      ).status,
    ).toBe(201);
    expect(await recordsOf(storage)).toEqual({ ...ALL_RECORDS, tokens: 0 });
    refusedWith(
      await app.post(`${storage.path}/oauth_client_credentials`, admin, {
        clientId: 'x'.repeat(256),
        clientSecret: 'x',
      }),
      ['Client ID is too long (maximum is 255 characters).', 'clientId'],
    );
    refusedWith(
      await app.post(`${storage.path}/oauth_client_credentials`, admin, {
        clientId: 'x\0',
        clientSecret: 'x'.repeat(4001),
      }),
      ['Client ID must not contain NUL or broken characters.', 'clientId'],
      ['Client secret is too long (maximum is 4000 characters).', 'clientSecret'],
    );
    expect(
      (await rows('oauth_client_credentials', { storage_id: storage.id })).map(
        ({ client_id }) => client_id,
      ),
    ).toEqual(['others']);
    const answers = await Promise.all(
      Array.from({ length: 4 }, (_, index) =>
        app.post(`${storage.path}/oauth_client_credentials`, admin, {
          clientId: `c${index}`,
          clientSecret: 'x',
        }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect(await rows('oauth_client_credentials', { storage_id: storage.id })).toHaveLength(1);
  });

  test('creating a link while its storage is deleted answers that the storage does not exist', async () => {
    const storage = await storageWithRecords({});
    const { db } = app.running.services;
    const time = new Date().toISOString();
    const linking = await db.write.transaction();
    await linking('file_links').insert({
      storage_id: storage.id,
      creator_id: admin.id,
      origin_id: 'late',
      origin_name: 'late.txt',
      expires_at: '2100-01-01T00:00:00.000Z',
      created_at: time,
      updated_at: time,
    });
    const deleting = app.delete(storage.path, admin);
    await sleep(500);
    await linking.commit();
    expect((await deleting).status).toBe(204);
    expect(await rows('file_links', { storage_id: storage.id })).toEqual([]);
    expect(
      (await db.read('events').where({ kind: 'file_link:deleted' }))
        .map(({ data }) => (typeof data === 'string' ? JSON.parse(data) : data))
        .filter(({ storageId }) => storageId === storage.id),
    ).toMatchObject([{ originName: 'late.txt' }]);
  });

  test('a deletion removes its OAuth records, tokens and project storages, and nothing of other storages', async () => {
    const { given } = app;
    const project = await given.project();
    const [storage, other] = [await storageWithRecords({}), await storageWithRecords({})];
    const [place, otherPlace] = [
      await given.projectStorage(project, storage),
      await given.projectStorage(project, other),
    ];
    const { status, text } = await app.request('DELETE', storage.path, {
      as: admin,
      headers: { 'content-type': 'application/json' },
    });
    expect([status, text]).toEqual([204, '']);
    for (const path of [
      storage.path,
      place.path,
      `/api/v3/oauth_applications/${storage.application.id}`,
      `/api/v3/oauth_client_credentials/${storage.credentialsId}`,
    ])
      expect((await app.get(path, admin)).body).toEqual(notFound);
    expect([
      await recordsOf(storage),
      await rows('project_storages', { storage_id: storage.id }),
      await rows('oauth_applications', { storage_id: storage.id }),
    ]).toEqual([NO_RECORDS, [], []]);
    expect([await recordsOf(other), (await app.get(otherPlace.path, admin)).status]).toEqual([
      ALL_RECORDS,
      200,
    ]);
    expect((await app.delete(storage.path, admin)).body).toEqual(notFound);
    const again = await Promise.all([app.delete(other.path, admin), app.delete(other.path, admin)]);
    expect(again.map((answer) => answer.status).sort()).toEqual([204, 404]);
  });
});

describe('a folder path of more than 4,096 characters', () => {
  const [longest, longer] = [`/${'a'.repeat(4_095)}`, `/${'a'.repeat(4_999)}`];
  const TOO_LONG = 'Parent is too long (maximum is 4096 characters).';
  const FILES =
    'query($id: ID!, $parent: String) { storage(id: $id) { files(parent: $parent) { parent { id } } } }';
  const FOLDER =
    'mutation($input: CreateStorageFolderInput!) { createStorageFolder(input: $input) { folder { id } } }';
  const UPLOAD =
    'mutation($input: PrepareStorageUploadInput!) { prepareStorageUpload(input: $input) { uploadLink { href } } }';
  let fake: FileServer;
  let storage: StorageHandle;
  let project: { id: number };
  let person: Person;
  beforeAll(async () => {
    fake = await fileServer();
    fake.user('mia');
    storage = await app.given.storage({
      origin: fake.url,
      client: { id: 'ours', secret: 'secret' },
    });
    project = await app.given.project();
    person = await app.given.member(project, [...viewing, 'manage_file_links']);
    await app.given.projectStorage(project, storage);
    await app.given.storageTokens(person, storage, { ...fake.grant('mia'), originUserId: 'mia' });
  });

  test('answers 400 for a listing, without a storage request', async () => {
    for (const parent of [longer, longer.slice(1)]) {
      const { status, body } = await app.get(
        `${storage.path}/files?parent=${encodeURIComponent(parent)}`,
        person,
      );
      expect({ status, body }).toEqual({
        status: 400,
        body: errorBody('InvalidQuery', TOO_LONG, 'parent'),
      });
      const { data, errors } = await app.graphql(FILES, { id: storage.globalId, parent }, person);
      expect(data.storage.files).toBeNull();
      expect(errors).toMatchObject([
        {
          message: TOO_LONG,
          path: ['storage', 'files'],
          extensions: { code: 'INVALID_QUERY', status: 400, attribute: 'parent' },
        },
      ]);
    }
    expect(fake.requests).toEqual([]);
  });

  test('is not found as a file, without a storage request', async () => {
    const ask = async (id: string) =>
      app.graphql(
        'query($id: ID!, $file: String!) { storage(id: $id) { file(id: $file) { name } } }',
        { id: storage.globalId, file: id },
        person,
      );
    for (const id of [longer, longer.slice(1)])
      expect((await ask(id)).errors).toMatchObject([
        {
          path: ['storage', 'file'],
          extensions: { code: 'OUTBOUND_REQUEST_NOT_FOUND', status: 500 },
        },
      ]);
    expect(fake.requests).toEqual([]);
  });

  test('answers 422 for a new folder or an upload, without a storage request', async () => {
    for (const parent of [longer, longer.slice(1)]) {
      for (const member of ['parentId', 'parent_id', 'parent'])
        refusedWith(
          await app.post(`${storage.path}/folders`, person, { name: 'x', [member]: parent }),
          [TOO_LONG, 'parent'],
        );
      refusedWith(
        await app.post(`${storage.path}/files/prepare_upload`, person, {
          projectId: project.id,
          fileName: 'x.txt',
          parent,
        }),
        [TOO_LONG, 'parent'],
      );
      refusedWith(
        await app.post(`${storage.path}/files/prepare_upload`, person, {
          projectId: project.id,
          fileName: '',
          parent,
        }),
        ["File name can't be blank.", 'fileName'],
        [TOO_LONG, 'parent'],
      );
      const tooLong = [
        {
          message: TOO_LONG,
          extensions: { code: 'PROPERTY_CONSTRAINT_VIOLATION', status: 422, attribute: 'parent' },
        },
      ];
      expect(
        (
          await app.graphql(
            FOLDER,
            { input: { storageId: storage.globalId, name: 'x', parent } },
            person,
          )
        ).errors,
      ).toMatchObject(tooLong);
      expect(
        (
          await app.graphql(
            UPLOAD,
            {
              input: {
                storageId: storage.globalId,
                projectId: String(project.id),
                fileName: 'x.txt',
                parent,
              },
            },
            person,
          )
        ).errors,
      ).toMatchObject(tooLong);
    }
    expect(fake.requests).toEqual([]);
  });

  test('differs from one of exactly 4,096 characters, which is sent to the storage', async () => {
    const answers = [
      await app.get(`${storage.path}/files?parent=${encodeURIComponent(longest)}`, person),
      await app.post(`${storage.path}/folders`, person, { name: 'x', parentId: longest }),
      await app.post(`${storage.path}/files/prepare_upload`, person, {
        projectId: project.id,
        fileName: 'x.txt',
        parent: longest,
      }),
    ];
    for (const { status, body } of answers)
      expect({ status, body }).toEqual({
        status: 500,
        body: errorBody(
          'OutboundRequest:NotFound',
          'An outbound request to another resource has failed with status code 404.',
        ),
      });
    expect(fake.requests.length).toBeGreaterThanOrEqual(answers.length);
  });
});

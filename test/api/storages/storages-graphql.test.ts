/** Storages, the projects that use them and their OAuth records over GraphQL. */
import { startApp, type App, type GraphqlAnswer } from '../../support/app.js';
import { TIME } from '../../support/expected.js';
import type { Person, StorageHandle } from '../../support/factories.js';
import { startFileServer, type FileServer } from '../../../demo/servers/file-server.js';
import { afterAll, beforeAll, describe, expect, test } from '../../support/jest.js';

const viewing = ['view_work_packages', 'view_file_links'];
const TENANT = '6f1c2e9a-0d7b-4c55-9a57-1f0e9d8c7b6a';
const TOKEN = expect.stringMatching(/^[\w-]{32,}$/);

let app: App;
let server: FileServer;
let project: { id: number; name: string };
let admin: Person;
let member: Person;
let manager: Person;
let stranger: Person;
beforeAll(async () => {
  [app, server] = await Promise.all([startApp(), startFileServer()]);
  const { given } = app;
  project = await given.project();
  admin = await given.user({ admin: true, firstName: 'Ada', lastName: 'Admin' });
  member = await given.member(project, [...viewing, 'read_files']);
  manager = await given.member(project, [
    ...viewing,
    'manage_file_links',
    'manage_files_in_project',
    'read_files',
  ]);
  stranger = await given.user();
});
afterAll(() => Promise.all([app.stop(), server.close()]));

const globalId = (type: string, id: number | string) =>
  Buffer.from(`${type}:${id}`).toString('base64url');
const ask = (query: string, variables: object = {}, as: Person | undefined = admin) =>
  app.graphql(query, variables, as);
const refusal = (code: string, status: number, message?: string, attribute?: string) => [
  {
    ...(message !== undefined && { message }),
    extensions: { code, status, ...(attribute !== undefined && { attribute }) },
  },
];
const NOT_FOUND = refusal('NOT_FOUND', 404, 'The requested resource could not be found.');
const FORBIDDEN = refusal(
  'MISSING_PERMISSION',
  403,
  'You are not authorized to access this resource.',
);
const violation = (message: string, attribute: string) =>
  refusal('PROPERTY_CONSTRAINT_VIOLATION', 422, message, attribute);
const rows = (table: string, where: object = {}): Promise<any[]> =>
  app.running.services.db.write(table).where(where).orderBy('id');
/** Expects that an operation answers this error, and no data or nothing but these data. */
const expectRefused = (
  { data, errors }: GraphqlAnswer,
  expected: object[],
  left: object | null = null,
) => {
  expect(errors).toMatchObject(expected);
  expect(data).toEqual(left);
};

const APPLICATION =
  'id databaseId name clientId confidential redirectUris scopes createdAt updatedAt owner { name } integration { databaseId }';
const CREDENTIALS =
  'id databaseId clientId confidential createdAt updatedAt integration { databaseId }';
const STORAGE = `id databaseId type name origin authenticationMethod storageAudience tenantId driveId hasApplicationPassword configured createdAt updatedAt authorizationState authorizeUrl openUrl uploadProjects { databaseId } oauthApplication { ${APPLICATION} } oauthClientCredentials { ${CREDENTIALS} }`;
const PLACE =
  'id databaseId projectFolderMode projectFolderId createdAt updatedAt openWithConnectionUrl openUrl storage { databaseId name } project { databaseId name } creator { databaseId name }';

describe('a field that cannot be answered', () => {
  test('is null with an error; all other fields are answered', async () => {
    const drive = await app.given.storage({
      type: 'CloudDrive',
      name: 'Drive without credentials',
    });
    const used = await app.given.projectStorage(project, drive);
    const { data, errors } = await ask(
      'query ($id: ID!, $used: ID!) { storage(id: $id) { name openUrl } projectStorage(id: $used) { openUrl storage { name } } viewer { databaseId } }',
      { id: String(drive.id), used: String(used.id) },
    );
    expect(data).toEqual({
      storage: { name: drive.name, openUrl: null },
      projectStorage: { openUrl: null, storage: { name: drive.name } },
      viewer: { databaseId: admin.id },
    });
    expect(errors!.map(({ path }) => path!.join('.')).sort()).toEqual([
      'projectStorage.openUrl',
      'storage.openUrl',
    ]);
  });

  test('for files and folders is null with an error, next to the authorization state', async () => {
    const unknown = await app.given.storage({
      name: 'Not connected',
      client: { id: 'ours', secret: 'secret' },
    });
    await app.given.projectStorage(project, unknown);
    const { data, errors } = await ask(
      'query ($id: ID!) { storage(id: $id) { authorizationState files { files { name } } file(id: "1") { name } } }',
      { id: String(unknown.id) },
      member,
    );
    expect(data).toEqual({
      storage: { authorizationState: 'FAILED_AUTHORIZATION', files: null, file: null },
    });
    expect(errors!.map(({ path }) => path!.join('.')).sort()).toEqual([
      'storage.file',
      'storage.files',
    ]);
  });

  test('does not hide a secret that is shown once', async () => {
    const { data, errors } = await ask(
      'mutation { createStorage(input: { name: "Shown once", type: CLOUD_DRIVE }) { clientSecret storage { name openUrl } } }',
    );
    expect(data).toEqual({
      createStorage: { clientSecret: TOKEN, storage: { name: 'Shown once', openUrl: null } },
    });
    expect(errors!.map(({ path }) => path)).toEqual([['createStorage', 'storage', 'openUrl']]);
  });
});

describe('a storage', () => {
  let storage: StorageHandle;
  beforeAll(async () => {
    const { given } = app;
    const client = { id: 'ours', secret: 'secret' };
    server.user('mia');
    server.setClient({ ...client, redirectUri: 'https://moorage.example.test/' });
    storage = await given.storage({
      name: 'Plans',
      origin: server.url,
      storageAudience: 'files',
      client,
      creator: admin,
    });
    await given.projectStorage(project, storage);
  });
  const shown = (as: 'admin' | 'manager' | 'member', { state = 'FAILED_AUTHORIZATION' } = {}) => ({
    id: storage.globalId,
    databaseId: storage.id,
    type: 'SELF_HOSTED_FILE_SERVER',
    name: 'Plans',
    origin: `${server.url}/`,
    authenticationMethod: 'TWO_WAY_OAUTH2',
    storageAudience: 'files',
    tenantId: null,
    driveId: null,
    hasApplicationPassword: false,
    configured: true,
    createdAt: TIME,
    updatedAt: TIME,
    authorizationState: state,
    authorizeUrl:
      state === 'CONNECTED'
        ? null
        : `${app.url}/oauth_clients/ours/ensure_connection?storage_id=${storage.id}`,
    openUrl: `${server.url}/index.php/apps/files`,
    uploadProjects: as === 'member' ? [] : [{ databaseId: project.id }],
    oauthApplication:
      as !== 'admin'
        ? null
        : {
            id: globalId('OAuthApplication', storage.application.id),
            databaseId: storage.application.id,
            name: 'Plans (SelfHostedFileServer)',
            clientId: storage.application.clientId,
            confidential: true,
            redirectUris: [`${server.url}/index.php/apps/integration_openproject/oauth-redirect`],
            scopes: ['api_v3'],
            createdAt: TIME,
            updatedAt: TIME,
            owner: { name: 'Ada Admin' },
            integration: { databaseId: storage.id },
          },
    oauthClientCredentials:
      as !== 'admin'
        ? null
        : {
            id: globalId('OAuthClientCredentials', storage.credentialsId!),
            databaseId: storage.credentialsId,
            clientId: 'ours',
            confidential: true,
            createdAt: TIME,
            updatedAt: TIME,
            integration: { databaseId: storage.id },
          },
  });
  const VIEW = `query ($id: ID!) { storage(id: $id) { ${STORAGE} } }`;

  test("is shown in full by either form of its id, according to the user's permissions", async () => {
    for (const id of [storage.globalId, String(storage.id)])
      expect((await ask(VIEW, { id })).data).toEqual({ storage: shown('admin') });
    expect((await ask(VIEW, { id: storage.globalId }, manager)).data).toEqual({
      storage: shown('manager'),
    });
    expect((await ask(VIEW, { id: storage.globalId }, member)).data).toEqual({
      storage: shown('member'),
    });
    await app.given.storageTokens(member, storage, { ...server.grant('mia') });
    expect((await ask(VIEW, { id: storage.globalId }, member)).data).toEqual({
      storage: shown('member', { state: 'CONNECTED' }),
    });
    expect((await ask(VIEW, { id: storage.globalId }, manager)).data).toEqual({
      storage: shown('manager'),
    });
  });

  test('gets one request for the authorization state, however often a document selects it', async () => {
    server.forget();
    await app.given.storageTokens(manager, storage, { ...server.grant('mia') });
    const { data } = await ask(
      'query ($id: ID!) { a: storage(id: $id) { authorizationState authorizeUrl } b: storage(id: $id) { authorizationState } storages { nodes { authorizationState } } }',
      { id: storage.globalId },
      manager,
    );
    expect(data).toEqual({
      a: { authorizationState: 'CONNECTED', authorizeUrl: null },
      b: { authorizationState: 'CONNECTED' },
      storages: { nodes: expect.arrayContaining([{ authorizationState: 'CONNECTED' }]) },
    });
    expect(server.requests.map(({ path }) => path)).toEqual(['/ocs/v1.php/cloud/user']);
    server.forget();
    await ask(
      'query ($id: ID!) { storage(id: $id) { name configured uploadProjects { id } oauthApplication { id } } }',
      { id: storage.globalId },
      manager,
    );
    expect(server.requests).toEqual([]);
  });

  test('of a cloud drive has no origin, authentication method, audience or password', async () => {
    const drive = await app.given.storage({ type: 'CloudDrive', tenantId: TENANT });
    const { data } = await ask(
      'query ($id: ID!) { storage(id: $id) { type origin authenticationMethod storageAudience hasApplicationPassword tenantId driveId configured authorizeUrl } }',
      { id: drive.globalId },
    );
    expect(data).toEqual({
      storage: {
        type: 'CLOUD_DRIVE',
        origin: null,
        authenticationMethod: null,
        storageAudience: null,
        hasApplicationPassword: null,
        tenantId: TENANT,
        driveId: null,
        configured: false,
        authorizeUrl: null,
      },
    });
  });

  test('shows its health only to administrators; for other users this field answers an error', async () => {
    const HEALTH =
      'query ($id: ID!) { storage(id: $id) { name health { checks { check code status hint } checkedAt } } }';
    const { data } = await ask(HEALTH, { id: storage.globalId });
    expect(data).toEqual({
      storage: { name: 'Plans', health: { checks: expect.any(Array), checkedAt: TIME } },
    });
    expect(data.storage.health.checks[0]).toEqual({
      check: 'host',
      code: 'host',
      status: 'OK',
      hint: `127.0.0.1:${server.port} answers.`,
    });
    const refused = await ask(HEALTH, { id: storage.globalId }, manager);
    expect([refused.data, refused.errors]).toMatchObject([
      { storage: { name: 'Plans', health: null } },
      [{ ...FORBIDDEN[0], path: ['storage', 'health'] }],
    ]);
    expectRefused(await ask(HEALTH, { id: storage.globalId }, stranger), NOT_FOUND, {
      storage: null,
    });
  });

  test('and its records are found by global id, by users who can view them', async () => {
    const place = await app.given.projectStorage(await app.given.project(), storage);
    const nodes = {
      Storage: storage.id,
      ProjectStorage: place.id,
      OAuthApplication: storage.application.id,
      OAuthClientCredentials: storage.credentialsId!,
    };
    const node = async (id: string, as: Person | undefined) =>
      (await app.graphql('query ($id: ID!) { node(id: $id) { __typename id } }', { id }, as)).data
        .node;
    for (const [type, key] of Object.entries(nodes)) {
      const id = globalId(type, key);
      const found = { __typename: type, id };
      expect(await node(id, admin)).toEqual(found);
      expect([type, await node(id, member)]).toEqual([type, type === 'Storage' ? found : null]);
      for (const as of [stranger, undefined]) expect(await node(id, as)).toBeNull();
      expect(await node(globalId(type, 999_999), admin)).toBeNull();
    }
  });

  test('is not found by users without permission, or by an impossible id', async () => {
    for (const as of [stranger, undefined])
      expectRefused(await app.graphql(VIEW, { id: storage.globalId }, as), NOT_FOUND, {
        storage: null,
      });
    for (const id of [
      '999999',
      '0',
      '-1',
      '01',
      'x',
      '',
      globalId('Project', storage.id),
      globalId('Storage', 0),
    ])
      expectRefused(await ask(VIEW, { id }), NOT_FOUND, { storage: null });
    const RECORDS = ['oauthApplication', 'oauthClientCredentials'] as const;
    const ids = [storage.application.id, storage.credentialsId!].map(String);
    for (const [index, field] of RECORDS.entries()) {
      const query = `query ($id: ID!) { ${field}(id: $id) { id } }`;
      expect((await ask(query, { id: ids[index] })).errors).toBeUndefined();
      for (const as of [manager, undefined])
        expectRefused(await app.graphql(query, { id: ids[index] }, as), NOT_FOUND, {
          [field]: null,
        });
      expectRefused(await ask(query, { id: globalId('Storage', ids[index]!) }), NOT_FOUND, {
        [field]: null,
      });
    }
  });

  test('no type of the schema has a field for a secret, except payloads that show it once', async () => {
    const { data } = await ask('{ __schema { types { name kind fields { name } } } }');
    const secret = data.__schema.types
      .filter(({ name }: { name: string }) => name !== 'Mutation')
      .flatMap(({ name, fields }: { name: string; fields: { name: string }[] | null }) =>
        (fields ?? [])
          .filter((field) => /secret|password|accessToken|refreshToken/i.test(field.name))
          .map((field) => `${name}.${field.name}`),
      );
    expect(secret.sort()).toEqual([
      'CreateOAuthApplicationPayload.clientSecret',
      'CreateStoragePayload.clientSecret',
      'CreateUserPayload.passwordLink',
      'CreateUserPayload.passwordLinkExpiresAt',
      'CreateWebhookPayload.secret',
      'RotateOAuthApplicationSecretPayload.clientSecret',
      'RotateWebhookSecretPayload.secret',
      'SetUserPasswordPayload.passwordLink',
      'SetUserPasswordPayload.passwordLinkExpiresAt',
      // Both are flags.
      'Storage.hasApplicationPassword',
      'User.viewerCanChangePassword',
    ]);
  });
});

test('a mutation answers the state after it, not the cached state of an earlier one', async () => {
  const storage = await app.given.storage();
  const CHANGES = `mutation($id: ID!) {
    one: updateStorage(input: { id: $id, name: "Renamed twice" }) { storage { configured oauthClientCredentials { clientId } } }
    two: setOAuthClientCredentials(input: { storageId: $id, clientId: "first", clientSecret: "s" }) { storage { configured oauthClientCredentials { clientId } } }
    three: setOAuthClientCredentials(input: { storageId: $id, clientId: "second", clientSecret: "s" }) { storage { configured oauthClientCredentials { clientId } } }
  }`;
  const { data, errors } = await ask(CHANGES, { id: String(storage.id) });
  expect(errors).toBeUndefined();
  expect(
    Object.values(data).map(({ storage: { configured, oauthClientCredentials } }: any) => [
      configured,
      oauthClientCredentials?.clientId,
    ]),
  ).toEqual([
    [false, undefined],
    [true, 'first'],
    [true, 'second'],
  ]);
});

describe('lists', () => {
  let alone: App;
  let boss: Person;
  let storages: StorageHandle[];
  let places: { id: number }[];
  beforeAll(async () => {
    alone = await startApp();
    boss = await alone.given.user({ admin: true });
    const bridge = await alone.given.project();
    [storages, places] = [[], []];
    for (let index = 0; index < 5; index += 1) {
      storages.unshift(await alone.given.storage({ type: 'CloudDrive', creator: boss }));
      places.unshift(await alone.given.projectStorage(bridge, storages[0]!, { creator: boss }));
    }
  });
  afterAll(() => alone.stop());

  const fields = ['storages', 'projectStorages'] as const;
  const idsOf = (field: (typeof fields)[number]) =>
    (field === 'storages' ? storages : places).map(({ id }) => id);
  const page = async (field: string, variables: object) => {
    const { data, errors } = await alone.graphql(
      `query ($first: Int, $after: String, $page: Int) { list: ${field}(first: $first, after: $after, page: $page) { totalCount nodes { databaseId } edges { cursor node { databaseId } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`,
      variables,
      boss,
    );
    if (errors) return { errors };
    const { totalCount, nodes, edges, pageInfo } = data.list;
    const ids = nodes.map(({ databaseId }: { databaseId: number }) => databaseId);
    expect(edges.map(({ node }: any) => node.databaseId)).toEqual(ids);
    expect([pageInfo.startCursor, pageInfo.endCursor]).toEqual([
      edges[0]?.cursor ?? null,
      edges.at(-1)?.cursor ?? null,
    ]);
    return {
      ids,
      totalCount,
      next: pageInfo.hasNextPage,
      previous: pageInfo.hasPreviousPage,
      end: pageInfo.endCursor,
    };
  };

  test.each(fields)('%s are listed newest first, in full if no count is given', async (field) => {
    expect(await page(field, {})).toMatchObject({
      ids: idsOf(field),
      totalCount: 5,
      next: false,
      previous: false,
    });
    expect(await page(field, { first: 5 })).toMatchObject({ ids: idsOf(field), next: false });
    expect(await page(field, { first: 0 })).toEqual({
      ids: [],
      totalCount: 5,
      next: true,
      previous: false,
      end: null,
    });
  });

  test.each(fields)('%s have cursor pages, which new rows do not change', async (field) => {
    const ids = idsOf(field);
    const first = await page(field, { first: 2 });
    expect(first).toMatchObject({
      ids: ids.slice(0, 2),
      totalCount: 5,
      next: true,
      previous: false,
    });
    const storage = await alone.given.storage({ type: 'CloudDrive', creator: boss });
    await alone.given.projectStorage(await alone.given.project(), storage, { creator: boss });
    const second = await page(field, { first: 2, after: first.end });
    expect(second).toMatchObject({
      ids: ids.slice(2, 4),
      totalCount: 6,
      next: true,
      previous: true,
    });
    const third = await page(field, { first: 2, after: second.end });
    expect(third).toMatchObject({ ids: ids.slice(4), next: false, previous: true });
    expect(await page(field, { after: third.end })).toEqual({
      ids: [],
      totalCount: 6,
      next: false,
      previous: true,
      end: null,
    });
    await alone.delete(storage.path, boss);
  });

  test.each(fields)('%s have numbered pages', async (field) => {
    const ids = idsOf(field);
    expect(await page(field, { first: 2, page: 1 })).toMatchObject({
      ids: ids.slice(0, 2),
      totalCount: 5,
      next: true,
      previous: false,
    });
    expect(await page(field, { first: 2, page: 2 })).toMatchObject({
      ids: ids.slice(2, 4),
      next: true,
      previous: true,
    });
    expect(await page(field, { first: 2, page: 3 })).toMatchObject({
      ids: ids.slice(4),
      next: false,
      previous: true,
    });
    expect(await page(field, { first: 2, page: 4 })).toMatchObject({
      ids: [],
      totalCount: 5,
      next: false,
      previous: true,
    });
    expect(await page(field, { first: 200, page: 2_147_483_647 })).toMatchObject({
      ids: [],
      totalCount: 5,
    });
  });

  test.each(fields)('%s refuse an invalid page', async (field) => {
    const refused = (message: string, attribute: string) => ({
      errors: [{ message, extensions: { code: 'INVALID_QUERY', status: 400, attribute } }],
    });
    const PAGE = 'The argument "page" is a number from 1 and needs "first" without cursors.';
    for (const variables of [
      { page: 1 },
      { first: 2, page: 0 },
      { first: 2, page: -1 },
      { first: 2, page: 1, after: (await page(field, { first: 1 })).end },
    ])
      expect(await page(field, variables)).toMatchObject(refused(PAGE, 'page'));
    expect(await page(field, { first: -1 })).toMatchObject(
      refused('The argument "first" is not a count.', 'first'),
    );
    const cursors = [
      '',
      '***',
      ...[[], ['a', 1], ['1'], [1.5], [0], [2_147_483_648], { 0: 1, length: 1 }, null].map(
        (value) => Buffer.from(JSON.stringify(value)).toString('base64url'),
      ),
    ];
    for (const after of cursors)
      expect(await page(field, { after })).toMatchObject(
        refused('The argument "after" is not a cursor of this list.', 'after'),
      );
  });

  test('project storages are filtered by projects, storages and URLs, all of which must match', async () => {
    const { given } = app;
    const [bridge, tower] = [await given.project(), await given.project()];
    const [plans, photos] = [
      await given.storage({ origin: 'https://plans.example.test/cloud' }),
      await given.storage(),
    ];
    const [first, second, third] = [
      await given.projectStorage(bridge, plans),
      await given.projectStorage(bridge, photos),
      await given.projectStorage(tower, plans),
    ];
    const LIST =
      'query ($projectIds: [ID!], $storageIds: [ID!], $storageUrls: [String!], $first: Int) { projectStorages(filter: { projectIds: $projectIds, storageIds: $storageIds, storageUrls: $storageUrls }, first: $first) { totalCount nodes { databaseId } } }';
    const list = async (variables: object, as = admin) => {
      const { data, errors } = await ask(LIST, variables, as);
      return (
        errors ?? [
          data.projectStorages.totalCount,
          ...data.projectStorages.nodes.map(({ databaseId }: { databaseId: number }) => databaseId),
        ]
      );
    };
    expect(await list({ projectIds: [String(bridge.id)] })).toEqual([2, second.id, first.id]);
    expect(
      await list({
        projectIds: [globalId('Project', bridge.id), String(tower.id)],
        storageIds: [plans.globalId],
      }),
    ).toEqual([2, third.id, first.id]);
    expect(await list({ projectIds: [String(bridge.id)], first: 1 })).toEqual([2, second.id]);
    expect(
      await list({
        storageUrls: ['http://PLANS.example.test/cloud/', 'https%3A%2F%2Fnobody.example.test'],
      }),
    ).toEqual([2, third.id, first.id]);
    expect(
      await list({
        storageUrls: ['https://plans.example.test/cloud'],
        storageIds: [photos.globalId],
      }),
    ).toEqual([0]);
    for (const none of [
      { storageIds: [] },
      { projectIds: [] },
      { storageUrls: [] },
      { storageIds: ['999999', 'x', globalId('Project', plans.id)] },
    ])
      expect(await list(none)).toEqual([0]);
    const refused = (message: string) => [
      { message, extensions: { code: 'INVALID_QUERY', status: 400, attribute: 'filters' } },
    ];
    for (const id of ['999999', 'x', globalId('Storage', bridge.id)])
      expect(await list({ projectIds: [String(bridge.id), id] })).toMatchObject(
        refused('Filter projectId has a value that is no project.'),
      );
    expect(await list({ projectIds: [String(bridge.id)] }, member)).toMatchObject(
      refused('Filter projectId has a value that is no project.'),
    );
    for (const url of ['', 'plans.example.test', 'ftp://plans.example.test', '\ud800', '%00'])
      expect(await list({ storageUrls: [url] })).toMatchObject(
        refused('Filter storageUrl has a value that is no address.'),
      );
    expect(await list({ projectIds: [String(project.id)] }, stranger)).toMatchObject(
      refused('Filter projectId has a value that is no project.'),
    );
  });
});

describe('administering storages', () => {
  const CREATE = `mutation ($input: CreateStorageInput!) { createStorage(input: $input) { clientSecret storage { ${STORAGE} } } }`;
  const UPDATE =
    'mutation ($input: UpdateStorageInput!) { updateStorage(input: $input) { storage { name origin authenticationMethod storageAudience tenantId driveId hasApplicationPassword oauthApplication { name clientId redirectUris } oauthClientCredentials { clientId } } } }';
  const ROTATE =
    'mutation ($id: ID!) { rotateOAuthApplicationSecret(input: { storageId: $id }) { clientSecret oauthApplication { databaseId clientId } } }';
  const SET =
    'mutation ($input: SetOAuthClientCredentialsInput!) { setOAuthClientCredentials(input: $input) { storage { databaseId configured } oauthClientCredentials { databaseId clientId } } }';
  const DELETE = 'mutation ($id: ID!) { deleteStorage(input: { id: $id }) { deletedStorageId } }';

  test('creating a storage shows the secret of its application', async () => {
    const fake = await startFileServer();
    fake.user('OpenProject');
    fake.appPassword('OpenProject', 'correct');
    const input = {
      type: 'SELF_HOSTED_FILE_SERVER',
      name: 'Made',
      origin: fake.url,
      authenticationMethod: 'OAUTH2_SSO',
      storageAudience: 'files',
      tenantId: TENANT,
      driveId: 'ignored',
    };
    const {
      createStorage: { clientSecret, storage },
    } = (await ask(CREATE, { input: { ...input, applicationPassword: 'correct' } })).data;
    expect(clientSecret).toEqual(TOKEN);
    expect(storage).toMatchObject({
      id: globalId('Storage', storage.databaseId),
      ...input,
      origin: `${fake.url}/`,
      tenantId: null,
      driveId: null,
      hasApplicationPassword: true,
      configured: true,
      authorizationState: 'FAILED_AUTHORIZATION',
      authorizeUrl: null,
      oauthClientCredentials: null,
    });
    expect(storage.oauthApplication).toMatchObject({
      name: 'Made (SelfHostedFileServer)',
      clientId: TOKEN,
      confidential: true,
      scopes: ['api_v3'],
      owner: { name: 'Ada Admin' },
      integration: { databaseId: storage.databaseId },
    });
    expectRefused(
      await ask(CREATE, {
        input: { ...input, name: 'Wrong', origin: `${fake.url}/`, applicationPassword: 'wrong' },
      }),
      violation('Host has already been taken.', 'host'),
    );
    await fake.close();
  });

  test('all errors are listed with their attributes', async () => {
    const { errors } = await ask(CREATE, {
      input: { type: 'CLOUD_DRIVE', name: '', tenantId: 'x', driveId: 'x' },
    });
    expect(errors).toMatchObject(violation("Name can't be blank.", 'name'));
    expect(JSON.stringify(errors)).toContain('Tenant ID is invalid.');
    for (const [input, message, attribute] of [
      [{ name: 'x' }, 'Type is not one of the types of storages.', 'type'],
      [{ type: null, name: 'x' }, 'Type is not one of the types of storages.', 'type'],
      [{ type: 'SELF_HOSTED_FILE_SERVER', name: 'No origin' }, 'Host is not a valid URL.', 'host'],
      [
        { type: 'SELF_HOSTED_FILE_SERVER', name: 'No origin', origin: null },
        'Host is not a valid URL.',
        'host',
      ],
      [{ type: 'CLOUD_DRIVE', name: 'a\0' }, 'Name is invalid.', 'name'],
      [{ type: 'CLOUD_DRIVE', name: '\ud800' }, 'Name is invalid.', 'name'],
      [
        {
          type: 'SELF_HOSTED_FILE_SERVER',
          name: 'x',
          origin: 'https://files.example.test',
          storageAudience: '\ud800',
        },
        'Storage audience is invalid.',
        'storageAudience',
      ],
      [
        {
          type: 'SELF_HOSTED_FILE_SERVER',
          name: 'x',
          origin: 'https://files.example.test',
          authenticationMethod: null,
        },
        'Authentication method is not one of the known methods.',
        'authenticationMethod',
      ],
    ] as const)
      expectRefused(await ask(CREATE, { input }), violation(message, attribute));
    expect((await ask(CREATE, { input: { type: 'SHAREPOINT' } })).errors).toMatchObject([
      { extensions: { code: 'INVALID_REQUEST_BODY' } },
    ]);
  });

  test('an update keeps missing fields, and null clears a value', async () => {
    const storage = await app.given.storage({
      storageAudience: 'files',
      applicationPassword: 'x',
      client: { id: 'ours', secret: 'x' },
    });
    const changed = async (input: object) =>
      (await ask(UPDATE, { input: { id: storage.globalId, ...input } })).data.updateStorage.storage;
    const before = await changed({});
    expect(before).toMatchObject({
      name: storage.name,
      storageAudience: 'files',
      hasApplicationPassword: true,
      oauthApplication: { clientId: storage.application.clientId },
      oauthClientCredentials: { clientId: 'ours' },
    });
    expect(await changed({ name: `${storage.name}!`, storageAudience: null })).toEqual({
      ...before,
      name: `${storage.name}!`,
      storageAudience: null,
      oauthApplication: {
        ...before.oauthApplication,
        name: `${storage.name}! (SelfHostedFileServer)`,
      },
    });
    expect((await changed({ applicationPassword: null })).hasApplicationPassword).toBe(false);
    expect((await changed({ type: 'SELF_HOSTED_FILE_SERVER' })).oauthClientCredentials).toEqual({
      clientId: 'ours',
    });
    const update = (input: object, as = admin) =>
      ask(UPDATE, { input: { id: String(storage.id), ...input } }, as);
    for (const type of ['CLOUD_DRIVE', null])
      expectRefused(await update({ type }), violation('Type cannot be changed.', 'type'));
    expectRefused(await update({ name: null }), violation("Name can't be blank.", 'name'));
    expectRefused(await update({ origin: null }), violation('Host is not a valid URL.', 'host'));
    await app.given.projectStorage(project, storage);
    expectRefused(await update({ name: 'x' }, manager), FORBIDDEN);
    expectRefused(await update({ name: 'x' }, stranger), NOT_FOUND);
    expectRefused(await ask(UPDATE, { input: { id: '999999', name: 'x' } }), NOT_FOUND);
  });

  test('a new secret is shown once, and revokes the tokens of the old one of this application only', async () => {
    const [storage, other] = [await app.given.storage(), await app.given.storage()];
    const time = new Date().toISOString();
    for (const {
      application: { clientId },
    } of [storage, other])
      await app.running.services.db.write('oauth_artifacts').insert({
        kind: 'AccessToken',
        key_hash: clientId,
        client_id: clientId,
        payload: '{}',
        created_at: time,
        updated_at: time,
      });
    const hashes = async () =>
      (await rows('oauth_applications'))
        .filter(({ storage_id }) => [storage.id, other.id].includes(storage_id))
        .map(({ client_secret_hash }) => client_secret_hash);
    const [before, otherBefore] = await hashes();
    const [first, second] = [
      await ask(ROTATE, { id: storage.globalId }),
      await ask(ROTATE, { id: String(storage.id) }),
    ].map(({ data }) => data.rotateOAuthApplicationSecret);
    expect([first, second]).toEqual(
      [first, second].map(() => ({
        clientSecret: TOKEN,
        oauthApplication: {
          databaseId: storage.application.id,
          clientId: storage.application.clientId,
        },
      })),
    );
    const [after, otherAfter] = await hashes();
    expect(new Set([before, after, first.clientSecret, second.clientSecret]).size).toBe(4);
    expect(otherAfter).toBe(otherBefore);
    expect([
      await rows('oauth_artifacts', { client_id: storage.application.clientId }),
      (await rows('oauth_artifacts', { client_id: other.application.clientId })).length,
    ]).toEqual([[], 1]);
    await app.given.projectStorage(project, storage);
    expectRefused(await ask(ROTATE, { id: storage.globalId }, manager), FORBIDDEN);
    for (const [id, as] of [
      [storage.globalId, stranger],
      ['999999', admin],
      [globalId('OAuthApplication', storage.application.id), admin],
    ] as const)
      expectRefused(await ask(ROTATE, { id }, as), NOT_FOUND);
    expect((await hashes())[0]).toBe(after);
  });

  test('client credentials are created and replaced', async () => {
    const storage = await app.given.storage();
    const set = (input: object, as = admin) =>
      ask(SET, { input: { storageId: storage.globalId, ...input } }, as);
    const ids: number[] = [];
    for (const clientId of ['first', 'second']) {
      const { data } = await set({ clientId, clientSecret: 'x' });
      expect(data).toEqual({
        setOAuthClientCredentials: {
          storage: { databaseId: storage.id, configured: true },
          oauthClientCredentials: { databaseId: expect.any(Number), clientId },
        },
      });
      ids.push(data.setOAuthClientCredentials.oauthClientCredentials.databaseId);
    }
    expect(
      (await rows('oauth_client_credentials', { storage_id: storage.id })).map(({ id }) => id),
    ).toEqual([ids[1]]);
    expectRefused(
      await set({ clientSecret: 'x' }),
      violation("Client ID can't be blank.", 'clientId'),
    );
    expectRefused(
      await set({ clientId: 'x', clientSecret: ' ' }),
      violation("Client secret can't be blank.", 'clientSecret'),
    );
    expectRefused(
      await set({ clientId: 'x', clientSecret: 'a\0' }),
      violation('Client secret must not contain NUL or broken characters.', 'clientSecret'),
    );
    expectRefused(await set({ clientId: 'x', clientSecret: 'x' }, stranger), NOT_FOUND);
  });

  test('a deleted storage answers with its id', async () => {
    const storage = await app.given.storage();
    expectRefused(await ask(DELETE, { id: storage.globalId }, stranger), NOT_FOUND);
    expect((await ask(DELETE, { id: String(storage.id) })).data).toEqual({
      deleteStorage: { deletedStorageId: storage.globalId },
    });
    expectRefused(await ask(DELETE, { id: storage.globalId }), NOT_FOUND);
    expect(await rows('storages', { id: storage.id })).toEqual([]);
  });
});

describe('the storages of projects', () => {
  const CREATE = `mutation ($input: CreateProjectStorageInput!) { createProjectStorage(input: $input) { projectStorage { ${PLACE} } } }`;
  const DELETE =
    'mutation ($id: ID!) { deleteProjectStorage(input: { id: $id }) { deletedProjectStorageId } }';
  const create = (input: object, as: Person | undefined = manager) =>
    app.graphql(CREATE, { input: { projectId: String(project.id), ...input } }, as);

  test('a user who manages the files of a project can add a storage, with or without a folder', async () => {
    const storage = await app.given.storage({
      origin: 'https://folders.example.test',
      applicationPassword: 'x',
    });
    const OPEN = 'https://folders.example.test/index.php/apps/files';
    const folder = (id: string) => `https://folders.example.test/index.php/f/${id}?openfile=false`;
    const whole = (more: object) => ({
      id: expect.any(String),
      databaseId: expect.any(Number),
      createdAt: TIME,
      updatedAt: TIME,
      openWithConnectionUrl: null,
      storage: { databaseId: storage.id, name: storage.name },
      project: { databaseId: project.id, name: project.name },
      creator: { databaseId: manager.id, name: manager.name },
      ...more,
    });
    for (const [input, more] of [
      [{}, { projectFolderMode: 'INACTIVE', projectFolderId: null, openUrl: OPEN }],
      [
        { projectFolderMode: null, projectFolderId: '42' },
        { projectFolderMode: 'INACTIVE', projectFolderId: null, openUrl: OPEN },
      ],
      [
        { projectFolderMode: 'MANUAL', projectFolderId: '42' },
        { projectFolderMode: 'MANUAL', projectFolderId: '42', openUrl: folder('42') },
      ],
      [
        { projectFolderMode: 'AUTOMATIC' },
        { projectFolderMode: 'AUTOMATIC', projectFolderId: null, openUrl: OPEN },
      ],
      [
        { projectFolderMode: 'AUTOMATIC', projectFolderId: '7' },
        { projectFolderMode: 'AUTOMATIC', projectFolderId: '7', openUrl: folder('7') },
      ],
    ] as const) {
      const { data } = await create({
        storageId: storage.globalId,
        projectId: globalId('Project', project.id),
        ...input,
      });
      expect(data).toEqual({ createProjectStorage: { projectStorage: whole(more) } });
      const { id, databaseId } = data.createProjectStorage.projectStorage;
      expect(id).toBe(globalId('ProjectStorage', databaseId));
      expect(
        (
          await app.graphql(
            `query ($id: ID!) { projectStorage(id: $id) { ${PLACE} } }`,
            { id: String(databaseId) },
            member,
          )
        ).data,
      ).toEqual({ projectStorage: whole(more) });
      expect((await app.graphql(DELETE, { id }, manager)).data).toEqual({
        deleteProjectStorage: { deletedProjectStorageId: id },
      });
      expectRefused(await app.graphql(DELETE, { id }, manager), NOT_FOUND);
    }
  });

  test('a folder must match its mode', async () => {
    const storage = await app.given.storage();
    for (const projectFolderId of [undefined, null, '', ' '])
      expectRefused(
        await create({ storageId: storage.globalId, projectFolderMode: 'MANUAL', projectFolderId }),
        violation("Project folder can't be blank.", 'projectFolderId'),
      );
    expectRefused(
      await create({ storageId: storage.globalId, projectFolderMode: 'AUTOMATIC' }),
      violation(
        'Project folder mode automatic needs a storage with an application password.',
        'projectFolderMode',
      ),
    );
    for (const projectFolderId of ['x'.repeat(256), 'a\0', '\ud800'])
      expectRefused(
        await create({ storageId: storage.globalId, projectFolderMode: 'MANUAL', projectFolderId }),
        violation('Project folder is invalid.', 'projectFolderId'),
      );
    expect(await rows('project_storages', { storage_id: storage.id })).toEqual([]);
  });

  test('a change of the folder keeps the fields that are not given', async () => {
    const storage = await app.given.storage({
      origin: 'https://later.example.test',
      applicationPassword: 'x',
    });
    const UPDATE = `mutation ($input: UpdateProjectStorageInput!) { updateProjectStorage(input: $input) { projectStorage { ${PLACE} } } }`;
    const made = (await create({ storageId: storage.globalId })).data.createProjectStorage
      .projectStorage;
    const update = (input: object, as: Person | undefined = manager) =>
      app.graphql(UPDATE, { input: { id: made.id, ...input } }, as);
    const OPEN = made.openUrl as string;
    const folder = (id: string) => `https://later.example.test/index.php/f/${id}?openfile=false`;
    for (const [input, more] of [
      [
        { projectFolderMode: 'MANUAL', projectFolderId: '42' },
        { projectFolderMode: 'MANUAL', projectFolderId: '42', openUrl: folder('42') },
      ],
      [{}, { projectFolderMode: 'MANUAL', projectFolderId: '42', openUrl: folder('42') }],
      [
        { projectFolderId: '43' },
        { projectFolderMode: 'MANUAL', projectFolderId: '43', openUrl: folder('43') },
      ],
      [
        { projectFolderMode: 'AUTOMATIC' },
        { projectFolderMode: 'AUTOMATIC', projectFolderId: '43', openUrl: folder('43') },
      ],
      [
        { projectFolderId: null },
        { projectFolderMode: 'AUTOMATIC', projectFolderId: null, openUrl: OPEN },
      ],
      [
        { projectFolderMode: null, projectFolderId: '44' },
        { projectFolderMode: 'INACTIVE', projectFolderId: null, openUrl: OPEN },
      ],
    ] as const) {
      const { data } = await update(input);
      expect(data).toEqual({
        updateProjectStorage: { projectStorage: { ...made, updatedAt: TIME, ...more } },
      });
      expect(
        (
          await app.graphql(
            `query ($id: ID!) { projectStorage(id: $id) { ${PLACE} } }`,
            { id: made.id },
            member,
          )
        ).data,
      ).toEqual({ projectStorage: data.updateProjectStorage.projectStorage });
    }
    expectRefused(
      await update({ projectFolderMode: 'MANUAL' }),
      violation("Project folder can't be blank.", 'projectFolderId'),
    );
    await update({ projectFolderMode: 'MANUAL', projectFolderId: '45' });
    for (const projectFolderId of [null, '', ' '])
      expectRefused(
        await update({ projectFolderId }),
        violation("Project folder can't be blank.", 'projectFolderId'),
      );
    expectRefused(
      await update({ projectFolderId: 'x'.repeat(256) }),
      violation('Project folder is invalid.', 'projectFolderId'),
    );
    expectRefused(await update({ projectFolderId: '46' }, member), FORBIDDEN);
    expectRefused(await update({ projectFolderId: '46' }, stranger), NOT_FOUND);
    expect(await rows('project_storages', { storage_id: storage.id })).toMatchObject([
      { project_folder_mode: 'manual', project_folder_id: '45' },
    ]);
    const bare = await app.given.storage();
    const other = (await create({ storageId: bare.globalId })).data.createProjectStorage
      .projectStorage.id;
    expectRefused(
      await update({ id: other, projectFolderMode: 'AUTOMATIC' }),
      violation(
        'Project folder mode automatic needs a storage with an application password.',
        'projectFolderMode',
      ),
    );
    for (const id of ['999999', 'x', storage.globalId])
      expectRefused(await update({ id, projectFolderMode: 'INACTIVE' }), NOT_FOUND);
  });

  test('a project has each storage once, even with concurrent requests', async () => {
    const storage = await app.given.storage();
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => create({ storageId: storage.globalId })),
    );
    expect(answers.filter(({ errors }) => !errors)).toHaveLength(1);
    for (const answer of answers)
      if (answer.errors)
        expectRefused(answer, violation('Storage has already been taken.', 'storage'));
    expectRefused(
      await create({ storageId: storage.globalId }, admin),
      violation('Storage has already been taken.', 'storage'),
    );
    expect(await rows('project_storages', { storage_id: storage.id })).toHaveLength(1);
  });

  test('a hidden project is not found; an unknown storage is an error only for users with the permission', async () => {
    const storage = await app.given.storage();
    for (const storageId of ['999999', 'x', globalId('Project', storage.id)])
      expectRefused(await create({ storageId }), violation('Storage does not exist.', 'storage'));
    for (const projectId of ['999999', 'x', String((await app.given.project()).id)])
      expectRefused(await create({ projectId, storageId: storage.globalId }), NOT_FOUND);
    expectRefused(await create({ storageId: storage.globalId }, member), FORBIDDEN);
    for (const as of [stranger, undefined])
      expectRefused(
        await app.graphql(
          CREATE,
          { input: { projectId: String(project.id), storageId: storage.globalId } },
          as,
        ),
        NOT_FOUND,
      );
  });

  test('a storage that is deleted while a project adds it is deleted, and no request fails unexpectedly', async () => {
    for (let round = 0; round < 5; round += 1) {
      const storage = await app.given.storage();
      const [made, deleted] = await Promise.all([
        create({ storageId: storage.globalId }),
        app.delete(storage.path, admin),
      ]);
      expect(deleted.status).toBe(204);
      // In between, the new record can be deleted before it is shown.
      if (made.errors)
        expect(['PROPERTY_CONSTRAINT_VIOLATION', 'NOT_FOUND']).toContain(
          made.errors[0]!.extensions.code,
        );
      expect(await rows('project_storages', { storage_id: storage.id })).toEqual([]);
    }
  });

  test('only users who manage the files of the project can remove a storage from it', async () => {
    const { given } = app;
    const storage = await given.storage();
    const place = await given.projectStorage(project, storage);
    const elsewhere = await given.member(await given.project(), ['manage_files_in_project']);
    expectRefused(await app.graphql(DELETE, { id: place.globalId }, member), FORBIDDEN);
    for (const as of [elsewhere, stranger, undefined])
      expectRefused(await app.graphql(DELETE, { id: place.globalId }, as), NOT_FOUND);
    expect(await rows('project_storages', { id: place.id })).toHaveLength(1);
    expect((await app.graphql(DELETE, { id: String(place.id) }, manager)).errors).toBeUndefined();
    expect([
      await rows('project_storages', { id: place.id }),
      (await rows('storages', { id: storage.id })).length,
    ]).toEqual([[], 1]);
  });
});

/** The lists about storages in the graph: applications, uses by projects, and people's connections. */
import { globalId } from '../../../src/contract/ids.js';
import { startApp, type App } from '../../support/app.js';
import { TIME } from '../../support/expected.js';
import type { Person, StorageHandle } from '../../support/factories.js';
import { afterAll, beforeAll, expect, test } from '../../support/jest.js';

let app: App;
let admin: Person;
let mia: Person;
let rob: Person;
let plans: StorageHandle;
let hidden: StorageHandle;
let house: { id: number };
let used: { id: number }[];

beforeAll(async () => {
  app = await startApp();
  const { given } = app;
  admin = await given.user({ admin: true });
  house = await given.project();
  const secret = await given.project();
  mia = await given.member(house, ['view_work_packages', 'view_file_links']);
  rob = await given.member(house, ['view_work_packages', 'view_file_links']);
  const client = { id: 'ours', secret: 'secret' };
  plans = await given.storage({ name: 'Plans', client });
  hidden = await given.storage({ name: 'Hidden', client });
  used = [
    await given.projectStorage(house, plans),
    await given.projectStorage(secret, plans),
    await given.projectStorage(secret, hidden),
  ];
  await given.storageTokens(mia, plans, { accessToken: 'a', originUserId: 'mia@cloud' });
  await given.storageTokens(mia, hidden, { accessToken: 'b' });
  await given.storageTokens(rob, plans, { accessToken: 'c' });
});
afterAll(() => app.stop());

const refusal = (code: string, message: string, more: object = {}) => ({
  message,
  locations: [expect.any(Object)],
  path: expect.any(Array),
  extensions: expect.objectContaining({ code, ...more }),
});

test('oauthApplications lists all applications for administrators, newest first, and nobody else', async () => {
  const query =
    '{ oauthApplications { totalCount nodes { id databaseId name clientId integration { name } } } }';
  const shown = (storage: StorageHandle) => ({
    id: globalId('OAuthApplication', storage.application.id),
    databaseId: storage.application.id,
    name: expect.any(String),
    clientId: storage.application.clientId,
    integration: { name: storage.name },
  });
  expect((await app.graphql(query, {}, admin)).data).toEqual({
    oauthApplications: { totalCount: 2, nodes: [shown(hidden), shown(plans)] },
  });
  for (const person of [mia, undefined]) {
    const { data, errors } = await app.graphql(query, {}, person);
    expect({ data, errors }).toEqual({
      data: null,
      errors: [
        refusal('MISSING_PERMISSION', 'You are not authorized to access this resource.', {
          status: 403,
        }),
      ],
    });
  }
});

test('projectStorages of a storage has the uses that the caller sees, newest first', async () => {
  const query =
    'query ($id: ID!) { storage(id: $id) { projectStorages { totalCount nodes { databaseId } } } }';
  const shown = async (person: Person) =>
    (await app.graphql(query, { id: plans.globalId }, person)).data.storage.projectStorages;
  expect(await shown(admin)).toEqual({
    totalCount: 2,
    nodes: [{ databaseId: used[1]!.id }, { databaseId: used[0]!.id }],
  });
  expect(await shown(mia)).toEqual({ totalCount: 1, nodes: [{ databaseId: used[0]!.id }] });
});

const CONNECTIONS =
  'connections { totalCount nodes { originUserId createdAt updatedAt user { name } storage { name } } }';
const connectionOf = (person: Person, storage: StorageHandle, originUserId: string | null) => ({
  originUserId,
  createdAt: TIME,
  updatedAt: TIME,
  user: { name: person.name },
  storage: { name: storage.name },
});

test('connections of a storage are those of all people for administrators, and only the own one for others', async () => {
  const shown = async (person: Person) =>
    (
      await app.graphql(
        `query ($id: ID!) { storage(id: $id) { ${CONNECTIONS} } }`,
        { id: plans.globalId },
        person,
      )
    ).data.storage.connections;
  const [ofMia, ofRob] = [connectionOf(mia, plans, 'mia@cloud'), connectionOf(rob, plans, null)];
  expect(await shown(admin)).toEqual({ totalCount: 2, nodes: [ofRob, ofMia] });
  expect(await shown(mia)).toEqual({ totalCount: 1, nodes: [ofMia] });
  expect(await shown(rob)).toEqual({ totalCount: 1, nodes: [ofRob] });
});

test('a connection is ended by its owner or an administrator, and by nobody else', async () => {
  const list =
    'query ($id: ID!) { user(id: $id) { connections { nodes { id storage { name } } } } }';
  const connectionsOf = async (person: Person, as: Person | undefined) =>
    (await app.graphql(list, { id: String(person.id) }, as)).data?.user?.connections.nodes;
  const end = async (id: string, as?: Person) =>
    app.graphql(
      'mutation ($id: ID!) { endConnection(input: { id: $id }) { endedConnectionId user { name } } }',
      { id },
      as,
    );
  const person = await app.given.member(house, ['view_work_packages', 'view_file_links']);
  await app.given.storageTokens(person, plans, { accessToken: 'd' });
  const [{ id }] = await connectionsOf(person, person);
  expect(await connectionsOf(person, admin)).toEqual([{ id, storage: { name: plans.name } }]);
  for (const as of [mia, undefined]) {
    expect(await connectionsOf(person, as)).toBeUndefined();
    expect((await end(id, as)).errors![0]!.extensions.code).toBe('NOT_FOUND');
  }
  expect((await end(id, person)).data).toEqual({
    endConnection: { endedConnectionId: id, user: { name: person.name } },
  });
  expect(await connectionsOf(person, person)).toEqual([]);
  expect((await end(id, person)).errors![0]!.extensions.code).toBe('NOT_FOUND');
  await app.given.storageTokens(person, plans, { accessToken: 'e' });
  const [again] = await connectionsOf(person, person);
  expect((await end(again.id, admin)).data.endConnection.user).toEqual({ name: person.name });
  expect(await connectionsOf(person, person)).toEqual([]);
});

test('connections of the viewer name visible storages only; those of others are for administrators', async () => {
  const own = async (person?: Person) =>
    (await app.graphql(`{ viewer { ${CONNECTIONS} } }`, {}, person)).data.viewer.connections;
  // It can be ended, so it is listed. The storage is not shown.
  expect(await own(mia)).toEqual({
    totalCount: 2,
    nodes: [
      { ...connectionOf(mia, hidden, null), storage: null },
      connectionOf(mia, plans, 'mia@cloud'),
    ],
  });
  const none = { totalCount: 0, nodes: [] };
  expect(await own(admin)).toEqual(none);
  const visitor = await app.graphql(`{ viewer { ${CONNECTIONS} } }`, {}, undefined);
  expect(visitor.errors?.map(({ extensions }) => extensions.code)).toEqual(['MISSING_PERMISSION']);
  const ofMia = async (person: Person) =>
    app.graphql(
      `query ($id: ID!) { user(id: $id) { ${CONNECTIONS} } }`,
      { id: String(mia.id) },
      person,
    );
  expect((await ofMia(admin)).data.user.connections).toEqual({
    totalCount: 2,
    nodes: [connectionOf(mia, hidden, null), connectionOf(mia, plans, 'mia@cloud')],
  });
  const { data, errors } = await ofMia(rob);
  expect([data, errors?.[0]?.extensions.code]).toEqual([{ user: null }, 'MISSING_PERMISSION']);
});

test('a connection is found by its id only by its owner and by administrators, without its tokens', async () => {
  const { data } = await app.graphql('{ viewer { connections { nodes { id } } } }', {}, mia);
  const { id } = data.viewer.connections.nodes[1];
  const node = async (person?: Person) =>
    (
      await app.graphql(
        'query ($id: ID!) { node(id: $id) { ... on StorageAccount { originUserId } } }',
        { id },
        person,
      )
    ).data.node;
  expect(await node(mia)).toEqual({ originUserId: 'mia@cloud' });
  expect(await node(admin)).toEqual({ originUserId: 'mia@cloud' });
  expect([await node(rob), await node()]).toEqual([null, null]);
  const { errors } = await app.graphql('{ viewer { connections { nodes { accessToken } } } }');
  expect(errors?.[0]?.message).toBe('Cannot query field "accessToken" on type "StorageAccount".');
});

test('the storages and the people of all connections are read in one statement each', async () => {
  const query = `{ viewer { connections { nodes { user { name } storage { name } } } } }`;
  const statements = () => {
    app.running.services.forgetIdentities();
    return app.statements(() => app.graphql(query, {}, mia));
  };
  const few = await statements();
  const more = await app.given.storage({ client: { id: 'ours', secret: 'secret' } });
  const project = await app.given.project();
  await app.given.membership(mia, project, ['view_work_packages', 'view_file_links']);
  await app.given.projectStorage(project, more);
  await app.given.storageTokens(mia, more, { accessToken: 'd' });
  expect(await statements()).toHaveLength(few.length);
  const { data } = await app.graphql(query, {}, mia);
  expect(data.viewer.connections.nodes).toHaveLength(3);
});

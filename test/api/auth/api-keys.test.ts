/** What API keys may do, until when, and who sees and ends them. */
import { startApp, type App } from '../../support/app.js';
import { eventually } from '../../support/direct-upload.js';
import { errorBody, TIME } from '../../support/expected.js';
import type { ContainerHandle, Person } from '../../support/factories.js';
import { afterAll, beforeAll, expect, test } from '../../support/jest.js';
import { begun, create, patch } from '../../support/tus.js';

const DAY_MS = 24 * 3600 * 1000;
const CREATE =
  'mutation ($name: String!, $access: ApiKeyAccess! = FULL, $expiresAt: DateTime) {' +
  ' createApiKey(input: { name: $name, access: $access, expiresAt: $expiresAt })' +
  ' { key apiKey { id databaseId name access expiresAt lastUsedAt createdAt } } }';
const CREATE_BY_DEFAULT =
  'mutation ($name: String!) { createApiKey(input: { name: $name }) { apiKey { access expiresAt } } }';
const DELETE =
  'mutation ($id: ID!) { deleteApiKey(input: { id: $id }) { deletedApiKeyId user { databaseId } } }';
const KEYS_OF = 'query ($id: ID!) { user(id: $id) { apiKeys { name access } } }';
const ONLY_READS = 'This API key only reads: sign in, or use another key.';
const ONLY_FILES = 'This API key is for files only: sign in, or use a key for everything.';
const FORBIDDEN = { extensions: { code: 'MISSING_PERMISSION' } };

let app: App;
let admin: Person;
let person: Person;
let workPackage: ContainerHandle;
beforeAll(async () => {
  app = await startApp();
  admin = await app.given.user({ admin: true });
  const project = await app.given.project();
  person = await app.given.member(project, ['view_work_packages', 'edit_work_packages']);
  workPackage = await app.given.workPackage(project, person);
});
afterAll(() => app?.stop());

let names = 0;
async function keyOf(as: Person, access = 'FULL') {
  names += 1;
  const { data } = await app.graphql(CREATE, { name: `key ${names}`, access }, as);
  return { ...as, ...data.createApiKey.apiKey, key: data.createApiKey.key };
}

test('a new key shows its access and its end, and the minute of its last use later', async () => {
  const expiresAt = new Date(Date.now() + DAY_MS).toISOString();
  const { data } = await app.graphql(
    CREATE,
    { name: 'camera', access: 'FILES', expiresAt },
    person,
  );
  expect(data.createApiKey).toEqual({
    key: expect.any(String),
    apiKey: {
      id: expect.any(String),
      databaseId: expect.any(Number),
      name: 'camera',
      access: 'FILES',
      expiresAt,
      lastUsedAt: null,
      createdAt: TIME,
    },
  });
  const used = { ...person, key: data.createApiKey.key };
  expect((await app.get('/api/v3/users/me', used)).status).toBe(200);
  const lastUse = async () =>
    (
      await app.graphql('{ viewer { apiKeys { name lastUsedAt } } }', {}, person)
    ).data.viewer.apiKeys.find(({ name }: { name: string }) => name === 'camera').lastUsedAt;
  const noted = await eventually(lastUse, (time) => time !== null);
  expect(noted).toMatch(/:00\.000Z$/);
  expect(Math.abs(Date.now() - Date.parse(noted))).toBeLessThan(2 * 60_000);
});

test('a key for reading reads, and every change is refused in both APIs', async () => {
  const reader = await keyOf(person, 'READ');
  const attachment = await app.given.attachment({ container: workPackage, author: person });
  expect((await app.get(`/api/v3/attachments/${attachment.id}`, reader)).status).toBe(200);
  expect((await app.get(`/api/v3/attachments/${attachment.id}/content`, reader)).status).toBe(200);
  const upload = await begun(app, person, 4);
  const refused = errorBody('MissingPermission', ONLY_READS);
  for (const answer of [
    await app.delete(`/api/v3/attachments/${attachment.id}`, reader),
    await app.upload(`${workPackage.path}/attachments`, { as: reader }),
    await create(app, reader, 4),
    await patch(app, upload, reader, 0, 'abcd'),
    await app.request('DELETE', upload, { as: reader, headers: { 'tus-resumable': '1.0.0' } }),
  ])
    expect([answer.status, answer.body]).toEqual([403, refused]);
  for (const document of [
    `mutation { deleteAttachment(input: { id: ${attachment.id} }) { deletedAttachmentId } }`,
    'mutation { createApiKey(input: { name: "more" }) { key } }',
  ])
    expect((await app.graphql(document, {}, reader)).errors).toMatchObject([
      { message: ONLY_READS, ...FORBIDDEN },
    ]);
  expect((await app.get(`/api/v3/attachments/${attachment.id}`, person)).status).toBe(200);
});

test('a key for files changes files, and administers nothing', async () => {
  const filer = await keyOf(admin, 'FILES');
  const attachment = await app.given.attachment({ container: workPackage, author: person });
  expect((await app.delete(`/api/v3/attachments/${attachment.id}`, filer)).status).toBe(204);
  expect(
    (await app.graphql('mutation { createApiKey(input: { name: "x" }) { key } }', {}, filer))
      .errors,
  ).toMatchObject([{ message: ONLY_FILES, ...FORBIDDEN }]);
  expect((await app.graphql('{ webhooks { nodes { id } } }', {}, filer)).errors).toMatchObject([
    FORBIDDEN,
  ]);
  const { status, body } = await app.post('/api/v3/storages', filer, { name: 'S' });
  expect([status, body]).toEqual([403, errorBody('MissingPermission', ONLY_FILES)]);
  expect((await app.graphql(KEYS_OF, { id: person.id }, filer)).data.user.apiKeys).toEqual([]);
});

test('a key that has ended is refused, and says so', async () => {
  const old = await keyOf(person);
  await app.running.services.db
    .write('api_keys')
    .where({ id: old.databaseId })
    .update({ expires_at: new Date(Date.now() - 1).toISOString() });
  const { status, body } = await app.get('/api/v3/users/me', old);
  expect([status, body]).toEqual([
    401,
    errorBody('Unauthenticated', 'This API key has ended. Make another one.'),
  ]);
});

test('administrators see the keys of everybody and end them; others do not', async () => {
  const lost = await keyOf(person, 'READ');
  const stranger = await app.given.user();
  const listed = { name: lost.name, access: 'READ' };
  const keysFor = async (as: Person) =>
    (await app.graphql(KEYS_OF, { id: person.id }, as)).data.user.apiKeys;
  expect(await keysFor(admin)).toContainEqual(listed);
  expect(await keysFor(person)).toContainEqual(listed);
  expect(await keysFor(stranger)).toEqual([]);
  expect((await app.graphql(DELETE, { id: lost.id }, stranger)).errors).toMatchObject([
    { extensions: { code: 'NOT_FOUND' } },
  ]);
  const byNode = 'query ($id: ID!) { node(id: $id) { id } }';
  const reader = await keyOf(admin, 'READ');
  const nodes = async (as: Person) =>
    (await app.graphql(byNode, { id: lost.id }, as)).data.node?.id ?? null;
  expect([
    await nodes(admin),
    await nodes(person),
    await nodes(reader),
    await nodes(stranger),
  ]).toEqual([lost.id, lost.id, null, null]);
  const rename = `mutation { updateApiKey(input: { id: "${lost.id}", name: "mine" }) { apiKey { id } } }`;
  expect((await app.graphql(rename, {}, admin)).errors).toMatchObject([
    { extensions: { code: 'NOT_FOUND' } },
  ]);
  expect((await app.get('/api/v3/users/me', lost)).status).toBe(200);
  expect((await app.graphql(DELETE, { id: lost.id }, admin)).data).toEqual({
    deleteApiKey: { deletedApiKeyId: lost.id, user: { databaseId: person.id } },
  });
  expect((await app.get('/api/v3/users/me', lost)).status).toBe(401);
});

test('the service sets the usual and the longest life of keys', async () => {
  const strict = await startApp({ API_KEY_DAYS: '7', API_KEY_MAX_DAYS: '30' });
  try {
    const owner = await strict.given.user();
    const { data } = await strict.graphql(CREATE_BY_DEFAULT, { name: 'usual' }, owner);
    const { access, expiresAt } = data.createApiKey.apiKey;
    expect(access).toBe('FULL');
    expect(Math.abs(Date.parse(expiresAt) - Date.now() - 7 * DAY_MS)).toBeLessThan(60_000);
    for (const [end, message] of [
      [null, 'The key must end within 30 days.'],
      [Date.now() + 31 * DAY_MS, 'The key must end within 30 days.'],
      [Date.now() + 30_000, 'The key must work for at least a minute.'],
      [Date.now() - DAY_MS, 'The key must work for at least a minute.'],
    ] as const) {
      const expires = end === null ? null : new Date(end).toISOString();
      const variables = { name: 'other', expiresAt: expires };
      expect((await strict.graphql(CREATE, variables, owner)).errors).toMatchObject([
        {
          message,
          extensions: { code: 'PROPERTY_CONSTRAINT_VIOLATION', attribute: 'expiresAt' },
        },
      ]);
    }
  } finally {
    await strict.stop();
  }
});

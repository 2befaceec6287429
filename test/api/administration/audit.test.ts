/** The audit: what enters it, who reads it, and that nothing changes it afterwards. */
import { importDirectory } from '../../../src/actions/people/directory/import-directory.js';
import { environmentOf, run } from '../../support/cli.js';
import { startApp, type App } from '../../support/app.js';
import { Visitor } from '../../support/browser-visitor.js';
import { TIME } from '../../support/expected.js';
import type { Person } from '../../support/factories.js';
import { afterAll, beforeAll, beforeEach, expect, test } from '../../support/jest.js';
import { PASSWORD, signable } from '../auth/support/applications.js';

let app: App;
let ada: Person;
let kim: Person;
beforeAll(async () => {
  app = await startApp();
  ada = await app.given.user({ admin: true, firstName: 'Ada', lastName: 'Ray' });
  kim = await app.given.user({ admin: true });
});
afterAll(() => app.stop());

const FIELDS = `databaseId kind actor { databaseId name } credential credentialId address
  subjectId subjectName before after createdAt`;
const LIST = `query ($filter: AuditEventFilter, $first: Int, $after: String) {
  auditEvents(filter: $filter, first: $first, after: $after) {
    nodes { ${FIELDS} } pageInfo { endCursor hasNextPage } totalCount
  }
}`;
interface Entry {
  [member: string]: any;
}
const list = async (variables: object = {}, as: Person | undefined = ada) =>
  app.graphql(LIST, variables, as);
const entries = async (filter: object = {}): Promise<Entry[]> =>
  (await list({ filter, first: 100 })).data.auditEvents.nodes;
const kindsOf = async (filter: object = {}) => (await entries(filter)).map(({ kind }) => kind);

const globalId = (type: string, id: number) => Buffer.from(`${type}:${id}`).toString('base64url');

/** Runs a mutation with an input. */
async function change(name: string, input: object, selection: string, as = ada): Promise<any> {
  const type = `${name[0]!.toUpperCase()}${name.slice(1)}Input`;
  const { data, errors } = await app.graphql(
    `mutation ($input: ${type}!) { ${name}(input: $input) { ${selection} } }`,
    { input },
    as,
  );
  expect(errors).toBeUndefined();
  return data[name];
}

const TENANT = '11111111-2222-3333-4444-555555555555';
const URL_WITH_SECRET = 'https://hooks.example/inbox?key=hunter2';
const createWebhook = (as = ada) =>
  change(
    'createWebhook',
    { url: URL_WITH_SECRET, events: ['ATTACHMENT_CREATED'] },
    'webhook { id databaseId } secret',
    as,
  );

let startedAt: string;
beforeEach(() => {
  startedAt = new Date().toISOString();
});

test('each change of a webhook is one entry, with what differs and without its secrets', async () => {
  const { webhook, secret } = await createWebhook();
  const { id } = webhook;
  await change('updateWebhook', { id, enabled: false }, 'webhook { id }');
  await change('updateWebhook', { id, enabled: false }, 'webhook { id }');
  await change('rotateWebhookSecret', { id }, 'webhook { id }');
  await change('deleteWebhook', { id }, 'deletedWebhookId');
  const { id: keyId } = await app.running.services.db
    .read('api_keys')
    .where('user_id', ada.id)
    .first();
  const found = await entries({ subjectId: id });
  const common = {
    databaseId: expect.any(Number),
    actor: { databaseId: ada.id, name: 'Ada Ray' },
    credential: 'API_KEY',
    credentialId: keyId,
    address: expect.stringMatching(/127\.0\.0\.1$/),
    subjectId: id,
    subjectName: 'https://hooks.example/inbox',
    createdAt: TIME,
  };
  const all = {
    url: 'https://hooks.example/inbox',
    events: ['attachmentCreated'],
    enabled: true,
  };
  expect(
    found.map((entry) => ({
      ...entry,
      before: read(entry, 'before'),
      after: read(entry, 'after'),
    })),
  ).toEqual([
    { ...common, kind: 'WEBHOOK_DELETED', before: { ...all, enabled: false }, after: null },
    { ...common, kind: 'WEBHOOK_SECRET_ROTATED', before: null, after: null },
    { ...common, kind: 'WEBHOOK_UPDATED', before: { enabled: true }, after: { enabled: false } },
    { ...common, kind: 'WEBHOOK_CREATED', before: null, after: all },
  ]);
  const stored = JSON.stringify(await app.running.services.db.read('audit_events'));
  expect(stored).not.toContain(secret);
  expect(stored).not.toContain('hunter2');
});

/** What remains of entries for a comparison. */
const brief = (found: Entry[]) =>
  found.map(({ kind, credential, actor, subjectName, before, after }) => ({
    kind,
    credential,
    by: actor?.databaseId ?? null,
    subjectName,
    before: JSON.parse(before ?? 'null'),
    after: JSON.parse(after ?? 'null'),
  }));

test('sign-ins and refused sign-ins are entries, and a login that does not exist is not named', async () => {
  const person = await signable(app);
  await new Visitor(app).signIn(person.login, PASSWORD);
  await new Visitor(app).signIn(person.login, 'wrong');
  await new Visitor(app).signIn('no-such-login', 'wrong');
  const refused = {
    kind: 'SIGN_IN_REFUSED',
    credential: null,
    by: null,
    before: null,
    after: null,
  };
  const found = await entries({ after: startedAt });
  expect(brief(found)).toEqual([
    { ...refused, subjectName: null },
    { ...refused, subjectName: person.name },
    {
      ...refused,
      kind: 'SIGNED_IN',
      credential: 'SESSION',
      by: person.id,
      subjectName: person.name,
    },
  ]);
  expect(found.map(({ subjectId, address }) => [subjectId, address])).toEqual([
    [null, expect.stringContaining('127.0.0.1')],
    [globalId('User', person.id), expect.stringContaining('127.0.0.1')],
    [globalId('User', person.id), expect.stringContaining('127.0.0.1')],
  ]);
  const stored = JSON.stringify(await app.running.services.db.read('audit_events'));
  expect(stored).not.toContain('no-such-login');
});

test('API keys are entries, over the API and by the command', async () => {
  const { apiKey, key } = await change('createApiKey', { name: 'backup' }, 'apiKey { id } key');
  const { id } = apiKey;
  await change('updateApiKey', { id, name: 'nightly' }, 'apiKey { id }');
  const revoked = await run(
    ['api-key', 'revoke', '--login', ada.login, '--name', 'nightly'],
    environmentOf(app),
  );
  expect(revoked.status).toBe(0);
  const by = { credential: 'API_KEY', by: ada.id };
  expect(brief(await entries({ subjectId: id }))).toEqual([
    {
      kind: 'API_KEY_DELETED',
      credential: 'COMMAND',
      by: null,
      subjectName: 'nightly',
      before: { name: 'nightly', userId: ada.id },
      after: null,
    },
    {
      kind: 'API_KEY_UPDATED',
      ...by,
      subjectName: 'nightly',
      before: { name: 'backup' },
      after: { name: 'nightly' },
    },
    {
      kind: 'API_KEY_CREATED',
      ...by,
      subjectName: 'backup',
      before: null,
      after: { name: 'backup', userId: ada.id },
    },
  ]);
  const stored = JSON.stringify(await app.running.services.db.read('audit_events'));
  expect(stored).not.toContain(key);
});

test('a storage, its secrets and its projects are entries', async () => {
  const { storage } = await change(
    'createStorage',
    { type: 'CLOUD_DRIVE', name: 'Drive', tenantId: TENANT, driveId: 'b!0123456789abcdefghij' },
    'storage { id databaseId }',
  );
  const { id, databaseId } = storage;
  await change('updateStorage', { id, name: 'Crane' }, 'storage { id }');
  await change(
    'setOAuthClientCredentials',
    { storageId: id, clientId: 'client-1', clientSecret: 'hunter2' },
    'storage { id }',
  );
  await change('rotateOAuthApplicationSecret', { storageId: id }, 'clientSecret');
  const project = await app.given.project();
  const { projectStorage } = await change(
    'createProjectStorage',
    { projectId: String(project.id), storageId: id },
    'projectStorage { id }',
  );
  await change('deleteProjectStorage', { id: projectStorage.id }, 'deletedProjectStorageId');
  await change('deleteStorage', { id }, 'deletedStorageId');
  const found = await entries({ subjectId: globalId('Storage', databaseId) });
  const shown = brief(found).map(({ kind, subjectName, before, after }) => [
    kind,
    subjectName,
    before,
    after,
  ]);
  const made = {
    type: 'CloudDrive',
    name: 'Drive',
    tenantId: TENANT,
    driveId: 'b!0123456789abcdefghij',
  };
  expect(shown).toEqual([
    ['STORAGE_DELETED', 'Crane', { ...made, name: 'Crane' }, null],
    [
      'PROJECT_STORAGE_DELETED',
      'Crane',
      { projectId: project.id, projectFolderMode: 'inactive' },
      null,
    ],
    [
      'PROJECT_STORAGE_CREATED',
      'Crane',
      null,
      { projectId: project.id, projectFolderMode: 'inactive' },
    ],
    ['STORAGE_CREDENTIALS_SET', 'Crane', null, { clientId: 'client-1' }],
    ['STORAGE_UPDATED', 'Crane', { name: 'Drive' }, { name: 'Crane' }],
    ['STORAGE_CREATED', 'Drive', null, made],
  ]);
  expect(await kindsOf({ kinds: ['OAUTH_APPLICATION_SECRET_ROTATED'] })).toHaveLength(1);
  const stored = JSON.stringify(await app.running.services.db.read('audit_events'));
  expect(stored).not.toContain('hunter2');
});

test('the release and the deletion of files in quarantine are entries', async () => {
  const ids: number[] = [];
  for (const name of ['first.txt', 'second.txt']) {
    const { id } = await app.given.attachment({ author: kim, fileName: name });
    await app.running.services.db
      .write('attachments')
      .where({ id })
      .update({ status: 'quarantined' });
    ids.push(id);
  }
  await change('releaseAttachment', { id: String(ids[0]) }, 'attachment { id }');
  await change('deleteAttachment', { id: String(ids[1]) }, 'deletedAttachmentId');
  expect(brief(await entries({ after: startedAt }))).toEqual(
    [
      ['QUARANTINED_ATTACHMENT_DELETED', 'second.txt'],
      ['ATTACHMENT_RELEASED', 'first.txt'],
    ].map(([kind, subjectName]) => ({
      kind,
      subjectName,
      credential: 'API_KEY',
      by: ada.id,
      before: null,
      after: null,
    })),
  );
});

const read = (entry: Entry, member: string) => JSON.parse(entry[member] ?? 'null');

test('a password that was set by a link, and an import, are entries', async () => {
  const person = await app.given.user();
  const { passwordLink } = await change(
    'setUserPassword',
    { id: String(person.id) },
    'passwordLink',
  );
  const { pathname, search } = new URL(passwordLink);
  const token = new URLSearchParams(search).get('token')!;
  const set = await new Visitor(app).post(pathname, {
    token,
    password: PASSWORD,
    repeated: PASSWORD,
  });
  expect(set.status).toBe(303);
  const [entry] = await entries({ kinds: ['USER_PASSWORD_SET'], after: startedAt });
  expect(entry).toMatchObject({
    actor: null,
    credential: 'ONE_TIME_LINK',
    subjectId: globalId('User', person.id),
  });
  await importDirectory(app.running.services, async function* () {
    yield Buffer.from('{"users":[]}');
  });
  expect(await entries({ kinds: ['DIRECTORY_IMPORTED'], after: startedAt })).toEqual([
    expect.objectContaining({ actor: null, credential: 'COMMAND', subjectId: null }),
  ]);
});

test('a change that fails leaves no entry', async () => {
  const { errors } = await app.graphql(
    'mutation { createWebhook(input: { url: "nonsense", events: [] }) { secret } }',
    {},
    ada,
  );
  expect(errors).toHaveLength(1);
  expect(await entries({ after: startedAt })).toEqual([]);
});

test('filters narrow the list together, and pages follow each other', async () => {
  const { webhook } = await createWebhook(kim);
  await createWebhook();
  const { id } = webhook;
  await change('updateWebhook', { id, enabled: false }, 'webhook { id }');
  const [updated, , createdByKim] = await entries({ after: startedAt });
  expect(await kindsOf({ after: startedAt, actorId: String(kim.id) })).toEqual(['WEBHOOK_CREATED']);
  expect(await kindsOf({ after: startedAt, kinds: ['WEBHOOK_UPDATED'] })).toEqual([
    'WEBHOOK_UPDATED',
  ]);
  expect(await entries({ kinds: [] })).toEqual([]);
  expect(await kindsOf({ subjectId: id })).toEqual(['WEBHOOK_UPDATED', 'WEBHOOK_CREATED']);
  expect(await kindsOf({ subjectId: id, actorId: globalId('User', kim.id) })).toEqual([
    'WEBHOOK_CREATED',
  ]);
  expect(await entries({ subjectId: id, before: '2020-01-01T00:00:00.000Z' })).toEqual([]);
  const filter = { after: startedAt };
  const first = (await list({ filter, first: 2 })).data.auditEvents;
  expect(first).toMatchObject({ totalCount: 3, pageInfo: { hasNextPage: true } });
  expect(first.nodes[0]).toEqual(updated);
  const rest = await list({ filter, first: 2, after: first.pageInfo.endCursor });
  expect(rest.data.auditEvents.nodes).toEqual([createdByKim]);
});

test.each([
  ['actorId', { actorId: 'nobody' }],
  ['subjectId', { subjectId: '7' }],
])('a filter with a wrong %s is refused', async (member, filter) => {
  const { errors } = await list({ filter });
  expect(errors).toMatchObject([
    {
      message: `The member "${member}" of the filter is not an id.`,
      extensions: { code: 'INVALID_QUERY' },
    },
  ]);
});

test('only administrators read it, and not by a token of an application', async () => {
  await createWebhook();
  const project = await app.given.project();
  const [{ databaseId }] = (await entries()) as [Entry];
  const others: (Person | undefined)[] = [
    await app.given.member(project, ['view_work_packages', 'edit_work_packages']),
    await app.given.user(),
    undefined,
    { ...ada, key: await app.given.accessToken(ada) },
  ];
  for (const person of others) {
    const { data, errors } = await app.graphql(LIST, {}, person);
    expect({ data, codes: errors!.map(({ extensions }: any) => extensions.code) }).toEqual({
      data: null,
      codes: ['MISSING_PERMISSION'],
    });
    const node = await app.graphql(
      'query ($id: ID!) { node(id: $id) { id } }',
      { id: globalId('AuditEvent', databaseId) },
      person,
    );
    expect(node.data).toEqual({ node: null });
  }
});

test('the database itself refuses to change or to remove an entry', async () => {
  await createWebhook();
  const { write } = app.running.services.db;
  const append = /The audit is append-only/;
  await expect(write('audit_events').update({ kind: 'WEBHOOK_DELETED' })).rejects.toThrow(append);
  await expect(write('audit_events').update({ address: '192.0.2.1' })).rejects.toThrow(append);
  await expect(write('audit_events').delete()).rejects.toThrow(append);
  expect(await kindsOf({ after: startedAt })).toEqual(['WEBHOOK_CREATED']);
});

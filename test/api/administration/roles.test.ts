/** Administrators create, change and delete roles and OAuth applications. Nobody else does. */
import { startApp, startBeside, type App } from '../../support/app.js';
import { until } from '../../support/cli.js';
import type { Person } from '../../support/factories.js';
import { afterAll, beforeAll, expect, test } from '../../support/jest.js';
import { signable } from '../auth/support/applications.js';
import { codeGrant, me } from '../auth/support/grants.js';

let app: App;
let beside: App;
let ada: Person;
beforeAll(async () => {
  app = await startApp();
  beside = await startBeside(app);
  ada = await app.given.user({ admin: true });
});
afterAll(async () => {
  await beside?.stop();
  await app.stop();
});

const send = (name: string, input: object, selection: string, as: Person | undefined = ada) =>
  app.graphql(
    `mutation ($input: ${name[0]!.toUpperCase()}${name.slice(1)}Input!) { ${name}(input: $input) { ${selection} } }`,
    { input },
    as,
  );
async function change(name: string, input: object, selection: string): Promise<any> {
  const { data, errors } = await send(name, input, selection);
  expect(errors).toBeUndefined();
  return data[name];
}
const refusal = async (name: string, input: object, selection = '__typename', as?: Person) => {
  const { errors } = await send(name, input, selection, as);
  expect(errors).toHaveLength(1);
  const [error]: any[] = errors!;
  const { code, attribute } = error.extensions;
  return [code, error.message, ...(attribute ? [attribute] : [])];
};
const VIOLATION = 'PROPERTY_CONSTRAINT_VIOLATION';
const ROLE = 'role { id databaseId name permissions }';
const createRole = async (name: string, permissions: string[] = []) =>
  (await change('createRole', { name, permissions }, ROLE)).role;
const lastAudit = async (kind: string) => {
  const { nodes } = (
    await app.graphql(
      'query ($kinds: [AuditKind!]) { auditEvents(filter: { kinds: $kinds }, first: 1) { nodes { subjectName before after } } }',
      { kinds: [kind] },
      ada,
    )
  ).data.auditEvents;
  const [{ subjectName, before, after }] = nodes;
  return { subjectName, before: JSON.parse(before), after: JSON.parse(after) };
};

test('a role is created, changed and deleted; its permissions count at once in every process', async () => {
  const project = await app.given.project();
  const person = await app.given.user();
  const workPackage = await app.given.workPackage(project, ada);
  const role = await createRole(' Guest ', ['VIEW_MEETINGS', 'VIEW_MEETINGS']);
  expect(role).toEqual({
    id: Buffer.from(`Role:${role.databaseId}`).toString('base64url'),
    databaseId: expect.any(Number),
    name: 'Guest',
    permissions: ['VIEW_MEETINGS'],
  });
  expect(await lastAudit('ROLE_CREATED')).toEqual({
    subjectName: 'Guest',
    before: null,
    after: { name: 'Guest', permissions: ['view_meetings'] },
  });
  await change(
    'setMembership',
    { projectId: String(project.id), userId: String(person.id), roleIds: [role.id] },
    'membership { id }',
  );
  const sees = async (site: App) =>
    (await site.get(`/api/v3/work_packages/${workPackage.id}`, person)).status === 200;
  expect([await sees(app), await sees(beside)]).toEqual([false, false]);
  const visitor = { name: 'Visitor', permissions: ['VIEW_WORK_PACKAGES'] };
  expect(await change('updateRole', { id: role.id, ...visitor }, ROLE)).toEqual({
    role: { ...role, ...visitor },
  });
  expect(await sees(app)).toBe(true);
  await until(() => sees(beside), 'the other process sees the permission');
  expect(await lastAudit('ROLE_UPDATED')).toEqual({
    subjectName: 'Visitor',
    before: { name: 'Guest', permissions: ['view_meetings'] },
    after: { name: 'Visitor', permissions: ['view_work_packages'] },
  });
  expect((await change('updateRole', { id: role.id }, ROLE)).role).toEqual({ ...role, ...visitor });
  expect(await refusal('deleteRole', { id: role.id })).toEqual([
    VIOLATION,
    'A member has the role.',
  ]);
  await change(
    'removeMembership',
    { projectId: String(project.id), userId: String(person.id) },
    '__typename',
  );
  expect(await change('deleteRole', { id: role.id }, 'deletedRoleId')).toEqual({
    deletedRoleId: role.id,
  });
  expect((await lastAudit('ROLE_DELETED')).before).toEqual({
    name: 'Visitor',
    permissions: ['view_work_packages'],
  });
  for (const name of ['updateRole', 'deleteRole'])
    expect((await refusal(name, { id: role.id }))[0]).toBe('NOT_FOUND');
});

test('a role has a name of its own', async () => {
  const [one, other] = [await createRole('One'), await createRole('Other')];
  const taken = [VIOLATION, 'Name has already been taken.', 'name'];
  const blank = [VIOLATION, "Name can't be blank.", 'name'];
  const long = [VIOLATION, 'Name must be text of at most 255 characters.', 'name'];
  for (const [name, refused] of [
    ['One', taken],
    [' One ', taken],
    [' ', blank],
    ['x'.repeat(256), long],
    ['a\0b', long],
  ] as const) {
    expect(await refusal('createRole', { name, permissions: [] })).toEqual(refused);
    expect(await refusal('updateRole', { id: other.id, name })).toEqual(refused);
  }
  expect((await change('updateRole', { id: one.id, name: 'One' }, ROLE)).role).toEqual(one);
});

test('Non member and Anonymous get other permissions, but no other name and no end', async () => {
  for (const name of ['Non member', 'Anonymous'])
    await app.given.role(['view_meetings'], name).catch(() => undefined);
  const { publicRoles } = (await app.graphql('{ publicRoles { id name permissions } }', {}, ada))
    .data;
  expect(publicRoles.map(({ name }: { name: string }) => name).sort()).toEqual([
    'Anonymous',
    'Non member',
  ]);
  for (const { id, name } of publicRoles) {
    expect(await refusal('updateRole', { id, name: 'Guest' })).toEqual([
      VIOLATION,
      `The role ${name} cannot get another name.`,
    ]);
    expect(await refusal('deleteRole', { id })).toEqual([
      VIOLATION,
      `The role ${name} cannot get an end.`,
    ]);
    expect((await change('updateRole', { id, permissions: [] }, ROLE)).role.permissions).toEqual(
      [],
    );
  }
});

const REDIRECT = 'https://cloud.example.test/oauth-redirect';
const APPLICATION =
  'oauthApplication { id databaseId name clientId confidential redirectUris scopes integration { id } owner { login } } clientSecret';

test('an application is created with a secret that is shown once; its end ends its tokens', async () => {
  const { oauthApplication, clientSecret } = await change(
    'createOAuthApplication',
    { name: 'Reports', redirectUris: [REDIRECT, REDIRECT] },
    APPLICATION,
  );
  const { id, databaseId, clientId } = oauthApplication;
  expect(oauthApplication).toEqual({
    id: Buffer.from(`OAuthApplication:${databaseId}`).toString('base64url'),
    databaseId: expect.any(Number),
    name: 'Reports',
    clientId: expect.stringMatching(/^[\w-]{43}$/),
    confidential: true,
    redirectUris: [REDIRECT],
    scopes: ['api_v3'],
    integration: null,
    owner: { login: ada.login },
  });
  const audit = await lastAudit('OAUTH_APPLICATION_CREATED');
  expect(audit).toEqual({
    subjectName: 'Reports',
    before: null,
    after: { name: 'Reports', clientId, redirectUris: [REDIRECT], confidential: true },
  });
  expect(app.logLines.join('\n')).not.toContain(clientSecret);
  const person = await signable(app);
  const { body } = await codeGrant(
    app,
    { id: databaseId, name: 'Reports', clientId, secret: clientSecret },
    person,
  );
  expect((await me(app, body.access_token)).status).toBe(200);
  expect((await me(beside, body.access_token)).status).toBe(200);
  expect(await change('deleteOAuthApplication', { id }, 'deletedOAuthApplicationId')).toEqual({
    deletedOAuthApplicationId: id,
  });
  expect((await me(app, body.access_token)).status).toBe(401);
  await until(
    async () => (await me(beside, body.access_token)).status === 401,
    'the token has ended',
  );
  expect((await refusal('deleteOAuthApplication', { id }))[0]).toBe('NOT_FOUND');
  expect((await lastAudit('OAUTH_APPLICATION_DELETED')).subjectName).toBe('Reports');
});

test('an application without a secret has one redirect of a program', async () => {
  const { oauthApplication, clientSecret } = await change(
    'createOAuthApplication',
    {
      name: 'Phone',
      redirectUris: ['com.example.phone:/done', 'http://127.0.0.1:8123/done'],
      confidential: false,
    },
    APPLICATION,
  );
  expect([oauthApplication.confidential, clientSecret]).toEqual([false, null]);
  const { pathname, search } = new URL(
    `/oauth/authorize?client_id=${oauthApplication.clientId}&response_type=code&redirect_uri=com.example.phone:/done&code_challenge=${'x'.repeat(43)}&code_challenge_method=S256`,
    'http://here',
  );
  const answer = await app.get(pathname + search);
  expect([answer.status, answer.headers.get('location')]).toEqual([
    303,
    expect.stringMatching(/^\/login\?return_to=/),
  ]);
});

test.each([
  ['no address', []],
  ['too many', Array.from({ length: 11 }, (_, at) => `https://a.example.test/${at}`)],
  ['another computer without https', ['http://cloud.example.test/']],
  ['a script', ['javascript:alert(1)']],
  ['data', ['data:text/html,x']],
  ['a fragment', ['https://a.example.test/#x']],
  ['a password', ['https://a:b@a.example.test/']],
  ['no address at all', ['here']],
  ['a blank', ['https://a.example.test/ x']],
  ['too long', [`https://a.example.test/${'x'.repeat(2_000)}`]],
])('redirects of an application are refused: %s', async (_what, redirectUris) => {
  const [code, , attribute] = await refusal('createOAuthApplication', {
    name: 'Bad',
    redirectUris,
  });
  expect([code, attribute]).toEqual([VIOLATION, 'redirectUris']);
});

test('the application of a storage ends with the storage only', async () => {
  const { application } = await app.given.storage();
  expect(await refusal('deleteOAuthApplication', { id: String(application.id) })).toEqual([
    VIOLATION,
    'The application belongs to a storage, and ends with the storage.',
  ]);
});

test('members, strangers, anonymous callers and applications change no role and no application', async () => {
  const project = await app.given.project();
  const member = await app.given.member(project, ['view_work_packages']);
  const tool = await change(
    'createOAuthApplication',
    { name: 'Tool', redirectUris: [REDIRECT] },
    APPLICATION,
  );
  const role = await createRole('Untouched', ['VIEW_MEETINGS']);
  const admin = await signable(app, { admin: true });
  const { id: toolId, databaseId, clientId } = tool.oauthApplication;
  const { body } = await codeGrant(
    app,
    { id: databaseId, name: 'Tool', clientId, secret: tool.clientSecret },
    admin,
  );
  const documents = [
    'createRole(input: { name: "Mine", permissions: [] })',
    `updateRole(input: { id: "${role.id}", permissions: [EDIT_WORK_PACKAGES] })`,
    `deleteRole(input: { id: "${role.id}" })`,
    `createOAuthApplication(input: { name: "Mine", redirectUris: ["${REDIRECT}"] })`,
    `deleteOAuthApplication(input: { id: "${toolId}" })`,
  ];
  const callers = [member, await app.given.user(), { ...admin, key: body.access_token }, undefined];
  for (const as of callers)
    for (const one of documents) {
      const { errors } = await app.graphql(`mutation { ${one} { __typename } }`, {}, as);
      expect([one, errors?.[0]?.extensions.code]).toEqual([one, 'MISSING_PERMISSION']);
    }
  const listed = await app.graphql('{ publicRoles { id } }', {}, member);
  expect(listed.errors?.[0]?.extensions.code).toBe('MISSING_PERMISSION');
  const { data } = await app.graphql(
    'query ($id: ID!) { role(id: $id) { name permissions } }',
    { id: role.id },
    member,
  );
  expect(data.role).toEqual({ name: 'Untouched', permissions: null });
});

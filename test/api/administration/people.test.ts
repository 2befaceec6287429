/** Administrators create and change people, projects and members in the graph. Nobody else does. */
import { startApp, startBeside, type App } from '../../support/app.js';
import { until } from '../../support/cli.js';
import { Visitor } from '../../support/browser-visitor.js';
import type { Person } from '../../support/factories.js';
import { afterAll, beforeAll, expect, test } from '../../support/jest.js';
import { PASSWORD, signable } from '../auth/support/applications.js';

let app: App;
let beside: App;
let ada: Person;
let roles: { id: number; name: string }[];
beforeAll(async () => {
  app = await startApp();
  beside = await startBeside(app);
  ada = await app.given.user({ admin: true });
  await app.given.role(['view_work_packages'], 'Reader');
  await app.given.role(['edit_work_packages'], 'Writer');
  roles = (await app.graphql('{ roles { id: databaseId name } }', {}, ada)).data.roles;
});
afterAll(async () => {
  await beside?.stop();
  await app.stop();
});

const send = (name: string, input: object, selection: string, as: Person | null = ada) =>
  app.graphql(
    `mutation ($input: ${name[0]!.toUpperCase()}${name.slice(1)}Input!) { ${name}(input: $input) { ${selection} } }`,
    { input },
    as ?? undefined,
  );
async function change(name: string, input: object, selection: string): Promise<any> {
  const { data, errors } = await send(name, input, selection);
  expect(errors).toBeUndefined();
  return data[name];
}
const refusal = async (name: string, input: object, selection: string, as = ada) => {
  const { errors } = await send(name, input, selection, as);
  return (errors ?? []).map(({ message, extensions: { code, attribute } }: any) => [
    code,
    message,
    ...(attribute ? [attribute] : []),
  ]);
};
const PERSON = 'user { databaseId login name firstName lastName email admin status }';
const kindsAbout = async (type: string, id: number) =>
  (
    await app.graphql(
      'query ($id: ID!) { auditEvents(filter: { subjectId: $id }, first: 50) { nodes { kind before after } } }',
      { id: Buffer.from(`${type}:${id}`).toString('base64url') },
      ada,
    )
  ).data.auditEvents.nodes.map(({ kind, before, after }: any) => [
    kind,
    JSON.parse(before ?? 'null'),
    JSON.parse(after ?? 'null'),
  ]);

test('a person is created with a link, sets a password with it, and signs in', async () => {
  const { user, passwordLink, passwordLinkExpiresAt } = await change(
    'createUser',
    { login: ' kim ', firstName: 'Kim', lastName: 'Keeper', email: 'kim@example.test' },
    `${PERSON} passwordLink passwordLinkExpiresAt`,
  );
  expect(user).toEqual({
    databaseId: expect.any(Number),
    login: 'kim',
    name: 'Kim Keeper',
    firstName: 'Kim',
    lastName: 'Keeper',
    email: 'kim@example.test',
    admin: false,
    status: 'ACTIVE',
  });
  expect(Date.parse(passwordLinkExpiresAt)).toBeGreaterThan(Date.now());
  const link = new URL(passwordLink);
  expect((await new Visitor(app).get(link.pathname + link.search)).status).toBe(200);
  expect(await kindsAbout('User', user.databaseId)).toEqual([
    [
      'USER_CREATED',
      null,
      {
        status: 'active',
        admin: false,
        login: 'kim',
        firstName: 'Kim',
        lastName: 'Keeper',
        email: 'kim@example.test',
      },
    ],
  ]);
  expect(await refusal('createUser', { login: 'kim', firstName: 'K' }, PERSON)).toEqual([
    ['PROPERTY_CONSTRAINT_VIOLATION', 'There is a user with the login "kim" already.', 'login'],
  ]);
});

test('a person is changed: absent members stay, and null removes the address', async () => {
  const { user } = await change(
    'createUser',
    { login: 'lee', firstName: 'Lee', email: 'lee@example.test', password: PASSWORD },
    `${PERSON} passwordLink`,
  );
  const id = String(user.databaseId);
  const before = { ...user, lastName: '', name: 'Lee' };
  expect(await change('updateUser', { id, lastName: 'Low' }, PERSON)).toEqual({
    user: { ...before, lastName: 'Low', name: 'Lee Low' },
  });
  expect((await change('updateUser', { id, email: null, admin: true }, PERSON)).user).toMatchObject(
    {
      email: null,
      admin: true,
      lastName: 'Low',
    },
  );
  expect((await new Visitor(app).signIn('lee', PASSWORD)).status).toBe(303);
  expect((await kindsAbout('User', user.databaseId)).slice(0, 3)).toEqual([
    ['SIGNED_IN', null, null],
    ['USER_UPDATED', { admin: false, email: 'lee@example.test' }, { admin: true, email: null }],
    ['USER_UPDATED', { lastName: '' }, { lastName: 'Low' }],
  ]);
  await change('updateUser', { id, admin: false }, PERSON);
});

test.each([
  ['a lock', (id: string) => change('lockUser', { id }, PERSON)],
  [
    'another password',
    (id: string) => change('setUserPassword', { id, password: 'new one' }, PERSON),
  ],
])('%s ends the sessions of a person in every process at once', async (_how, end) => {
  const person = await signable(app);
  const visitor = new Visitor(beside);
  await visitor.signIn(person.login, PASSWORD);
  expect((await visitor.get('/api/v3/users/me')).status).toBe(200);
  await end(String(person.id));
  await until(
    async () => (await visitor.get('/api/v3/users/me')).status === 401,
    'the end of the session',
  );
  expect((await new Visitor(app).signIn(person.login, PASSWORD)).status).not.toBe(303);
});

test('a locked person is unlocked, and then signs in again', async () => {
  const person = await signable(app);
  const id = String(person.id);
  expect((await change('lockUser', { id }, PERSON)).user.status).toBe('LOCKED');
  expect(await refusal('setUserPassword', { id }, 'passwordLink')).toEqual([
    ['PROPERTY_CONSTRAINT_VIOLATION', `${person.login} is locked.`],
  ]);
  expect((await change('unlockUser', { id }, PERSON)).user.status).toBe('ACTIVE');
  expect((await new Visitor(app).signIn(person.login, PASSWORD)).status).toBe(303);
  expect((await kindsAbout('User', person.id)).map(([kind]: string[]) => kind)).toEqual([
    'SIGNED_IN',
    'USER_UNLOCKED',
    'USER_LOCKED',
  ]);
});

test('the last administrator who can sign in stays one', async () => {
  const id = String(ada.id);
  const stays = [
    ['PROPERTY_CONSTRAINT_VIOLATION', 'There must be an administrator who is not locked.'],
  ];
  expect(await refusal('lockUser', { id }, PERSON)).toEqual(stays);
  expect(await refusal('updateUser', { id, admin: false }, PERSON)).toEqual(stays);
});

test('a project gets members, whose roles are exactly the given ones', async () => {
  const { project } = await change(
    'createProject',
    { identifier: 'quay', name: 'The quay' },
    'project { id databaseId identifier name public active }',
  );
  expect(project).toMatchObject({ identifier: 'quay', public: false, active: true });
  expect(
    await refusal('createProject', { identifier: 'quay', name: 'Q' }, 'project { id }'),
  ).toEqual([
    ['PROPERTY_CONSTRAINT_VIOLATION', 'There is a project "quay" already.', 'identifier'],
  ]);
  const changed = await change(
    'updateProject',
    { id: project.id, name: 'The pier', public: true },
    'project { identifier name public active }',
  );
  expect(changed.project).toEqual({
    identifier: 'quay',
    name: 'The pier',
    public: true,
    active: true,
  });
  const person = await app.given.user();
  const member = { projectId: project.id, userId: String(person.id) };
  const MEMBERSHIP = 'membership { id user { databaseId } roles { databaseId } }';
  const idOf = (name: string) => roles.find((role) => role.name === name)!.id;
  const [reader, writer] = [idOf('Reader'), idOf('Writer')];
  const set = (...ids: number[]) =>
    change('setMembership', { ...member, roleIds: ids.map(String) }, MEMBERSHIP);
  const { membership } = await set(reader);
  expect(membership).toMatchObject({
    user: { databaseId: person.id },
    roles: [{ databaseId: reader }],
  });
  expect((await set(writer)).membership.roles).toEqual([{ databaseId: writer }]);
  const wrong = [
    'PROPERTY_CONSTRAINT_VIOLATION',
    'The roles must be at least one, and all of them must exist.',
    'roleIds',
  ];
  for (const roleIds of [[], ['999999'], [String(reader), 'nothing']])
    expect(await refusal('setMembership', { ...member, roleIds }, MEMBERSHIP)).toEqual([wrong]);
  expect(await change('removeMembership', member, 'removedMembershipId project { id }')).toEqual({
    removedMembershipId: membership.id,
    project: { id: project.id },
  });
  expect((await refusal('removeMembership', member, 'project { id }'))[0]![0]).toBe('NOT_FOUND');
  const inProject = (name: string) => ({ projectId: project.databaseId, roles: [name] });
  expect(await kindsAbout('User', person.id)).toEqual([
    ['MEMBERSHIP_REMOVED', inProject('Writer'), null],
    ['MEMBERSHIP_SET', { roles: ['Reader'] }, { roles: ['Writer'] }],
    ['MEMBERSHIP_SET', null, inProject('Reader')],
  ]);
});

test('members, readers, anonymous callers and applications are refused, and nothing changes', async () => {
  const project = await app.given.project();
  const member = await app.given.member(project, ['view_work_packages', 'edit_work_packages']);
  const callers: [string, Person | null][] = [
    ['member', member],
    ['stranger', await app.given.user()],
    ['anonymous', null],
    ['application', { ...ada, key: await app.given.accessToken(ada) }],
  ];
  const id = String(member.id);
  const inputs: [string, object, string][] = [
    ['createUser', { login: 'nobody', firstName: 'No' }, 'user { id }'],
    ['updateUser', { id, firstName: 'X' }, 'user { id }'],
    ['lockUser', { id }, 'user { id }'],
    ['unlockUser', { id }, 'user { id }'],
    ['setUserPassword', { id, password: 'x' }, 'user { id }'],
    ['createProject', { identifier: 'none', name: 'None' }, 'project { id }'],
    ['updateProject', { id: String(project.id), name: 'X' }, 'project { id }'],
    [
      'setMembership',
      { projectId: String(project.id), userId: id, roleIds: [String(roles[0]!.id)] },
      'membership { id }',
    ],
    ['removeMembership', { projectId: String(project.id), userId: id }, 'project { id }'],
  ];
  const { read } = app.running.services.db;
  const rows = async () => [
    await read('users').orderBy('id'),
    await read('projects').orderBy('id'),
    await read('memberships').orderBy('id'),
  ];
  const before = await rows();
  for (const [name, input, selection] of inputs)
    for (const [caller, person] of callers) {
      const { errors } = await send(name, input, selection, person);
      expect([name, caller, errors!.map(({ extensions }: any) => extensions.code)]).toEqual([
        name,
        caller,
        ['MISSING_PERMISSION'],
      ]);
    }
  expect(await rows()).toEqual(before);
});

test.each([
  ['updateUser', { firstName: 'X' }, 'user { id }'],
  ['lockUser', {}, 'user { id }'],
  ['updateProject', { name: 'X' }, 'project { id }'],
])(
  '%s of a row that is missing is NOT_FOUND, and so are the users of the service',
  async (name, rest, selection) => {
    const anonymous = await app.running.services.db
      .read('users')
      .where({ anonymous: true })
      .first();
    const ids = ['999999', 'nothing', ...(name === 'updateProject' ? [] : [String(anonymous.id)])];
    for (const id of ids)
      expect((await refusal(name, { id, ...rest }, selection))[0]![0]).toBe('NOT_FOUND');
  },
);

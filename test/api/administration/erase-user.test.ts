/** A person is erased: nothing tells who it was. Files, comments and history stay. */
import { startApp, startBeside, type App } from '../../support/app.js';
import { Visitor } from '../../support/browser-visitor.js';
import { run, environmentOf, until } from '../../support/cli.js';
import type { Person } from '../../support/factories.js';
import { png, SET_AVATAR } from '../../support/images.js';
import { afterAll, beforeAll, expect, test } from '../../support/jest.js';
import { application, PASSWORD, signable } from '../auth/support/applications.js';
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

const ERASE =
  'mutation ($id: ID!) { eraseUser(input: { id: $id }) { user { databaseId login name email admin status avatarUrl erasedAt } } }';
const erase = (id: number, as: Person | undefined = ada) =>
  app.graphql(ERASE, { id: String(id) }, as);
const refusal = async (id: number, as?: Person) => {
  const { errors } = await erase(id, as);
  expect(errors).toHaveLength(1);
  const [error]: any[] = errors!;
  return [error.extensions.code, error.message];
};
const VIOLATION = 'PROPERTY_CONSTRAINT_VIOLATION';
/** All rows of all tables, as text. */
async function everything(): Promise<string> {
  const { db } = app.running.services;
  const names: string[] =
    db.write.client.dialect === 'sqlite3'
      ? await db.write('sqlite_master').where('type', 'table').pluck('name')
      : await db.write('pg_tables').where('schemaname', 'public').pluck('tablename');
  const rows = await Promise.all(names.map((name) => db.write(name).select('*')));
  return JSON.stringify(rows);
}

test('an erased person has no name, no address and no picture anywhere; the work stays', async () => {
  const person = await signable(app);
  const { login } = person;
  await app.graphql(
    'mutation ($id: ID!) { updateUser(input: { id: $id, firstName: "Zenobia", lastName: "Quist", email: "zenobia@example.test" }) { user { id } } }',
    { id: String(person.id) },
    ada,
  );
  const project = await app.given.project();
  await app.given.membership(person, project, ['view_work_packages', 'add_work_package_comments']);
  const workPackage = await app.given.workPackage(project, person);
  const comment = await app.given.comment(workPackage, person);
  const file = await app.given.attachment({ container: workPackage, author: person });
  await app.graphqlUpload(SET_AVATAR, { id: String(person.id) }, png(), person);
  const storage = await app.given.storage({ client: { id: 'ours', secret: 'secret' } });
  await app.given.storageTokens(person, storage, {
    accessToken: 'a',
    originUserId: 'zenobia@cloud',
  });
  const visitor = new Visitor(app);
  expect((await visitor.signIn(login, 'typo')).status).toBe(422);
  expect((await visitor.signIn(login, PASSWORD)).status).toBe(303);
  const tool = await application(app, ada);
  const { body } = await codeGrant(app, tool, person);
  expect((await me(beside, person.key)).status).toBe(200);
  const { avatar_key: picture } = await app.running.services.db
    .write('users')
    .where({ id: person.id })
    .first();
  expect(await everything()).toMatch(/Zenobia.*zenobia@example/s);

  const erased = {
    databaseId: person.id,
    login: `deleted-user-${person.id}`,
    name: 'Deleted user',
    email: null,
    admin: false,
    status: 'LOCKED',
    avatarUrl: null,
    erasedAt: expect.stringMatching(/^\d{4}-/),
  };
  expect((await erase(person.id)).data).toEqual({ eraseUser: { user: erased } });

  const left = await everything();
  for (const text of ['Zenobia', 'zenobia', 'Quist', `"${login}"`, `${login}\\n`])
    expect([text, left.includes(text)]).toEqual([text, false]);
  expect(await app.running.services.blobs.stat(picture)).toBeNull();
  expect((await visitor.get('/api/v3/users/me')).status).toBe(401);
  for (const credential of [person.key, body.access_token]) {
    expect((await me(app, credential)).status).toBe(401);
    await until(async () => (await me(beside, credential)).status === 401, 'it has ended');
  }
  expect((await new Visitor(app).signIn(login, PASSWORD)).status).toBe(422);
  const work = await app.graphql(
    `query ($file: ID!, $comment: ID!, $project: ID!) {
      attachment(id: $file) { author { name } }
      activity(id: $comment) { author { name } }
      project(id: $project) { memberships { totalCount } }
    }`,
    { file: String(file.id), comment: String(comment.id), project: String(project.id) },
    ada,
  );
  const author = { author: { name: 'Deleted user' } };
  expect(work.data).toEqual({
    attachment: author,
    activity: author,
    project: { memberships: { totalCount: 0 } },
  });
});

test('the audit keeps what happened, without who it was', async () => {
  const person = await signable(app);
  await new Visitor(app).signIn(person.login, PASSWORD);
  await erase(person.id);
  const { data } = await app.graphql(
    'query ($id: ID!) { auditEvents(filter: { subjectId: $id }) { nodes { kind actor { name } address subjectName before after } } }',
    { id: Buffer.from(`User:${person.id}`).toString('base64url') },
    ada,
  );
  const name = 'Deleted user';
  expect(data.auditEvents.nodes).toEqual([
    {
      kind: 'USER_ERASED',
      actor: { name: ada.name },
      address: expect.any(String),
      subjectName: name,
      before: null,
      after: null,
    },
    {
      kind: 'SIGNED_IN',
      actor: { name },
      address: null,
      subjectName: name,
      before: null,
      after: null,
    },
  ]);
});

test('nobody erases themselves, the last administrator, or somebody twice', async () => {
  const person = await app.given.user();
  expect(await refusal(ada.id)).toEqual([VIOLATION, 'You cannot erase yourself.']);
  expect((await erase(person.id)).errors).toBeUndefined();
  for (const mutation of [
    'eraseUser(input: { id: $id })',
    'unlockUser(input: { id: $id })',
    'setUserPassword(input: { id: $id })',
    'updateUser(input: { id: $id, admin: true })',
  ]) {
    const { errors } = await app.graphql(
      `mutation ($id: ID!) { ${mutation} { user { id } } }`,
      { id: String(person.id) },
      ada,
    );
    expect([mutation, errors?.[0]?.extensions.code]).toEqual([mutation, 'NOT_FOUND']);
  }
  const login = `deleted-user-${person.id}`;
  const { errors } = await app.graphql(
    'mutation ($login: String!) { createUser(input: { login: $login, firstName: "X" }) { user { id } } }',
    { login },
    ada,
  );
  expect(errors!.map(({ message }) => message)).toEqual(['The login is reserved.']);
  expect((await refusal(999_999))[0]).toBe('NOT_FOUND');
});

test('members, anonymous callers and applications erase nobody', async () => {
  const person = await app.given.user();
  const admin = await signable(app, { admin: true });
  const { body } = await codeGrant(app, await application(app, ada), admin);
  for (const as of [await app.given.user(), person, { ...admin, key: body.access_token }])
    expect((await refusal(person.id, as))[0]).toBe('MISSING_PERMISSION');
  const { errors } = await app.graphql(ERASE, { id: String(person.id) });
  expect(errors?.[0]?.extensions.code).toBe('MISSING_PERMISSION');
  expect((await me(app, person.key)).status).toBe(200);
});

test('the command erases too, but not the last administrator', async () => {
  const person = await app.given.user();
  const command = (...args: string[]) => run(['user', 'erase', ...args], environmentOf(app));
  expect(await command(person.login)).toEqual({
    status: 0,
    stdout: `${person.login} is erased: now deleted-user-${person.id}.\n`,
    stderr: '',
  });
  expect((await command(person.login)).stderr).toContain('There is no user with the login');
  const { db } = app.running.services;
  await db.write('users').where({ admin: true }).whereNot({ id: ada.id }).update({ admin: false });
  const refused = await command(ada.login);
  expect([refused.status, refused.stderr]).toEqual([
    1,
    expect.stringContaining('There must be an administrator who is not locked.'),
  ]);
  expect((await me(app, ada.key)).status).toBe(200);
});

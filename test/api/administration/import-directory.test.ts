/** Administrators import a directory file in the graph, and see before what would change. */
import { startApp, type App } from '../../support/app.js';
import type { Person } from '../../support/factories.js';
import { afterAll, beforeAll, expect, test } from '../../support/jest.js';

const IMPORT =
  'mutation ($file: Upload!, $dryRun: Boolean!) { importDirectory(input: { file: $file, dryRun: $dryRun }) ' +
  '{ added { list count examples } changed { list count examples } ended { list count examples } errors { path message } errorCount } }';

let app: App;
let ada: Person;
beforeAll(async () => {
  app = await startApp();
  ada = await app.given.user({ admin: true, login: 'ada', firstName: 'Ada', lastName: 'A' });
});
afterAll(() => app?.stop());

const send = (file: object | string, dryRun = false, as: Person = ada) =>
  app.graphqlUpload(
    IMPORT,
    { dryRun },
    Buffer.from(typeof file === 'string' ? file : JSON.stringify(file)),
    as,
  );
async function report(file: object | string, dryRun = false) {
  const { data, errors } = await send(file, dryRun);
  expect(errors).toBeUndefined();
  return data.importDirectory;
}
const logins = async () =>
  (await app.graphql('{ users(first: 200) { nodes { login status } } }', {}, ada)).data.users.nodes
    .map(({ login, status }: { login: string; status: string }) => `${login} ${status}`)
    .sort();
const kinds = async () =>
  (
    await app.graphql('{ auditEvents(first: 50) { nodes { kind actor { login } } } }', {}, ada)
  ).data.auditEvents.nodes.filter(({ kind }: { kind: string }) => kind === 'DIRECTORY_IMPORTED');

const first = {
  roles: [{ name: 'Reader', permissions: ['view_work_packages'] }],
  users: [
    { login: 'kim', firstName: 'Kim', lastName: 'K' },
    { login: 'lee', firstName: 'Lee', lastName: 'L' },
  ],
  projects: [
    {
      identifier: 'quay',
      name: 'Quay',
      memberships: [
        { user: 'kim', roles: ['Reader'] },
        { user: 'lee', roles: ['Reader'] },
      ],
    },
  ],
};
const nothing = { added: [], changed: [], ended: [], errors: [], errorCount: 0 };

test('a dry run tells what would be added and changes nothing; the import does it', async () => {
  const before = await logins();
  const added = {
    ...nothing,
    added: [
      { list: 'roles', count: 1, examples: ['Reader'] },
      { list: 'users', count: 2, examples: ['kim', 'lee'] },
      { list: 'projects', count: 1, examples: ['quay'] },
      { list: 'memberships', count: 2, examples: [] },
    ],
  };
  expect(await report(first, true)).toEqual(added);
  expect([await logins(), await kinds()]).toEqual([before, []]);
  expect(await report(first)).toEqual(added);
  expect(await logins()).toEqual([...before, 'kim ACTIVE', 'lee ACTIVE'].sort());
  expect(await kinds()).toEqual([{ kind: 'DIRECTORY_IMPORTED', actor: { login: 'ada' } }]);
  expect(await report(first)).toEqual(nothing);
});

test('changes and ends are told apart: memberships without roles, and people whom it locks', async () => {
  const second = {
    users: [
      { login: 'kim', firstName: 'Kim', lastName: 'King' },
      { login: 'lee', firstName: 'Lee', lastName: 'L', status: 'locked' },
    ],
    projects: [{ identifier: 'quay', name: 'Quay', memberships: [{ user: 'kim', roles: [] }] }],
  };
  const expected = {
    ...nothing,
    changed: [{ list: 'users', count: 2, examples: ['kim', 'lee'] }],
    ended: [
      { list: 'users', count: 1, examples: ['lee'] },
      { list: 'memberships', count: 1, examples: [] },
    ],
  };
  expect(await report(second, true)).toEqual(expected);
  expect(await report(second)).toEqual(expected);
  expect(await logins()).toContain('lee LOCKED');
});

test('ten thousand rows with three hundred bad ones: each is named, and nothing is imported', async () => {
  const before = await logins();
  const users = Array.from({ length: 10_000 }, (_, index) => ({
    login: `p${index}`,
    firstName: index % 33 === 0 && index < 9_900 ? '' : 'P',
    lastName: 'P',
  }));
  const { errors, errorCount, ...changes } = await report({ users });
  expect([errorCount, errors.length, changes]).toEqual([
    300,
    300,
    { added: [], changed: [], ended: [] },
  ]);
  expect(errors[1]).toEqual({ path: 'users[33].firstName', message: errors[0].message });
  expect(await logins()).toEqual(before);
});

test('at most a thousand errors are listed, and a file that is no JSON is one', async () => {
  const users = Array.from({ length: 1_200 }, (_, index) => ({ login: `q${index}` }));
  const { errors, errorCount } = await report({ users }, true);
  expect([errors.length, errorCount >= 1_200]).toEqual([1_000, true]);
  const broken = await report('{"users": [', true);
  expect(broken).toEqual({
    ...nothing,
    errors: [{ path: '', message: expect.stringMatching(/./) }],
    errorCount: 1,
  });
});

test('the last administrator stays one, and files that are too large are refused', async () => {
  const codes = async (file: object | string) =>
    (await send(file)).errors!.map(({ message, extensions: { code } }: any) => [code, message]);
  expect(
    await codes({ users: [{ login: 'ada', firstName: 'Ada', lastName: 'A', status: 'locked' }] }),
  ).toEqual([
    ['PROPERTY_CONSTRAINT_VIOLATION', 'There must be an administrator who is not locked.'],
  ]);
  expect(await logins()).toContain('ada ACTIVE');
  expect(await codes(' '.repeat(16 * 1024 * 1024 + 1))).toEqual([
    [
      'PROPERTY_CONSTRAINT_VIOLATION',
      'File is too large (maximum size is 16777216 Bytes). The command `moorage import` takes larger ones.',
    ],
  ]);
  const users = Array.from({ length: 101 }, (_, index) => ({
    login: `r${index}`,
    firstName: 'R',
    lastName: 'R',
    password: 'a very long password',
  }));
  expect(await codes({ users })).toEqual([
    [
      'PROPERTY_CONSTRAINT_VIOLATION',
      'The file has too many passwords (maximum is 100). The command `moorage import` takes more.',
    ],
  ]);
});

test('nobody else imports', async () => {
  const stranger = await app.given.user();
  const { errors } = await send(first, true, stranger);
  expect(errors!.map(({ extensions }: any) => extensions.code)).toEqual(['MISSING_PERMISSION']);
});

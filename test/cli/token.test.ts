/** API keys from the command line, against a server in another process. */
import { startApp, type App } from '../support/app.js';
import { endCommands, environmentOf, run, until } from '../support/cli.js';
import { afterAll, beforeAll, expect, test } from '../support/jest.js';

let app: App;
const command = (...args: string[]) => run(['token', ...args], environmentOf(app));
const statusOf = async (key: string) => (await app.get('/api/v3/users/me', { key })).status;

beforeAll(async () => {
  app = await startApp();
  await app.given.user({ login: 'ada' });
  await app.given.user({ login: 'bob' });
});
afterAll(async () => {
  await endCommands();
  await app.stop();
});

test('a new key works at once, is listed without its secret, and stops working within two seconds after its revocation', async () => {
  const made = await command('create', '--login', 'ada', '--name', 'laptop');
  expect(made).toMatchObject({
    status: 0,
    stderr: '',
    stdout: expect.stringMatching(/^mrg-[0-9a-f]{40}\n$/),
  });
  const key = made.stdout.trim();
  expect(await statusOf(key)).toBe(200);

  const listed = await command('list', '--login', 'ada', '--json');
  const rows = JSON.parse(listed.stdout) as {
    id: number;
    login: string;
    name: string;
    createdAt: string;
  }[];
  expect(rows).toEqual([
    { id: expect.any(Number), login: 'ada', name: 'test', createdAt: expect.any(String) },
    {
      id: expect.any(Number),
      login: 'ada',
      name: 'laptop',
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
    },
  ]);
  expect(listed.stdout).not.toContain(key);

  const revoked = await command('revoke', String(rows[1]!.id));
  expect(revoked).toEqual({ status: 0, stdout: 'Revoked laptop of ada.\n', stderr: '' });
  await until(async () => (await statusOf(key)) === 401, 'the key is refused', 2_000);
});

test('keys are created, listed and revoked as JSON too', async () => {
  const made = JSON.parse(
    (await command('create', '--login', 'bob', '--name', 'ci', '--json')).stdout,
  ) as { id: number; key: string };
  expect(made).toEqual({
    id: expect.any(Number),
    login: 'bob',
    name: 'ci',
    key: expect.stringMatching(/^mrg-/),
  });
  expect(
    JSON.parse((await command('revoke', '--login', 'bob', '--name', 'ci', '--json')).stdout),
  ).toEqual({ revoked: made.id });
  await until(async () => (await statusOf(made.key)) === 401, 'the key is refused', 2_000);
});

test('an unknown user or key is reported with exit status 1', async () => {
  const outcomes = await Promise.all([
    command('create', '--login', 'nobody'),
    command('revoke', '999999'),
  ]);
  expect(outcomes.map(({ status, stderr }) => [status, stderr])).toEqual([
    [1, 'moorage api-key create: There is no user with the login "nobody".\n'],
    [1, 'moorage api-key revoke: There is no such API key.\n'],
  ]);
});

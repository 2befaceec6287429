/** People and projects from the command line, and links that set a password once. */
import { spawnSync } from 'node:child_process';
import { startApp, type App } from '../support/app.js';
import { Visitor } from '../support/browser-visitor.js';
import { endCommands, environmentOf, program, run, type Outcome } from '../support/cli.js';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '../support/jest.js';
import { hashToken } from '../../src/secrets/keys-and-tokens.js';

let app: App;
beforeAll(async () => {
  app = await startApp({ TRUST_PROXY: '1' });
});
afterEach(async () => {
  await db().write('sign_in_failures').delete();
});
afterAll(async () => {
  await endCommands();
  await app.stop();
});

const environment = () => ({ ...environmentOf(app), BASE_URL: app.running.baseUrl });
const command = (...args: string[]): Promise<Outcome> => run(args, environment());
/** As `command`, with a text on standard input. */
const fed = (input: string, ...args: string[]) => {
  const { PATH = '', HOME = '' } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, [...program, ...args], {
    input,
    encoding: 'utf8',
    env: { PATH, HOME, ...environment() },
  });
  return { status, stdout, stderr };
};
const json = async (...args: string[]): Promise<any> => {
  const { status, stdout, stderr } = await command(...args, '--json');
  expect([status, stderr]).toEqual([0, '']);
  return JSON.parse(stdout);
};
const refusal = async (...args: string[]) => {
  const { status, stdout, stderr } = await command(...args);
  expect(stdout).toBe('');
  return [status, stderr];
};
const pathOf = (url: string) => {
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/password\?token=[\w-]{43}$/);
  return url.slice(app.running.baseUrl.length);
};
const tokenOf = (path: string) => path.split('=')[1]!;
const canSignIn = async (login: string, password: string): Promise<boolean> =>
  (await new Visitor(app).signIn(login, password)).status === 303;
const db = () => app.running.services.db;

test('a person is created without a password, sets one by the link, and is signed in', async () => {
  const made = await command(
    'user',
    'create',
    'kim',
    '--first-name=Kim',
    '--last-name=Keeper',
    '--email=kim@example.test',
    '--admin',
  );
  expect([made.status, made.stderr]).toEqual([0, '']);
  const [, url = ''] =
    /^kim can set a password, once and until \d{4}-\d\d-\d\dT.*Z:\n(http\S+)\n$/.exec(made.stdout)!;
  const path = pathOf(url);
  // Of the token, the database has only the hash.
  const rows = await db().read('one_time_links');
  expect(JSON.stringify(rows)).not.toContain(tokenOf(path));
  expect(rows).toMatchObject([{ purpose: 'password', token_hash: hashToken(tokenOf(path)) }]);

  const browser = new Visitor(app);
  const page = await browser.get(path);
  expect(page.status).toBe(200);
  expect(page.text).toContain('You are Kim Keeper, and your login is <strong>kim</strong>.');
  expect(page.text).not.toMatch(/<script|<style| style=| on\w+=/);
  // A look at the page does not use the link up.
  expect((await browser.get(path)).status).toBe(200);
  const send = (password: string, repeated = password) =>
    browser.post('/password', { token: tokenOf(path), password, repeated });
  const differ = await send('one harbour', 'another');
  expect([differ.status, differ.text.includes('The two passwords differ.')]).toEqual([422, true]);
  const long = await send('x'.repeat(1_025));
  expect([
    long.status,
    long.text.includes('The password must have 1 to 1,024 characters.'),
  ]).toEqual([422, true]);
  const set = await send('one harbour');
  expect([set.status, set.location]).toEqual([303, '/']);
  const me = JSON.parse((await browser.get('/api/v3/users/me')).text);
  expect(me).toMatchObject({ login: 'kim', name: 'Kim Keeper', admin: true });
  expect(await canSignIn('kim', 'one harbour')).toBe(true);

  const used = [await browser.get(path), await send('third harbour')];
  for (const { status, text } of used) {
    expect(status).toBe(404);
    expect(text).toContain('This link does not work');
    expect(text).toContain('Ask an administrator for another link.');
  }
  expect(await canSignIn('kim', 'third harbour')).toBe(false);
  // The token is in no line of the log.
  expect(app.logLines.join('')).not.toContain(tokenOf(path));
});

test('a password comes from standard input, and user password replaces it', async () => {
  expect(fed('old harbour\n', 'user', 'create', 'lee', '--password-stdin')).toEqual({
    status: 0,
    stdout: expect.stringMatching(/^Created lee \(\d+\)\.\n$/),
    stderr: '',
  });
  expect(await canSignIn('lee', 'old harbour')).toBe(true);
  expect(fed('new harbour', 'user', 'password', 'lee', '--password-stdin')).toEqual({
    status: 0,
    stdout: 'lee has the new password.\n',
    stderr: '',
  });
  expect([await canSignIn('lee', 'old harbour'), await canSignIn('lee', 'new harbour')]).toEqual([
    false,
    true,
  ]);
  expect(fed('', 'user', 'password', 'lee', '--password-stdin')).toEqual({
    status: 1,
    stdout: '',
    stderr: 'moorage user password: The password must have 1 to 1,024 characters.\n',
  });
});

describe('a link to set a password', () => {
  const linkOf = async (login: string) =>
    pathOf((await json('user', 'password', login)).passwordLink.url);
  const send = (path: string, password: string) =>
    new Visitor(app).post('/password', { token: tokenOf(path), password, repeated: password });

  test('ends when another one is printed, when the person is locked, and with its time', async () => {
    await json('user', 'create', 'pat');
    const first = await linkOf('pat');
    const second = await linkOf('pat');
    expect((await new Visitor(app).get(first)).status).toBe(404);
    expect((await new Visitor(app).get(second)).status).toBe(200);
    await json('user', 'lock', 'pat');
    expect((await send(second, 'harbour')).status).toBe(404);
    expect(await refusal('user', 'password', 'pat')).toEqual([
      1,
      'moorage user password: pat is locked.\n',
    ]);
    await json('user', 'unlock', 'pat');
    expect((await send(second, 'harbour')).status).toBe(404);
    const third = await linkOf('pat');
    await db()
      .write('one_time_links')
      .update({ expires_at: new Date(Date.now() - 1).toISOString() });
    expect((await send(third, 'harbour')).status).toBe(404);
    expect(await canSignIn('pat', 'harbour')).toBe(false);
  });

  test('sets one password if two forms are sent at once, and ends the sessions before', async () => {
    await json('user', 'create', 'sam');
    await send(await linkOf('sam'), 'first harbour');
    const earlier = new Visitor(app);
    await earlier.signIn('sam', 'first harbour');
    const path = await linkOf('sam');
    const answers = await Promise.all(['a harbour', 'b harbour'].map((text) => send(path, text)));
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 404]);
    const winner = answers[0]!.status === 303 ? 'a harbour' : 'b harbour';
    expect(await canSignIn('sam', winner)).toBe(true);
    expect((await earlier.follow(await earlier.get('/login'))).text).not.toContain('Signed in');
  });

  test('is guessed ten times from a network, and then not even the right one is looked at', async () => {
    await json('user', 'create', 'tom');
    const path = await linkOf('tom');
    const from = { 'x-forwarded-for': '192.0.2.1' };
    const statuses = [];
    for (let n = 0; n < 11; n += 1)
      statuses.push((await new Visitor(app).get(`/password?token=${n}`, from)).status);
    expect(statuses).toEqual([...Array(10).fill(404), 429]);
    const refused = await new Visitor(app).get(path, from);
    expect([refused.status, Number(refused.headers.get('retry-after'))]).toEqual([
      429,
      expect.closeTo(900, -2),
    ]);
    expect(refused.text).toContain('There were too many wrong links. Try again in 15 minutes.');
    expect((await new Visitor(app).get(path)).status).toBe(200);
  });

  test('takes no form of another site', async () => {
    await json('user', 'create', 'una');
    const path = await linkOf('una');
    const foreign = await new Visitor(app).post(
      '/password',
      { token: tokenOf(path), password: 'evil', repeated: 'evil' },
      { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
    );
    expect(foreign.status).toBe(403);
    expect(await canSignIn('una', 'evil')).toBe(false);
  });
});

test('people are listed, locked and unlocked', async () => {
  const { id } = await app.given.user({ login: 'zoe', firstName: 'Zoe', lastName: 'Last' });
  const listed = async () =>
    ((await json('user', 'list')) as { login: string }[]).find(({ login }) => login === 'zoe');
  expect(await listed()).toEqual({
    id,
    login: 'zoe',
    firstName: 'Zoe',
    lastName: 'Last',
    email: null,
    admin: false,
    status: 'active',
  });
  const locked = await command('user', 'lock', 'zoe');
  expect(locked).toEqual({
    status: 0,
    stdout: 'zoe is locked. Sessions and tokens ended.\n',
    stderr: '',
  });
  expect(await listed()).toMatchObject({ status: 'locked' });
  expect((await command('user', 'unlock', 'zoe')).stdout).toBe('zoe is active.\n');
  const lines = (await command('user', 'list')).stdout.split('\n');
  expect(lines.find((line) => line.includes('zoe'))).toMatch(
    new RegExp(`^${id}\\tzoe\\tZoe Last\\t.*\\t\\tactive$`),
  );
  // The users of the service itself are not people.
  expect(lines.join()).not.toMatch(/anonymous|moorage-system/);
});

test('two commands at once create one person', async () => {
  const outcomes = await Promise.all(
    [1, 2].map((n) => command('user', 'create', 'duo', `--first-name=${n}`)),
  );
  expect(outcomes.map(({ status }) => status).sort()).toEqual([0, 1]);
  expect(outcomes.find(({ status }) => status === 1)!.stderr).toBe(
    'moorage user create: There is a user with the login "duo" already.\n',
  );
});

test('user and project commands refuse in words what the import refuses', async () => {
  await json('user', 'create', 'max');
  await json('project', 'create', 'dock', '--name', 'Dock');
  expect(
    await Promise.all([
      refusal('user', 'create', 'anonymous'),
      refusal('user', 'create', ' ', '--email', ''),
      refusal('user', 'lock', 'nobody'),
      refusal('user', 'lock', 'moorage-system'),
      refusal('project', 'create', 'dock', '--name', 'Again'),
      refusal('project', 'create', 'pier', '--name', 'x'.repeat(256)),
      refusal('project', 'add-member', 'none', 'max', 'Member'),
      refusal('project', 'add-member', 'dock', 'nobody', 'Member'),
      refusal('project', 'add-member', 'dock', 'max', 'Captain'),
    ]),
  ).toEqual(
    [
      'user create: The login is reserved.',
      'user create: The login must not be blank. The first name must not be blank. The e-mail address must not be blank.',
      'user lock: There is no user with the login "nobody".',
      'user lock: There is no user with the login "moorage-system".',
      'project create: There is a project "dock" already.',
      'project create: The name must have at most 255 characters.',
      'project add-member: There is no project "none".',
      'project add-member: There is no user with the login "nobody".',
      'project add-member: There is no role named "Captain".',
    ].map((message) => [1, `moorage ${message}\n`]),
  );
  const missing = await command('project', 'add-member', 'dock', 'max');
  expect([missing.status, missing.stderr.split('\n')[0]]).toEqual([
    2,
    "error: missing required argument 'role'",
  ]);
});

test('a project is created, and a member gets one role after the other', async () => {
  await json('user', 'create', 'ned');
  const created = await command('project', 'create', 'quay', '--name', 'The quay');
  expect(created).toEqual({
    status: 0,
    stdout: expect.stringMatching(/^Created the project quay \(\d+\)\.\n$/),
    stderr: '',
  });
  expect((await command('project', 'add-member', 'quay', 'ned', 'Member')).stdout).toBe(
    'ned has in quay: Member.\n',
  );
  const both = await Promise.all(
    ['Reader', 'Member'].map((role) => json('project', 'add-member', 'quay', 'ned', role)),
  );
  expect(both[0]).toEqual({ project: 'quay', login: 'ned', roles: ['Member', 'Reader'] });
});

test('a link needs an address, and nobody is made without one', async () => {
  const outcome = await run(['user', 'create', 'gus'], { ...environmentOf(app), PORT: '0' });
  expect(outcome).toEqual({
    status: 1,
    stdout: '',
    stderr: 'moorage user create: Set BASE_URL or PORT: they are in the link.\n',
  });
  expect(await db().read('users').where({ login: 'gus' })).toEqual([]);
});

/** The first administrator: the link that a start and `moorage setup` print, and its page. */
import { readConfig } from '../../src/config.js';
import { hashToken } from '../../src/secrets/keys-and-tokens.js';
import { openServices } from '../../src/services.js';
import { startApp, type App } from '../support/app.js';
import { Visitor } from '../support/browser-visitor.js';
import {
  Command,
  endCommands,
  environmentOf,
  run,
  serve,
  until,
  type Banner,
  type Environment,
} from '../support/cli.js';
import { afterAll, afterEach, describe, expect, test } from '../support/jest.js';
import { newEnvironment, SITE } from '../support/production.js';

const LINK = /^https:\/\/files\.example\.test\/setup\?token=([\w-]{43})$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

afterAll(endCommands);

type Setup = { url: string; expiresAt: string } | { printedAt: string } | undefined;
const setupOf = (banner: Banner): Setup => (banner as Banner & { setup: Setup }).setup;
const tokenOf = (url: string): string => /token=(.+)$/.exec(url)![1]!;

/** Starts servers at the same time, and stops them. @returns what they say, and their log */
async function start(environment: Environment, count = 1) {
  const servers = await Promise.all(Array.from({ length: count }, () => serve(environment)));
  for (const { command } of servers) command.signal('SIGTERM');
  const outcomes = await Promise.all(servers.map(({ command }) => command.outcome));
  expect(outcomes.map(({ status }) => status)).toEqual(Array(count).fill(0));
  return {
    setups: servers.map(({ banner }) => setupOf(banner)),
    log: outcomes.map(({ stderr }) => stderr).join(''),
  };
}

async function linkRows(environment: Environment): Promise<object[]> {
  const { db, close } = openServices(readConfig({ ...environment, LOG_LEVEL: 'silent' }));
  try {
    return await db.read('one_time_links');
  } finally {
    await close();
  }
}

describe('the start of a production service without administrator', () => {
  test('prints one link, whichever of its servers is first, and keeps only its hash', async () => {
    const environment = await newEnvironment();
    const { setups, log } = await start(environment, 3);
    const printed = setups.filter((setup) => setup && 'url' in setup);
    expect(printed).toEqual([
      { url: expect.stringMatching(LINK), expiresAt: expect.stringMatching(TIME) },
    ]);
    expect(setups.filter((setup) => setup && 'printedAt' in setup)).toHaveLength(2);
    const { url, expiresAt } = printed[0] as { url: string; expiresAt: string };
    const rows = await linkRows(environment);
    expect(rows).toMatchObject([
      {
        purpose: 'setup',
        user_id: null,
        token_hash: hashToken(tokenOf(url)),
        expires_at: expiresAt,
      },
    ]);
    const [{ created_at }] = rows as [{ created_at: string }];
    expect(Date.parse(expiresAt) - Date.parse(created_at)).toBe(3_600_000);
    expect(JSON.stringify(rows) + log).not.toContain(tokenOf(url));

    // A later start says when that was.
    expect((await start(environment)).setups).toEqual([{ printedAt: created_at }]);
    const command = new Command(['serve'], { ...environment, PORT: '0' });
    await until(() => command.stdout.includes('Ctrl-C'), 'the banner is there');
    command.signal('SIGTERM');
    expect((await command.outcome).stdout).toContain(
      '  There is no administrator yet. The link to make one was printed at\n' +
        `    ${created_at}. \`moorage setup\` prints another.\n`,
    );

    const another = await run(['setup'], environment);
    expect([another.status, another.stderr]).toEqual([0, '']);
    expect(another.stdout.trim()).toMatch(LINK);
    expect(await linkRows(environment)).toMatchObject([
      { token_hash: hashToken(tokenOf(another.stdout.trim())) },
    ]);
  });

  test('prints none once there is an administrator, not even a locked one', async () => {
    const environment = await newEnvironment();
    const made = await run(['user', 'create', 'ada', '--admin'], environment);
    expect(made.status).toBe(0);
    expect((await run(['user', 'lock', 'ada'], environment)).status).toBe(0);
    expect((await start(environment)).setups).toEqual([undefined]);
    expect(await run(['setup'], environment)).toEqual({
      status: 1,
      stdout: '',
      stderr: 'moorage setup: There is an administrator already: ada.\n',
    });
  });
});

test.each([
  ['DEMO', 'false'],
  ['HOST', '0.0.0.0'],
])('outside production, %s=%s has no demo and prints the link as well', async (name, value) => {
  const { DATABASE_URL, BLOB_STORE } = await newEnvironment();
  const environment = {
    DATABASE_URL: DATABASE_URL!,
    BLOB_STORE: BLOB_STORE!,
    BASE_URL: SITE,
    [name]: value,
  };
  const command = new Command(['serve'], { ...environment, PORT: '0' });
  await until(() => command.stdout.includes('Ctrl-C'), 'the banner is there');
  command.signal('SIGTERM');
  expect((await command.outcome).stdout).toMatch(
    /\n {2}This link makes the first administrator, once and within an hour:\n {4}https:\/\/files\.example\.test\/setup\?token=[\w-]{43}\n {2}Ctrl-C stops\.\n$/,
  );
});

describe('the page of the link', () => {
  let app: App;
  afterEach(() => app?.stop());

  /** A service without administrator, and its link. */
  async function begin(): Promise<{ path: string; token: string }> {
    app = await startApp({ TRUST_PROXY: '1' });
    return another();
  }
  async function another(): Promise<{ path: string; token: string }> {
    const { status, stdout } = await run(['setup', '--json'], environment());
    expect(status).toBe(0);
    const { url } = JSON.parse(stdout) as { url: string };
    return { path: url.slice(app.running.baseUrl.length), token: tokenOf(url) };
  }
  const environment = () => ({ ...environmentOf(app), BASE_URL: app.running.baseUrl });
  const people = () =>
    app.running.services.db.read('users').whereNotIn('login', ['anonymous', 'moorage-system']);
  const ada = { login: 'ada', firstName: 'Ada', lastName: 'Lovelace', email: '' };
  const send = (token: string, changes: object = {}, visitor = new Visitor(app)) =>
    visitor.post('/setup', {
      token,
      ...ada,
      password: 'one harbour',
      repeated: 'one harbour',
      ...changes,
    });

  test('makes the first administrator, signs in, names what is to be configured, and ends', async () => {
    const { path, token } = await begin();
    const browser = new Visitor(app);
    const form = await browser.get(path);
    expect(form.status).toBe(200);
    expect(form.text).toContain('<h1>Set up Moorage</h1>');
    expect(form.text).toContain('<label for="login">Login</label>\n<input id="login"');
    expect(form.text).not.toMatch(/<script|<style| style=| on\w+=/);
    expect(form.headers.get('cache-control')).toBe('no-store');
    expect(form.headers.get('content-security-policy')).toContain("default-src 'none'");

    const made = await send(token, { email: 'ada@example.test' }, browser);
    expect(made.status).toBe(200);
    const listed = [
      ...made.text.matchAll(/<li lang="en" dir="ltr"><strong>(.*?)<\/strong>: (.*?)<\/li>/g),
    ].map(([, name, detail]) => [name, detail]);
    expect(listed).toEqual([
      ['scanner', 'off; CLAMD_URL names a scanner'],
      ['e-mail', 'off; SMTP_URL names a mail server'],
      ['OpenID provider', 'off; OIDC_ISSUER names one'],
      ['storages', 'none; administrators connect them'],
      ['blob store', 'stores, reads, lists and removes'],
    ]);
    expect(JSON.parse((await browser.get('/api/v3/users/me')).text)).toMatchObject({
      login: 'ada',
      name: 'Ada Lovelace',
      email: 'ada@example.test',
      admin: true,
    });
    expect((await new Visitor(app).signIn('ada', 'one harbour')).status).toBe(303);
    expect((await app.running.services.db.read('roles')).map(({ name }) => name)).toContain(
      'Manager',
    );

    // It has ended for everybody, the administrator included.
    for (const { status, text } of [
      await browser.get(path),
      await new Visitor(app).get('/setup'),
      await send(token, { login: 'eve' }),
    ]) {
      expect(status).toBe(404);
      expect(text).toContain('<h1>The service is set up</h1>');
    }
    expect((await people()).map(({ login }) => login)).toEqual(['ada']);
    expect((await run(['setup'], environment())).stderr).toBe(
      'moorage setup: There is an administrator already: ada.\n',
    );
    expect(app.logLines.join('')).not.toContain(token);
  });

  test('says what is wrong with a form, keeps what was entered, and the link stays', async () => {
    const { token } = await begin();
    await app.given.user({ login: 'kim', firstName: 'Kim' });
    const wrong = async (changes: object) => {
      const { status, text } = await send(token, changes);
      return [status, /<p class="problem" role="alert">(.*?)<\/p>/.exec(text)?.[1]];
    };
    expect(await wrong({ repeated: 'other' })).toEqual([422, 'The two passwords differ.']);
    expect(await wrong({ login: ' ', firstName: '' })).toEqual([
      422,
      'The login must not be blank. The first name must not be blank.',
    ]);
    expect(await wrong({ login: 'anonymous' })).toEqual([422, 'The login is reserved.']);
    expect(await wrong({ login: 'kim' })).toEqual([
      422,
      'There is a user with the login &quot;kim&quot; already.',
    ]);
    expect(await wrong({ lastName: '\0' })).toEqual([
      422,
      'The last name must not contain NUL or broken characters.',
    ]);
    const kept = await send(token, { lastName: '"><i>x', repeated: 'other' });
    expect(kept.text).toContain('value="&quot;&gt;&lt;i&gt;x"');
    expect(kept.text).not.toContain('one harbour');
    expect((await send(token)).status).toBe(200);
    expect((await people()).map(({ login }) => login).sort()).toEqual(['ada', 'kim']);
  });

  test('makes one administrator if two forms are sent at once', async () => {
    const { token } = await begin();
    const answers = await Promise.all(['ada', 'eve', 'ida'].map((login) => send(token, { login })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404]);
    expect(await people()).toHaveLength(1);
  });

  test('tells of a link that was replaced, has ended or is not complete how to get another', async () => {
    const { path, token } = await begin();
    const second = await another();
    const gone = async (place: string) => {
      const { status, text } = await new Visitor(app).get(place);
      expect([status, /<h1>(.*)<\/h1>/.exec(text)![1]]).toEqual([404, 'This link does not work']);
      expect(text).toContain('Run `moorage setup` where the service runs: it prints another link.');
    };
    await gone(path);
    await gone('/setup');
    await gone('/setup?token=');
    await gone(second.path.slice(0, -1));
    expect((await send(token)).status).toBe(404);
    expect((await new Visitor(app).get(second.path)).status).toBe(200);
    await app.running.services.db
      .write('one_time_links')
      .update({ expires_at: new Date(Date.now() - 1).toISOString() });
    await gone(second.path);
    expect((await send(second.token)).status).toBe(404);
    expect(await people()).toEqual([]);
  });

  test('is guessed ten times from a network, and takes no form of another site', async () => {
    const { path, token } = await begin();
    const from = { 'x-forwarded-for': '192.0.2.1' };
    const statuses = [];
    for (let n = 0; n < 11; n += 1)
      statuses.push((await new Visitor(app).get(`/setup?token=${n}`, from)).status);
    expect(statuses).toEqual([...Array(10).fill(404), 429]);
    const refused = await new Visitor(app).get(path, from);
    expect([refused.status, refused.headers.has('retry-after')]).toEqual([429, true]);
    expect((await new Visitor(app).get(path)).status).toBe(200);
    const foreign = await new Visitor(app).post(
      '/setup',
      { token, ...ada, password: 'evil', repeated: 'evil' },
      { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
    );
    expect(foreign.status).toBe(403);
    expect(await people()).toEqual([]);
  });
});

/** Links identities at the OpenID provider from the command line. */
import { User } from '../../src/models/user.js';
import { startApp, type App } from '../support/app.js';
import { endCommands, environmentOf, run } from '../support/cli.js';
import {
  OUR_CLIENT,
  startIdentityProvider,
  type IdentityProvider,
} from '../support/fakes/identity-provider.js';
import { afterAll, beforeAll, expect, test } from '../support/jest.js';

let app: App;
let provider: IdentityProvider;
const command = (
  args: string[],
  // The provider writes its issuer without the slash.
  settings: { [name: string]: string } = {
    OIDC_ISSUER: `${provider.issuer}/`,
    OIDC_CLIENT_ID: 'moorage',
  },
) => run(args, { ...environmentOf(app), ...settings });
const link = (login: string, subject: string) =>
  command(['user', 'link', '--login', login, '--subject', subject]);
const user = (login: string) =>
  User.query(app.running.services.db.read).findOne({ login }).throwIfNotFound();

beforeAll(async () => {
  provider = await startIdentityProvider();
  app = await startApp();
  await app.given.user({ login: 'ada', admin: true });
  await app.given.user({ login: 'bob', admin: true });
});
afterAll(async () => {
  await endCommands();
  await app.stop();
  await provider.close();
});

test('doctor lists administrators without identity, and user link links them', async () => {
  const listed = async () => {
    const { stdout } = await command(['doctor', '--json']);
    const { checks } = JSON.parse(stdout) as { checks: { name: string; detail: string }[] };
    return checks.find(({ name }) => name === 'administrators')?.detail;
  };
  expect(await listed()).toBe(
    `without an identity at ${provider.issuer}: ada, bob. Link them: ` +
      '`moorage user link --login LOGIN --subject SUBJECT`',
  );
  const linked = await link('ada', 'subject 1');
  expect(linked).toMatchObject({
    status: 0,
    stdout: `Linked ada to subject 1 at ${provider.issuer}.\n`,
  });
  const { id, identity } = await user('ada');
  expect(identity).toBe(`${provider.issuer} subject 1`);
  expect(JSON.parse(linked.stderr)).toMatchObject({
    user: id,
    by: 'command',
    msg: 'an identity was linked to a user',
  });
  expect(await listed()).toContain(`: bob. Link them`);
  // An identity at another provider does not count.
  await User.query(app.running.services.db.write)
    .findOne({ login: 'ada' })
    .patch({ identity: 'https://old.example.org subject 1' });
  expect(await listed()).toContain(': ada, bob.');
});

test('user link replaces the identity of a user, and ends the sessions and grants of the old one', async () => {
  const { id } = await app.given.user({ login: 'moved' });
  await link('moved', 'old');
  const time = new Date(Date.now() + 60_000).toISOString();
  const sessions = () => app.running.services.db.write('sessions').where({ user_id: id });
  await sessions().insert({
    token_hash: 'moved',
    user_id: id,
    expires_at: time,
    created_at: time,
    updated_at: time,
  });
  const grants = () => app.running.services.db.write('oauth_artifacts').where({ user_id: id });
  await grants().insert(
    ['Grant', 'AccessToken', 'RefreshToken'].map((kind) => ({
      kind,
      key_hash: kind,
      user_id: id,
      payload: '{}',
      expires_at: time,
      created_at: time,
      updated_at: time,
    })),
  );
  expect((await link('moved', 'old')).status).toBe(0);
  expect([await sessions(), await grants()].map((rows) => rows.length)).toEqual([1, 3]);
  const replaced = await link('moved', 'new');
  expect(replaced).toMatchObject({
    status: 0,
    stdout:
      `Linked moved to new at ${provider.issuer}.\n` +
      'The sessions, tokens and granted applications of the older identity ended. ' +
      'API keys stay: see `moorage api-key list`.\n',
  });
  expect([await sessions(), await grants()]).toEqual([[], []]);
  expect((await user('moved')).identity).toBe(`${provider.issuer} new`);
});

test('user link refuses what it cannot do', async () => {
  await app.given.user({ login: 'holder' });
  expect((await link('holder', 'held')).status).toBe(0);
  const refusals = await Promise.all([
    link('bob', 'held'),
    link('nobody', 'x'),
    link('anonymous', 'x'),
    link('bob', 's'.repeat(600)),
    command(['user', 'link', '--login', 'bob', '--subject', 'x'], {}),
  ]);
  expect(refusals.map(({ status, stderr }) => [status, stderr])).toEqual(
    [
      'The login "holder" has this identity.',
      'There is no user with the login "nobody".',
      'There is no user with the login "anonymous".',
      'This subject cannot be stored.',
      'Set OIDC_ISSUER: the identity belongs to that provider.',
    ].map((message) => [1, `moorage user link: ${message}\n`]),
  );
  expect((await user('bob')).identity).toBeNull();
  const { status, stderr } = await command(['user', 'link', '--login', 'bob']);
  expect([status, stderr.split('\n')[0]]).toEqual([
    2,
    "error: required option '--subject <subject>' not specified",
  ]);
});

test('doctor fails if the provider refuses the client secret', async () => {
  const checkOf = async (secret: string) => {
    const { status, stdout } = await command(['doctor', '--json'], {
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: OUR_CLIENT.id,
      OIDC_CLIENT_SECRET: secret,
    });
    const { ok, checks } = JSON.parse(stdout) as {
      ok: boolean;
      checks: { name: string; outcome: string; detail: string }[];
    };
    const { name: _name, ...check } = checks.find(({ name }) => name === 'OpenID provider')!;
    return { status, ok, check };
  };
  expect(await checkOf(OUR_CLIENT.secret)).toMatchObject({
    check: {
      outcome: 'ok',
      detail: `${new URL(provider.issuer).host} answers and accepts the client`,
    },
  });
  expect(await checkOf('planted-wrong')).toEqual({
    status: 1,
    ok: false,
    check: {
      outcome: 'failed',
      detail:
        'The OpenID provider refuses this service as its client (invalid_client). ' +
        'Check OIDC_CLIENT_ID and OIDC_CLIENT_SECRET.',
    },
  });
});

test('user link and doctor say that the provider cannot be reached', async () => {
  const away = 'The OpenID provider of OIDC_ISSUER cannot be used at the moment: ';
  provider.fault({ status: 503 });
  try {
    const { status, stderr } = await link('bob', 'x');
    expect([status, stderr]).toEqual([1, expect.stringContaining(`moorage user link: ${away}`)]);
    expect((await user('bob')).identity).toBeNull();
    const { checks } = JSON.parse((await command(['doctor', '--json'])).stdout) as {
      checks: { name: string }[];
    };
    expect(checks.filter(({ name }) => /^(OpenID provider|administrators)$/.test(name))).toEqual([
      {
        name: 'OpenID provider',
        outcome: 'failed',
        detail: expect.stringContaining(away),
      },
      { name: 'administrators', outcome: 'skipped', detail: 'needs OpenID provider' },
    ]);
  } finally {
    provider.repair();
  }
});

/** The configured OpenID provider: sign-in, its tokens as bearer tokens, and its users' tokens for other services. */
import { linkUser } from '../../../src/actions/people/directory/link-user.js';
import { COMMAND } from '../../../src/audit/record.js';
import { createPublicKey, generateKeyPairSync, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JWTPayload } from 'jose';
import type { ProviderClient } from '../../../src/auth/openid/client.js';
import { IdentityTokens } from '../../../src/auth/openid/tokens.js';
import { Deadline } from '../../../src/outbound/deadline.js';
import { startApp, startBeside, type App } from '../../support/app.js';
import { until } from '../../support/cli.js';
import { errorBody } from '../../support/expected.js';
import {
  OUR_CLIENT,
  startIdentityProvider,
  type IdentityProvider,
  type MintOptions,
} from '../../support/fakes/identity-provider.js';
import type { Person } from '../../support/factories.js';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '../../support/jest.js';
import { ask, head } from '../../support/raw.js';
import { PASSWORD, signable } from './support/applications.js';
import { me } from './support/grants.js';
import { Visitor } from '../../support/browser-visitor.js';

let provider: IdentityProvider;
let app: App;
let beside: App;
beforeAll(async () => {
  provider = await startIdentityProvider();
  const settings = {
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: OUR_CLIENT.id,
    OIDC_CLIENT_SECRET: OUR_CLIENT.secret,
    OIDC_AUDIENCE: 'moorage-api',
  };
  provider.audience = ['moorage-api'];
  app = await startApp(settings);
  beside = await startBeside(app, { BASE_URL: app.url });
});
beforeEach(() => {
  provider.repair();
  provider.refreshable = true;
  provider.seconds = 600;
  provider.forget();
});
afterAll(async () => {
  await beside?.stop();
  await app?.stop();
  await provider?.close();
});

const refused = errorBody('Unauthenticated', 'You did not provide the correct credentials.');
const row = (person: { id: number }) =>
  app.running.services.db.read('users').where({ id: person.id }).first();
const tokenRow = (person: { id: number }) =>
  app.running.services.db.read('identity_tokens').where({ user_id: person.id }).first();
const sessionsOf = (person: { id: number }) =>
  app.running.services.db.write('sessions').where({ user_id: person.id });
const users = (person: { id: number }) =>
  app.running.services.db.write('users').where({ id: person.id });
const calls = (path: string) => provider.requests.filter((one) => one.path === path).length;
const grantsOf = (type: string) =>
  provider.requests.filter((one) => one.path === '/token' && one.body.toString().includes(type))
    .length;

/** Goes to the provider, signs in there, and comes back. */
async function signIn(
  visitor: Visitor,
  name: string,
  query = '',
): Promise<ReturnType<Visitor['get']>> {
  const sent = await visitor.get(`/login/openid${query}`);
  return visitor.get(await consented(sent.location!, name));
}

/** Signs in on the provider's page. @returns the path of our callback */
async function consented(location: string, name: string): Promise<string> {
  const form = new URL(location).searchParams;
  form.set('name', name);
  const answer = await fetch(new URL('/authorize', location), {
    method: 'POST',
    body: form,
    redirect: 'manual',
  });
  const { pathname, search } = new URL(answer.headers.get('location')!);
  return pathname + search;
}

describe('signing in', () => {
  test('links a user by login once, encrypts the tokens, and redirects back', async () => {
    const person = await app.given.user({ login: 'carla' });
    provider.people.set('carla', { sub: 's-carla', preferred_username: 'carla' });
    const visitor = new Visitor(app);
    const page = await visitor.get('/login?return_to=%2Fapi%2Fv3%2Fusers%2Fme');
    expect(page.text).toContain(
      `<a href="/login/openid?return_to=%2Fapi%2Fv3%2Fusers%2Fme">Sign in with ${new URL(provider.issuer).host}</a>`,
    );
    const arrived = await signIn(visitor, 'carla', '?return_to=/api/v3/users/me');
    expect({ status: arrived.status, location: arrived.location }).toEqual({
      status: 303,
      location: '/api/v3/users/me',
    });
    expect(JSON.parse((await visitor.get('/api/v3/users/me')).text).id).toBe(person.id);
    expect(await row(person)).toMatchObject({ identity: `${provider.issuer} s-carla` });
    const kept = await tokenRow(person);
    expect([kept.access_token, kept.refresh_token]).toEqual([
      expect.stringMatching(/^1\./),
      expect.stringMatching(/^1\./),
    ]);
    // From now on the identity counts, not the login.
    provider.people.set('carla', { sub: 's-carla', preferred_username: 'somebody-else' });
    expect((await signIn(new Visitor(app), 'carla')).status).toBe(303);
  });

  test('OIDC_NAME is what the sign-in page calls the provider', async () => {
    const named = await startBeside(app, { OIDC_NAME: 'Company <login>' });
    try {
      const { text } = await new Visitor(named).get('/login');
      expect(text).toContain('>Sign in with Company &lt;login&gt;</a>');
    } finally {
      await named.stop();
    }
  });

  test('links by a verified e-mail address only, and never a user who is locked or has an identity', async () => {
    const person = await app.given.user({ login: 'emil', email: 'Emil@example.test' });
    provider.people.set('unverified', { sub: 's-1', email: 'emil@example.test' });
    provider.people.set('emil', { sub: 's-2', email: 'emil@example.test', email_verified: true });
    provider.people.set('thief', { sub: 's-3', preferred_username: 'emil' });
    const unknown = await signIn(new Visitor(app), 'unverified');
    expect(unknown.status).toBe(403);
    expect(unknown.text).toContain('knows you, but nobody here has your identity');
    // The person passes the code on, and administrators find the identity by it.
    const [, code] = /tell them the code ([\dA-F]{8})\./.exec(unknown.text) ?? [];
    const lines = app.logLines
      .map((line) => JSON.parse(line) as { code?: string; msg: string })
      .filter((line) => line.code !== undefined && line.code === code);
    expect(lines).toEqual([
      expect.objectContaining({
        issuer: provider.issuer,
        subject: 's-1',
        msg: 'nobody here has this identity; `moorage user link --login LOGIN --subject SUBJECT` links it',
      }),
    ]);
    expect((await signIn(new Visitor(app), 'emil')).status).toBe(303);
    expect(await row(person)).toMatchObject({ identity: `${provider.issuer} s-2` });
    expect((await signIn(new Visitor(app), 'thief')).status).toBe(403);
    await app.given.user({ login: 'locked', status: 'locked' });
    for (const login of ['locked', 'anonymous', 'moorage-system']) {
      provider.people.set(login, { sub: `s-${login}`, preferred_username: login });
      expect((await signIn(new Visitor(app), login)).status).toBe(403);
    }
  });

  test('never links an administrator or a user with a password, not even by a verified e-mail address', async () => {
    const admin = await app.given.user({
      login: 'the-admin',
      email: 'admin@example.test',
      admin: true,
    });
    const keeper = await signable(app, { login: 'keeper', email: 'keeper@example.test' });
    for (const [sub, person] of [
      ['s-admin', admin],
      ['s-keeper', keeper],
    ] as const) {
      const { email } = await row(person);
      for (const more of [{}, { email }, { email, email_verified: true }]) {
        provider.people.set(sub, { sub, preferred_username: person.login, ...more });
        expect((await signIn(new Visitor(app), sub)).status).toBe(403);
        const token = await provider.mint({
          sub,
          preferred_username: person.login,
          ...more,
          aud: 'moorage-api',
          scope: 'api_v3',
        });
        expect(await me(app, token)).toMatchObject({ status: 401 });
      }
      expect((await row(person)).identity).toBeNull();
    }
  });

  test('links nobody by an e-mail address of two people, one of them an administrator', async () => {
    const email = 'shared@example.test';
    const person = await app.given.user({ login: 'sharing', email });
    await app.given.user({ login: 'sharing-admin', email, admin: true });
    provider.people.set('sharing', { sub: 's-sharing', email, email_verified: true });
    expect((await signIn(new Visitor(app), 'sharing')).status).toBe(403);
    expect((await row(person)).identity).toBeNull();
  });

  test('links by an e-mail address only if all letters but ASCII ones are the same', async () => {
    const kelvin = '\u212A';
    const addresses = {
      kim: ['kim@example.test', `${kelvin}im@example.test`],
      kay: [`${kelvin}ay@example.test`, 'kay@example.test'],
      emile: ['Émile@example.test', 'émile@example.test'],
      etta: ['Étta@example.test', 'ÉTTA@EXAMPLE.test'],
    };
    const statuses: { [name: string]: number } = {};
    for (const [name, [email, claimed]] of Object.entries(addresses)) {
      await app.given.user({ login: `letters-${name}`, email: email! });
      provider.people.set(name, { sub: `s-${name}`, email: claimed!, email_verified: true });
      statuses[name] = (await signIn(new Visitor(app), name)).status;
    }
    expect(statuses).toEqual({ kim: 403, kay: 403, emile: 403, etta: 303 });
  });

  test('of one identity by two claims at once links one login', async () => {
    for (let round = 0; round < 5; round += 1) {
      const login = `claimed-${round}`;
      const email = `${login}@example.test`;
      await app.given.user({ login });
      await app.given.user({ login: `${login}-too`, email });
      const sub = `s-${login}`;
      // Two people at the provider's page are one identity with different claims.
      provider.people.set('one', { sub, preferred_username: login });
      provider.people.set('two', { sub, email, email_verified: true });
      const answers = await Promise.all(
        [app, beside, app, beside].map((server, index) =>
          signIn(new Visitor(server), index % 4 < 2 ? 'one' : 'two'),
        ),
      );
      expect(answers.map(({ status }) => status)).toEqual([303, 303, 303, 303]);
      const identity = `${provider.issuer} ${sub}`;
      expect(await app.running.services.db.read('users').where({ identity })).toHaveLength(1);
    }
  });

  test('neither begins a session nor stores a token if the identity is replaced meanwhile', async () => {
    const person = await app.given.user({ login: 'replaced' });
    provider.people.set('replaced', { sub: 's-replaced', preferred_username: 'replaced' });
    const visitor = new Visitor(app);
    const claims = { sub: 's-replaced', aud: 'moorage-api', scope: 'api_v3' };
    for (const arrives of [
      async () => {
        const callback = await consented(
          (await visitor.get('/login/openid')).location!,
          'replaced',
        );
        return () => visitor.get(callback);
      },
      async () => {
        const token = await provider.mint(claims);
        return () => me(app, token);
      },
    ]) {
      await users(person).update({ identity: `${provider.issuer} s-replaced` });
      const arrive = await arrives();
      const replacing = await app.running.services.db.write.transaction();
      await replacing('users')
        .where({ id: person.id })
        .update({ identity: `${provider.issuer} s-other` });
      const answered = arrive();
      await sleep(500);
      await replacing.commit();
      await answered;
      expect(await tokenRow(person)).toBeUndefined();
    }
    expect(await sessionsOf(person)).toEqual([]);
    expect(visitor.cookies.has('moorage_session')).toBe(false);
  });

  test('links by the claims of OIDC_LINK_BY only', async () => {
    const byName = await app.given.user({ login: 'by-name' });
    const byMail = await app.given.user({ login: 'by-mail', email: 'by-mail@example.test' });
    provider.people.set('by-name', { sub: 's-by-name', preferred_username: 'by-name' });
    provider.people.set('by-mail', {
      sub: 's-by-mail',
      email: 'by-mail@example.test',
      email_verified: true,
    });
    const statuses = async (OIDC_LINK_BY: string) => {
      const server = await startBeside(app, { BASE_URL: app.url, OIDC_LINK_BY });
      try {
        const seen = [];
        for (const name of ['by-name', 'by-mail'])
          seen.push((await signIn(new Visitor(server), name)).status);
        return seen;
      } finally {
        await server.stop();
      }
    };
    expect(await statuses('none')).toEqual([403, 403]);
    expect(await statuses('email')).toEqual([403, 303]);
    expect((await row(byName)).identity).toBeNull();
    expect(await statuses('preferred_username')).toEqual([303, 303]);
    expect((await row(byMail)).identity).toBe(`${provider.issuer} s-by-mail`);
  });

  test('that is refused is in the audit, and so is the identity that an operator links', async () => {
    const admin = await app.given.user({ admin: true });
    const since = new Date().toISOString();
    const entries = async (kind: string) =>
      (
        await app.graphql(
          'query ($filter: AuditEventFilter) { auditEvents(filter: $filter) { nodes { credential address subjectId } } }',
          { filter: { kinds: [kind], after: since } },
          admin,
        )
      ).data.auditEvents.nodes;
    provider.people.set('nobody-here', { sub: 's-nobody-here' });
    expect((await signIn(new Visitor(app), 'nobody-here')).status).toBe(403);
    expect(await entries('SIGN_IN_REFUSED')).toEqual([
      { credential: null, address: expect.stringMatching(/127\.0\.0\.1$/), subjectId: null },
    ]);
    // Whoever comes without our cookie writes nothing.
    await new Visitor(app).get('/login/openid/callback?code=x&state=y');
    expect(await entries('SIGN_IN_REFUSED')).toHaveLength(1);
    const person = await app.given.user({ login: 'linked-by-hand' });
    await linkUser({ ...app.running.services, actor: COMMAND }, (await row(person)) as never, {
      issuer: provider.issuer,
      subject: 's-nobody-here',
    });
    expect(await entries('USER_IDENTITY_LINKED')).toEqual([
      {
        credential: 'COMMAND',
        address: null,
        subjectId: Buffer.from(`User:${person.id}`).toString('base64url'),
      },
    ]);
  });

  test('fails if the name, subject or address cannot be stored', async () => {
    const person = await app.given.user({ login: 'odd', email: 'odd@example.test' });
    const identities: { [name: string]: Parameters<typeof provider.people.set>[1] } = {
      'a name with NUL': { sub: 's-odd-1', preferred_username: 'od\0d' },
      'an address with NUL': { sub: 's-odd-2', email: 'odd\0@example.test', email_verified: true },
      'a subject with NUL': {
        sub: 's-odd\0',
        preferred_username: 'odd',
        email: 'odd@example.test',
        email_verified: true,
      },
      'a subject with half a character': {
        sub: 's-odd-\ud800',
        preferred_username: 'odd',
        email: 'odd@example.test',
        email_verified: true,
      },
      'a subject of 700 characters': {
        sub: 's'.repeat(700),
        preferred_username: 'odd',
        email: 'odd@example.test',
        email_verified: true,
      },
    };
    for (const [name, identity] of Object.entries(identities)) {
      provider.people.set(name, identity);
      const visitor = new Visitor(app);
      const { status, text } = await signIn(visitor, name);
      expect({
        name,
        status,
        explained: text.includes('knows you, but nobody here has your identity'),
      }).toEqual({ name, status: 403, explained: true });
      expect({ name, status: (await visitor.get('/api/v3/users/me')).status }).toEqual({
        name,
        status: (await new Visitor(app).get('/api/v3/users/me')).status,
      });
    }
    expect((await row(person)).identity).toBeNull();
  });

  test('refuses a callback whose URL has an impossible host or port', async () => {
    const answer = await ask(
      app,
      head('GET', 'http://a:99999/login/openid/callback?code=x&state=y'),
    );
    expect([
      answer.status,
      answer.text.includes('does not belong to a sign-in that was begun in this browser'),
    ]).toEqual([400, true]);
  });

  test('is bound to the browser, the state and the nonce, and works once', async () => {
    await app.given.user({ login: 'nora' });
    provider.people.set('nora', { sub: 's-nora', preferred_username: 'nora' });
    const attacker = new Visitor(app);
    const callback = await consented((await attacker.get('/login/openid')).location!, 'nora');
    // Another browser, which did not start this sign-in.
    const victim = await new Visitor(app).get(callback);
    expect(victim.status).toBe(400);
    expect(victim.text).toContain('does not belong to a sign-in that was begun in this browser');
    expect((await attacker.get(callback.replace(/state=[^&]*/, 'state=other'))).status).toBe(400);
    const honest = new Visitor(app);
    const mine = await consented((await honest.get('/login/openid')).location!, 'nora');
    expect((await honest.get(mine)).status).toBe(303);
    expect((await honest.get(mine)).status).toBe(400);
    // The code of another sign-in has another nonce and verifier.
    const third = new Visitor(app);
    const begun = new URL((await third.get('/login/openid')).location!);
    const foreign = new URL(
      await consented((await new Visitor(app).get('/login/openid')).location!, 'nora'),
      app.url,
    ).searchParams.get('code')!;
    expect(
      (
        await third.get(
          `/login/openid/callback?code=${foreign}&state=${begun.searchParams.get('state')}`,
        )
      ).status,
    ).toBe(403);
    const denied = new Visitor(app);
    const state = new URL((await denied.get('/login/openid')).location!).searchParams.get('state');
    expect(
      (await denied.get(`/login/openid/callback?error=access_denied&state=${state}`)).status,
    ).toBe(403);
  });

  test('shows an error while the provider is unavailable, and works again afterwards', async () => {
    const other = await startBeside(app, { BASE_URL: app.url });
    try {
      provider.fault(
        { status: 500 },
        ({ path }) => path === '/.well-known/openid-configuration',
        1,
      );
      const down = await new Visitor(other).get('/login/openid');
      expect({
        status: down.status,
        said: down.text.includes('The sign-in service cannot be reached at the moment.'),
      }).toEqual({ status: 503, said: true });
      expect((await new Visitor(other).get('/login/openid')).status).toBe(303);
    } finally {
      await other.stop();
    }
  });
});

describe('linking an identity after a sign-in with a password', () => {
  /** Follows the form of the page. @returns the path of our callback */
  async function begun(visitor: Visitor, name: string): Promise<string> {
    const page = await visitor.post('/login/openid/link', {});
    const next = /<a href="([^"]+)" autofocus>/.exec(page.text)![1]!.replaceAll('&amp;', '&');
    // The provider asks who it is, whoever is signed in there.
    expect([page.status, new URL(next).searchParams.get('prompt')]).toEqual([200, 'login']);
    return consented(next, name);
  }
  const signedInAs = async (login: string): Promise<Visitor> => {
    const visitor = new Visitor(app);
    expect((await visitor.signIn(login, PASSWORD)).status).toBe(303);
    return visitor;
  };
  const host = () => new URL(provider.issuer).host;

  test('works for an administrator once, and is written to the log', async () => {
    const admin = await signable(app, { login: 'linking-admin', admin: true });
    provider.people.set('linking', { sub: 's-linking' });
    const visitor = await signedInAs('linking-admin');
    expect((await visitor.get('/login')).text).toContain(
      `<button>Link an identity at ${host()}</button>`,
    );
    const answer = await visitor.get(await begun(visitor, 'linking'));
    expect({ status: answer.status, location: answer.location }).toEqual({
      status: 303,
      location: '/login',
    });
    expect(await row(admin)).toMatchObject({ identity: `${provider.issuer} s-linking` });
    expect((await visitor.get('/login')).text).not.toContain('Link an identity');
    expect(app.logLines.map((line) => JSON.parse(line) as object)).toContainEqual(
      expect.objectContaining({
        level: 40,
        user: admin.id,
        by: 'page',
        msg: 'an identity was linked to a user',
      }),
    );
    const later = new Visitor(app);
    expect((await signIn(later, 'linking')).status).toBe(303);
    expect(JSON.parse((await later.get('/api/v3/users/me')).text).id).toBe(admin.id);
    // Another identity does not replace it.
    provider.people.set('second', { sub: 's-second' });
    const again = await visitor.get(await begun(visitor, 'second'));
    expect(again.status).toBe(403);
    expect(again.text).toContain('You have an identity already, or this identity at');
    expect(await row(admin)).toMatchObject({ identity: `${provider.issuer} s-linking` });
  });

  test('refuses an identity of another login', async () => {
    const person = await signable(app, { login: 'late-linker' });
    await app.given.user({ login: 'first-holder' });
    provider.people.set('held', { sub: 's-held', preferred_username: 'first-holder' });
    expect((await signIn(new Visitor(app), 'held')).status).toBe(303);
    const visitor = await signedInAs('late-linker');
    expect((await visitor.get(await begun(visitor, 'held'))).status).toBe(403);
    expect((await row(person)).identity).toBeNull();
  });

  test('needs a form of our own page, and the same session until the end', async () => {
    const person = await signable(app, { login: 'own-session' });
    const other = await signable(app, { login: 'other-session' });
    provider.people.set('own', { sub: 's-own' });
    const visitor = await signedInAs('own-session');
    const forged = await visitor.post('/login/openid/link', {}, { 'sec-fetch-site': 'cross-site' });
    expect([forged.status, (await visitor.get('/login/openid/link')).status]).toEqual([403, 404]);
    expect((await new Visitor(app).post('/login/openid/link', {})).location).toMatch(/^\/login\?/);
    const callback = await begun(visitor, 'own');
    await visitor.signIn('other-session', PASSWORD);
    expect((await visitor.get(callback)).status).toBe(400);
    for (const end of [
      (leaving: Visitor) => leaving.post('/logout', {}),
      () => sessionsOf(person).update({ expires_at: '2020-01-01T00:00:00.000Z' }),
    ]) {
      let release = () => {};
      const released = new Promise<void>((resolve) => (release = resolve));
      const leaving = await signedInAs('own-session');
      const late = await begun(leaving, 'own');
      provider.forget();
      provider.fault({ hold: () => released }, ({ path }) => path === '/token', 1);
      const answered = leaving.get(late);
      await until(() => calls('/token') === 1, 'the code is exchanged');
      await end(leaving);
      release();
      const { status, text } = await answered;
      expect([status, text.includes('your session has ended')]).toEqual([403, true]);
      expect((await row(person)).identity).toBeNull();
    }
    const signedOut = await signedInAs('own-session');
    const abandoned = await begun(signedOut, 'own');
    await signedOut.post('/logout', {});
    expect((await signedOut.get(abandoned)).status).toBe(400);
    expect([(await row(person)).identity, (await row(other)).identity]).toEqual([null, null]);
  });
});

describe('an issuer with a path that ends in a slash', () => {
  let other: IdentityProvider;
  beforeAll(async () => {
    other = await startIdentityProvider('/application/o/app/');
  });
  afterAll(() => other?.close());
  const claims = {
    sub: 's-slash',
    preferred_username: 'slash',
    aud: OUR_CLIENT.id,
    scope: 'openid api_v3',
  };
  const configured = (OIDC_ISSUER: string) =>
    startBeside(app, { OIDC_ISSUER, OIDC_AUDIENCE: OUR_CLIENT.id, BASE_URL: app.url });

  test('is found, signs users in and issues valid tokens, if written exactly so', async () => {
    const person = await app.given.user({ login: 'slash' });
    other.people.set('slash', { sub: 's-slash', preferred_username: 'slash' });
    const server = await configured(other.issuer);
    try {
      const visitor = new Visitor(server);
      const arrived = await visitor.get(
        await consented((await visitor.get('/login/openid')).location!, 'slash'),
      );
      expect({ status: arrived.status, location: arrived.location }).toEqual({
        status: 303,
        location: '/',
      });
      expect(await row(person)).toMatchObject({
        identity: `${other.url}/application/o/app/ s-slash`,
      });
      expect((await me(server, await other.mint(claims))).body.id).toBe(person.id);
      for (const iss of [`${other.url}/application/o/app`, `${other.issuer}/`, other.url, 'slash'])
        expect({
          iss,
          status: (await me(server, await other.mint({ ...claims, iss }))).status,
        }).toEqual({ iss, status: 401 });
    } finally {
      await server.stop();
    }
  });

  test('differs from the same issuer without the slash', async () => {
    const server = await configured(other.issuer.replace(/\/$/, ''));
    try {
      expect((await new Visitor(server).get('/login/openid')).status).toBe(503);
      expect((await me(server, await other.mint(claims))).status).toBe(401);
    } finally {
      await server.stop();
    }
  });
});

describe('a JWT as bearer', () => {
  let person: Person;
  let good: JWTPayload;
  beforeAll(async () => {
    person = await app.given.user({ login: 'jwt-user' });
    good = {
      sub: 's-jwt',
      preferred_username: 'jwt-user',
      aud: 'moorage-api',
      scope: 'openid api_v3',
    };
  });

  test('authenticates its user, with one audience or several, if its type or scope shows that it is an access token', async () => {
    expect((await me(app, await provider.mint(good))).body.id).toBe(person.id);
    const { scope: _, ...scopeless } = good;
    const others: [JWTPayload, MintOptions?][] = [
      [
        { ...good, aud: ['other', 'moorage-api'], azp: 'file-server', typ: 'Bearer' },
        { typ: 'JWT' },
      ],
      [{ ...scopeless, scp: ['api_v3'] }],
      [{ ...scopeless, scp: 'openid api_v3' }],
      [scopeless, { typ: 'at+jwt' }],
      [scopeless, { typ: 'application/at+JWT' }],
    ];
    for (const [claims, options] of others)
      expect({
        claims,
        status: (await me(app, await provider.mint(claims, options))).status,
      }).toEqual({ claims, status: 200 });
    const graphql = await app.request('POST', '/graphql', {
      json: { query: '{ viewer { login } }' },
      headers: { authorization: `Bearer ${await provider.mint(good)}` },
    });
    expect(graphql.body.data).toEqual({ viewer: { login: 'jwt-user' } });
  });

  test('without the scope answers 403', async () => {
    const challenge = 'Bearer realm="Moorage API", error="insufficient_scope", scope="api_v3"';
    for (const token of [
      await provider.mint({ ...good, scope: 'openid profile' }),
      await provider.mint({ ...good, scope: undefined, scp: ['api_v3x'] }, { typ: 'at+jwt' }),
      await provider.mint({ ...good, scope: { toString: 1 } }),
    ]) {
      const { status, body, headers } = await me(app, token);
      expect({ status, body, challenge: headers.get('www-authenticate') }).toEqual({
        status: 403,
        body: errorBody('InsufficientScope', 'The access token does not have the scope api_v3.'),
        challenge,
      });
      const graphql = await app.request('POST', '/graphql', {
        json: { query: '{ viewer { login } }' },
        headers: { authorization: `Bearer ${token}` },
      });
      expect([graphql.status, graphql.headers.get('www-authenticate')]).toEqual([403, challenge]);
    }
  });

  test('is linked by login only to a user who has no password and is no administrator', async () => {
    const admin = await app.given.user({
      login: 'jwt-admin',
      email: 'jwt-admin@example.test',
      admin: true,
    });
    const keeper = await signable(app, { login: 'jwt-keeper', email: 'jwt-keeper@example.test' });
    const plain = await app.given.user({ login: 'jwt-plain', email: 'jwt-plain@example.test' });
    const bearer = async (sub: string, claims: JWTPayload) =>
      (
        await me(
          app,
          await provider.mint({ ...good, sub, preferred_username: undefined, ...claims }),
        )
      ).status;
    for (const { login } of [admin, keeper])
      expect(
        await bearer(`s-${login}`, {
          preferred_username: login,
          email: `${login}@example.test`,
          email_verified: true,
        }),
      ).toBe(401);
    expect(
      await bearer('s-jwt-plain', { email: 'jwt-plain@example.test', email_verified: true }),
    ).toBe(401);
    expect(await bearer('s-jwt-plain', { preferred_username: 'jwt-plain' })).toBe(200);
    expect(
      [await row(admin), await row(keeper), await row(plain)].map(({ identity }) => identity),
    ).toEqual([null, null, `${provider.issuer} s-jwt-plain`]);
    // Users who are linked already can use a token, too.
    await app.running.services.db
      .write('users')
      .where({ id: keeper.id })
      .update({ identity: `${provider.issuer} s-jwt-keeper` });
    expect(await bearer('s-jwt-keeper', {})).toBe(200);
  });

  test('with a name, subject or address that cannot be stored answers 401, also next to an existing login', async () => {
    const odd = await app.given.user({ login: 'jwt-odd', email: 'jwt-odd@example.test' });
    const bearer = async (claims: JWTPayload) =>
      me(
        app,
        await provider.mint({
          ...good,
          sub: 's-jwt-odd',
          preferred_username: 'jwt-odd',
          ...claims,
        }),
      );
    const nobody = errorBody(
      'Unauthenticated',
      'The token is good, but nobody here has its identity.',
    );
    for (const claims of [
      { preferred_username: 'jwt\0-odd' },
      { preferred_username: undefined, email: 'jwt-odd\0@example.test', email_verified: true },
      { sub: 's-jwt-odd\0' },
      { sub: 's-jwt-odd-\ud800' },
      { sub: 's'.repeat(700) },
    ]) {
      const { status, body } = await bearer(claims);
      expect({ claims, status, body }).toEqual({ claims, status: 401, body: nobody });
    }
    expect((await row(odd)).identity).toBeNull();
    // Values as long as the column are accepted, longer ones are not.
    const longest = 's'.repeat(600 - `${provider.issuer} `.length);
    expect((await bearer({ sub: `${longest}s` })).status).toBe(401);
    expect((await bearer({ sub: longest })).body.id).toBe(odd.id);
    // A linked user has an identity, whatever the other claims say.
    expect(
      (
        await bearer({
          sub: longest,
          preferred_username: 'jwt\0-odd',
          email: '\0',
          email_verified: true,
        })
      ).body.id,
    ).toBe(odd.id);
  });

  test('that is forged, expired or of another issuer answers 401, and the log has the reason without the token', async () => {
    const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
    const publicKey = createPublicKey({ key: provider.publicJwk() as never, format: 'jwk' });
    const now = Math.floor(Date.now() / 1000);
    const attacks: { [name: string]: [JWTPayload, MintOptions?] } = {
      'alg none': [good, { alg: 'none' }],
      'key confusion with the PEM': [
        good,
        { alg: 'HS256', key: Buffer.from(publicKey.export({ type: 'spki', format: 'pem' })) },
      ],
      'key confusion with the DER': [
        good,
        { alg: 'HS256', key: publicKey.export({ type: 'spki', format: 'der' }) },
      ],
      'key confusion with the modulus': [
        good,
        { alg: 'HS256', key: Buffer.from(provider.publicJwk().n!, 'base64url') },
      ],
      'another key under the same id': [good, { key: stranger }],
      'wrong issuer': [{ ...good, iss: 'https://elsewhere.example.test' }],
      'wrong audience': [{ ...good, aud: 'other' }],
      'no audience': [{ sub: 's-jwt' }],
      expired: [{ ...good, exp: now - 60 }],
      'not yet': [{ ...good, nbf: now + 120 }],
      nobody: [{ ...good, sub: 's-nobody', preferred_username: 'nobody-at-all' }],
      'a logout token': [good, { typ: 'logout+jwt' }],
      'another kind of JWT': [good, { typ: 'application/jwt' }],
      'no sign of an access token': [{ ...good, scope: undefined }],
      'an ID token': [{ ...good, scope: undefined }, { typ: 'JWT' }],
      'an ID token by its nonce': [{ ...good, nonce: 'n' }, { typ: 'at+jwt' }],
      'an ID token by the hash of its access token': [{ ...good, at_hash: 'h' }],
      'an ID token by the hash of its code': [{ ...good, c_hash: 'h' }],
      'an ID token by its type': [{ ...good, typ: 'ID' }],
      'a refresh token by its type': [{ ...good, typ: 'Refresh' }],
      'an issuer that is no text': [{ ...good, iss: 5 as never }],
    };
    for (const [name, [claims, options]] of Object.entries(attacks)) {
      const token = await provider.mint(claims, options);
      const from = app.logLines.length;
      const { status, body, headers } = await me(app, token);
      expect({
        name,
        status,
        type: body._type,
        challenge: headers.get('www-authenticate'),
      }).toEqual({
        name,
        status: 401,
        type: 'Error',
        challenge: expect.stringContaining('error="invalid_token"'),
      });
      if (name !== 'nobody') expect(body).toEqual(refused);
      const lines = app.logLines.slice(from).join('');
      expect({
        name,
        said: lines.includes('a token of the OpenID provider was refused'),
        leaked: lines.includes(token) || lines.includes(token.split('.')[1]!),
      }).toEqual({ name, said: true, leaked: false });
    }
    const [header, payload, signature] = (await provider.mint(good)).split('.');
    const altered = Buffer.from(
      JSON.stringify({ ...good, iss: provider.issuer, exp: now + 600, sub: 's-carla' }),
    ).toString('base64url');
    for (const token of [
      `${header}.${altered}.${signature}`,
      `${header}.${payload}.`,
      `${header}.${payload}.AAAA`,
      'a.b.c',
      '..',
    ])
      expect((await me(app, token)).status).toBe(401);
  });

  test('without a real end is accepted, and stored for a year at most', async () => {
    const token = await provider.mint({ ...good, exp: 9e15 });
    expect((await me(app, token)).status).toBe(200);
    expect(Date.parse((await tokenRow(person)).expires_at) - Date.now()).toBeLessThanOrEqual(
      365 * 86_400_000,
    );
  });

  test('has a leeway of half a minute', async () => {
    expect(
      (await me(app, await provider.mint({ ...good, exp: Math.floor(Date.now() / 1000) - 10 })))
        .status,
    ).toBe(200);
  });

  test('with an unknown key makes the service load the keys once, not once per token', async () => {
    await me(app, await provider.mint(good));
    provider.forget();
    const flood = await Promise.all(
      Array.from({ length: 30 }, async () =>
        me(app, await provider.mint(good, { kid: randomBytes(4).toString('hex') })),
      ),
    );
    expect(new Set(flood.map(({ status }) => status))).toEqual(new Set([401]));
    expect(calls('/jwks')).toBeLessThanOrEqual(1);
  });

  test('answers 503, not 401, while the keys are unavailable', async () => {
    const other = await startBeside(app, { BASE_URL: app.url });
    try {
      provider.fault('reset', ({ path }) => path === '/jwks');
      const { status, body } = await me(other, await provider.mint(good));
      expect({ status, body }).toEqual({
        status: 503,
        body: errorBody(
          'ServiceUnavailable',
          'The OpenID provider cannot be reached at the moment. Try again shortly.',
        ),
      });
    } finally {
      await other.stop();
    }
  });

  test('stops working within two seconds when its user is locked', async () => {
    const leaving = await app.given.user({ login: 'leaving' });
    const token = await provider.mint({ ...good, sub: 's-leaving', preferred_username: 'leaving' });
    expect((await me(app, token)).status).toBe(200);
    await app.running.services.db
      .write('users')
      .where({ id: leaving.id })
      .update({ status: 'locked' });
    await sleep(1_500);
    expect((await me(app, token)).status).toBe(401);
  });
});

describe("a user's token for another service", () => {
  const openIdOf = (server: App) => server.running.services.openId!;
  let count = 0;
  /** A user who has signed in at the provider. */
  async function signedIn(): Promise<Person> {
    const login = `exchange-${(count += 1)}`;
    const person = await app.given.user({ login });
    provider.people.set(login, { sub: `s-${login}`, preferred_username: login });
    expect((await signIn(new Visitor(app), login)).status).toBe(303);
    return person;
  }
  const audience = (token: string | undefined) =>
    JSON.parse(Buffer.from(token!.split('.')[1]!, 'base64url').toString()).aud as string[];

  test('is the stored one if its audience matches or does not matter, else an exchanged one, requested once', async () => {
    const person = await signedIn();
    const kept = await openIdOf(app).tokenFor(person, 'moorage-api');
    expect(audience(kept)).toEqual(['moorage-api']);
    expect(await openIdOf(app).tokenFor(person, '__op-idp__')).toBe(kept);
    provider.exchangeable.add('files');
    const tokens = await Promise.all(
      Array.from({ length: 5 }, () => openIdOf(app).tokenFor(person, 'files')),
    );
    expect(new Set(tokens).size).toBe(1);
    expect(audience(tokens[0])).toEqual(['files']);
    expect(await openIdOf(app).tokenFor(person, 'files')).toBe(tokens[0]);
    expect(grantsOf('token-exchange')).toBe(1);
  });

  test('is missing without a sign-in, or after the provider revoked it; a refused exchange and other errors are thrown', async () => {
    const nobody = await app.given.user();
    expect(await openIdOf(app).tokenFor(nobody, '__op-idp__')).toBeUndefined();
    const person = await signedIn();
    await expect(openIdOf(app).tokenFor(person, 'forbidden')).rejects.toMatchObject({
      name: 'ExchangeRefused',
      message:
        'The OpenID provider gives you no token for the audience forbidden (invalid_target).',
    });
    for (const status of [401, 403]) {
      provider.fault(
        {
          status,
          headers: { 'content-type': 'application/json' },
          body: '{"error":"access_denied"}',
        },
        ({ path }) => path === '/token',
        1,
      );
      await expect(openIdOf(app).tokenFor(person, `refused-${status}`)).rejects.toMatchObject({
        name: 'ExchangeRefused',
        code: 'access_denied',
      });
    }
    for (const fault of [{ status: 500 }, 'reset'] as const) {
      provider.repair();
      provider.fault(fault, ({ path }) => path === '/token', 1);
      await expect(openIdOf(app).tokenFor(person, 'another')).rejects.toMatchObject({
        name: 'ProviderUnavailable',
      });
    }
    provider.repair();
    await leave(person, 30);
    provider.refreshTokens.clear();
    expect(await openIdOf(app).tokenFor(person, '__op-idp__')).toBeUndefined();
    expect(await tokenRow(person)).toBeUndefined();
  });

  test('is refreshed once for all processes when less than a minute is left', async () => {
    const person = await signedIn();
    await leave(person, 30);
    provider.fault({ delayMs: 200 }, ({ path }) => path === '/token');
    const tokens = await Promise.all(
      [app, beside, app, beside].map((server) => openIdOf(server).tokenFor(person, '__op-idp__')),
    );
    expect(new Set(tokens).size).toBe(1);
    expect(grantsOf('grant_type=refresh_token')).toBe(1);
    // The new refresh token was stored.
    await leave(person, 30);
    expect(await openIdOf(beside).tokenFor(person, '__op-idp__')).not.toBe(tokens[0]);
  });

  test('is used until it expires if it cannot be refreshed, and can be refreshed after that', async () => {
    const person = await signedIn();
    const first = await openIdOf(app).tokenFor(person, '__op-idp__');
    provider.fault({ status: 503 }, ({ path }) => path === '/token', 2);
    await leave(person, 30);
    expect(await openIdOf(app).tokenFor(person, '__op-idp__')).toBe(first);
    await leave(person, -1);
    await expect(openIdOf(app).tokenFor(person, '__op-idp__')).rejects.toMatchObject({
      name: 'ProviderUnavailable',
    });
    expect(await openIdOf(app).tokenFor(person, '__op-idp__')).not.toBe(first);
  });

  test('is refreshed to the end even if the waiting requests time out', async () => {
    for (const left of [30, -1]) {
      const person = await signedIn();
      const first = await openIdOf(app).tokenFor(person, '__op-idp__');
      await leave(person, left);
      let release = () => {};
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      provider.fault({ hold: () => released }, ({ path }) => path === '/token', 1);
      const impatient = openIdOf(app).tokenFor(person, '__op-idp__', new Deadline(200));
      if (left > 0) expect(await impatient).toBe(first);
      else await expect(impatient).rejects.toThrow('it did not answer in time');
      release();
      const next = await openIdOf(app).tokenFor(person, '__op-idp__');
      expect(next).not.toBe(first);
    }
    expect(grantsOf('grant_type=refresh_token')).toBe(2);
  });

  test('is ready for the next request if the refresh took at most three times the time-out', async () => {
    const hasty = await startBeside(app, { BASE_URL: app.url, STORAGE_TIMEOUT_MS: '1500' });
    let isLate = () => {};
    const late = new Promise<void>((resolve) => {
      isLate = resolve;
    });
    try {
      const person = await signedIn();
      await leave(person, -1);
      const before = await tokenRow(person);
      // By then, every request with the usual time-out has ended.
      provider.fault(
        { hold: () => late.then(() => sleep(300)) },
        ({ path }) => path === '/token',
        1,
      );
      await expect(openIdOf(hasty).tokenFor(person, '__op-idp__')).rejects.toThrow(
        'it did not answer in time',
      );
      isLate();
      await until(
        async () => (await tokenRow(person)).access_token !== before.access_token,
        'the refreshed token is kept',
      );
      const next = await openIdOf(hasty).tokenFor(person, '__op-idp__');
      expect([next, grantsOf('grant_type=refresh_token')]).toEqual([expect.any(String), 1]);
      // This provider accepts a refresh token only once.
      await leave(person, -1);
      expect(await openIdOf(hasty).tokenFor(person, '__op-idp__')).not.toBe(next);
    } finally {
      isLate();
      await hasty.stop();
    }
  });

  test('is exchanged to the end even if the first waiting request times out', async () => {
    const person = await signedIn();
    provider.exchangeable.add('slow');
    provider.fault({ delayMs: 400 }, ({ path }) => path === '/token', 1);
    const [impatient, patient] = await Promise.allSettled([
      openIdOf(app).tokenFor(person, 'slow', new Deadline(150)),
      openIdOf(app).tokenFor(person, 'slow'),
    ]);
    expect([impatient.status, patient]).toEqual([
      'rejected',
      { status: 'fulfilled', value: expect.any(String) },
    ]);
    expect(grantsOf('token-exchange')).toBe(1);
  });

  /** Runs a refresh during which something happens in the database. */
  async function refreshWhile(
    person: Person,
    happens: () => Promise<unknown>,
  ): Promise<string | undefined> {
    await leave(person, -1);
    provider.fault({ delayMs: 300 }, ({ path }) => path === '/token', 1);
    const refreshed = openIdOf(app).tokenFor(person, '__op-idp__');
    await sleep(150);
    await happens();
    return refreshed;
  }
  const rows = (person: Person) =>
    app.running.services.db.write('identity_tokens').where({ user_id: person.id });
  /** Encrypts the tokens again, as a key rotation does. */
  const sealAnew = async (person: Person) => {
    const { keyring } = app.running.services;
    await rows(person).update({
      access_token: keyring.seal(
        keyring.open((await tokenRow(person)).access_token, 'identity_tokens.access_token'),
        'identity_tokens.access_token',
      ),
    });
  };

  test('that was rotated is kept if the database fails, the key changes or the lease is lost meanwhile', async () => {
    const { write } = app.running.services.db;
    const away = async () => {
      await write.schema.renameTable('identity_tokens', 'identity_tokens_away');
      setTimeout(
        () => void write.schema.renameTable('identity_tokens_away', 'identity_tokens').then(),
        600,
      );
    };
    for (const happens of [
      away,
      sealAnew,
      (person: Person) => rows(person).update({ lease_token: null, lease_until: null }),
    ]) {
      const person = await signedIn();
      const refreshed = await refreshWhile(person, () => happens(person));
      expect(refreshed).toEqual(expect.any(String));
      expect(await openIdOf(beside).tokenFor(person, '__op-idp__')).toBe(refreshed);
      await leave(person, -1);
      expect(await openIdOf(beside).tokenFor(person, '__op-idp__')).toEqual(expect.any(String));
    }
  });

  test('that the provider refuses revokes only the one that was used', async () => {
    const person = await signedIn();
    provider.refreshTokens.clear();
    expect(await refreshWhile(person, () => sealAnew(person))).toBeUndefined();
    expect(await tokenRow(person)).toMatchObject({ lease_token: null });
    // In fact it is still the same token.
    expect(await openIdOf(app).tokenFor(person, '__op-idp__')).toBeUndefined();
    expect(await tokenRow(person)).toBeUndefined();
  });

  test('with an extremely long lifetime is stored for a year', async () => {
    const person = await signedIn();
    await leave(person, 30);
    provider.seconds = 1e20;
    const token = await openIdOf(app).tokenFor(person, '__op-idp__');
    expect(await openIdOf(beside).tokenFor(person, '__op-idp__')).toBe(token);
    expect(Date.parse((await tokenRow(person)).expires_at) - Date.now()).toBeLessThanOrEqual(
      365 * 86_400_000,
    );
  });

  test('is the bearer token of the user if there is no better one', async () => {
    const person = await app.given.user({ login: 'presenting' });
    const token = await provider.mint({
      sub: 's-presenting',
      preferred_username: 'presenting',
      aud: ['moorage-api', 'files'],
      scope: 'api_v3',
    });
    expect((await me(app, token)).status).toBe(200);
    expect(await openIdOf(app).tokenFor(person, 'files')).toBe(token);
    // A sign-in has a refresh token, which is better.
    provider.people.set('presenting', { sub: 's-presenting' });
    await signIn(new Visitor(app), 'presenting');
    expect(
      (
        await me(
          app,
          await provider.mint({
            sub: 's-presenting',
            aud: 'moorage-api',
            scope: 'api_v3',
            exp: Math.floor(Date.now() / 1000) + 9_000,
          }),
        )
      ).status,
    ).toBe(200);
    expect((await tokenRow(person)).refresh_token).not.toBeNull();
  });

  test('from a bearer never replaces one from a concurrent sign-in, and only one that expires earlier', async () => {
    const tokens = new IdentityTokens(app.running.services, undefined as unknown as ProviderClient);
    for (let round = 0; round < 20; round += 1) {
      const { id } = await app.given.user();
      await Promise.all([
        tokens.savePresented({ id, identity: null }, 'presented', Date.now() + 9_000_000),
        tokens.save(
          { id, identity: null },
          { accessToken: 'of a sign-in', refreshToken: 'better', seconds: 600 },
        ),
      ]);
      expect((await tokenRow({ id })).refresh_token).not.toBeNull();
    }
    const { id } = await app.given.user();
    const minutesAfter = async (seconds: number) => {
      await tokens.savePresented({ id, identity: null }, 'presented', Date.now() + seconds * 1000);
      return Math.round((Date.parse((await tokenRow({ id })).expires_at) - Date.now()) / 60_000);
    };
    expect([await minutesAfter(600), await minutesAfter(300), await minutesAfter(900)]).toEqual([
      10, 10, 15,
    ]);
  });

  const leave = (person: { id: number }, seconds: number) =>
    app.running.services.db
      .write('identity_tokens')
      .where({ user_id: person.id })
      .update({ expires_at: new Date(Date.now() + seconds * 1000).toISOString() });
});

// This is the last test: the running server loads keys at most every half minute.
describe("the provider's keys", () => {
  test('can be RSA, elliptic-curve and Edwards-curve keys, and can change', async () => {
    const person = await app.given.user({ login: 'keys' });
    const other = await startBeside(app, { BASE_URL: app.url });
    try {
      for (const alg of ['RS256', 'PS256', 'ES256', 'EdDSA'])
        await provider.rotate({ keep: true, alg });
      for (const alg of ['EdDSA', 'ES256', 'PS256', 'RS256']) {
        const { body } = await me(
          other,
          await provider.mint(
            { sub: 's-keys', preferred_username: 'keys', aud: 'moorage-api', scope: 'api_v3' },
            provider.keyOf(alg),
          ),
        );
        expect({ alg, id: body.id }).toEqual({ alg, id: person.id });
      }
    } finally {
      await other.stop();
    }
  });
});

/** How users connect to a storage. The same tests run for every type. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { FakeRequest } from '../../demo/servers/http-server.js';
import { startApp, startBeside, type App } from '../support/app.js';
import { until } from '../support/cli.js';
import type { Person, StorageHandle } from '../support/factories.js';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  test,
} from '../support/jest.js';
import { Visitor } from '../support/browser-visitor.js';
import { connected, type Remote } from './remotes.js';

const STATE = 'query($id: ID!) { storage(id: $id) { authorizationState authorizeUrl } }';

/** The server answers the next request that fits when it is released. */
export function holding(
  { server }: Pick<Remote, 'server'>,
  when: (request: FakeRequest) => boolean,
) {
  let release = () => undefined as void;
  const released = new Promise<void>((resolve) => (release = resolve));
  const asked = new Promise<void>((resolve) => {
    const hold = () => {
      resolve();
      return released;
    };
    server.fault({ hold }, when, 1);
  });
  return { asked, release: () => release() };
}

export function connectionContract(name: string, start: () => Promise<Remote>): void {
  describe(`users' connections to a ${name}`, () => {
    let remote: Remote;
    let app: App;
    beforeAll(async () => {
      remote = await start();
      app = await startApp({
        ...remote.environment,
        STORAGE_TIMEOUT_MS: '2500',
        STORAGE_CONNECT_TIMEOUT_MS: '1000',
      });
    });
    beforeEach(async () => {
      // The self-hosted type allows one storage for an origin.
      await app.running.services.db.write('storages').delete();
      remote.server.repair();
      remote.server.forget();
    });
    afterEach(() => {
      remote.check();
      expect(app.logLines.filter((line) => line.includes('planted-'))).toEqual([]);
      expect(
        app.logLines.filter((line) => (JSON.parse(line) as { level: number }).level >= 50),
      ).toEqual([]);
    });
    afterAll(async () => {
      await app.stop();
      await remote.close();
    });

    const stateOf = async (storage: StorageHandle, person: Person, at = app): Promise<string> => {
      const { body } = await at.get(storage.path, person);
      const { data } = await at.graphql(STATE, { id: storage.id }, person);
      const state = body._links.authorizationState.href.split(':').at(-1);
      expect(data.storage).toEqual({
        authorizationState: state.replace(/(?<=[a-z])[A-Z]/, '_$&').toUpperCase(),
        authorizeUrl: body._links.authorize?.href ?? null,
      });
      return state;
    };
    const tokenRequests = () =>
      remote.server.requests.filter((request) => remote.asksToken(request));
    const row = async (storage: StorageHandle) =>
      (
        await app.running.services.db.read('storage_tokens').where({ storage_id: storage.id })
      )[0] as
        | {
            access_token: string;
            refresh_token: string;
            lease_token: string | null;
            origin_user_id: string | null;
          }
        | undefined;

    test('Connected without an authorize link if the storage accepts the token of the user', async () => {
      const { storage, person } = await connected(app, remote);
      const { body } = await app.get(storage.path, person);
      expect(body._links.authorizationState).toEqual({
        href: 'urn:service-org:api:v3:storages:authorization:Connected',
        title: 'Connected',
      });
      expect(body._links.authorize).toBeUndefined();
      expect(remote.server.requests.map((request) => remote.asksUser(request))).toEqual([true]);
    });

    test('FailedAuthorization with the address of our own ensure_connection if the user has no token, without a request to the storage', async () => {
      const { storage, person } = await connected(app, remote, { tokens: false });
      const { body } = await app.get(storage.path, person);
      expect(body._links.authorizationState).toEqual({
        href: 'urn:service-org:api:v3:storages:authorization:FailedAuthorization',
        title: 'Authorization failed',
      });
      expect(body._links.authorize).toEqual({
        href: `${app.url}/oauth_clients/client-id-of-ours/ensure_connection?storage_id=${storage.id}`,
        title: 'Authorize',
      });
      expect(remote.server.requests).toEqual([]);
    });

    test.each([
      ['a cut connection', 'reset' as const],
      ['silence', 'silence' as const],
      ['500', { status: 500, body: 'planted-body' }],
      ['503', { status: 503 }],
      ['404', { status: 404 }],
      ['half an answer', 'half' as const],
      [
        'something that is not JSON',
        { status: 200, headers: { 'content-type': 'text/html' }, body: '<h1>Welcome</h1>' },
      ],
      [
        'broken JSON',
        { status: 200, headers: { 'content-type': 'application/json' }, body: '{"id":' },
      ],
      [
        'JSON of another shape',
        { status: 200, headers: { 'content-type': 'application/json' }, body: '[]' },
      ],
      ['an endless answer', 'endless' as const],
      ['a redirect', { status: 302, headers: { location: 'http://169.254.169.254/' } }],
    ])('Error without an authorize link, and the tokens stay, after %s', async (_what, fault) => {
      const { storage, person } = await connected(app, remote);
      const before = await row(storage);
      remote.server.fault(fault, (request) => remote.asksUser(request));
      const { status, body } = await app.get(storage.path, person);
      expect([status, body._links.authorizationState, body._links.authorize]).toEqual([
        200,
        { href: 'urn:service-org:api:v3:storages:authorization:Error', title: 'Error' },
        undefined,
      ]);
      expect(await row(storage)).toEqual(before);
      remote.server.repair();
      expect(await stateOf(storage, person)).toBe('Connected');
    });

    test.each([429, 503])(
      '%i with Retry-After is remembered for the person, over requests and processes',
      async (status) => {
        const { storage, person } = await connected(app, remote);
        const second = await startBeside(app, remote.environment);
        try {
          remote.server.fault({ status, headers: { 'retry-after': '60' } }, (request) =>
            remote.asksUser(request),
          );
          const QUERY = 'query($id: ID!) { storage(id: $id) { authorizationProblem } }';
          for (const server of [app, app, second, second]) {
            expect(await stateOf(storage, person, server)).toBe('Error');
            const { data } = await server.graphql(QUERY, { id: storage.id }, person);
            if (server !== app || remote.server.requests.length > 1)
              expect(data.storage.authorizationProblem).toBe('ASKED_TO_WAIT');
            expect((await server.get(`${storage.path}/files`, person)).body.message).toMatch(
              /has too many requests, and asked this service to wait\. Try again in (5\d|60) s\.$/,
            );
          }
          expect(remote.server.requests).toHaveLength(1);
          expect(await row(storage)).toBeDefined();
          remote.server.repair();
          // Others are not concerned.
          const other = await app.given.user({ admin: true });
          await app.given.storageTokens(other, storage, remote.grant());
          expect(await stateOf(storage, other)).toBe('Connected');
          await app.running.services.db
            .write('storage_pauses')
            .update({ until: new Date(Date.now() - 1).toISOString() });
          await until(
            async () =>
              (await second.get(storage.path, person)).body._links.authorizationState.title ===
              'Connected',
            'the pause is over',
          );
        } finally {
          await second.stop();
        }
      },
    );

    test.each([429, 503])(
      '%i with Retry-After of the token endpoint is remembered, and a token that is still valid is used',
      async (status) => {
        const { storage, person } = await connected(app, remote, { expiresInSeconds: -1 });
        const second = await startBeside(app, remote.environment);
        try {
          const throttle = () =>
            remote.server.fault({ status, headers: { 'retry-after': '60' } }, (request) =>
              remote.asksToken(request),
            );
          throttle();
          expect(await stateOf(storage, person)).toBe('Error');
          const QUERY = 'query($id: ID!) { storage(id: $id) { authorizationProblem } }';
          for (const server of [app, second, app, second]) {
            expect(await stateOf(storage, person, server)).toBe('Error');
            const { data } = await server.graphql(QUERY, { id: storage.id }, person);
            expect(data.storage.authorizationProblem).toBe('ASKED_TO_WAIT');
            const { body } = await server.get(`${storage.path}/files`, person);
            expect([body.errorIdentifier, body.message]).toEqual([
              'urn:service-org:api:v3:errors:OutboundRequest:NotFound',
              expect.stringMatching(
                /^An outbound request to another resource has failed: The storage has too many requests, and asked this service to wait\. Try again in (5\d|60) s\.$/,
              ),
            ]);
          }
          expect(remote.server.requests).toHaveLength(1);
          expect(await row(storage)).toMatchObject({ lease_token: null });
          // Others are not concerned, nor is a token that is still valid.
          const other = await app.given.user({ admin: true });
          await app.given.storageTokens(other, storage, remote.grant());
          expect(await stateOf(storage, other)).toBe('Connected');
          const soon = new Date(Date.now() + 50_000).toISOString();
          const own = app.running.services.db
            .write('storage_tokens')
            .where({ storage_id: storage.id, user_id: person.id });
          const granted = remote.grant();
          await own.clone().delete();
          await app.given.storageTokens(person, storage, granted);
          await own.clone().update({ expires_at: soon });
          remote.server.forget();
          expect(await stateOf(storage, person)).toBe('Connected');
          expect(tokenRequests()).toEqual([]);
          await own.clone().update({ expires_at: new Date(Date.now() - 1).toISOString() });
          remote.server.repair();
          await app.running.services.db
            .write('storage_pauses')
            .update({ until: new Date(Date.now() - 1).toISOString() });
          await until(
            async () =>
              (await second.get(storage.path, person)).body._links.authorizationState.title ===
              'Connected',
            'the pause is over',
          );
          expect(tokenRequests()).toHaveLength(1);
        } finally {
          await second.stop();
        }
      },
    );

    test.each([
      [413, 'The storage takes no file of this size. Its administrator can raise the limit.'],
      [415, 'The storage refuses this content. Its administrator can say why.'],
      [423, 'The file or folder is locked in the storage. Unlock it there, then try again.'],
      [
        507,
        'The storage is full. Free space there, or ask its administrator for more, then try again.',
      ],
    ])(
      'a storage that answers %i is not asked again, and a sentence says what to do',
      async (status, advice) => {
        const { storage, person } = await connected(app, remote);
        remote.server.fault({ status }, (request) => !remote.asksToken(request));
        const { body } = await app.get(`${storage.path}/files`, person);
        expect([body.errorIdentifier, body.message]).toEqual([
          'urn:service-org:api:v3:errors:OutboundRequest:NotFound',
          `An outbound request to another resource has failed with status code ${status}. ${advice}`,
        ]);
        expect(remote.server.requests).toHaveLength(1);
      },
    );

    test('a token that expires soon is refreshed first, and the new one is kept', async () => {
      const { storage, person } = await connected(app, remote, { expiresInSeconds: 50 });
      const before = (await row(storage))!;
      expect(await stateOf(storage, person)).toBe('Connected');
      expect(tokenRequests()).toHaveLength(1);
      const after = (await row(storage))!;
      expect(
        after.access_token === before.access_token || after.refresh_token === before.refresh_token,
      ).toBe(false);
      // The next request uses the kept token.
      remote.expireAccess();
      expect(await stateOf(storage, person)).toBe('Connected');
      expect(tokenRequests()).toHaveLength(2);
    });

    test('a token that the storage refuses is refreshed once, and the request is repeated', async () => {
      const { storage, person } = await connected(app, remote);
      remote.expireAccess();
      expect(await stateOf(storage, person)).toBe('Connected');
      expect(tokenRequests()).toHaveLength(1);
    });

    test('a grant that the user revoked ends the connection: FailedAuthorization, and the tokens are deleted', async () => {
      const { storage, person } = await connected(app, remote);
      remote.revoke();
      remote.expireAccess();
      expect(await stateOf(storage, person)).toBe('FailedAuthorization');
      expect(await row(storage)).toBeUndefined();
    });

    test('a failed refresh ends the connection, asks the user to connect again or keeps the connection, by its error', async () => {
      const { definite, passing, wantPerson } = remote.refusals;
      for (const error of [...definite, ...passing, ...wantPerson]) {
        await app.running.services.db.write('storages').delete();
        const { storage, person } = await connected(app, remote, { expiresInSeconds: -1 });
        remote.server.fault(
          {
            status: 400,
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ error }),
          },
          (request) => remote.asksToken(request),
        );
        const ends = definite.includes(error);
        expect([error, await stateOf(storage, person), (await row(storage)) === undefined]).toEqual(
          [error, passing.includes(error) ? 'Error' : 'FailedAuthorization', ends],
        );
        remote.server.repair();
        if (!ends) expect(await stateOf(storage, person)).toBe('Connected');
      }
    });

    describe('a storage that refuses this service as its client', () => {
      const MESSAGE =
        'The storage refuses this service as its client. Connecting again does not help. ' +
        'An administrator must correct the client credentials of the storage.';
      const PROBLEM = 'query($id: ID!) { storage(id: $id) { authorizationProblem } }';
      const problemOf = async (storage: StorageHandle, person: Person): Promise<string | null> =>
        (await app.graphql(PROBLEM, { id: storage.id }, person)).data.storage.authorizationProblem;
      afterEach(() => remote.changeSecret('planted-client-secret'));

      test.each([
        ['400 invalid_client', 400, { error: 'invalid_client' }, {}],
        ['401 invalid_client', 401, { error: 'invalid_client' }, {}],
        ['400 unauthorized_client', 400, { error: 'unauthorized_client' }, {}],
        ['401 without a code', 401, {}, {}],
        ['401 with a challenge', 401, {}, { 'www-authenticate': 'Basic realm="clients"' }],
      ])(
        'with %s keeps the connection, and says who mends it',
        async (_what, status, body, more) => {
          const { storage, person } = await connected(app, remote, { expiresInSeconds: -1 });
          const before = await row(storage);
          remote.server.fault(
            {
              status,
              headers: { 'content-type': 'application/json', ...more },
              body: JSON.stringify(body),
            },
            (request) => remote.asksToken(request),
          );
          expect(await stateOf(storage, person)).toBe('Error');
          expect(await problemOf(storage, person)).toBe('CLIENT_REFUSED');
          expect((await app.get(`${storage.path}/files`, person)).body).toMatchObject({
            errorIdentifier: 'urn:service-org:api:v3:errors:OutboundRequest:NotFound',
            message: `An outbound request to another resource has failed: ${MESSAGE}`,
          });
          expect(await row(storage)).toEqual(before);
          remote.server.repair();
          expect(await stateOf(storage, person)).toBe('Connected');
          expect(await problemOf(storage, person)).toBeNull();
        },
      );

      test('because its secret changed there works as before after an administrator has set it', async () => {
        const { storage, person } = await connected(app, remote, { expiresInSeconds: -1 });
        const admin = await app.given.user({ admin: true });
        const set = (clientSecret: string) =>
          app.post(`${storage.path}/oauth_client_credentials`, admin, {
            clientId: 'client-id-of-ours',
            clientSecret,
          });
        remote.changeSecret();
        expect([await stateOf(storage, person), await problemOf(storage, person)]).toEqual([
          'Error',
          'CLIENT_REFUSED',
        ]);
        expect((await set('also wrong')).status).toBe(201);
        expect(await stateOf(storage, person)).toBe('Error');
        expect((await set('another-secret')).status).toBe(201);
        expect(await stateOf(storage, person)).toBe('Connected');
        expect((await row(storage))!.origin_user_id).not.toBe('');
      });

      test('says so to whoever connects, and sends nobody to a consent that cannot be used', async () => {
        const { storage, person } = await connected(app, remote, { tokens: false });
        const browser = new Visitor(app);
        await browser.signIn(person.login, 'planted-password');
        const ensure = `/oauth_clients/client-id-of-ours/ensure_connection?storage_id=${storage.id}`;
        const { location } = await browser.get(ensure);
        const query = { state: new URL(location!).searchParams.get('state')!, code: '' };
        query.code = remote.code(location!);
        remote.changeSecret();
        const refused = await browser.get(
          `/oauth_clients/client-id-of-ours/callback?${new URLSearchParams(query)}`,
        );
        expect([refused.status, refused.text.includes(MESSAGE)]).toEqual([500, true]);
        remote.changeSecret('planted-client-secret');
        await app.given.storageTokens(person, storage, { ...remote.grant(), expiresInSeconds: -1 });
        remote.changeSecret();
        const again = await browser.get(ensure);
        expect([again.status, again.location, again.text.includes(MESSAGE)]).toEqual([
          500,
          undefined,
          true,
        ]);
      });
    });

    test('a storage that refuses even a new token keeps the connection', async () => {
      const { storage, person } = await connected(app, remote);
      remote.server.fault(
        {
          status: 401,
          headers: { 'content-type': 'application/json' },
          body: '{"ocs":{"meta":{"statuscode":997},"data":[]}}',
        },
        (request) => remote.asksUser(request),
      );
      expect(await stateOf(storage, person)).toBe('FailedAuthorization');
      expect(await row(storage)).toBeDefined();
    });

    test.each([
      ['a cut connection', 'reset' as const],
      ['silence', 'silence' as const],
      ['500', { status: 500 }],
      [
        '503 with an HTML page',
        { status: 503, headers: { 'content-type': 'text/html' }, body: '<h1>Maintenance</h1>' },
      ],
      ['429', { status: 429, headers: { 'retry-after': '60' } }],
      [
        'something that is not JSON',
        { status: 200, headers: { 'content-type': 'text/html' }, body: '' },
      ],
      ['half an answer', 'half' as const],
    ])('%s instead of a refreshed token never clears the connection', async (_what, fault) => {
      const { storage, person } = await connected(app, remote, { expiresInSeconds: -1 });
      const before = await row(storage);
      remote.server.fault(fault, (request) => remote.asksToken(request));
      const { body } = await app.get(storage.path, person);
      expect(body._links.authorizationState.title).toBe('Error');
      // The storage may have used the refresh token although its answer was lost.
      if (fault !== 'half')
        expect(await row(storage)).toMatchObject({
          access_token: before!.access_token,
          refresh_token: before!.refresh_token,
        });
      else expect(await row(storage)).toBeDefined();
    });

    describe('many requests at once', () => {
      // On a busy machine, fifty requests at once need longer than one.
      const timeouts = { STORAGE_TIMEOUT_MS: '60000' };
      let first: App;
      let second: App;
      beforeAll(async () => {
        [first, second] = await Promise.all([
          startBeside(app, timeouts),
          startBeside(app, timeouts),
        ]);
      });
      afterAll(() => Promise.all([first.stop(), second.stop()]));

      const titles = async (
        storage: StorageHandle,
        person: Person,
        servers: App[],
      ): Promise<Set<string>> => {
        const answers = await Promise.all(
          Array.from({ length: 50 }, (_, index) =>
            servers[index % servers.length]!.get(storage.path, person),
          ),
        );
        return new Set(answers.map(({ body }) => body._links.authorizationState.title));
      };

      test('of one server, with an expired token, make exactly one refresh', async () => {
        const { storage, person } = await connected(app, remote, { expiresInSeconds: -1 });
        expect(await titles(storage, person, [first])).toEqual(new Set(['Connected']));
        expect(tokenRequests()).toHaveLength(1);
      });

      test.each([
        ['has expired', -1],
        ['is refused', 3600],
      ])(
        'of two servers make exactly one refresh if the storage is slow and the token %s',
        async (_what, expiresInSeconds) => {
          const { storage, person } = await connected(app, remote, { expiresInSeconds });
          remote.expireAccess();
          remote.server.fault({ delayMs: 200 }, (request) => remote.asksToken(request));
          expect(await titles(storage, person, [first, second])).toEqual(new Set(['Connected']));
          expect(tokenRequests()).toHaveLength(1);
        },
      );
    });

    test('a refresh that is slower than the request is kept', async () => {
      const slowServer = await startBeside(app, { STORAGE_TIMEOUT_MS: '2000' });
      try {
        const { storage, person } = await connected(app, remote, { expiresInSeconds: -1 });
        const before = (await row(storage))!;
        remote.server.fault({ delayMs: 1300 }, (request) => remote.asksToken(request));
        remote.server.fault({ delayMs: 1300 }, (request) => remote.asksUser(request));
        const { body } = await slowServer.get(storage.path, person);
        // Both waits together exceed the deadline.
        expect(body._links.authorizationState.title).toBe('Error');
        expect((await row(storage))!.access_token).not.toBe(before.access_token);
      } finally {
        await slowServer.stop();
      }
    });

    test('a late answer to a refresh is kept for the next request, up to three times the deadline', async () => {
      const quickServer = await startBeside(app, { STORAGE_TIMEOUT_MS: '1500' });
      let isLate = () => {};
      const late = new Promise<void>((resolve) => {
        isLate = resolve;
      });
      try {
        const { storage, person } = await connected(app, remote, { expiresInSeconds: -1 });
        const before = (await row(storage))!;
        // The answer comes after the deadline of the request.
        remote.server.fault(
          { hold: () => late.then(() => sleep(300)) },
          (request) => remote.asksToken(request),
          1,
        );
        const { body } = await quickServer.get(storage.path, person);
        expect([body._links.authorizationState.title, (await row(storage))!.access_token]).toEqual([
          'Error',
          before.access_token,
        ]);
        isLate();
        await until(
          async () => (await row(storage))!.access_token !== before.access_token,
          'the refreshed token is kept',
        );
        expect(await stateOf(storage, person, quickServer)).toBe('Connected');
        expect(tokenRequests()).toHaveLength(1);
        // The new refresh token works too, even if a refresh token works only once.
        remote.expireAccess();
        expect(await stateOf(storage, person, quickServer)).toBe('Connected');
        expect(tokenRequests()).toHaveLength(2);
      } finally {
        isLate();
        await quickServer.stop();
      }
    });

    test('a server that stops during a refresh keeps the new token first', async () => {
      const beside = await startBeside(app);
      const { storage, person } = await connected(app, remote, { expiresInSeconds: -1 });
      const before = (await row(storage))!;
      remote.server.fault({ delayMs: 400 }, (request) => remote.asksToken(request));
      const left = new AbortController();
      const asked = fetch(beside.url + storage.path, {
        headers: { authorization: `Bearer ${person.key}` },
        signal: left.signal,
      }).catch(() => undefined);
      await until(() => tokenRequests().length === 1, 'the refresh has begun');
      left.abort();
      await Promise.all([asked, beside.stop()]);
      expect((await row(storage))!.access_token).not.toBe(before.access_token);
      remote.server.repair();
      expect(await stateOf(storage, person)).toBe('Connected');
    });

    test('a new token is kept even if the lease was lost meanwhile', async () => {
      const { storage, person } = await connected(app, remote, { expiresInSeconds: -1 });
      const before = (await row(storage))!;
      remote.server.fault({ delayMs: 400 }, (request) => remote.asksToken(request));
      const asked = app.get(storage.path, person);
      await until(() => tokenRequests().length === 1, 'the refresh has begun');
      // As if this process had been paused for longer than its lease.
      await app.running.services.db
        .write('storage_tokens')
        .update({ lease_token: 'of another process' });
      expect((await asked).body._links.authorizationState.title).toBe('Connected');
      expect((await row(storage))!.access_token).not.toBe(before.access_token);
    });

    test.each([1e20, 1e12])('a token lifetime of %d seconds causes no error', async (seconds) => {
      const { storage, person } = await connected(app, remote, { expiresInSeconds: -1 });
      const { accessToken, refreshToken } = remote.grant();
      remote.server.fault(
        {
          status: 200,
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({
            access_token: accessToken,
            refresh_token: refreshToken,
            token_type: 'Bearer',
            expires_in: seconds,
          }),
        },
        (request) => remote.asksToken(request),
        1,
      );
      expect(await stateOf(storage, person)).toBe('Connected');
      expect((await row(storage))!).toBeDefined();
    });

    test('a valid token is used if its refresh fails', async () => {
      const { storage, person } = await connected(app, remote, { expiresInSeconds: 50 });
      remote.server.fault({ status: 503 }, (request) => remote.asksToken(request));
      expect(await stateOf(storage, person)).toBe('Connected');
    });

    test('a valid token is used in time if the authorization server does not answer', async () => {
      const { storage, person } = await connected(app, remote, { expiresInSeconds: 50 });
      const before = (await row(storage))!;
      remote.server.fault('silence', (request) => remote.asksToken(request));
      const { body } = await app.get(storage.path, person);
      expect([body._links.authorizationState.title, body._links.authorize]).toEqual([
        'Connected',
        undefined,
      ]);
      // It got a request and has not answered yet.
      expect([
        tokenRequests().map(({ status }) => status),
        (await row(storage))!.access_token,
      ]).toEqual([[0], before.access_token]);
    });

    test('the lease of a dead server is taken over when it ends', async () => {
      const { storage, person } = await connected(app, remote, { expiresInSeconds: -1 });
      const { write } = app.running.services.db;
      await write('storage_tokens').update({
        lease_token: 'of a dead server',
        lease_until: new Date(Date.now() + 300).toISOString(),
      });
      expect(await stateOf(storage, person)).toBe('Connected');
      expect(tokenRequests()).toHaveLength(1);
    });

    test('a list requests all storages at once, and a dead storage does not delay the others', async () => {
      const { storage, person } = await connected(app, remote);
      const project = await app.given.project();
      await app.given.membership(person, project, ['view_work_packages', 'view_file_links']);
      const dead = await app.given.storage({
        origin: 'http://127.0.0.1:9',
        client: { id: 'a', secret: 'b' },
      });
      await app.given.projectStorage(project, dead);
      await app.given.storageTokens(person, dead, { accessToken: 'x' });
      const { body } = await app.get('/api/v3/storages', person);
      expect(
        body._embedded.elements.map(({ id, _links }: any) => [id, _links.authorizationState.title]),
      ).toEqual([
        [dead.id, 'Error'],
        [storage.id, 'Connected'],
      ]);
    });

    describe('connecting in a browser', () => {
      let person: Person;
      let storage: StorageHandle;
      let browser: Visitor;
      beforeEach(async () => {
        ({ person, storage } = await connected(app, remote, { tokens: false }));
        browser = new Visitor(app);
        await browser.signIn(person.login, 'planted-password');
      });
      const ensure = (query = '') =>
        `/oauth_clients/client-id-of-ours/ensure_connection?storage_id=${storage.id}${query}`;
      const callback = (query: { [name: string]: string }) =>
        `/oauth_clients/client-id-of-ours/callback?${new URLSearchParams(query)}`;
      /** The browser visits the storage: returns the state, and the code after the user's consent. */
      const sent = async (query = '', by = browser) => {
        const { status, location } = await by.get(ensure(query));
        expect(status).toBe(303);
        return {
          url: location!,
          state: new URL(location!).searchParams.get('state')!,
          code: remote.code(location!),
        };
      };

      test('leads to the storage with a state, and back with a code that becomes tokens', async () => {
        const { url, state, code } = await sent(
          `&destination_url=${encodeURIComponent(`${app.url}/api/v3/users/me`)}`,
        );
        const query = new URL(url).searchParams;
        expect([
          query.get('client_id'),
          query.get('response_type'),
          query.get('redirect_uri'),
        ]).toEqual([
          'client-id-of-ours',
          'code',
          `${app.url}/oauth_clients/client-id-of-ours/callback`,
        ]);
        expect([query.get('code_challenge_method'), query.has('code_challenge')]).toEqual(
          remote.pkce ? ['S256', true] : [null, false],
        );
        expect(
          await browser.get(callback({ state, code }), { 'sec-fetch-site': 'cross-site' }),
        ).toMatchObject({ status: 303, location: '/api/v3/users/me' });
        expect(await stateOf(storage, person)).toBe('Connected');
        const [kept] = await app.running.services.db.read('storage_tokens');
        expect([kept.user_id, kept.storage_id, kept.origin_user_id]).toEqual([
          person.id,
          storage.id,
          remote.userId,
        ]);
        // A connected user is not sent to the storage again.
        expect(await browser.get(ensure())).toMatchObject({ status: 303, location: '/' });
      });

      test.each([
        ['is erased', 'eraseUser(input: { id: $id })'],
        ['is locked', 'lockUser(input: { id: $id })'],
        ['loses all sessions', 'endSessionsOf(input: { userId: $id })'],
      ])('who %s while the storage answers is not connected', async (_what, mutation) => {
        const ada = await app.given.user({ admin: true });
        const { state, code } = await sent();
        const { asked, release } = holding(remote, (request) => remote.asksToken(request));
        const answer = browser.get(callback({ state, code }));
        await asked;
        const { errors } = await app.graphql(
          `mutation ($id: ID!) { ${mutation} { user { id } } }`,
          { id: String(person.id) },
          ada,
        );
        expect(errors).toBeUndefined();
        release();
        expect(await answer).toMatchObject({
          status: 400,
          text: expect.stringContaining('it came too late'),
        });
        expect(await row(storage)).toBeUndefined();
      });

      test('who is erased at the moment of the answer has no connection afterwards', async () => {
        const ada = await app.given.user({ admin: true });
        for (let round = 0; round < 5; round += 1) {
          await app.running.services.db.write('storages').delete();
          ({ person, storage } = await connected(app, remote, { tokens: false }));
          browser = new Visitor(app);
          await browser.signIn(person.login, 'planted-password');
          const { state, code } = await sent();
          const [, { errors }] = await Promise.all([
            browser.get(callback({ state, code })),
            app.graphql(
              'mutation ($id: ID!) { eraseUser(input: { id: $id }) { user { id } } }',
              { id: String(person.id) },
              ada,
            ),
          ]);
          expect([errors, await row(storage)]).toEqual([undefined, undefined]);
        }
      });

      test.each([
        ['a NUL', 'mi\0a'],
        ['300 characters', 'm'.repeat(300)],
      ])(
        'ignores a user id with %s in the token response, and requests it from the storage',
        async (_what, userId) => {
          const granted = () => {
            const { accessToken, refreshToken } = remote.grant();
            return {
              status: 200,
              headers: { 'content-type': 'application/json' },
              body: JSON.stringify({
                access_token: accessToken,
                refresh_token: refreshToken,
                token_type: 'Bearer',
                expires_in: 3600,
                user_id: userId,
              }),
            };
          };
          const keptId = async () =>
            (await app.running.services.db
              .read('storage_tokens')
              .where({ storage_id: storage.id })
              .pluck('origin_user_id')) as (string | null)[];
          const { state, code } = await sent();
          remote.server.fault(granted(), (request) => remote.asksToken(request), 1);
          expect((await browser.get(callback({ state, code }))).status).toBe(303);
          expect([await stateOf(storage, person), await keptId()]).toEqual([
            'Connected',
            [remote.userId],
          ]);
          // The response to a refresh has the same user id.
          const before = (await row(storage))!;
          remote.expireAccess();
          remote.server.fault(granted(), (request) => remote.asksToken(request), 1);
          expect([await stateOf(storage, person), await keptId()]).toEqual([
            'Connected',
            [remote.userId],
          ]);
          expect((await row(storage))!.access_token).not.toBe(before.access_token);
        },
      );

      test.each([
        ['NUL', 'mi\0a'],
        ['long', 'm'.repeat(300)],
      ])(
        'ignores a user id from the storage if the database cannot store it (%s)',
        async (_what, id) => {
          const { accessToken, refreshToken } = remote.grant();
          const { state, code } = await sent();
          remote.server.fault(
            {
              status: 200,
              headers: { 'content-type': 'application/json' },
              body: JSON.stringify({
                access_token: accessToken,
                refresh_token: refreshToken,
                token_type: 'Bearer',
                expires_in: 3600,
              }),
            },
            (request) => remote.asksToken(request),
            1,
          );
          remote.server.fault(
            {
              status: 200,
              headers: { 'content-type': 'application/json' },
              body: JSON.stringify({ id, ocs: { meta: { statuscode: 100 }, data: { id } } }),
            },
            (request) => remote.asksUser(request),
          );
          const seen = await browser.get(callback({ state, code }));
          expect([seen.status, (await row(storage))!.origin_user_id]).toEqual([303, null]);
        },
      );

      test.each([429, 503])(
        'sends no second code while the token endpoint asked to wait with %i',
        async (status) => {
          remote.server.fault({ status, headers: { 'retry-after': '60' } }, (request) =>
            remote.asksToken(request),
          );
          const pages: string[] = [];
          for (let attempt = 0; attempt < 2; attempt += 1) {
            const { state, code } = await sent();
            pages.push((await browser.get(callback({ state, code }))).text);
          }
          expect(tokenRequests()).toHaveLength(1);
          expect(pages[1]).toMatch(
            /The storage has too many requests, and asked this service to wait\. Try again in (5\d|60) s\./,
          );
          expect(await row(storage)).toBeUndefined();
        },
      );

      test('requires a sign-in first, and then continues', async () => {
        const stranger = new Visitor(app);
        const { status, location } = await stranger.get(ensure());
        expect([status, location]).toEqual([
          303,
          `/login?return_to=${encodeURIComponent(ensure())}`,
        ]);
        const page = await stranger.post(location!, {
          login: person.login,
          password: 'planted-password',
        });
        // Not a redirect: Chromium would apply the form-action policy of the page to the storage too.
        expect([
          page.status,
          page.text.includes(
            `<meta http-equiv="refresh" content="0; url=${ensure().replaceAll('&', '&amp;')}">`,
          ),
        ]).toEqual([200, true]);
      });

      test.each([
        ['another host', 'https://evil.example.test/'],
        ['another host without a scheme', '//evil.example.test/'],
        ['another host after a backslash', '/\\evil.example.test/'],
        ['another host after a user name', 'HOST@evil.example.test/'],
        ['a script', 'javascript:alert(1)'],
        ['another port', 'http://127.0.0.1:1/'],
      ])('never ends at %s', async (_what, destination) => {
        const { state, code } = await sent(
          `&destination_url=${encodeURIComponent(destination.replace('HOST', app.url))}`,
        );
        expect((await browser.get(callback({ state, code }))).location).toBe('/');
      });

      test('refuses a forged state, a repeated one, the state of another browser, and a response to another client', async () => {
        const { state, code } = await sent();
        const refused = { status: 400, location: undefined };
        expect(await browser.get(callback({ state: 'forged', code }))).toMatchObject(refused);
        expect(await browser.get(callback({ code }))).toMatchObject(refused);
        const other = new Visitor(app);
        await other.signIn(person.login, 'planted-password');
        expect(await other.get(callback({ state, code }))).toMatchObject(refused);
        expect(await row(storage)).toBeUndefined();
        // The browser that began can still finish.
        expect((await browser.get(callback({ state, code }))).status).toBe(303);
        expect(await browser.get(callback({ state, code }))).toMatchObject(refused);
        const next = await sentAnew();
        expect(
          await browser.get(
            `/oauth_clients/another/callback?${new URLSearchParams({ state: next.state, code: next.code })}`,
          ),
        ).toMatchObject(refused);
        const lines = app.logLines.filter((line) =>
          line.includes('a connection to a storage was not made'),
        );
        expect(lines.length).toBeGreaterThanOrEqual(5);
        expect(app.logLines.join('\n')).not.toContain(code);
        expect(app.logLines.join('\n')).not.toContain(state);
      });

      const sentAnew = async () => {
        await app.running.services.db.write('storage_tokens').delete();
        return sent();
      };

      test('refuses a state that is older than ten minutes', async () => {
        const { state, code } = await sent();
        await app.running.services.db
          .write('connection_attempts')
          .update({ expires_at: new Date(Date.now() - 1).toISOString() });
        expect((await browser.get(callback({ state, code }))).status).toBe(400);
        expect(await row(storage)).toBeUndefined();
      });

      test('shows that the user or the storage refused', async () => {
        const { state } = await sent();
        const { status, text } = await browser.get(
          callback({
            state,
            error: 'access_denied',
            error_description: '<script>alert(1)</script>',
          }),
        );
        expect([
          status,
          text.includes('did not let you connect'),
          text.includes('<script'),
        ]).toEqual([400, true, false]);
        const again = await sent();
        const wrong = await browser.get(
          callback({ state: again.state, code: 'planted-wrong-code' }),
        );
        expect([wrong.status, wrong.text.includes('refused to connect you')]).toEqual([400, true]);
        expect(await row(storage)).toBeUndefined();
      });

      test('shows that the storage did not answer', async () => {
        const { state, code } = await sent();
        remote.server.fault({ status: 503 }, (request) => remote.asksToken(request));
        const { status, text } = await browser.get(callback({ state, code }));
        expect([status, text.includes('could not be asked')]).toEqual([500, true]);
      });

      test('ends if the credentials are replaced meanwhile', async () => {
        const { state, code } = await sent();
        const admin = await app.given.user({ admin: true });
        await app.post(`${storage.path}/oauth_client_credentials`, admin, {
          clientId: 'client-id-of-ours',
          clientSecret: 'planted-client-secret',
        });
        expect((await browser.get(callback({ state, code }))).status).toBe(400);
        expect(await row(storage)).toBeUndefined();
      });

      test('the page of a project storage connects first, and then opens the storage', async () => {
        const [use] = await app.running.services.db
          .read('project_storages')
          .where('storage_id', storage.id);
        const { identifier } = await app.running.services.db
          .read('projects')
          .where('id', use.project_id)
          .first();
        const page = `/projects/${identifier}/project_storages/${use.id}/open`;
        const { body } = await app.get(`/api/v3/project_storages/${use.id}`, person);
        expect(body._links.openWithConnectionEnsured.href).toBe(
          ensure().replace('?', `?destination_url=${encodeURIComponent(app.url + page)}&`),
        );
        // The page and the link lead to the storage, and the storage back to the page.
        for (const start of [page, body._links.openWithConnectionEnsured.href]) {
          const { status, location } = await browser.get(start);
          expect([status, new URL(location!).searchParams.get('client_id')]).toEqual([
            303,
            'client-id-of-ours',
          ]);
          const state = new URL(location!).searchParams.get('state')!;
          expect(
            await browser.get(callback({ state, code: remote.code(location!) })),
          ).toMatchObject({ status: 303, location: page });
          const opened = await app.get(`/api/v3/project_storages/${use.id}/open`, person);
          expect(await browser.get(page)).toMatchObject({
            status: 303,
            location: opened.headers.get('location'),
          });
          await app.running.services.db.write('storage_tokens').delete();
        }
        for (const wrong of [
          `/projects/another/project_storages/${use.id}/open`,
          `/projects/${identifier}/project_storages/0/open`,
          `/projects/${identifier}/project_storages/x/open`,
        ])
          expect((await browser.get(wrong)).status).toBe(404);
        // Without a session, it asks for a sign-in.
        expect((await app.get(page)).headers.get('location')).toMatch(/^\/login\?/);
      });

      test('answers 404 for an unknown client, and for a storage that the user cannot see', async () => {
        expect((await browser.get('/oauth_clients/unknown/ensure_connection')).status).toBe(404);
        const stranger = await app.given.user({ password: 'planted-other' });
        const elsewhere = new Visitor(app);
        await elsewhere.signIn(stranger.login, 'planted-other');
        expect((await elsewhere.get(ensure())).status).toBe(404);
      });
    });

    test('stores no token, secret, code or verifier in clear', async () => {
      const { storage, person } = await connected(app, remote, { tokens: false });
      const browser = new Visitor(app);
      await browser.signIn(person.login, 'planted-password');
      const { location } = await browser.get(
        `/oauth_clients/client-id-of-ours/ensure_connection?storage_id=${storage.id}`,
      );
      const state = new URL(location!).searchParams.get('state')!;
      const code = remote.code(location!);
      const grants: string[] = [];
      const before = await contentOf(app);
      expect(before).not.toContain(state);
      await browser.get(
        `/oauth_clients/client-id-of-ours/callback?${new URLSearchParams({ state, code })}`,
      );
      const content = await contentOf(app);
      for (const request of remote.server.requests) {
        const form = new URLSearchParams(request.body.toString());
        grants.push(
          ...[
            form.get('code_verifier'),
            form.get('client_secret'),
            form.get('code'),
            request.headers.authorization?.replace(/^\w+ /, ''),
          ].filter((one): one is string => !!one),
        );
      }
      expect(grants.length).toBeGreaterThanOrEqual(2);
      for (const secret of [
        ...grants,
        'planted-',
        browser.header('/').split('=')[1]!,
        storage.application.clientSecret,
      ])
        expect(content).not.toContain(secret);
    });
  });
}

/** Every row of every table, as text. */
export async function contentOf({ running }: App): Promise<string> {
  const { db } = running.services;
  const names =
    db.client === 'sqlite'
      ? ((await db.read('sqlite_master').where({ type: 'table' }).pluck('name')) as string[])
      : (
          (
            await db.read.raw(
              "select table_name from information_schema.tables where table_schema = 'public'",
            )
          ).rows as { table_name: string }[]
        ).map(({ table_name: name }) => name);
  const tables = await Promise.all(names.map((name) => db.read(name)));
  return JSON.stringify(tables);
}

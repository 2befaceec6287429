/** Planted secrets, a storage that repeats its input, and malicious origins: no secret leaves the service. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startApp, type App } from '../support/app.js';
import type { Person, StorageHandle } from '../support/factories.js';
import { serveFake, type FakeServer } from '../../demo/servers/http-server.js';
import { startFileServer, type FileServer } from '../../demo/servers/file-server.js';
import { afterAll, beforeAll, describe, expect, test } from '../support/jest.js';
import { Visitor } from '../support/browser-visitor.js';
import { contentOf } from './connection-contract.js';

const secrets = {
  clientSecret: 'planted-client-secret-1',
  applicationPassword: 'planted-application-password-2',
  accessToken: 'planted-access-token-3',
  refreshToken: 'planted-refresh-token-4',
  code: 'planted-code-5',
  password: 'planted-sign-in-password-6',
  nextSecret: 'planted-client-secret-7',
};

describe('a storage that repeats its input', () => {
  let app: App;
  let server: FileServer;
  let echo: FakeServer;
  let admin: Person;
  let storage: StorageHandle;
  const responses: string[] = [];

  beforeAll(async () => {
    [server, echo] = await Promise.all([
      startFileServer(),
      serveFake(({ headers, body, query, path }, res) => {
        // It repeats its input in error codes, pages and JSON.
        const all = JSON.stringify({
          error: `${headers.authorization} ${body.toString()} ${query}`,
          ocs: {
            meta: { statuscode: 500, message: `${headers.authorization} ${body.toString()}` },
          },
        });
        res
          .writeHead(path.endsWith('/token') ? 400 : 500, {
            'content-type': 'application/json',
            'www-authenticate': String(headers.authorization),
          })
          .end(all);
      }),
    ]);
    app = await startApp({ STORAGE_TIMEOUT_MS: '1000', LOG_LEVEL: 'trace' });
    admin = await app.given.user({ admin: true, password: secrets.password });
    storage = await app.given.storage({
      origin: echo.url,
      client: { id: 'our-client', secret: secrets.clientSecret },
      applicationPassword: secrets.applicationPassword,
    });
  });
  afterAll(async () => {
    await app.stop();
    await Promise.all([server.close(), echo.close()]);
  });

  const note = (answer: { text: string; headers?: Headers }) =>
    void responses.push(answer.text, JSON.stringify([...(answer.headers ?? [])]));
  const over = async (query: string, variables: object) =>
    void responses.push(JSON.stringify(await app.graphql(query, variables, admin)));

  test('gets the secrets, but no response, no log line, no row and no byte of the database has them', async () => {
    await app.given.storageTokens(admin, storage, secrets);
    note(await app.get(storage.path, admin));
    note(await app.get('/api/v3/storages', admin));
    await over(
      'query($id: ID!) { storage(id: $id) { id authorizationState oauthApplication { clientId } oauthClientCredentials { clientId } health { checks { check code status hint } } } }',
      { id: storage.id },
    );
    await app.given.storageTokens(admin, storage, { ...secrets, expiresInSeconds: 1 });
    note(await app.get(storage.path, admin));
    note(
      await app.patch(storage.path, admin, { applicationPassword: secrets.applicationPassword }),
    );
    note(
      await app.patch(storage.path, admin, {
        applicationPassword: { secret: secrets.applicationPassword },
      }),
    );
    note(
      await app.post('/api/v3/storages', admin, {
        name: 'Another',
        applicationPassword: secrets.applicationPassword,
        _links: {
          type: { href: 'urn:service-org:api:v3:storages:SelfHostedFileServer' },
          origin: { href: echo.url },
        },
      }),
    );
    note(
      await app.post('/api/v3/storages', admin, {
        name: 'Another',
        applicationPassword: secrets.applicationPassword,
        _links: {
          type: { href: 'urn:service-org:api:v3:storages:SelfHostedFileServer' },
          origin: { href: server.url },
        },
      }),
    );
    note(
      await app.post(`${storage.path}/oauth_client_credentials`, admin, {
        clientId: 'our-client',
        clientSecret: secrets.nextSecret,
      }),
    );
    note(
      await app.post(`${storage.path}/oauth_client_credentials`, admin, {
        clientId: secrets.nextSecret.repeat(20),
        clientSecret: [secrets.nextSecret],
      }),
    );
    await over(
      'mutation($id: ID!, $secret: String) { setOAuthClientCredentials(input: { storageId: $id, clientId: "our-client", clientSecret: $secret }) { oauthClientCredentials { clientId } storage { health { checks { hint } } } } }',
      { id: storage.id, secret: secrets.nextSecret },
    );
    await over(
      'mutation($id: ID!) { updateStorage(input: { id: $id, applicationPassword: 7 }) { storage { id } } }',
      { id: storage.id },
    );

    const browser = new Visitor(app);
    note(await browser.signIn(admin.login, secrets.password));
    const sent = await browser.get(
      `/oauth_clients/our-client/ensure_connection?storage_id=${storage.id}`,
    );
    const state = new URL(sent.location!).searchParams.get('state')!;
    note(
      await browser.get(
        `/oauth_clients/our-client/callback?${new URLSearchParams({ state, code: secrets.code })}`,
      ),
    );
    note(
      await browser.get(
        `/oauth_clients/our-client/callback?${new URLSearchParams({ state, code: secrets.code, error: secrets.code })}`,
      ),
    );

    // The secrets did reach the storage.
    const received = echo.requests
      .map(({ headers, body }) => `${headers.authorization} ${body}`)
      .join('\n');
    for (const secret of [
      secrets.accessToken,
      secrets.refreshToken,
      secrets.code,
      secrets.nextSecret,
    ])
      expect(received).toContain(secret);
    expect(received).toContain(
      Buffer.from(`OpenProject:${secrets.applicationPassword}`).toString('base64'),
    );

    const rows = await contentOf(app);
    const files =
      app.running.services.db.client === 'sqlite'
        ? readdirSync(app.folder)
            .filter((name) => name.includes('sqlite'))
            .map((name) => readFileSync(join(app.folder, name), 'latin1'))
            .join()
        : '';
    expect(app.running.services.db.client === 'sqlite').toBe(files.length > 1000);
    for (const [place, text] of Object.entries({
      answers: responses.join('\n'),
      log: app.logLines.join('\n'),
      rows,
      files,
    })) {
      const found = [
        ...Object.values(secrets),
        state,
        ...Object.values(secrets).map((secret) =>
          Buffer.from(secret).toString('base64').slice(0, 16),
        ),
      ].filter((secret) => text.includes(secret));
      expect({ place, found }).toEqual({ place, found: [] });
    }
  });
});

describe('a malicious origin', () => {
  let app: App;
  let trap: FakeServer;
  let admin: Person;
  beforeAll(async () => {
    trap = await serveFake(
      (_request, res) =>
        void res.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data/' }).end(),
    );
    app = await startApp({ STORAGE_TIMEOUT_MS: '800' });
    admin = await app.given.user({ admin: true });
  });
  afterAll(async () => {
    await app.stop();
    await trap.close();
  });

  const create = (origin: string) =>
    app.post('/api/v3/storages', admin, {
      name: 'Trap',
      applicationPassword: 'planted-password',
      _links: {
        type: { href: 'urn:service-org:api:v3:storages:SelfHostedFileServer' },
        origin: { href: origin },
      },
    });

  test.each([
    ['metadata', 'https://169.254.169.254', /must not be called/],
    ['link-local over IPv6', 'https://[fe80::1]', /must not be called/],
    ['metadata as one number', 'https://2852039166', /must not be called/],
    ['another scheme', 'gopher://127.0.0.1', /^Host is not a valid URL\.$/],
    [
      'a user name in the address',
      'https://admin:secret@files.example.test',
      /^Host is not a valid URL\.$/,
    ],
    ['http without TLS at another host', 'http://files.example.test', /by https/],
  ])('%s is refused before a request is sent', async (_what, origin, message) => {
    const { status, body } = await create(origin);
    expect([status, body.message.match(message)?.length, body._embedded.details.attribute]).toEqual(
      [422, 1, 'host'],
    );
  });

  test.each([
    ['a redirect to metadata', undefined],
    ['an answer of 1 GB', { bytes: 2 ** 30 }],
    ['an endless answer', 'endless' as const],
    ['a very slow answer', { trickleMs: 50 }],
    ['silence', 'silence' as const],
  ])(
    '%s is refused within limits of time and memory, and the password is not sent',
    async (_what, fault) => {
      trap.repair();
      trap.forget();
      if (fault) trap.fault(fault);
      const { status, body } = await create(trap.url);
      expect([
        status,
        body.errorIdentifier,
        body._embedded.details.attribute,
        body.message.startsWith('Host could not be checked: '),
      ]).toEqual([422, 'urn:service-org:api:v3:errors:PropertyConstraintViolation', 'host', true]);
      expect(trap.requests.map(({ path, headers }) => [path, headers.authorization])).toEqual([
        ['/ocs/v2.php/cloud/capabilities', undefined],
      ]);
    },
  );

  test('loopback and private addresses are refused if the setting says so', async () => {
    const strict = await startApp({ STORAGE_ALLOW_PRIVATE: 'false' });
    try {
      const owner = await strict.given.user({ admin: true });
      for (const origin of [trap.url, 'https://10.0.0.1', 'https://localhost']) {
        const { status, body } = await strict.post('/api/v3/storages', owner, {
          _links: {
            type: { href: 'urn:service-org:api:v3:storages:SelfHostedFileServer' },
            origin: { href: origin },
          },
        });
        expect([status, /must not be called/.test(body.message)]).toEqual([422, true]);
      }
    } finally {
      await strict.stop();
    }
  });
});

test('metrics count requests to storages by target and status, for administrators or on another port', async () => {
  const server = await startFileServer();
  const app = await startApp();
  try {
    const admin = await app.given.user({ admin: true });
    const storage = await app.given.storage({
      origin: server.url,
      client: { id: 'c', secret: 's' },
    });
    await app.given.storageTokens(admin, storage, {
      accessToken: 'unknown-token',
      refreshToken: 'unknown-token',
    });
    await app.get(storage.path, admin);
    const { status, headers, text } = await app.get('/metrics', admin);
    expect([status, headers.get('content-type')]).toEqual([
      200,
      'text/plain; version=0.0.4; charset=utf-8',
    ]);
    expect(text).toContain(
      `moorage_outbound_requests_total{target="storage ${storage.id}",status="401"} 1`,
    );
    expect(text).toContain(
      `moorage_outbound_requests_total{target="storage ${storage.id}",status="400"} 1`,
    );
    expect(text).toContain(
      `moorage_token_refresh_failures_total{target="storage ${storage.id}",reason="refused"} 1`,
    );
    for (const as of [undefined, await app.given.user()])
      expect((await app.get('/metrics', as)).status).toBe(403);

    const apart = await startApp({ METRICS_PORT: '0' });
    try {
      const { address } = JSON.parse(
        apart.logLines.find((line) => line.includes('"metrics"'))!,
      ) as { address: string };
      const numbers = await fetch(`${address}/metrics`);
      expect([
        numbers.status,
        (await numbers.text()).includes('moorage_outbound_requests_total'),
      ]).toEqual([200, true]);
      expect((await apart.get('/metrics', await apart.given.user({ admin: true }))).status).toBe(
        404,
      );
    } finally {
      await apart.stop();
    }
  } finally {
    await app.stop();
    await server.close();
  }
});

import { startApp, type App } from '../../support/app.js';
import { errorBody, notFound } from '../../support/expected.js';
import type { Person } from '../../support/factories.js';
import { afterAll, beforeAll, describe, expect, test } from '../../support/jest.js';

let app: App;
let person: Person;
beforeAll(async () => {
  app = await startApp();
  person = await app.given.user();
});
afterAll(() => app.stop());

const me = (authorization?: string) =>
  app.get('/api/v3/users/me', undefined, {
    headers: authorization === undefined ? {} : { authorization },
  });
const basic = (pair: string) => `Basic ${Buffer.from(pair).toString('base64')}`;

describe('credentials', () => {
  test('the API key works as Basic and as Bearer, in any case of the scheme', async () => {
    for (const authorization of [
      basic(`apikey:${person.key}`),
      `Bearer ${person.key}`,
      `bearer ${person.key}`,
      basic(`apikey:${person.key}`).replace('Basic', 'BASIC'),
    ]) {
      expect((await me(authorization)).body.id).toBe(person.id);
    }
  });

  test('wrong credentials answer 401 with a challenge of their scheme, over REST and GraphQL', async () => {
    const refused = errorBody('Unauthenticated', 'You did not provide the correct credentials.');
    const challenges = {
      [`Bearer ${person.key}x`]:
        'Bearer realm="Moorage API", error="invalid_token", error_description="The API key or token is not valid."',
      'Bearer ':
        'Bearer realm="Moorage API", error="invalid_token", error_description="The API key or token is not valid."',
      [basic(`apikey:${person.key}x`)]: 'Basic realm="Moorage API", charset="UTF-8"',
      [basic(`${person.login}:${person.key}`)]: 'Basic realm="Moorage API", charset="UTF-8"',
      'Basic %%%': 'Basic realm="Moorage API", charset="UTF-8"',
      'Digest username="x"': 'Basic realm="Moorage API", charset="UTF-8"',
      nonsense: 'Basic realm="Moorage API", charset="UTF-8"',
    };
    for (const [authorization, challenge] of Object.entries(challenges)) {
      const { status, body, headers } = await me(authorization);
      expect({ authorization, status, body, challenge: headers.get('www-authenticate') }).toEqual({
        authorization,
        status: 401,
        body: refused,
        challenge,
      });
      const graphql = await app.request('POST', '/graphql', {
        json: { query: '{ viewer { id } }' },
        headers: { authorization },
      });
      expect({
        status: graphql.status,
        body: graphql.body,
        challenge: graphql.headers.get('www-authenticate'),
      }).toEqual({
        status: 401,
        challenge,
        body: {
          errors: [
            {
              message: 'You did not provide the correct credentials.',
              extensions: {
                code: 'UNAUTHENTICATED',
                errorIdentifier: 'urn:service-org:api:v3:errors:Unauthenticated',
                status: 401,
              },
            },
          ],
        },
      });
    }
  });

  test('credentials that a browser sends by itself are ignored for cross-site requests that could change data', async () => {
    const open = await startApp({ CORS_ORIGINS: 'https://app.example.test' });
    try {
      const admin = await open.given.user({ admin: true });
      const ask = async (headers: { [name: string]: string }, method = 'POST') =>
        (
          await open.request(method, '/api/v3/attachments/99999', {
            ...(method === 'POST' && { json: {} }),
            headers: { authorization: basic(`apikey:${admin.key}`), ...headers },
          })
        ).status;
      for (const site of ['cross-site', 'same-site']) {
        expect([
          await ask({ 'sec-fetch-site': site }),
          await ask({ 'sec-fetch-site': site, origin: 'https://evil.example.test' }),
        ]).toEqual([401, 401]);
        // Configured origins, and requests that only read.
        expect([
          await ask({ 'sec-fetch-site': site, origin: 'https://app.example.test' }),
          await ask({ 'sec-fetch-site': site }, 'GET'),
        ]).toEqual([405, 404]);
        expect(await ask({ 'sec-fetch-site': site, authorization: `Bearer ${admin.key}` })).toBe(
          405,
        );
      }
      // Older browsers, and untrusted origins.
      expect([
        await ask({ origin: 'http://evil.example.test' }),
        await ask({ origin: 'null' }),
        await ask({ origin: new URL(open.url).origin }),
        await ask({ origin: 'https://app.example.test' }),
      ]).toEqual([401, 401, 405, 405]);
      for (const headers of [{}, { 'sec-fetch-site': 'same-origin' }, { 'sec-fetch-site': 'none' }])
        expect(await ask(headers as { [name: string]: string })).toBe(405);
    } finally {
      await open.stop();
    }
  });

  test('a background request that asks for the Session scheme gets a challenge without a browser dialog', async () => {
    for (const [authorization, challenge] of [
      ['nonsense', 'Session realm="Moorage API"'],
      [
        'Bearer x',
        'Bearer realm="Moorage API", error="invalid_token", error_description="The API key or token is not valid."',
      ],
    ] as const) {
      const { status, headers } = await app.request('GET', '/api/v3/users/me', {
        headers: { authorization, 'x-authentication-scheme': 'Session' },
      });
      expect([status, headers.get('www-authenticate')]).toEqual([401, challenge]);
    }
  });

  test('the API key of a locked user is refused', async () => {
    const locked = await app.given.user({ status: 'locked' });
    expect((await me(`Bearer ${locked.key}`)).status).toBe(401);
  });

  test('a request without credentials is anonymous', async () => {
    expect((await me()).body.name).toBe('Anonymous');
    expect((await app.graphql('{ viewer { name login email } }')).data).toEqual({
      viewer: { name: 'Anonymous', login: 'anonymous', email: null },
    });
  });
});

describe('public projects', () => {
  test('anonymous users have the role Anonymous only in public projects; users who are not members have Non member', async () => {
    await app.given.role(['view_meetings'], 'Anonymous');
    await app.given.role(['view_meetings', 'edit_meetings'], 'Non member');
    const [open, closed] = [await app.given.project({ isPublic: true }), await app.given.project()];
    const [inOpen, inClosed] = [
      await app.given.meeting(open, person),
      await app.given.meeting(closed, person),
    ];
    const member = await app.given.member(open, []);
    expect((await app.get(inOpen.path)).body._links).not.toHaveProperty('addAttachment');
    expect((await app.upload(inOpen.attachments)).status).toBe(403);
    expect((await app.upload(inOpen.attachments, { as: person })).status).toBe(200);
    // A member has the permissions of their own roles, not those of Non member.
    expect((await app.get(inOpen.path, member)).body).toEqual(notFound);
    for (const caller of [undefined, person])
      expect((await app.get(inClosed.path, caller)).body).toEqual(notFound);
  });
});

describe('API keys over GraphQL', () => {
  const CREATE =
    'mutation ($name: String!) { createApiKey(input: { name: $name }) { key apiKey { id name } } }';
  test('a new key is shown once, works, is listed by name, and stops working when it is deleted', async () => {
    const { data } = await app.graphql(CREATE, { name: 'laptop' }, person);
    const { key, apiKey } = data.createApiKey;
    expect((await me(`Bearer ${key}`)).body.id).toBe(person.id);
    const listed = (await app.graphql('{ viewer { apiKeys { id name } } }', {}, person)).data.viewer
      .apiKeys;
    expect(listed).toContainEqual({ id: apiKey.id, name: 'laptop' });
    const stranger = await app.given.user();
    const DELETE = 'mutation ($id: ID!) { deleteApiKey(input: { id: $id }) { deletedApiKeyId } }';
    expect((await app.graphql(DELETE, { id: apiKey.id }, stranger)).errors).toMatchObject([
      { extensions: { code: 'NOT_FOUND' } },
    ]);
    expect((await app.graphql(DELETE, { id: apiKey.id }, person)).data).toEqual({
      deleteApiKey: { deletedApiKeyId: apiKey.id },
    });
    expect((await me(`Bearer ${key}`)).status).toBe(401);
    expect(JSON.stringify(app.logLines)).not.toContain(key);
  });

  test('a renamed key still works; other users cannot rename it', async () => {
    const UPDATE =
      'mutation ($id: ID!, $name: String!) { updateApiKey(input: { id: $id, name: $name }) { apiKey { id name createdAt } } }';
    const { key, apiKey } = (await app.graphql(CREATE, { name: 'old' }, person)).data.createApiKey;
    await app.graphql(CREATE, { name: 'other' }, person);
    const { data } = await app.graphql(UPDATE, { id: apiKey.id, name: 'new' }, person);
    expect(data).toEqual({
      updateApiKey: { apiKey: { id: apiKey.id, name: 'new', createdAt: expect.any(String) } },
    });
    expect((await app.graphql(UPDATE, { id: apiKey.id, name: 'new' }, person)).data).toEqual(data);
    expect((await me(`Bearer ${key}`)).body.id).toBe(person.id);
    for (const [name, message] of [
      ['other', 'Name has already been taken.'],
      [' ', "Name can't be blank."],
      ['n'.repeat(256), 'Name must be text of at most 255 characters.'],
    ]) {
      expect((await app.graphql(UPDATE, { id: apiKey.id, name }, person)).errors).toMatchObject([
        { message, extensions: { code: 'PROPERTY_CONSTRAINT_VIOLATION', attribute: 'name' } },
      ]);
    }
    const stranger = await app.given.user();
    for (const [id, as] of [
      [apiKey.id, stranger],
      [apiKey.id, undefined],
      ['999999', person],
      ['x', person],
    ])
      expect((await app.graphql(UPDATE, { id, name: 'mine' }, as)).errors).toMatchObject([
        { extensions: { code: 'NOT_FOUND' } },
      ]);
    const listed = (await app.graphql('{ viewer { apiKeys { id name } } }', {}, person)).data.viewer
      .apiKeys;
    expect(listed).toContainEqual({ id: apiKey.id, name: 'new' });
    expect(listed).not.toContainEqual(expect.objectContaining({ name: 'old' }));
  });

  test('names are unique for each user and not blank; anonymous users have no keys', async () => {
    await app.graphql(CREATE, { name: 'twice' }, person);
    expect((await app.graphql(CREATE, { name: 'twice' }, person)).errors).toMatchObject([
      {
        message: 'Name has already been taken.',
        extensions: { code: 'PROPERTY_CONSTRAINT_VIOLATION', attribute: 'name' },
      },
    ]);
    expect((await app.graphql(CREATE, { name: ' ' }, person)).errors).toMatchObject([
      { message: "Name can't be blank.", extensions: { attribute: 'name' } },
    ]);
    expect((await app.graphql(CREATE, { name: 'x' })).errors).toMatchObject([
      { extensions: { code: 'MISSING_PERMISSION', status: 403 } },
    ]);
  });
});

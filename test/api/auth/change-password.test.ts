/** People change their own password. It ends what they have opened before, unless they keep it. */
import { startApp, startBeside, type App } from '../../support/app.js';
import { Visitor } from '../../support/browser-visitor.js';
import type { Person } from '../../support/factories.js';
import { afterAll, beforeAll, describe, expect, test } from '../../support/jest.js';
import { listen } from '../../support/stream.js';
import { application, PASSWORD, signable, type Application } from './support/applications.js';
import { codeGrant, form, me } from './support/grants.js';

let app: App;
let beside: App;
let tool: Application;
beforeAll(async () => {
  app = await startApp();
  beside = await startBeside(app);
  tool = await application(app, await app.given.user({ admin: true }));
});
afterAll(async () => {
  await beside?.stop();
  await app.stop();
});

const NEW = 'another harbour';
const DOCUMENT =
  'mutation ($input: ChangePasswordInput!) { changePassword(input: $input) { user { databaseId login viewerCanChangePassword } } }';

const signedIn = async ({ login }: Person, password = PASSWORD, site = app): Promise<Visitor> => {
  const visitor = new Visitor(site);
  expect((await visitor.signIn(login, password)).status).toBe(303);
  return visitor;
};
const canSignIn = async ({ login }: Person, password: string): Promise<boolean> =>
  (await new Visitor(app).signIn(login, password)).status === 303;

/** Sends the mutation with the cookies of a browser. */
const send = async (
  visitor: Visitor,
  input: object,
  headers: { [name: string]: string } = {},
  site = app,
) =>
  (
    await site.request('POST', '/graphql', {
      json: { query: DOCUMENT, variables: { input } },
      headers: { cookie: visitor.header('/graphql'), 'sec-fetch-site': 'same-origin', ...headers },
    })
  ).body;
const change = (visitor: Visitor, members: object = {}, site = app) =>
  send(visitor, { currentPassword: PASSWORD, newPassword: NEW, ...members }, {}, site);
const changed = ({ id, login }: Person) => ({
  data: {
    changePassword: { user: { databaseId: id, login, viewerCanChangePassword: true } },
  },
});
const refused = (
  message: string,
  [code, identifier, status, attribute]: [string, string, number, string?],
) => ({
  data: null,
  errors: [
    {
      message,
      locations: expect.any(Array),
      path: ['changePassword'],
      extensions: {
        code,
        errorIdentifier: `urn:service-org:api:v3:errors:${identifier}`,
        status,
        ...(attribute && { attribute }),
      },
    },
  ],
});
const violation = (message: string, attribute: string) =>
  refused(message, [
    'PROPERTY_CONSTRAINT_VIOLATION',
    'PropertyConstraintViolation',
    422,
    attribute,
  ]);
const WRONG = violation('The current password is wrong.', 'currentPassword');
const ENDED = refused('Your session has ended. Sign in again.', [
  'UNAUTHENTICATED',
  'Unauthenticated',
  401,
]);
const forbidden = (message: string) =>
  refused(message, ['MISSING_PERMISSION', 'MissingPermission', 403]);

describe('a changed password', () => {
  test.each([
    ['as the schema has it', {}, 401],
    ['in so many words', { endSessions: true }, 401],
    ['unless the person keeps it', { endSessions: false }, 200],
  ])(
    'ends what was opened before, %s; its own session and API keys stay',
    async (_title, members, status) => {
      const person = await signable(app);
      const visitor = await signedIn(person);
      const other = await signedIn(person);
      const { body: tokens } = await codeGrant(app, tool, person);
      const stranger = await signable(app);
      const theirs = await signedIn(stranger);
      const query = 'subscription { notificationReceived { id } }';
      const streams = [
        await listen(app, { ...person, key: tokens.access_token }, { query }),
        await listen(app, undefined, {
          query,
          headers: { cookie: other.header('/'), 'sec-fetch-site': 'same-origin' },
        }),
      ];
      const now = await app.running.services.db.write('users').where({ id: person.id }).first();
      await app.running.services.db.write('identity_tokens').insert({
        user_id: person.id,
        access_token: 'x',
        created_at: now.created_at,
        updated_at: now.created_at,
      });
      expect(await change(visitor, members)).toEqual(changed(person));
      const statusOf = async (one: Visitor, path = '/api/v3/users/me') =>
        (await one.get(path)).status;
      expect({
        own: await statusOf(visitor),
        other: await statusOf(other),
        token: (await me(app, tokens.access_token)).status,
        key: (await me(app, person.key)).status,
        stranger: await statusOf(theirs),
        'tokens of the provider': await app.running.services.db
          .write('identity_tokens')
          .where({ user_id: person.id })
          .then(({ length }: unknown[]) => length),
        refresh: (
          await form(app, '/oauth/token', {
            grant_type: 'refresh_token',
            refresh_token: tokens.refresh_token,
            client_id: tool.clientId,
            client_secret: tool.secret,
          })
        ).status,
      }).toEqual({
        own: 200,
        other: status,
        token: status,
        key: 200,
        stranger: 200,
        'tokens of the provider': status === 200 ? 1 : 0,
        refresh: status === 200 ? 200 : 400,
      });
      if (status === 401) for (const stream of streams) await stream.end();
      else for (const stream of streams) stream.leave();
      expect(await canSignIn(person, PASSWORD)).toBe(false);
      expect(await canSignIn(person, NEW)).toBe(true);
      // The session of the change can do it again.
      expect(await change(visitor, { currentPassword: NEW, newPassword: PASSWORD })).toEqual(
        changed(person),
      );
    },
  );

  test('by an API key ends all sessions; the key stays', async () => {
    const person = await signable(app);
    const visitor = await signedIn(person);
    const input = { currentPassword: PASSWORD, newPassword: NEW };
    const byKey = { authorization: `Bearer ${person.key}` };
    expect(await send(new Visitor(app), input, byKey)).toEqual(changed(person));
    expect((await visitor.get('/api/v3/users/me')).status).toBe(401);
    expect((await me(app, person.key)).status).toBe(200);
    expect(await canSignIn(person, NEW)).toBe(true);
  });

  test.each([true, false])(
    'ends a link to set a password, and is in the audit (endSessions: %s)',
    async (endSessions) => {
      const person = await signable(app);
      const admin = await app.given.user({ admin: true });
      const visitor = await signedIn(person);
      const { data } = await app.graphql(
        'mutation ($id: ID!) { setUserPassword(input: { id: $id }) { passwordLink } }',
        { id: String(person.id) },
        admin,
      );
      const { pathname, search } = new URL(data.setUserPassword.passwordLink);
      const link = async () => (await new Visitor(app).get(pathname + search)).status;
      expect(await link()).toBe(200);
      expect(await change(visitor, { endSessions })).toEqual(changed(person));
      expect(await link()).toBe(404);
      const audit = await app.graphql(
        'query ($id: ID!) { auditEvents(filter: { actorId: $id }, first: 1) { nodes { kind credential subjectId } } }',
        { id: String(person.id) },
        admin,
      );
      expect(audit.data.auditEvents.nodes).toEqual([
        {
          kind: 'PASSWORD_CHANGED',
          credential: 'SESSION',
          subjectId: Buffer.from(`User:${person.id}`).toString('base64url'),
        },
      ]);
    },
  );

  test('is hashed as those of a directory file', async () => {
    const person = await signable(app);
    await change(await signedIn(person));
    const { password_hash: hash } = await app.running.services.db
      .write('users')
      .where({ id: person.id })
      .first();
    expect(hash).toMatch(/^scrypt\$16384\$8\$1\$[\w-]{22}\$[\w-]{43}$/);
  });

  test('of two at once, in two processes, is the first one; the other one is refused', async () => {
    const person = await signable(app);
    const [one, two] = [await signedIn(person), await signedIn(person, PASSWORD, beside)];
    for (const endSessions of [false, true]) {
      const current = endSessions ? `${NEW} false` : PASSWORD;
      const results = await Promise.all(
        [
          [one, app],
          [two, beside],
        ].map(async ([visitor, site], index) => ({
          password: `${NEW} ${index}`,
          body: await change(
            visitor as Visitor,
            { currentPassword: current, newPassword: `${NEW} ${index}`, endSessions },
            site as App,
          ),
        })),
      );
      const [won, ...others] = results.filter(({ body }) => body.data !== null);
      const [lost] = results.filter(({ body }) => body.data === null);
      expect({ won: won?.body, others }).toEqual({ won: changed(person), others: [] });
      expect([WRONG, ENDED]).toContainEqual(lost!.body);
      expect(await canSignIn(person, won!.password)).toBe(true);
      expect(await canSignIn(person, lost!.password)).toBe(false);
      if (!endSessions)
        await change(one, {
          currentPassword: won!.password,
          newPassword: `${NEW} false`,
          endSessions,
        });
    }
  });

  test('is in no log line, and no answer shows its hash', async () => {
    const person = await signable(app);
    const visitor = await signedIn(person);
    const from = app.logLines.length;
    const wrong = 'a-planted-wrong-password';
    const planted = 'a-planted-new-password';
    const texts = [
      await change(visitor, { currentPassword: wrong }),
      await change(visitor, { newPassword: `${planted}${'x'.repeat(2_000)}` }),
      await send(visitor, { currentPassword: wrong, newPassword: { planted } }),
      await change(visitor, { newPassword: planted }),
    ].map((body) => JSON.stringify(body));
    const lines = app.logLines.slice(from).join('\n');
    expect(lines).toContain('a change of a password was refused');
    expect(lines).toContain('a password was changed');
    for (const secret of [wrong, planted, PASSWORD, 'scrypt$'])
      expect({ secret, logged: lines.includes(secret) }).toEqual({ secret, logged: false });
    expect(texts.slice(0, 2).join() + texts[3]).not.toContain('planted');
  });
});

describe('a refused change of a password', () => {
  /** Expects that nothing ended and nothing changed. */
  const expectNothing = async (person: Person, visitor: Visitor) => {
    expect((await visitor.get('/api/v3/users/me')).status).toBe(200);
    expect(await canSignIn(person, PASSWORD)).toBe(true);
  };

  test('has a wrong current password, or a new one that is blank or too long', async () => {
    const person = await signable(app);
    const visitor = await signedIn(person);
    const length = violation('The new password must have 1 to 1,024 characters.', 'newPassword');
    for (const [members, answer] of [
      [{ currentPassword: 'typo' }, WRONG],
      [{ currentPassword: '' }, WRONG],
      [{ newPassword: '' }, length],
      [{ newPassword: 'x'.repeat(1_025) }, length],
    ] as const)
      expect(await change(visitor, members)).toEqual(answer);
    await expectNothing(person, visitor);
    expect(await change(visitor, { newPassword: '⚓'.repeat(1_024) })).toEqual(changed(person));
    expect(await canSignIn(person, '⚓'.repeat(1_024))).toBe(true);
  });

  test('comes with the token of an application, with a limited API key, from nobody, or from another page', async () => {
    const person = await signable(app);
    const visitor = await signedIn(person);
    const { body: tokens } = await codeGrant(app, tool, person);
    const input = { currentPassword: PASSWORD, newPassword: NEW };
    const nobody = new Visitor(app);
    const { data } = await app.graphql(
      'mutation { createApiKey(input: { name: "files", access: FILES }) { key } }',
      {},
      person,
    );
    const filesKey = data.createApiKey.key;
    for (const [headers, answer] of [
      [
        { authorization: `Bearer ${filesKey}` },
        forbidden('This API key is for files only: sign in, or use a key for everything.'),
      ],
      [
        { authorization: `Bearer ${tokens.access_token}` },
        forbidden('An application may not do this: sign in, or use an API key of your own.'),
      ],
      [{}, forbidden('Sign in to change your password.')],
    ] as const)
      expect(await send(nobody, input, headers)).toEqual(answer);
    const foreign = await send(visitor, input, { 'sec-fetch-site': 'cross-site' });
    expect(foreign.errors[0].extensions.status).toBe(401);
    await expectNothing(person, visitor);
  });

  test('comes from a person without password, whom the pages do not offer it either', async () => {
    const person = await signable(app);
    const visitor = await signedIn(person);
    const may = async (headers: { [name: string]: string } = {}, id = person.id) =>
      (
        await app.request('POST', '/graphql', {
          json: { query: `{ user(id: ${id}) { viewerCanChangePassword } }` },
          headers: {
            cookie: visitor.header('/graphql'),
            'sec-fetch-site': 'same-origin',
            ...headers,
          },
        })
      ).body.data.user.viewerCanChangePassword;
    expect({
      own: await may(),
      'of another person': await may({}, (await signable(app)).id),
      'with an API key': await may({ authorization: `Bearer ${person.key}` }),
    }).toEqual({ own: true, 'of another person': false, 'with an API key': true });
    await app.running.services.db
      .write('users')
      .where({ id: person.id })
      .update({ password_hash: null, identity: `https://id.example.test ${person.login}` });
    app.running.services.forgetIdentities();
    expect(await may()).toBe(false);
    expect(await change(visitor)).toEqual(
      forbidden('You have no password here that you could change.'),
    );
  });

  test('comes from a session that ends meanwhile', async () => {
    const person = await signable(app);
    const visitor = await signedIn(person);
    const { db } = app.running.services;
    let waiting: Promise<unknown> | undefined;
    await db.write.transaction(async (trx) => {
      await trx('users').where({ id: person.id }).update({ last_name: 'Locked' });
      waiting = change(visitor);
      // It has checked the password, and waits for the row.
      await new Promise((resolve) => setTimeout(resolve, 500));
      await trx('sessions').delete().where({ user_id: person.id });
    });
    expect(await waiting).toEqual(ENDED);
    expect(await canSignIn(person, PASSWORD)).toBe(true);
  });

  test('counts with the wrong passwords of the sign-in page, and cannot guess', async () => {
    const person = await signable(app);
    const visitor = await signedIn(person);
    const bystander = await signedIn(person);
    const late = refused('There were too many wrong passwords. Try again in 15 minutes.', [
      'TOO_MANY_REQUESTS',
      'TooManyRequests',
      429,
    ]);
    for (let wrong = 0; wrong < 5; wrong += 1)
      expect((await visitor.signIn(person.login, 'typo')).status).toBe(422);
    const guesses = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        change(visitor, { currentPassword: `guess ${index}` }, index % 2 ? app : beside),
      ),
    );
    expect(guesses.filter((body) => body.errors[0].extensions.status === 422)).toHaveLength(5);
    expect(await change(visitor)).toEqual(late);
    expect((await visitor.signIn(person.login, PASSWORD)).status).toBe(429);
    // The other browser has a counter of its own.
    expect(await change(bystander)).toEqual(changed(person));
  });

  test('is the third one in a document', async () => {
    const person = await signable(app);
    const visitor = await signedIn(person);
    const to = (current: string, next: string) =>
      `changePassword(input: { currentPassword: "${current}", newPassword: "${next}" }) { user { databaseId } }`;
    const { data, errors } = (
      await app.request('POST', '/graphql', {
        json: {
          query: `mutation { one: ${to(PASSWORD, 'one')} two: ${to('one', 'two')} three: ${to('two', 'three')} }`,
        },
        headers: { cookie: visitor.header('/graphql'), 'sec-fetch-site': 'same-origin' },
      })
    ).body;
    expect(errors).toHaveLength(1);
    expect(errors[0].extensions).toMatchObject({ code: 'INVALID_QUERY', status: 400 });
    expect(data).toBe(null);
    expect(await canSignIn(person, 'two')).toBe(true);
  });

  test('does not count against a right one', async () => {
    const person = await signable(app);
    const visitor = await signedIn(person);
    for (let round = 0; round < 3; round += 1) {
      for (let wrong = 0; wrong < 6; wrong += 1)
        expect(await change(visitor, { currentPassword: 'typo' })).toEqual(WRONG);
      expect(await change(visitor, { newPassword: PASSWORD })).toEqual(changed(person));
    }
  });
});

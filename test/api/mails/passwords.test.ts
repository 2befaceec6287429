/** Invitations, and links for people who have lost their password, come by e-mail. */
import { Visitor } from '../../support/browser-visitor.js';
import { startApp, type App } from '../../support/app.js';
import { until } from '../../support/cli.js';
import type { Person } from '../../support/factories.js';
import { afterAll, afterEach, beforeAll, expect, test } from '../../support/jest.js';
import { startSmtp, type Received, type Smtp } from '../../support/smtp.js';

const PASSWORD = 'a-long-password';

let smtp: Smtp;
let app: App;
let ada: Person;
beforeAll(async () => {
  smtp = await startSmtp(0, { password: 'p@ss/word' });
  app = await startApp({
    SMTP_URL: smtp.url,
    MAIL_FROM: 'files@example.test',
    BACKGROUND_WORK: 'true',
  });
  ada = await app.given.user({ admin: true });
});
afterEach(async () => {
  smtp.received.length = 0;
  await app.running.services.db.write('sign_in_failures').delete();
  await app.running.services.db.write('one_time_links').delete();
});
afterAll(async () => {
  await app?.stop();
  await smtp.stop();
});

const create = (input: object) =>
  app.graphql(
    'mutation ($input: CreateUserInput!) { createUser(input: $input) { invited passwordLink user { databaseId login } } }',
    { input },
    ada,
  );
const linkIn = ({ text }: Received): string => {
  const url = /http\S+\/password\?token=\S+/.exec(text)?.[0];
  if (url === undefined) throw new Error(`no link in: ${text}`);
  const { pathname, search } = new URL(url);
  return pathname + search;
};
const asking = async (name: string, headers: { [name: string]: string } = {}) => {
  const { status, text } = await new Visitor(app).post('/password', { name }, headers);
  return { status, text };
};
const waiting = () => app.running.services.db.read('mails').select('kind');
const sent = () => until(async () => (await waiting()).length === 0, 'no e-mail waits');
const setPassword = (visitor: Visitor, path: string) =>
  visitor.post('/password', {
    token: new URL(path, 'http://x').searchParams.get('token')!,
    password: PASSWORD,
    repeated: PASSWORD,
  });

test('a new person with an address is invited, sets a password, and the administrator sees no link', async () => {
  const { data } = await create({
    login: 'kim',
    firstName: 'Kim',
    lastName: 'Keeper',
    email: 'kim@example.test',
  });
  expect(data.createUser).toEqual({
    invited: true,
    passwordLink: null,
    user: { databaseId: expect.any(Number), login: 'kim' },
  });
  const [mail] = await smtp.messages(1);
  const { host } = new URL(app.running.address);
  const path = linkIn(mail!);
  expect(mail).toMatchObject({ to: ['kim@example.test'], subject: `Your account at ${host}` });
  expect(mail!.text).toMatch(
    new RegExp(
      `^Hello Kim,\n\nThere is an account for you now, with the login kim. Set its password here:\nhttp://${host}/password\\?token=[\\w-]+\n\n` +
        `The address works once, and until \\w+ \\d+, \\d{4} at [\\d:]+.[AP]M UTC.\n\nSent by Moorage at ${host}.\n$`,
    ),
  );
  expect(mail!.headers).not.toHaveProperty('list-unsubscribe');
  expect(smtp.logins.at(-1)).toBe('moorage:p@ss/word');
  const visitor = new Visitor(app);
  expect((await setPassword(visitor, path)).status).toBe(303);
  expect((await setPassword(new Visitor(app), path)).status).toBe(404);
});

test('without an address there is a link; with a password there is neither', async () => {
  const link = await create({ login: 'lea', firstName: 'Lea' });
  expect(link.data.createUser).toMatchObject({
    invited: false,
    passwordLink: expect.stringContaining('/password?token='),
  });
  const given = await create({
    login: 'leo',
    firstName: 'Leo',
    email: 'leo@example.test',
    password: PASSWORD,
  });
  expect(given.data.createUser).toMatchObject({ invited: false, passwordLink: null });
  expect(await waiting()).toEqual([]);
});

test('who has lost a password asks by login or address, in the language of the last sign-in', async () => {
  await app.given.user({
    login: 'mia',
    firstName: 'Mia',
    email: 'Mia@example.test',
    password: PASSWORD,
  });
  const visitor = new Visitor(app);
  await visitor.post(
    '/login',
    { login: 'mia', password: PASSWORD },
    { 'accept-language': 'de-AT' },
  );

  const stranger = new Visitor(app);
  expect((await stranger.get('/login')).text).toContain(
    '<a href="/password">Forgot your password?</a>',
  );
  expect((await stranger.get('/password')).text).toContain('Login or e-mail address');
  const answer = await asking(' mia@example.TEST ');
  const [mail] = await smtp.messages(1);
  expect(mail).toMatchObject({ to: ['Mia@example.test'], subject: 'Ein neues Passwort setzen' });
  expect(mail!.text).toContain('jemand hat um ein neues Passwort für dein Konto mia gebeten.');

  // Nobody learns from the answer who has an account. For five minutes there is one link only.
  await sent();
  expect([await asking('mia'), await asking('nobody'), await asking("x' or 1=1 --\0")]).toEqual([
    answer,
    answer,
    answer,
  ]);
  expect(answer).toEqual({ status: 200, text: expect.stringContaining('Look into your e-mails') });
  expect(await waiting()).toEqual([]);

  const other = new Visitor(app);
  expect((await setPassword(other, linkIn(mail!))).status).toBe(303);
  expect((await visitor.get('/account')).location).toBe('/login?return_to=%2Faccount');
});

test('locked people and those of the OpenID provider get no link', async () => {
  const { given } = app;
  await given.user({
    login: 'locked',
    email: 'locked@example.test',
    password: PASSWORD,
    status: 'locked',
  });
  const outside = await given.user({ login: 'outside', email: 'outside@example.test' });
  await app.running.services.db
    .write('users')
    .where({ id: outside.id })
    .update({ identity: 'https://id.example.test outside' });
  for (const name of ['locked', 'outside', 'locked@example.test', ''])
    expect((await asking(name)).status).toBe(200);
  expect(await waiting()).toEqual([]);
});

test('a network asks ten times in a quarter of an hour', async () => {
  for (let count = 0; count < 10; count += 1) expect((await asking('nobody')).status).toBe(200);
  const { status, text } = await asking('nobody');
  expect([status, text]).toEqual([
    429,
    expect.stringContaining('Too many passwords were asked for. Try again in 15 minutes.'),
  ]);
  const german = await asking('nobody', { 'accept-language': 'de' });
  expect(german.text).toContain('Es wurden zu viele Passwörter angefordert.');
});

test('a form of another site asks for nothing', async () => {
  await app.given.user({ login: 'max', email: 'max@example.test', password: PASSWORD });
  const { status } = await asking('max', {
    origin: 'https://evil.example.test',
    'sec-fetch-site': 'cross-site',
  });
  expect(status).toBe(403);
  expect(await waiting()).toEqual([]);
});

test('the token of a link is in no table', async () => {
  await create({ login: 'tia', firstName: 'Tia', email: 'tia@example.test' });
  const [mail] = await smtp.messages(1);
  const token = linkIn(mail!).split('=')[1]!;
  const { read } = app.running.services.db;
  expect(JSON.stringify([await read('one_time_links'), await read('mails')])).not.toContain(token);
  expect(app.logLines.join('\n')).not.toContain(token);
});

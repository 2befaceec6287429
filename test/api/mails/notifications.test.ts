/** Notifications come by e-mail, as people choose. */
import { startApp, startBeside, type App } from '../../support/app.js';
import { until } from '../../support/cli.js';
import type { ContainerHandle, Person } from '../../support/factories.js';
import { afterAll, afterEach, beforeAll, expect, test } from '../../support/jest.js';
import { startSmtp, type Smtp } from '../../support/smtp.js';

const BASE = 'https://files.example.test';

let smtp: Smtp;
let app: App;
let mia: Person;
let kai: Person;
let cable: ContainerHandle;

beforeAll(async () => {
  smtp = await startSmtp();
  app = await startApp({
    SMTP_URL: smtp.url,
    MAIL_FROM: 'Moorage <files@example.test>',
    MAIL_DELAY_SECONDS: '1',
    BACKGROUND_WORK: 'true',
    BASE_URL: BASE,
  });
  const { given } = app;
  const depot = await given.project({ name: 'Depot' });
  mia = await given.member(depot, ['view_work_packages'], {
    firstName: 'Mia',
    lastName: 'Ray',
    email: 'mia@example.test',
  });
  kai = await given.member(depot, ['view_work_packages', 'edit_work_packages'], {
    firstName: 'Kai',
    lastName: 'Lee',
    email: 'kai@example.test',
  });
  cable = await given.workPackage(depot, mia, 'Lay cable');
});
afterEach(async () => {
  await app.running.services.db.write('mails').delete();
  await app.running.services.db.write('notifications').delete();
  smtp.received.length = 0;
  smtp.refuse = undefined;
});
afterAll(async () => {
  await app?.stop();
  await smtp.stop();
});

const add = async (fileName: string, container = cable, as = kai): Promise<void> => {
  const { status } = await app.upload(container.attachments, { as, fileName });
  expect(status).toBe(200);
};
const prefer = async (preference: string, as = mia) =>
  (
    await app.graphql(
      'mutation ($preference: MailPreference!) { setMailPreference(input: { preference: $preference }) { user { mailPreference } } }',
      { preference },
      as,
    )
  ).data;
const sent = () => until(async () => (await waiting()).length === 0, 'no e-mail waits');
const waiting = () => app.running.services.db.read('mails').select('kind', 'due_at');
const dispatched = () =>
  until(async () => {
    const { read } = app.running.services.db;
    return (await read('events').where('dispatched', false)).length === 0;
  }, 'all events are dispatched');

test('what somebody adds within the delay is one e-mail, with the names and the address', async () => {
  for (const name of ['notes.txt', 'plan.pdf', 'IMG_1.jpg', 'IMG_2.jpg', 'IMG_3.jpg'])
    await add(name);
  const [mail] = await smtp.messages(1);
  const unsubscribe = /https:\S+unsubscribe\S+/.exec(mail!.text)?.[0];
  expect(unsubscribe).toMatch(new RegExp(`^${BASE}/unsubscribe\\?token=${mia.id}\\.[\\w-]{43}$`));
  expect({ ...mail, headers: undefined }).toEqual({
    to: ['mia@example.test'],
    from: { name: 'Moorage', address: 'files@example.test' },
    subject: 'Kai Lee added files to “Lay cable”',
    messageId: expect.stringMatching(/^<moorage-\d+-\d+@example\.test>$/),
    text: `Hello Mia,

Kai Lee added notes.txt, plan.pdf, IMG_1.jpg and 2 more to “Lay cable” in Depot:
${BASE}/work_packages/${cable.id}

You get this because the work packages are yours, or because you commented on them. Choose when you get such e-mails:
${BASE}/account

To get no more of them:
${unsubscribe}

Sent by Moorage at files.example.test.
`,
    headers: undefined,
  });
  expect(mail!.headers).toMatchObject({
    'auto-submitted': 'auto-generated',
    'list-unsubscribe': `<${unsubscribe}>`,
    'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
  });
  await sent();
  expect(smtp.received).toHaveLength(1);
});

test('an e-mail says only what is unread, and what the person still sees', async () => {
  const { given } = app;
  const hidden = await given.project({ name: 'Hidden' });
  const crane = await given.workPackage(hidden, mia, 'Secret crane');
  await given.membership(mia, hidden, ['view_work_packages']);
  await given.membership(kai, hidden, ['view_work_packages', 'edit_work_packages']);
  await add('secret.txt', crane);
  await add('plain.txt');
  await app.running.services.db
    .write('memberships')
    .where({ project_id: hidden.id, user_id: mia.id })
    .delete();
  app.running.services.forgetIdentities();
  const [mail] = await smtp.messages(1);
  expect(mail!.subject).toBe('Kai Lee added files to “Lay cable”');
  expect(mail!.text).not.toMatch(/secret/i);

  await sent();
  await add('read.txt');
  await dispatched();
  await app.graphql('mutation { markNotificationsRead(input: {}) { changed } }', {}, mia);
  await sent();
  expect(smtp.received).toHaveLength(1);
});

test('who wants none gets none; who wants them daily gets them in the morning', async () => {
  expect(await prefer('NEVER')).toEqual({
    setMailPreference: { user: { mailPreference: 'NEVER' } },
  });
  await add('quiet.txt');
  await dispatched();
  expect(await waiting()).toEqual([]);

  await prefer('DAILY');
  await add('daily.txt');
  await until(async () => (await waiting()).length === 1, 'an e-mail waits');
  const morning = new Date();
  if (morning.getUTCHours() >= 6) morning.setUTCDate(morning.getUTCDate() + 1);
  morning.setUTCHours(6, 0, 0, 0);
  expect(await waiting()).toEqual([{ kind: 'notifications', due_at: morning.toISOString() }]);

  await prefer('IMMEDIATE');
  const [mail] = await smtp.messages(1);
  expect(mail!.text).toContain('daily.txt');
});

test('the choice of another person is not shown, and anonymous callers have none', async () => {
  const own = await app.graphql('{ viewer { mailPreference } }', {}, mia);
  expect(own.data).toEqual({ viewer: { mailPreference: 'IMMEDIATE' } });
  const others = await app.graphql(
    'query ($id: ID!) { user(id: $id) { mailPreference } }',
    { id: String(mia.id) },
    kai,
  );
  expect(others).toMatchObject({ data: { user: { mailPreference: null } }, errors: undefined });
  expect(
    (
      await app.graphql(
        'mutation { setMailPreference(input: { preference: NEVER }) { user { id } } }',
      )
    ).errors,
  ).toMatchObject([{ extensions: { code: 'MISSING_PERMISSION' } }]);
});

test('the address in an e-mail asks, its button and the program of the person stop the e-mails', async () => {
  await add('one.txt');
  const [mail] = await smtp.messages(1);
  const { pathname, search } = new URL(/https:\S+unsubscribe\S+/.exec(mail!.text)![0]);
  const preference = async () =>
    (await app.graphql('{ viewer { mailPreference } }', {}, mia)).data.viewer.mailPreference;
  const at = (path: string, init?: RequestInit) => fetch(app.running.address + path, init);

  const page = await at(pathname + search);
  expect([page.status, await page.text()]).toEqual([
    200,
    expect.stringContaining('no e-mails about notifications to mia@example.test'),
  ]);
  expect(await preference()).toBe('IMMEDIATE');

  // As RFC 8058 describes it: from a server, without a cookie.
  const stopped = await at(pathname + search, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: 'List-Unsubscribe=One-Click',
  });
  expect([stopped.status, await stopped.text()]).toEqual([
    200,
    expect.stringContaining('There will be no more of these e-mails'),
  ]);
  expect(await preference()).toBe('NEVER');

  await prefer('IMMEDIATE');
  const wrong = [
    `${pathname}?token=${kai.id}.${search.split('.')[1]}`,
    `${pathname}?token=${mia.id}`,
    `${pathname}?token[]=x`,
    pathname,
  ];
  for (const path of wrong) {
    const { status } = await at(path, { method: 'POST' });
    expect([path, status]).toEqual([path, 404]);
  }
  expect(await preference()).toBe('IMMEDIATE');
});

test('a server that is away delays the e-mails and loses none', async () => {
  const port = Number(new URL(smtp.url).port);
  await smtp.stop();
  await add('late.txt');
  await until(
    async () => app.logLines.some((line) => line.includes('the mail server does not work')),
    'the failure is logged',
  );
  smtp = await startSmtp(port);
  const [mail] = await smtp.messages(1);
  expect(mail!.text).toContain('late.txt');
  await sent();
});

test('an address that the server refuses ends that e-mail only; a busy one is tried again', async () => {
  smtp.refuse = () => 550;
  await add('refused.txt');
  await until(
    async () => app.logLines.some((line) => line.includes('an e-mail was given up')),
    'the e-mail is given up',
  );
  await sent();
  expect(smtp.received).toEqual([]);
  expect(app.logLines.join('\n')).not.toContain('mia@example.test');

  let answers = 0;
  smtp.refuse = () => ((answers += 1) === 1 ? 451 : undefined);
  await add('greylisted.txt');
  const [mail] = await smtp.messages(1);
  expect(mail!.text).toContain('greylisted.txt');
});

test('what comes while an e-mail is being sent is told by another one, by two processes', async () => {
  const beside = await startBeside(app);
  try {
    let answer: ((status: undefined) => void) | undefined;
    smtp.refuse = () => new Promise((resolve) => (answer = resolve));
    await add('first.txt');
    await until(() => Promise.resolve(answer !== undefined), 'the server is asked');
    smtp.refuse = undefined;
    await add('second.txt');
    await dispatched();
    answer?.(undefined);
    const [first, second] = await smtp.messages(2);
    expect(first!.text).toContain('added first.txt to');
    expect(second!.text).toContain('added first.txt, second.txt to');
    await sent();
    expect(smtp.received).toHaveLength(2);
  } finally {
    await beside.stop();
  }
});

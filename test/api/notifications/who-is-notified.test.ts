/** Who is notified when files and file links are added to a work package, and when not. */
import { startApp, startBeside, type App } from '../../support/app.js';
import type { ContainerHandle, Person } from '../../support/factories.js';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '../../support/jest.js';
import { listen } from '../../support/stream.js';

let app: App;
let project: { id: number; name: string };
let author: Person;
let assignee: Person;
let commenter: Person;
let adder: Person;
let workPackage: ContainerHandle;

const WRITE = ['view_work_packages', 'add_work_packages', 'edit_work_packages'];
const COMMENT = ['add_work_package_comments', 'view_internal_comments'];
const LINKS = ['view_file_links', 'manage_file_links'];

beforeAll(async () => {
  app = await startApp();
  project = await app.given.project({ name: 'Depot' });
  const member = (login: string, permissions: string[]) =>
    app.given.member(project, permissions, { login, firstName: login, lastName: '' });
  author = await member('author', WRITE);
  assignee = await member('assignee', ['view_work_packages']);
  commenter = await member('commenter', [...WRITE, ...COMMENT, ...LINKS]);
  adder = await member('adder', [...WRITE, ...COMMENT, ...LINKS]);
});
afterAll(() => app?.stop());
beforeEach(async () => {
  workPackage = await app.given.workPackage(project, author, 'Lay cable', {
    assigneeId: assignee.id,
  });
  await app.given.comment(workPackage, commenter);
});

const FIELDS = `reason read actor { login } workPackage { databaseId subject }
  activity { kind internal }`;
const LIST = `query ($filter: NotificationFilter, $orderBy: [NotificationOrder!], $first: Int, $after: String) {
  viewer { notifications(filter: $filter, orderBy: $orderBy, first: $first, after: $after) {
    totalCount totalIsAtLeast pageInfo { hasNextPage endCursor } nodes { databaseId ${FIELDS} } } } }`;

interface Listed {
  databaseId: number;
  reason: string;
  read: boolean;
  actor: { login: string };
  activity: { kind: string; internal: boolean } | null;
}
/** The notifications about the work package of this test. */
async function notified(person: Person, about: { id: number } = workPackage): Promise<Listed[]> {
  const { data, errors } = await app.graphql(
    LIST,
    { filter: { workPackageIds: [String(about.id)] } },
    person,
  );
  expect(errors).toBeUndefined();
  return data.viewer.notifications.nodes as Listed[];
}
const reasons = async (about?: { id: number }) =>
  Object.fromEntries(
    await Promise.all(
      [author, assignee, commenter, adder].map(async (person) => [
        person.login,
        (await notified(person, about)).map(({ reason }) => reason),
      ]),
    ),
  ) as { [login: string]: string[] };
const EVERYBODY = {
  author: ['CREATED'],
  assignee: ['ASSIGNED'],
  commenter: ['COMMENTED'],
  adder: [],
};
const NOBODY = { author: [], assignee: [], commenter: [], adder: [] };

const upload = (as: Person = adder, to: ContainerHandle = workPackage) =>
  app.upload(`${to.path}/attachments`, { as });

async function linked(as: Person = adder): Promise<void> {
  const storage = await app.given.storage();
  await app.given.projectStorage(project, storage);
  const { status } = await app.post(`/api/v3/work_packages/${workPackage.id}/file_links`, as, {
    _embedded: {
      elements: [
        {
          originData: { id: '7', name: 'plan.txt' },
          _links: { storage: { href: `/api/v3/storages/${storage.id}` } },
        },
      ],
    },
  });
  expect(status).toBe(201);
}

describe('a file that somebody adds', () => {
  test('notifies the assignee, the author and those who commented, but not who added it', async () => {
    expect((await upload()).status).toBe(200);
    expect(await reasons()).toEqual(EVERYBODY);
    expect(await notified(assignee)).toEqual([
      {
        databaseId: expect.any(Number),
        reason: 'ASSIGNED',
        read: false,
        actor: { login: 'adder' },
        workPackage: { databaseId: workPackage.id, subject: 'Lay cable' },
        activity: { kind: 'SYSTEM', internal: false },
      },
    ]);
  });

  test('does not notify the author who adds it', async () => {
    expect((await upload(author)).status).toBe(200);
    expect(await reasons()).toEqual({ ...EVERYBODY, author: [] });
  });

  test('notifies with the first reason that applies', async () => {
    await app.given.comment(workPackage, assignee);
    await app.given.comment(workPackage, author);
    await upload();
    expect(await reasons()).toEqual({ ...EVERYBODY, author: ['COMMENTED'] });
  });

  test('does not notify people who are locked or no longer see the work package', async () => {
    const locked = await app.given.member(project, WRITE, { login: 'soon-locked' });
    const former = await app.given.user({ login: 'former' });
    for (const one of [locked, former]) await app.given.comment(workPackage, one);
    const { write } = app.running.services.db;
    await write('users').where({ id: locked.id }).update({ status: 'locked' });
    await upload();
    expect(await write('notifications').whereIn('user_id', [locked.id, former.id])).toEqual([]);
  });

  test('is refused or aborted: nobody is notified', async () => {
    expect((await upload(assignee)).status).toBe(403);
    expect(await reasons()).toEqual(NOBODY);
  });

  test('was uploaded before and is claimed by an update', async () => {
    const { body: json } = await app.upload('/api/v3/attachments', { as: adder });
    const { errors } = await app.graphql(
      'mutation ($input: UpdateWorkPackageInput!) { updateWorkPackage(input: $input) { workPackage { databaseId } } }',
      { input: { id: String(workPackage.id), attachmentIds: [String(json.id)] } },
      adder,
    );
    expect(errors).toBeUndefined();
    expect(await reasons()).toEqual(EVERYBODY);
  });

  test.each([
    ['', EVERYBODY],
    ['?notify=true', EVERYBODY],
    ['?notify=false', NOBODY],
  ])('is claimed by PATCH with the query "%s"', async (query, expected) => {
    const { body: json } = await app.upload('/api/v3/attachments', { as: adder });
    const { status } = await app.patch(`${workPackage.path}${query}`, adder, {
      lockVersion: 0,
      _links: { attachments: [{ href: `/api/v3/attachments/${json.id}` }] },
    });
    expect(status).toBe(200);
    expect(await reasons()).toEqual(expected);
  });

  test.each([
    ['', ['ASSIGNED']],
    ['?notify=false', []],
  ])('comes with a new work package, created with the query "%s"', async (query, expected) => {
    const { body: json } = await app.upload('/api/v3/attachments', { as: adder });
    const made = await app.post(`/api/v3/projects/${project.id}/work_packages${query}`, adder, {
      subject: 'New',
      _links: {
        assignee: { href: `/api/v3/users/${assignee.id}` },
        attachments: [{ href: `/api/v3/attachments/${json.id}` }],
      },
    });
    expect(made.status).toBe(201);
    expect(await reasons(made.body)).toEqual({ ...NOBODY, assignee: expected });
  });
});

test('a file of a meeting notifies nobody', async () => {
  const manager = await app.given.member(project, ['view_meetings', 'edit_meetings']);
  const meeting = await app.given.meeting(project, author);
  const { write } = app.running.services.db;
  const before = await write('notifications').select('id');
  expect((await upload(manager, meeting)).status).toBe(200);
  expect(await write('notifications').select('id')).toEqual(before);
});

describe('a file link', () => {
  test('notifies only those who see file links', async () => {
    await linked();
    expect(await reasons()).toEqual({ ...NOBODY, commenter: ['COMMENTED'] });
  });
});

test('a file link does not renew the notification of a person who does not see file links', async () => {
  await upload();
  const read = async () =>
    app.graphql('mutation { markNotificationsRead(input: {}) { changed } }', {}, author);
  await read();
  await linked();
  expect((await notified(author)).map((one) => one.read)).toEqual([true]);
  await upload();
  expect((await notified(author)).map((one) => one.read)).toEqual([false]);
});

describe('a comment', () => {
  const comment = (attachments: { id: number }[], internal = false, query = '') =>
    app.post(`/api/v3/work_packages/${workPackage.id}/activities${query}`, adder, {
      comment: { raw: 'See the file' },
      internal,
      _links: {
        attachments: attachments.map(({ id }) => ({ href: `/api/v3/attachments/${id}` })),
      },
    });
  const unclaimed = async () =>
    (await app.upload('/api/v3/attachments', { as: adder })).body as { id: number };

  test('with a file notifies, and leads to the comment', async () => {
    expect((await comment([await unclaimed()])).status).toBe(201);
    expect(await reasons()).toEqual(EVERYBODY);
    expect((await notified(author))[0]?.activity).toEqual({ kind: 'COMMENT', internal: false });
  });

  test('without a file notifies nobody', async () => {
    expect((await comment([])).status).toBe(201);
    expect(await reasons()).toEqual(NOBODY);
  });

  test('with notify=false notifies nobody', async () => {
    expect((await comment([await unclaimed()], false, '?notify=false')).status).toBe(201);
    expect(await reasons()).toEqual(NOBODY);
  });

  test('that is internal notifies only those who may see it', async () => {
    expect((await comment([await unclaimed()], true)).status).toBe(201);
    expect(await reasons()).toEqual({ ...NOBODY, commenter: ['COMMENTED'] });
  });

  test('that gets a file later notifies as well', async () => {
    const { body: json } = await comment([]);
    const written: ContainerHandle = {
      ...workPackage,
      kind: 'Activity',
      path: `/api/v3/activities/${json.id}`,
    };
    expect((await upload(adder, written)).status).toBe(200);
    expect(await reasons()).toEqual(EVERYBODY);
  });
});

describe('several files', () => {
  test('of one person within five minutes are one notification, which is unread again', async () => {
    await upload();
    const [first] = await notified(author);
    await app.graphql('mutation { markNotificationsRead(input: {}) { changed } }', {}, author);
    expect(await notified(author)).toEqual([{ ...first, read: true }]);
    await linked();
    await upload();
    expect(await notified(author)).toEqual([first]);
    expect(await reasons()).toEqual(EVERYBODY);
  });

  const named = (fileName: string, to = workPackage.attachments) =>
    app.upload(to, { as: adder, fileName });
  /** The names in each notification, the newest first. */
  const namesFor = async (person: Person) => {
    const { data } = await app.graphql(
      `query ($id: ID!) { viewer { notifications(filter: { workPackageIds: [$id] }) {
        nodes { addedFiles { totalCount names } } } } }`,
      { id: String(workPackage.id) },
      person,
    );
    return data.viewer.notifications.nodes.map(({ addedFiles }: any) => addedFiles);
  };
  const sixMinutesPass = async () => {
    const sixMinutesAgo = new Date(Date.now() - 6 * 60_000).toISOString();
    for (const table of ['notifications', 'activities'])
      await app.running.services.db
        .write(table)
        .where({ work_package_id: workPackage.id })
        .update({ created_at: sixMinutesAgo });
  };

  test('are named in the notification, file links only to those who may view them', async () => {
    await named('a.txt');
    await named('b.txt');
    await linked();
    const { body: file } = await named('c.txt', '/api/v3/attachments');
    const written = await app.post(`/api/v3/work_packages/${workPackage.id}/activities`, adder, {
      comment: { raw: 'See the file' },
      _links: { attachments: [{ href: `/api/v3/attachments/${file.id}` }] },
    });
    expect(written.status).toBe(201);
    await app.upload(workPackage.attachments, { as: commenter, fileName: 'by another.txt' });
    expect(await namesFor(assignee)).toEqual([
      { totalCount: 1, names: ['by another.txt'] },
      { totalCount: 3, names: ['a.txt', 'b.txt', 'c.txt'] },
    ]);
    expect(await namesFor(commenter)).toEqual([
      { totalCount: 4, names: ['a.txt', 'b.txt', 'plan.txt', 'c.txt'] },
    ]);
    await sixMinutesPass();
    for (let at = 1; at <= 11; at += 1) await named(`later ${at}.txt`);
    expect(
      (await namesFor(author)).map(({ totalCount, names }: any) => [totalCount, names.length]),
    ).toEqual([
      [11, 10],
      [1, 1],
      [3, 3],
    ]);
  });

  test('of one person after five minutes are another notification', async () => {
    await upload();
    await sixMinutesPass();
    await upload();
    expect(await reasons()).toEqual({
      author: ['CREATED', 'CREATED'],
      assignee: ['ASSIGNED', 'ASSIGNED'],
      commenter: ['COMMENTED', 'COMMENTED'],
      adder: [],
    });
  });

  test('of two people are two notifications', async () => {
    await upload();
    await upload(commenter);
    expect((await notified(author)).map(({ actor }) => actor.login)).toEqual([
      'commenter',
      'adder',
    ]);
  });

  test('at the same time through two processes are one notification', async () => {
    const beside = await startBeside(app);
    try {
      const answers = await Promise.all(
        [app, beside, app, beside, app, beside].map((server) =>
          server.upload(`${workPackage.path}/attachments`, { as: adder }),
        ),
      );
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
      expect(await reasons()).toEqual(EVERYBODY);
    } finally {
      await beside.stop();
    }
  });

  test('in internal and other comments are not one notification', async () => {
    const make = async (internal: boolean) => {
      const { id, path } = await app.given.comment(workPackage, adder, { internal });
      expect((await upload(adder, { ...workPackage, id, path, kind: 'Activity' })).status).toBe(
        200,
      );
    };
    await make(true);
    await make(false);
    expect(await reasons()).toEqual({ ...EVERYBODY, commenter: ['COMMENTED', 'COMMENTED'] });
  });
});

test('a person who no longer sees the work package no longer has the notification', async () => {
  const leaving = await app.given.member(project, ['view_work_packages'], { login: 'leaving' });
  const own = await app.given.workPackage(project, leaving);
  await upload(adder, own);
  const [notification] = await notified(leaving, own);
  const { write } = app.running.services.db;
  await write('memberships').where({ user_id: leaving.id }).delete();
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  const { data, errors } = await app.graphql(
    `query ($id: ID!) { viewer { notifications { totalCount nodes { databaseId } } } notification(id: $id) { databaseId } }`,
    { id: String(notification?.databaseId) },
    leaving,
  );
  expect(data).toEqual({
    viewer: { notifications: { totalCount: 0, nodes: [] } },
    notification: null,
  });
  expect(errors?.map((error: { extensions: { code: string } }) => error.extensions.code)).toEqual([
    'NOT_FOUND',
  ]);
});

test('a subscriber receives own notifications only, each time files are added', async () => {
  const query = `subscription { notificationReceived { ${FIELDS} } }`;
  const [mine, other] = [await listen(app, author, { query }), await listen(app, adder, { query })];
  const visitor = await listen(app, undefined, { query });
  const expected = {
    data: {
      notificationReceived: {
        reason: 'CREATED',
        read: false,
        actor: { login: 'adder' },
        workPackage: { databaseId: workPackage.id, subject: 'Lay cable' },
        activity: { kind: 'SYSTEM', internal: false },
      },
    },
  };
  try {
    await upload();
    expect(await mine.next(1)).toEqual([expected]);
    await upload();
    expect(await mine.next(2)).toEqual([expected, expected]);
    await upload(author);
    await upload(commenter);
    expect((await mine.next(3))[2].data.notificationReceived.actor).toEqual({ login: 'commenter' });
    expect(other.results).toEqual([]);
    expect(visitor.results).toMatchObject([
      { errors: [{ extensions: { code: 'MISSING_PERMISSION' } }] },
    ]);
  } finally {
    mine.leave();
    other.leave();
    visitor.leave();
  }
});

test('visitors have no notifications and receive none', async () => {
  for (const document of [
    '{ viewer { notifications { totalCount } } }',
    '{ viewer { notificationGroups(by: REASON) { count } } }',
    'mutation { markNotificationsRead(input: {}) { changed } }',
  ]) {
    const { errors } = await app.graphql(document, {});
    expect(errors?.map((error: { extensions: { code: string } }) => error.extensions.code)).toEqual(
      ['MISSING_PERMISSION'],
    );
  }
  const other = await app.graphql(
    'query ($id: ID!) { user(id: $id) { login notifications { totalCount } } }',
    { id: String(author.id) },
    await app.given.user({ admin: true }),
  );
  expect(other.errors?.[0]?.extensions.code).toBe('MISSING_PERMISSION');
});

/** Notifications over REST: the list, its filters and groups, and marking as read. */
import { runCleanup } from '../../../src/actions/operate/cleanup/run-cleanup.js';
import { NotificationReason } from '../../../src/models/notification.js';
import { startApp, type App } from '../../support/app.js';
import { TIME } from '../../support/expected.js';
import type { ContainerHandle, Person } from '../../support/factories.js';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '../../support/jest.js';

let app: App;
let mia: Person;
let kai: Person;
let depot: { id: number; name: string };
let harbour: { id: number; name: string };
let cable: ContainerHandle;
let crane: ContainerHandle;
let comment: ContainerHandle;
/** Notifications of Mia: read about the cable, unread about the cable, unread about the crane. */
let ids: number[];

beforeAll(async () => {
  app = await startApp({ NOTIFICATION_DAYS: '30' });
  const { given } = app;
  depot = await given.project({ name: 'Depot' });
  harbour = await given.project({ name: 'Harbour' });
  mia = await given.member(depot, ['view_work_packages'], { firstName: 'Mia', lastName: 'Ray' });
  await given.membership(mia, harbour, ['view_work_packages']);
  kai = await given.member(depot, ['view_work_packages'], { firstName: 'Kai', lastName: 'Lee' });
  cable = await given.workPackage(depot, mia, 'Lay cable');
  crane = await given.workPackage(harbour, mia, 'Repair the crane');
  comment = await given.comment(cable, kai);
});
afterAll(() => app?.stop());
beforeEach(async () => {
  await app.running.services.db.write('notifications').delete();
  const { given } = app;

  const made = [
    await given.notification(mia, cable, kai, { read: true }),
    await given.notification(mia, cable, kai, { activityId: comment.id }),
    await given.notification(mia, crane, kai, { reason: NotificationReason.ASSIGNED }),
  ];
  await given.notification(kai, cable, mia);
  ids = made.map(({ id }) => id);
});

const PATH = '/api/v3/notifications';
const filters = (...conditions: object[]) =>
  `filters=${encodeURIComponent(JSON.stringify(conditions))}`;
const where = (name: string, values: unknown, operator = '=') =>
  filters({ [name]: { operator, values } });
const listed = async (query = '', as: Person = mia): Promise<number[]> => {
  const { status, body } = await app.get(`${PATH}?${query}`, as);
  expect(status).toBe(200);
  return body._embedded.elements.map(({ id }: { id: number }) => id);
};

const element = (
  id: number,
  { read = false, about = cable, project = depot, reason = 'created' },
) => ({
  _type: 'Notification',
  id,
  readIAN: read,
  reason,
  createdAt: TIME,
  updatedAt: TIME,
  _embedded: { details: [] },
  _links: {
    self: { href: `${PATH}/${id}` },
    ...(read
      ? { unreadIAN: { href: `${PATH}/${id}/unread_ian`, method: 'post' } }
      : { readIAN: { href: `${PATH}/${id}/read_ian`, method: 'post' } }),
    actor: { href: `/api/v3/users/${kai.id}`, title: 'Kai Lee' },
    resource: { href: about.path, title: about.title },
    project: { href: `/api/v3/projects/${project.id}`, title: project.name },
  },
});

describe('the list', () => {
  test("has the client's own notifications, newest first", async () => {
    const { status, body } = await app.get(PATH, mia);
    const commented = element(ids[1]!, {});
    expect(status).toBe(200);
    expect(body).toEqual({
      _type: 'Collection',
      total: 3,
      count: 3,
      pageSize: 20,
      offset: 1,
      _embedded: {
        elements: [
          element(ids[2]!, { about: crane, project: harbour, reason: 'assigned' }),
          {
            ...commented,
            _links: {
              ...commented._links,
              activity: { href: `/api/v3/activities/${comment.id}` },
            },
          },
          element(ids[0]!, { read: true }),
        ],
      },
      _links: {
        self: { href: `${PATH}?offset=1&pageSize=20` },
        jumpTo: { href: `${PATH}?offset=%7Boffset%7D&pageSize=20`, templated: true },
        changeSize: { href: `${PATH}?offset=1&pageSize=%7Bsize%7D`, templated: true },
      },
    });
  });

  test('is refused to visitors, also to mark', async () => {
    for (const answer of [
      await app.get(PATH),
      await app.request('POST', `${PATH}/read_ian`),
      await app.request('POST', `${PATH}/unread_ian`),
    ])
      expect([answer.status, answer.body.errorIdentifier]).toEqual([
        403,
        'urn:service-org:api:v3:errors:MissingPermission',
      ]);
  });

  test('has only notifications about what an administrator sees as well, and only own ones', async () => {
    expect(await listed('', await app.given.user({ admin: true }))).toEqual([]);
  });

  test.each([
    ['readIAN', ['f'], [2, 1]],
    ['readIAN', 't', [0]],
    ['reason', ['assigned'], [2]],
    ['reason', ['created', 'mentioned'], [1, 0]],
    ['reason', ['dateAlert'], []],
    ['resourceType', ['WorkPackage'], [2, 1, 0]],
  ])('filtered by %s %j has some of them', async (name, values, expected) => {
    expect(await listed(where(name, values))).toEqual(expected.map((at) => ids[at]));
  });

  test('is filtered by work package, project and id', async () => {
    expect(await listed(where('resourceId', [String(cable.id)]))).toEqual([ids[1], ids[0]]);
    expect(await listed(where('resource_id', [crane.id]))).toEqual([ids[2]]);
    expect(await listed(where('project', [String(harbour.id)]))).toEqual([ids[2]]);
    expect(await listed(where('id', [String(ids[0])]))).toEqual([ids[0]]);
    expect(
      await listed(
        filters(
          { readIAN: { operator: '=', values: ['f'] } },
          { project: { operator: '=', values: [String(depot.id)] } },
        ),
      ),
    ).toEqual([ids[1]]);
  });

  test.each([
    ['reason', [['reason', 'asc']], [2, 0, 1]],
    ['state', [['readIAN', 'desc']], [0, 2, 1]],
    ['number', ['id:asc'], [0, 1, 2]],
  ])('is sorted by %s', async (_name, orders, expected) => {
    const query = `sortBy=${encodeURIComponent(JSON.stringify(orders))}`;
    const sorted = await listed(query);
    expect(sorted).toEqual(expected.map((at) => ids[at]));
  });

  test('is grouped by reason and by project', async () => {
    const groups = async (query: string) => (await app.get(`${PATH}?${query}`, mia)).body.groups;
    expect(await groups('groupBy=reason')).toEqual([
      { value: 'assigned', count: 1, _links: { valueLink: [] } },
      { value: 'created', count: 2, _links: { valueLink: [] } },
    ]);
    const link = ({ id }: { id: number }) => [{ href: `/api/v3/projects/${id}` }];
    expect(await groups(`groupBy=project&${where('readIAN', ['f'])}`)).toEqual([
      { value: 'Depot', count: 1, _links: { valueLink: link(depot) } },
      { value: 'Harbour', count: 1, _links: { valueLink: link(harbour) } },
    ]);
  });

  test.each([
    ['a reason that does not exist', where('reason', ['bogus'])],
    ['a filter that does not exist', where('bogus', ['1'])],
    ['another operator', where('readIAN', ['f'], '~')],
    ['another state', where('readIAN', ['maybe'])],
    ['no value', where('readIAN', [])],
    ['a work package that does not exist', where('resourceId', ['2147483647'])],
    ['no number', where('resourceId', ["1' or 1=1"])],
    ['another type', where('resourceType', ['Meeting'])],
    ['broken JSON', 'filters=[{'],
    ['an unknown order', 'sortBy=[["actor","asc"]]'],
    ['an unknown group', 'groupBy=constructor'],
    ['a NUL', where('id', ['\0'])],
  ])('with %s is refused, and nothing is marked', async (_name, query) => {
    const { status, body } = await app.get(`${PATH}?${query}`, mia);
    expect([status, body.errorIdentifier]).toEqual([
      400,
      'urn:service-org:api:v3:errors:InvalidQuery',
    ]);
    if (!query.startsWith('filters')) return;
    expect((await app.request('POST', `${PATH}/read_ian?${query}`, { as: mia })).status).toBe(400);
    expect(await listed(where('readIAN', ['f']))).toEqual([ids[2], ids[1]]);
  });
});

describe('one notification', () => {
  test('embeds what it is about', async () => {
    const { status, body } = await app.get(`${PATH}/${ids[1]}`, mia);
    const { _embedded, ...own } = element(ids[1]!, {});
    const embedded = async (path: string) => {
      const { _embedded: _inner, ...rest } = (await app.get(path, mia)).body;
      return rest;
    };
    expect(status).toBe(200);
    expect(body).toEqual({
      ...own,
      _embedded: {
        ..._embedded,
        actor: (await app.get(`/api/v3/users/${kai.id}`, mia)).body,
        project: expect.objectContaining({ _type: 'Project', id: depot.id, name: 'Depot' }),
        activity: await embedded(`/api/v3/activities/${comment.id}`),
        resource: await embedded(cable.path),
      },
      _links: { ...own._links, activity: { href: `/api/v3/activities/${comment.id}` } },
    });
  });

  test('of somebody else is not found, also to mark', async () => {
    for (const [method, path] of [
      ['GET', ''],
      ['POST', '/read_ian'],
      ['POST', '/unread_ian'],
    ] as const) {
      const { status, body } = await app.request(method, `${PATH}/${ids[1]}${path}`, { as: kai });
      expect([status, body.errorIdentifier]).toEqual([
        404,
        'urn:service-org:api:v3:errors:NotFound',
      ]);
    }
  });

  test('is marked as read and unread again, any number of times', async () => {
    const mark = async (action: string) =>
      (await app.request('POST', `${PATH}/${ids[1]}/${action}`, { as: mia })).status;
    expect([await mark('read_ian'), await mark('read_ian')]).toEqual([204, 204]);
    expect(await listed(where('readIAN', ['f']))).toEqual([ids[2]]);
    expect([await mark('unread_ian'), await mark('unread_ian')]).toEqual([204, 204]);
    expect(await listed(where('readIAN', ['f']))).toEqual([ids[2], ids[1]]);
  });

  test('has no details', async () => {
    expect((await app.get(`${PATH}/${ids[1]}/details/0`, mia)).status).toBe(404);
  });
});

describe('many notifications', () => {
  test('are marked by their work package, with an empty JSON body', async () => {
    const query = where('resourceId', [String(cable.id)]);
    const { status, text } = await app.request('POST', `${PATH}/read_ian?${query}`, {
      as: mia,
      headers: { 'content-type': 'application/json' },
    });
    expect([status, text]).toEqual([204, '']);
    expect(await listed(where('readIAN', ['f']))).toEqual([ids[2]]);
    expect(await listed(where('readIAN', ['f']), kai)).toHaveLength(1);
  });

  test('are all own ones without a filter', async () => {
    expect((await app.request('POST', `${PATH}/read_ian`, { as: mia })).status).toBe(204);
    expect(await listed(where('readIAN', ['f']))).toEqual([]);
    expect(await listed(where('readIAN', ['f']), kai)).toHaveLength(1);
    expect((await app.request('POST', `${PATH}/unread_ian`, { as: mia })).status).toBe(204);
    expect(await listed(where('readIAN', ['f']))).toHaveLength(3);
  });

  test('more than one batch are marked in one request', async () => {
    const { write } = app.running.services.db;
    const row = (await write('notifications').where({ id: ids[2] }).first()) as { id?: number };
    delete row.id;
    for (let at = 0; at < 25; at += 1)
      await write('notifications').insert(Array.from({ length: 50 }, () => row));
    const { data } = await app.graphql(
      'mutation { markNotificationsRead(input: {}) { changed } }',
      {},
      mia,
    );
    expect(data.markNotificationsRead).toEqual({ changed: 1_252 });
    expect(await listed(where('readIAN', ['f']))).toEqual([]);
  });
});

test('the cleanup removes old notifications only', async () => {
  const old = new Date(Date.now() - 31 * 86_400_000).toISOString();
  await app.running.services.db
    .write('notifications')
    .where({ id: ids[1] })
    .update({ created_at: old });
  expect(await runCleanup(app.running.services, { dryRun: true })).toMatchObject({
    notifications: 1,
  });
  expect(await listed()).toHaveLength(3);
  expect(await runCleanup(app.running.services)).toMatchObject({ notifications: 1 });
  expect(await listed()).toEqual([ids[2], ids[0]]);
});

describe('a notification', () => {
  const GRAPH = 'query ($id: ID!) { notification(id: $id) { activity { comment { raw } } } }';
  const both = async () => {
    const { status, body } = await app.get(`${PATH}/${ids[1]}`, mia);
    const { data } = await app.graphql(GRAPH, { id: String(ids[1]) }, mia);
    return [status, body._links?.activity, body._embedded?.activity, data.notification];
  };
  const changed = (columns: object) =>
    app.running.services.db.write('activities').update(columns).where({ id: comment.id });

  test.each([
    ['has become internal', () => ({ internal: true }), [404, undefined, undefined, null]],
    [
      'has moved to a hidden project',
      (hidden: number) => ({ work_package_id: hidden }),
      [200, undefined, undefined, { activity: null }],
    ],
  ])('about a comment that %s does not show it', async (_how, columns, shown) => {
    const link = { href: comment.path };
    const before = await both();
    expect(before).toEqual([
      200,
      link,
      expect.objectContaining({ id: comment.id }),
      { activity: { comment: { raw: 'A comment' } } },
    ]);
    const elsewhere = await app.given.workPackage(await app.given.project(), kai);
    await changed(columns(elsewhere.id));
    expect(await both()).toEqual(shown);
    await changed({ internal: false, work_package_id: cable.id });
    expect(await both()).toEqual(before);
  });
});

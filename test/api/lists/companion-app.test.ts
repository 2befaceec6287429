/** The companion app of a file server finds work packages, checks forms and creates work packages. */
import { startApp, type App } from '../../support/app.js';
import type { ContainerHandle, Person } from '../../support/factories.js';
import { afterAll, beforeAll, describe, expect, test } from '../../support/jest.js';
import { png, SET_AVATAR } from '../../support/images.js';
import { CompanionApp } from './companion-app.js';

const ORIGIN = 'https://files.example.test/nc';

let app: App;
let mia: Person;
let depot: { id: number; identifier: string; name: string };
let cable: ContainerHandle;
let companion: CompanionApp;
let bug: { id: number };

beforeAll(async () => {
  app = await startApp({ API_PROFILE: 'openproject' });
  const { given } = app;
  const hidden = await given.project({ name: 'Head office' });
  depot = await given.project({ name: 'Depot', parent: hidden });
  mia = await given.member(
    depot,
    [
      'view_work_packages',
      'add_work_packages',
      'edit_work_packages',
      'view_file_links',
      'manage_file_links',
    ],
    { firstName: 'Mia', lastName: 'Ray' },
  );
  const storage = await given.storage({ origin: ORIGIN });
  await given.projectStorage(depot, storage);
  const other = await given.project({ name: 'Without storage' });
  await given.membership(mia, other, ['view_work_packages', 'add_work_packages']);
  const admin = await given.user({ admin: true });
  cable = await given.workPackage(depot, admin, 'Lay cable');
  await given.workPackage(other, admin, 'Lay bricks');
  const closed = await given.status('Rejected', { isClosed: true });
  await given.workPackage(depot, admin, 'Lay gravel', { statusId: closed.id });
  bug = await given.type('Bug', { color: '#CC0000' });
  await given.projectTypes(depot, [{ id: 1 }]);
  companion = new CompanionApp(app.url, mia.key);
});
afterAll(() => app.stop());

const hrefOf = (segment: string, id: number) => ({ href: `/api/v3/${segment}/${id}` });

describe('its user', () => {
  test('searches, picks a work package, and sees its colors', async () => {
    const found = await companion.search('lay', { linkableTo: ORIGIN });
    expect(found.map(({ subject }) => subject).sort()).toEqual(['Lay cable', 'Lay gravel']);
    expect((await companion.search('dep cab')).map(({ id }) => id)).toEqual([cable.id]);
    expect((await companion.search(`#${cable.id}`)).map(({ id }) => id)).toContain(cable.id);
    expect(await companion.search('lay', { linkableTo: `${ORIGIN}/` })).toHaveLength(2);
    expect(await companion.linkedTo('4711')).toEqual([]);
    const { status, type } = found[0]._links;
    expect(await companion.color(status.href)).toBe(status.title === 'New' ? '#1A67A3' : null);
    expect(await companion.color(type.href)).toBe('#1A67A3');
    expect(await companion.preview(cable.id)).toHaveLength(1);
  });

  test('links files to what the search finds, sees them in the tab of each file, and unlinks one', async () => {
    const [picked] = await companion.search('cab', { linkableTo: ORIGIN });
    const files = [
      { id: 112, name: 'report.txt', mimeType: 'text/plain' },
      { id: 113, name: 'Plans', mimeType: 'httpd/unix-directory' },
    ];
    const links = await companion.link(picked.id, ORIGIN, files);
    expect(links.map(({ originData }) => [originData.id, originData.name])).toEqual([
      ['112', 'report.txt'],
      ['113', 'Plans'],
    ]);
    const linked = async (fileId: string, linkableTo?: string) =>
      (await companion.search('', { fileId, ...(linkableTo && { linkableTo }) })).map(
        ({ id }) => id,
      );
    expect((await companion.linkedTo('112')).map(({ id }) => id)).toEqual([cable.id]);
    expect(await linked('113', ORIGIN)).toEqual([cable.id]);
    expect(await companion.unlink(picked.id, 112)).toBe(204);
    expect(await companion.linkedTo('112')).toEqual([]);
    expect(await linked('113')).toEqual([cable.id]);
    expect(await companion.link(picked.id, 'https://unknown.example.test', files)).toMatchObject({
      errorIdentifier: 'urn:openproject-org:api:v3:errors:MultipleErrors',
    });
    expect(await companion.link(2_147_483_647, ORIGIN, files)).toMatchObject({
      errorIdentifier: 'urn:openproject-org:api:v3:errors:NotFound',
    });
  });

  test('sees the pictures of people, or initials', async () => {
    const me = await companion.me();
    expect([me.id, me.firstName, me.lastName]).toEqual([mia.id, 'Mia', 'Ray']);
    expect(await companion.avatar(me.id)).toBeUndefined();
    await app.graphqlUpload(SET_AVATAR, { id: String(me.id) }, png(), mia);
    expect(await companion.avatar(me.id)).toEqual(png());
  });

  test('previews links: to a work package by its number, and shows none of a hidden one', async () => {
    const [shown] = await companion.preview(cable.id);
    expect(shown.subject).toBe('Lay cable');
    const secret = await app.given.workPackage(await app.given.project(), mia, 'Secret');
    await expect(companion.preview(secret.id)).rejects.toThrow();
  });

  test('chooses a project, fills in the form and creates a work package', async () => {
    const [project, ...others] = await companion.projects(ORIGIN, 'dep');
    expect(others).toEqual([]);
    expect(project._links.parent).toEqual({
      href: 'urn:openproject-org:api:v3:undisclosed',
      title: 'Undisclosed - The parent is invisible because of lacking permissions.',
    });
    const form = await companion.form(project.id);
    expect(form._embedded.payload._links).toMatchObject({
      type: { href: '/api/v3/types/1', title: 'Task' },
      status: { href: '/api/v3/statuses/1', title: 'New' },
    });
    expect(Object.keys(form._embedded.validationErrors)).toEqual(['subject']);
    const assignees = await companion.assignees(project.id);
    expect(assignees).toEqual([{ href: `/api/v3/users/${mia.id}`, title: 'Mia Ray' }]);
    const { payload } = form._embedded;
    const made = await companion.create({
      ...payload,
      subject: 'Dig a trench',
      description: { format: 'markdown', raw: 'Two *metres*.', html: '' },
      _links: { ...payload._links, assignee: assignees[0] },
    });
    expect(made).toMatchObject({
      subject: 'Dig a trench',
      description: { raw: 'Two *metres*.', html: '<p>Two <em>metres</em>.</p>' },
      _links: { author: { title: 'Mia Ray' }, assignee: assignees[0], project: { title: 'Depot' } },
    });
    expect((await companion.search('trench')).map(({ id }) => id)).toEqual([made.id]);
  });

  test('sees on the dashboard what others added, and marks it as read', async () => {
    const yard = await app.given.project();
    const noa = await app.given.member(yard, ['view_work_packages']);
    const dashboard = new CompanionApp(app.url, noa.key);
    const own = await app.given.workPackage(yard, noa, 'Paint the gate');
    const colleague = await app.given.member(yard, ['view_work_packages', 'edit_work_packages'], {
      firstName: 'Kai',
      lastName: 'Lee',
    });
    expect(await dashboard.unread()).toEqual([]);
    expect((await app.upload(own.attachments, { as: colleague })).status).toBe(201);
    const [notification, ...others] = await dashboard.unread();
    expect(others).toEqual([]);
    expect(notification._links.resource).toEqual({ href: own.path, title: 'Paint the gate' });
    expect(notification._links.actor.title).toBe('Kai Lee');
    expect(await dashboard.markRead(own.id)).toBe(204);
    expect(await dashboard.unread()).toEqual([]);
    expect(await dashboard.markRead(2_147_483_647)).toBe(400);
  });

  test('is told what is wrong with a type, a person and a missing subject', async () => {
    const form = await companion.form(depot.id, { type: hrefOf('types', bug.id) });
    expect(form._embedded.payload._links.type.title).toBe('Bug');
    expect(form._embedded.validationErrors.type.message).toBe(
      'Type is not set to one of the allowed values.',
    );
    expect(form._links.commit).toBeUndefined();
    const stranger = await app.given.user();
    const project = hrefOf('projects', depot.id);
    const refused = await companion.create({
      subject: 'A',
      _links: { project, assignee: hrefOf('users', stranger.id) },
    });
    expect(refused).toEqual({
      _type: 'Error',
      errorIdentifier: 'urn:openproject-org:api:v3:errors:PropertyConstraintViolation',
      message: "The chosen user is not allowed to be 'Assignee' for this work package.",
      _embedded: { details: { attribute: 'assignee' } },
    });
    expect(await companion.create({ _links: { project } })).toMatchObject({
      message: "Subject can't be blank.",
      _embedded: { details: { attribute: 'subject' } },
    });
    const empty = await companion.create({});
    expect(empty.errorIdentifier).toBe('urn:openproject-org:api:v3:errors:MultipleErrors');
    expect(empty._embedded.errors.map((error: any) => error.message)).toEqual([
      "Project can't be blank.",
      "Subject can't be blank.",
    ]);
  });
});

describe('lists', () => {
  const get = (path: string, person: Person | undefined = mia) => app.get(`/api/v3${path}`, person);
  const filter = (...conditions: object[]) => encodeURIComponent(JSON.stringify(conditions));
  const subjectsOf = ({ body }: { body: any }) =>
    body._embedded.elements.map(({ subject }: { subject: string }) => subject);

  test('without filters have only open work packages; with an empty array all', async () => {
    expect(subjectsOf(await get('/work_packages?pageSize=100'))).not.toContain('Lay gravel');
    expect(subjectsOf(await get('/work_packages?filters=[]&pageSize=100'))).toContain('Lay gravel');
    const byStatus = async (operator: string) =>
      subjectsOf(await get(`/work_packages?filters=${filter({ status: { operator } })}`));
    expect(await byStatus('c')).toEqual(['Lay gravel']);
    expect(await byStatus('o')).not.toContain('Lay gravel');
    expect(await byStatus('*')).toContain('Lay gravel');
  });

  test('have 20 elements on a page, the largest number for -1, none for 0', async () => {
    const first = (await get('/work_packages?pageSize=1&offset=0')).body;
    expect(first).toMatchObject({
      _type: 'WorkPackageCollection',
      count: 1,
      pageSize: 1,
      offset: 1,
      _links: {
        self: { href: '/api/v3/work_packages?offset=1&pageSize=1' },
        jumpTo: { templated: true },
        changeSize: { templated: true },
        nextByOffset: { href: '/api/v3/work_packages?offset=2&pageSize=1' },
      },
    });
    expect((await get('/work_packages')).body.pageSize).toBe(20);
    expect((await get('/work_packages?pageSize=-1')).body.pageSize).toBe(1000);
    expect((await get('/work_packages?pageSize=0')).body).toMatchObject({ count: 0, pageSize: 0 });
    expect((await get('/work_packages?offset=1000000000&pageSize=200')).body.count).toBe(0);
  });

  test('know the caller as me, and work packages without an assignee', async () => {
    const by = async (operator: string, values?: string[]) =>
      subjectsOf(await get(`/work_packages?filters=${filter({ assignee: { operator, values } })}`));
    expect(await by('=', ['me'])).toEqual(['Dig a trench']);
    expect(await by('*')).toEqual(['Dig a trench']);
    expect(await by('!*')).toContain('Lay cable');
    expect(await by('!', ['me'])).toContain('Lay cable');
  });

  test.each([
    ['JSON that is none', 'filters=%5B'],
    ['no array', 'filters=%7B%7D'],
    ['an unknown filter', `filters=${filter({ bogus: { operator: '=', values: ['1'] } })}`],
    ['a wrong operator', `filters=${filter({ typeahead: { operator: '=', values: ['a'] } })}`],
    ['no operator', `filters=${filter({ id: { values: ['1'] } })}`],
    ['an id that is not visible', `filters=${filter({ id: { operator: '=', values: ['999'] } })}`],
    [
      'a filter twice',
      `filters=${filter({ id: { operator: '=', values: ['1'] } }, { id: { operator: '=', values: ['1'] } })}`,
    ],
    ['no values', `filters=${filter({ type: { operator: '=', values: [] } })}`],
    ['NUL', `filters=${filter({ typeahead: { operator: '**', values: ['a\0'] } })}`],
    [
      '10 kB of words',
      `filters=${filter({ typeahead: { operator: '**', values: ['word '.repeat(2_000)] } })}`,
    ],
    [
      'an address that is none',
      `filters=${filter({ storage_url: { operator: '=', values: ['x'] } })}`,
    ],
    ['an unknown column', 'sortBy=%5B%5B%22weight%22,%22asc%22%5D%5D'],
    ['four orders', 'sortBy=%5B%22id%22,%22id%22,%22id%22,%22id%22%5D'],
    ['an order that is no JSON', 'sortBy=id'],
    ['groups', 'groupBy=status'],
  ])('with %s are refused with 400', async (_, query) => {
    const { status, body } = await get(`/work_packages?${query}`);
    expect([status, body.errorIdentifier]).toEqual([
      400,
      'urn:openproject-org:api:v3:errors:InvalidQuery',
    ]);
  });

  test('of a project need its permission; a hidden project does not exist', async () => {
    const outsider = await app.given.user();
    const blind = await app.given.member(depot, []);
    expect((await get(`/projects/${depot.id}/work_packages`)).body.total).toBe(2);
    expect((await get(`/projects/${depot.identifier}/work_packages?filters=[]`)).body.total).toBe(
      3,
    );
    expect((await get(`/projects/${depot.id}/work_packages`, blind)).status).toBe(403);
    expect((await get(`/projects/${depot.id}/work_packages`, outsider)).status).toBe(404);
    expect((await get('/work_packages', outsider)).status).toBe(403);
    for (const path of ['/statuses', '/types', '/statuses/1', '/types/1'])
      expect((await get(path, outsider)).status).toBe(403);
    expect((await get('/statuses/999')).status).toBe(404);
    expect((await get(`/projects/${depot.id}/available_assignees`, blind)).status).toBe(403);
    expect((await get(`/projects/${depot.id}/types`)).body.total).toBe(1);
    expect((await get('/types')).body.total).toBe(2);
    expect((await get(`/projects/${depot.identifier}`)).body.id).toBe(depot.id);
    expect((await get(`/projects/${depot.identifier}`, outsider)).status).toBe(404);
  });

  test('of a project apply its path and a filter of projects together', async () => {
    const total = async (operator: string, ...values: unknown[]) => {
      const { status, body } = await get(
        `/projects/${depot.id}/work_packages?filters=${filter({ project: { operator, values } })}`,
      );
      return status === 200 ? body.total : body.errorIdentifier;
    };
    const other = (await get('/projects')).body._embedded.elements.find(
      ({ name }: { name: string }) => name === 'Without storage',
    );
    const all = (await get(`/projects/${depot.id}/work_packages?filters=[]`)).body.total;
    expect(all).toBeGreaterThan(0);
    expect(await total('=', depot.id)).toBe(all);
    expect(await total('=', other.id, `${depot.id}`)).toBe(all);
    expect(await total('=', other.id)).toBe(0);
    expect(await total('!', other.id)).toBe(all);
    expect(await total('!', depot.id)).toBe(0);
    expect(await total('=', 999_999)).toBe('urn:openproject-org:api:v3:errors:InvalidQuery');
    expect(
      (
        await get(
          `/work_packages?filters=${filter({ project: { operator: '=', values: [other.id] } })}`,
        )
      ).body.total,
    ).toBe(1);
  });

  test('lead to the creation of a work package, in a project or anywhere', async () => {
    const reader = await app.given.member(depot, ['view_work_packages']);
    const readerHere = await app.given.member(depot, ['view_work_packages']);
    await app.given.membership(readerHere, await app.given.project(), ['add_work_packages']);
    const creation = (list: string) => ({
      createWorkPackage: { href: `/api/v3${list}/form`, method: 'post' },
      createWorkPackageImmediate: { href: `/api/v3${list}`, method: 'post' },
    });
    const ofDepot = `/projects/${depot.id}/work_packages`;
    const links = async (list: string, as: Person) => {
      const { createWorkPackage, createWorkPackageImmediate } = (await get(list, as)).body._links;
      return { createWorkPackage, createWorkPackageImmediate };
    };
    for (const [list, as, expected] of [
      ['/work_packages', mia, creation('/work_packages')],
      [ofDepot, mia, creation(ofDepot)],
      ['/work_packages', reader, {}],
      [ofDepot, reader, {}],
      ['/work_packages', readerHere, creation('/work_packages')],
      [ofDepot, readerHere, {}],
    ] as const)
      expect(await links(list, as)).toEqual(expected);
    const asked = async (as: Person) =>
      (await app.graphql('{ viewerCanCreateWorkPackages }', {}, as)).data;
    expect(await asked(reader)).toEqual({ viewerCanCreateWorkPackages: false });
    expect(await asked(readerHere)).toEqual({ viewerCanCreateWorkPackages: true });
  });

  test('of projects apply all filters of one element', async () => {
    const both = { operator: '&=', values: ['file_links/manage'] };
    for (const operator of ['constructor', '__proto__', 'toString'])
      expect(
        (await get(`/projects?filters=${filter({ userAction: { ...both, operator } })}`)).status,
      ).toBe(400);
    const names = async (condition: object) =>
      (await get(`/projects?filters=${filter(condition)}`)).body._embedded.elements.map(
        ({ name }: { name: string }) => name,
      );
    expect(await names({ userAction: both })).toEqual(['Depot']);
    expect(await names({ userAction: { ...both, operator: '!' } })).toEqual(['Without storage']);
    expect(
      await names({
        userAction: { operator: '=', values: ['file_links/manage', 'work_packages/create'] },
      }),
    ).toEqual(['Depot', 'Without storage']);
    expect(await names({ storageUrl: { operator: '=', values: [ORIGIN] } })).toEqual(['Depot']);
    expect(await names({ active: { operator: '=', values: ['f'] } })).toEqual([]);
    expect(
      (await get(`/projects?filters=${filter({ userAction: { operator: '=', values: ['x'] } })}`))
        .status,
    ).toBe(400);
  });

  test('without the permission to create anywhere, no project is available', async () => {
    const reader = await app.given.member(depot, ['view_work_packages']);
    const { status, body } = await get('/work_packages/available_projects', reader);
    expect([status, body.errorIdentifier]).toEqual([
      403,
      'urn:openproject-org:api:v3:errors:MissingPermission',
    ]);
  });
});

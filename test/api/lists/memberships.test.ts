/** Memberships and roles: over REST, and in the graph. */
import { profiles } from '../../../src/contract/profiles.js';
import { startApp, type App } from '../../support/app.js';
import { collectionOf, errorBody, notFound, TIME } from '../../support/expected.js';
import type { Person } from '../../support/factories.js';
import { afterAll, beforeAll, describe, expect, test } from '../../support/jest.js';

interface Named {
  id: number;
  name: string;
}

describe.each(Object.values(profiles))('in the $name profile', (profile) => {
  let app: App;
  let admin: Person;
  let mia: Person;
  let rob: Person;
  let stranger: Person;
  let house: Named;
  let garden: Named;
  let open: Named;
  let roles: Named[];
  let memberships: { id: number; project_id: number; user_id: number }[];

  beforeAll(async () => {
    app = await startApp({ API_PROFILE: profile.name });
    const { given } = app;
    await given.role(['view_work_packages'], 'Non member');
    admin = await given.user({ admin: true });
    house = await given.project({ name: 'House' });
    garden = await given.project({ name: 'Garden' });
    open = await given.project({ name: 'Open', isPublic: true });
    mia = await given.member(house, ['view_work_packages'], { firstName: 'Mia', lastName: 'Ray' });
    rob = await given.member(house, []);
    stranger = await given.user();
    await given.membership(rob, garden, ['view_meetings']);
    await given.membership(rob, open, []);
    const { read } = app.running.services.db;
    memberships = await read('memberships').orderBy('id');
    roles = (await read('roles').orderBy('id')).filter(
      ({ name }: Named) => !['Non member', 'Anonymous'].includes(name),
    );
  });
  afterAll(() => app.stop());

  const roleLink = ({ id, name }: Named) => ({ href: `/api/v3/roles/${id}`, title: name });
  const membershipBody = (at: number) => {
    const { id, project_id, user_id } = memberships[at]!;
    const project = [house, garden, open].find((one) => one.id === project_id)!;
    const person = [mia, rob].find((one) => one.id === user_id)!;
    return {
      _type: 'Membership',
      id,
      createdAt: TIME,
      updatedAt: TIME,
      _links: {
        self: { href: `/api/v3/memberships/${id}`, title: person.name },
        schema: { href: '/api/v3/memberships/schema' },
        project: { href: `/api/v3/projects/${project_id}`, title: project.name },
        principal: { href: `/api/v3/users/${user_id}`, title: person.name },
        roles: [roleLink(roles[at]!)],
      },
    };
  };
  const page = (places: number[], query: { [name: string]: string } = {}) => {
    const { filters } = query;
    const href = (offset: string, size: string) =>
      `/api/v3/memberships?${new URLSearchParams({
        ...(filters && { filters }),
        offset,
        pageSize: size,
      })}`;
    return {
      _type: 'Collection',
      total: places.length,
      count: places.length,
      pageSize: 20,
      offset: 1,
      _embedded: { elements: places.map(membershipBody) },
      _links: {
        self: { href: href('1', '20') },
        jumpTo: { href: href('{offset}', '20'), templated: true },
        changeSize: { href: href('1', '{size}'), templated: true },
      },
    };
  };
  const list = (filters: unknown, person?: Person) =>
    app.get(
      `/api/v3/memberships${
        filters === undefined
          ? ''
          : `?filters=${encodeURIComponent(typeof filters === 'string' ? filters : JSON.stringify(filters))}`
      }`,
      person,
    );
  const ids = (body: any) => body._embedded.elements.map(({ id }: { id: number }) => id);
  const idsAt = (...places: number[]) => places.map((at) => memberships[at]!.id);

  test('members see the memberships of their projects, administrators see all, others none', async () => {
    expect(await list(undefined, admin)).toMatchObject({ status: 200, body: page([0, 1, 2, 3]) });
    expect((await list(undefined, mia)).body).toEqual(page([0, 1]));
    expect((await list(undefined, rob)).body).toEqual(page([0, 1, 2, 3]));
    for (const person of [stranger, undefined]) {
      const { status, body } = await list(undefined, person);
      expect({ status, body }).toEqual({ status: 200, body: page([]) });
    }
  });

  test('filters narrow the list together; ids that the client does not see match nothing', async () => {
    const one = (name: string, ...values: unknown[]) => ({ [name]: { operator: '=', values } });
    for (const [filters, places, person] of [
      [[one('project', String(house.id))], [0, 1], rob],
      [[one('projectId', house.id, String(garden.id))], [0, 1, 2], rob],
      [[one('principal', String(rob.id))], [1, 2, 3], rob],
      [[one('principal_id', String(rob.id))], [1], mia],
      [[one('role', String(roles[2]!.id))], [2], rob],
      [[one('project', String(house.id)), one('principal', String(mia.id))], [0], rob],
      [[{ ...one('project', String(house.id)), ...one('role', String(roles[0]!.id)) }], [0], admin],
      [[one('project', String(garden.id))], [], mia],
      [[one('project', String(open.id))], [], stranger],
      [[one('project', '2147483647')], [], admin],
    ] as const) {
      const { status, body } = await list(filters, person);
      expect([status, ids(body)]).toEqual([200, idsAt(...places)]);
    }
    const filters = JSON.stringify([one('project', String(house.id))]);
    expect((await list(filters, mia)).body).toEqual(page([0, 1], { filters }));
  });

  test('the operator "!" leaves out what the filter selects', async () => {
    const not = (name: string, ...values: unknown[]) => ({ [name]: { operator: '!', values } });
    for (const [filters, places, person] of [
      [[not('project', String(house.id))], [2, 3], rob],
      [[not('projectId', house.id, String(garden.id))], [3], rob],
      [[not('principal', String(rob.id))], [0], rob],
      [[not('role', String(roles[2]!.id))], [0, 1, 3], rob],
      [
        [not('principal', String(mia.id)), { project: { operator: '=', values: [house.id] } }],
        [1],
        rob,
      ],
      // An id that is not visible leaves out nothing, and reveals nothing.
      [[not('project', String(garden.id))], [0, 1], mia],
      [[not('project', '2147483647')], [0, 1, 2, 3], admin],
    ] as const) {
      const { status, body } = await list(filters, person);
      expect([status, ids(body)]).toEqual([200, idsAt(...places)]);
    }
  });

  test('pages have their size and their neighbours', async () => {
    const { body } = await app.get('/api/v3/memberships?pageSize=2&offset=2', rob);
    expect(body).toMatchObject({ total: 4, count: 2, pageSize: 2, offset: 2 });
    expect(ids(body)).toEqual(idsAt(2, 3));
    expect(body._links.previousByOffset).toEqual({
      href: '/api/v3/memberships?offset=1&pageSize=2',
    });
    expect(body._links.nextByOffset).toBeUndefined();
    expect((await app.get('/api/v3/memberships?pageSize=0', rob)).body).toMatchObject({
      total: 4,
      count: 0,
    });
    expect((await app.get('/api/v3/memberships?offset=9', rob)).body).toMatchObject({
      total: 4,
      count: 0,
    });
  });

  test.each([
    ['broken JSON', '[{', "The query parameter 'filters' is missing or malformed."],
    [
      'an unknown filter',
      [{ bogus: { operator: '=', values: ['1'] } }],
      'Filter bogus does not exist.',
    ],
    [
      'another operator',
      [{ project: { operator: '~', values: ['1'] } }],
      'Filter project takes the operators "=" and "!".',
    ],
    [
      'no values',
      [{ role: { operator: '=', values: [] } }],
      'Filter role takes an array of values.',
    ],
    ...['x', '0', '-1', '99999999999', '1\0', '\u202e1', '"', "'; --"].map(
      (value): [string, object, string] => [
        JSON.stringify(value),
        [{ project: { operator: '=', values: [value] } }],
        'Filter project has a value that is no id.',
      ],
    ),
    [
      'too many values',
      [{ principal: { operator: '=', values: Array(1_001).fill('1') } }],
      'A filter takes 1000 values at most.',
    ],
  ])('%s is refused with 400', async (_what, filters, message) => {
    const { status, body } = await list(filters, rob);
    expect({ status, body }).toEqual({
      status: 400,
      body: errorBody(
        'InvalidQuery',
        profile.sameFilterMessage
          ? "The query parameter 'filters' is missing or malformed."
          : message,
        'filters',
        profile.urnWord,
      ),
    });
  });

  test('one membership is shown to members of its project and to administrators', async () => {
    const path = `/api/v3/memberships/${memberships[2]!.id}`;
    for (const person of [admin, rob])
      expect((await app.get(path, person)).body).toEqual(membershipBody(2));
    for (const [address, person] of [
      [path, mia],
      [path, stranger],
      [path, undefined],
      ['/api/v3/memberships/99999', admin],
      ['/api/v3/memberships/x', admin],
      ['/api/v3/memberships/%00', admin],
    ] as const) {
      const { status, body } = await app.get(address, person);
      expect([address, status, body.message]).toEqual([address, 404, notFound.message]);
    }
  });

  test('roles are shown to members of any project and to administrators, without the built-in ones', async () => {
    const roleBody = (role: Named) => ({
      _type: 'Role',
      id: role.id,
      name: role.name,
      _links: { self: roleLink(role) },
    });
    const all = collectionOf('/api/v3/roles', roles.map(roleBody));
    for (const person of [admin, mia]) {
      expect((await app.get('/api/v3/roles', person)).body).toEqual(all);
      expect((await app.get(`/api/v3/roles/${roles[1]!.id}`, person)).body).toEqual(
        roleBody(roles[1]!),
      );
    }
    const builtIn = await app.running.services.db.read('roles').where('name', 'Non member').first();
    for (const person of [stranger, undefined]) {
      const { status, body } = await app.get('/api/v3/roles', person);
      expect({ status, body }).toEqual({ status: 200, body: collectionOf('/api/v3/roles', []) });
      expect((await app.get(`/api/v3/roles/${roles[1]!.id}`, person)).status).toBe(404);
    }
    expect((await app.get(`/api/v3/roles/${builtIn.id}`, admin)).status).toBe(404);
  });

  test('a project links to its memberships for those who see them', async () => {
    const linkFor = async (person?: Person) =>
      (await app.get(`/api/v3/projects/${open.id}`, person)).body._links.memberships;
    const href = `/api/v3/memberships?filters=${encodeURIComponent(
      JSON.stringify([{ project: { operator: '=', values: [String(open.id)] } }]),
    )}`;
    expect([await linkFor(admin), await linkFor(rob)]).toEqual([{ href }, { href }]);
    expect([await linkFor(mia), await linkFor()]).toEqual([undefined, undefined]);
    expect(ids((await app.get(href, rob)).body)).toEqual(idsAt(3));
  });

  test('the graph has the memberships of a person in the projects that the caller shares', async () => {
    const query =
      'query ($id: ID!) { user(id: $id) { memberships { totalCount nodes { project { name } roles { databaseId name } } } } }';
    const shown = async (person: Person) =>
      (await app.graphql(query, { id: String(rob.id) }, person)).data.user.memberships;
    const node = (project: Named, at: number) => ({
      project: { name: project.name },
      roles: [{ databaseId: roles[at]!.id, name: roles[at]!.name }],
    });
    const all = [node(house, 1), node(garden, 2), node(open, 3)];
    expect(await shown(rob)).toEqual({ totalCount: 3, nodes: all });
    expect(await shown(admin)).toEqual({ totalCount: 3, nodes: all });
    expect(await shown(mia)).toEqual({ totalCount: 1, nodes: all.slice(0, 1) });
    expect(await shown(stranger)).toEqual({ totalCount: 0, nodes: [] });
  });
});

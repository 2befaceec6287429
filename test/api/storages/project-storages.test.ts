/** The storages of projects over REST: the collection that a storage links to. */
import { startApp, type App } from '../../support/app.js';
import { collectionOf, errorBody, notFound, TIME } from '../../support/expected.js';
import type { Person, StorageHandle } from '../../support/factories.js';
import { afterAll, beforeAll, describe, expect, test } from '../../support/jest.js';

type Project = { id: number; name: string; identifier: string };
type Place = { id: number; path: string };

const viewing = ['view_work_packages', 'view_file_links'];

let app: App;
let admin: Person;
let member: Person;
let manager: Person;
let outsider: Person;
let bridge: Project;
let tower: Project;
let plans: StorageHandle;
let photos: StorageHandle;
let drive: StorageHandle;
/** The project Bridge uses all three storages, Tower only photos. The keys name project and storage. */
let places: { bridgePlans: Place; bridgePhotos: Place; bridgeDrive: Place; towerPhotos: Place };
beforeAll(async () => {
  app = await startApp();
  const { given } = app;
  admin = await given.user({ admin: true, firstName: 'Ada', lastName: 'Admin' });
  [bridge, tower] = [
    await given.project({ name: 'Bridge' }),
    await given.project({ name: 'Tower' }),
  ];
  member = await given.member(bridge, viewing);
  manager = await given.member(tower, ['manage_files_in_project', 'read_files']);
  outsider = await given.member(bridge, ['view_work_packages', 'manage_file_links']);
  const client = { id: 'id with/slash', secret: 'secret' };
  plans = await given.storage({
    name: 'Plans',
    origin: 'https://plans.example.test/cloud',
    client,
  });
  photos = await given.storage({ name: 'Photos', origin: 'http://localhost:8080' });
  drive = await given.storage({ name: 'Drive', type: 'CloudDrive' });
  places = {
    bridgePlans: await given.projectStorage(bridge, plans, {
      creator: admin,
      mode: 'manual',
      folderId: '42 #/ä',
    }),
    bridgePhotos: await given.projectStorage(bridge, photos, { creator: admin }),
    bridgeDrive: await given.projectStorage(bridge, drive, { creator: admin, mode: 'automatic' }),
    towerPhotos: await given.projectStorage(tower, photos, {
      creator: admin,
      mode: 'automatic',
      folderId: '7',
    }),
  };
});
afterAll(() => app.stop());

function bodyOf(
  place: Place,
  project: Project,
  storage: StorageHandle,
  {
    mode = 'inactive',
    folder,
    connect = null,
  }: { mode?: string; folder?: string; connect?: string | null } = {},
) {
  return {
    _type: 'ProjectStorage',
    id: place.id,
    createdAt: TIME,
    updatedAt: TIME,
    projectFolderMode: mode,
    _links: {
      self: { href: place.path },
      ...(folder !== undefined && { projectFolder: { href: `${storage.path}/files/${folder}` } }),
      open: { href: `${place.path}/open` },
      openWithConnectionEnsured: { href: connect },
      storage: { href: storage.path, title: storage.name },
      project: { href: `/api/v3/projects/${project.id}`, title: project.name },
      creator: { href: `/api/v3/users/${admin.id}`, title: 'Ada Admin' },
    },
  };
}
const expected = () => {
  const destination = encodeURIComponent(
    `${app.url}/projects/${bridge.identifier}/project_storages/${places.bridgePlans.id}/open`,
  );
  return {
    bridgePlans: bodyOf(places.bridgePlans, bridge, plans, {
      mode: 'manual',
      folder: '42%20%23%2F%C3%A4',
      connect: `/oauth_clients/id%20with%2Fslash/ensure_connection?destination_url=${destination}&storage_id=${plans.id}`,
    }),
    bridgePhotos: bodyOf(places.bridgePhotos, bridge, photos),
    bridgeDrive: bodyOf(places.bridgeDrive, bridge, drive, { mode: 'automatic' }),
    towerPhotos: bodyOf(places.towerPhotos, tower, photos, { mode: 'automatic', folder: '7' }),
  };
};

const path = '/api/v3/project_storages';
const filtered = (filters: unknown) =>
  `${path}?filters=${encodeURIComponent(typeof filters === 'string' ? filters : JSON.stringify(filters))}`;
const equals = (...values: unknown[]) => ({ operator: '=', values });
/** The names of the elements of a list, in order. */
const namesIn = async (at: string, as: Person | undefined = admin) => {
  const { status, body } = await app.get(at, as);
  expect(status).toBe(200);
  return body._embedded.elements.map(
    ({ id }: { id: number }) => Object.entries(places).find(([, place]) => place.id === id)![0],
  );
};

test('a project links to its storages and their uses, for users who can view file links there', async () => {
  const QUERY = 'query($id: ID!) { project(id: $id) { viewerCanViewFileLinks storages { name } } }';
  const uses = filtered([{ projectId: equals(String(bridge.id)) }]);
  for (const as of [member, manager, admin]) {
    const { status, body } = await app.get(`/api/v3/projects/${bridge.id}`, as);
    const { data } = await app.graphql(QUERY, { id: bridge.id }, as);
    if (as === manager) {
      // The manager of another project does not see this one.
      expect([status, data]).toEqual([404, { project: null }]);
      continue;
    }
    const { storages, projectStorages } = body._links;
    expect({ storages, projectStorages }).toEqual({
      storages: [drive, photos, plans].map((one) => ({ href: one.path, title: one.name })),
      projectStorages: { href: uses },
    });
    expect(data.project).toEqual({
      viewerCanViewFileLinks: true,
      storages: [drive, photos, plans].map(({ name }) => ({ name })),
    });
  }
  expect(await namesIn(uses, member)).toEqual(['bridgeDrive', 'bridgePhotos', 'bridgePlans']);
  const other = await app.given.member(bridge, ['view_work_packages']);
  const { body } = await app.get(`/api/v3/projects/${bridge.id}`, other);
  expect(Object.keys(body._links)).toEqual([
    'self',
    'categories',
    'workPackages',
    'types',
    'parent',
    'memberships',
  ]);
  expect((await app.graphql(QUERY, { id: bridge.id }, other)).data.project).toEqual({
    viewerCanViewFileLinks: false,
    storages: [],
  });
});

test('administrators see all project storages, newest first and unpaginated, with the same elements as single views', async () => {
  const all = expected();
  const { status, body } = await app.get(path, admin);
  expect({ status, body }).toEqual({
    status: 200,
    body: collectionOf(path, [all.towerPhotos, all.bridgeDrive, all.bridgePhotos, all.bridgePlans]),
  });
  expect((await app.get(`${path}/?offset=2&pageSize=1`, admin)).body).toEqual(body);
});

test('other users see those of projects where they can view file links or manage files, else an empty list', async () => {
  expect(await namesIn(path, member)).toEqual(['bridgeDrive', 'bridgePhotos', 'bridgePlans']);
  expect(await namesIn(path, manager)).toEqual(['towerPhotos']);
  for (const as of [outsider, await app.given.user(), undefined])
    expect(await app.get(path, as)).toMatchObject({ status: 200, body: collectionOf(path, []) });
});

test('a project storage is shown in full, with its folder if there is one; without permission it answers 404', async () => {
  for (const [name, body] of Object.entries(expected())) {
    const place = places[name as keyof typeof places];
    expect(await app.get(place.path, admin)).toMatchObject({ status: 200, body });
    expect((await app.get(place.path, admin)).body).toEqual(body);
  }
  expect((await app.get(places.bridgePlans.path, member)).body).toEqual(expected().bridgePlans);
  expect((await app.get(places.towerPhotos.path, manager)).body).toEqual(expected().towerPhotos);
  const missing = await app.get(`${path}/99999`, member);
  for (const [place, as] of [
    [places.towerPhotos, member],
    [places.bridgePlans, outsider],
    [places.bridgePlans, manager],
    [places.bridgePlans, undefined],
  ] as const) {
    const hidden = await app.get(place.path, as);
    expect({ status: hidden.status, body: hidden.body }).toEqual({ status: 404, body: notFound });
    expect(hidden.bytes.equals(missing.bytes)).toBe(true);
  }
});

test('open redirects to the folder of the project, else to the storage; without permission it answers 404', async () => {
  const open = async (place: Place, as = admin) => {
    const { status, headers } = await app.get(`${place.path}/open`, as);
    return [status, headers.get('location'), headers.get('cache-control')];
  };
  expect(await open(places.bridgePlans)).toEqual([
    303,
    'https://plans.example.test/cloud/index.php/f/42%20%23%2F%C3%A4?openfile=false',
    'private, no-store',
  ]);
  expect(await open(places.bridgePhotos, member)).toEqual([
    303,
    'http://localhost:8080/index.php/apps/files',
    'private, no-store',
  ]);
  expect(await open(places.towerPhotos, manager)).toEqual([
    303,
    'http://localhost:8080/index.php/f/7?openfile=false',
    'private, no-store',
  ]);
  for (const as of [outsider, manager, undefined])
    expect((await app.get(`${places.bridgePlans.path}/open`, as)).body).toEqual(notFound);
  expect(await app.get(`${places.bridgeDrive.path}/open`, admin)).toMatchObject({
    status: 500,
    body: errorBody(
      'OutboundRequest:NotFound',
      'An outbound request to another resource has failed: The storage does not know you. Connect to it first.',
    ),
  });
});

test('all GET links resolve, including the one from a storage to its project storages', async () => {
  for (const as of [admin, member]) {
    const { body } = await app.get(path, as);
    for (const {
      _links: { self, storage, project, creator },
    } of body._embedded.elements)
      for (const { href } of [self, storage, project, creator])
        expect([href, (await app.get(href, as)).status]).toEqual([href, 200]);
  }
  const {
    _links: { projectStorages },
  } = (await app.get(photos.path, admin)).body;
  const all = expected();
  expect((await app.get(projectStorages.href, admin)).body).toEqual(
    collectionOf(projectStorages.href, [all.towerPhotos, all.bridgePhotos]),
  );
  expect(await namesIn(projectStorages.href, member)).toEqual(['bridgePhotos']);
});

test('only GET is offered; GraphQL adds and removes storages of projects', async () => {
  for (const [method, at] of [
    ['POST', path],
    ['PATCH', places.bridgePlans.path],
    ['DELETE', places.bridgePlans.path],
  ] as const) {
    const { status, headers } = await app.request(method, at, { as: admin, json: {} });
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  }
});

describe('filters', () => {
  test('by project and by storage, with one or several values and in both spellings', async () => {
    for (const projectId of ['projectId', 'project_id']) {
      expect(await namesIn(filtered([{ [projectId]: equals(String(tower.id)) }]))).toEqual([
        'towerPhotos',
      ]);
      expect(
        await namesIn(filtered([{ [projectId]: equals(tower.id, String(bridge.id), tower.id) }])),
      ).toHaveLength(4);
    }
    for (const storageId of ['storageId', 'storage_id']) {
      expect(await namesIn(filtered([{ [storageId]: equals(String(photos.id)) }]))).toEqual([
        'towerPhotos',
        'bridgePhotos',
      ]);
      expect(
        await namesIn(filtered([{ [storageId]: equals(String(photos.id), plans.id) }])),
      ).toEqual(['towerPhotos', 'bridgePhotos', 'bridgePlans']);
    }
    expect(await namesIn(filtered([{ storageId: equals(String(photos.id)) }]), member)).toEqual([
      'bridgePhotos',
    ]);
  });

  test('several filters must all match, in one element or in several', async () => {
    const both = { projectId: equals(String(bridge.id)), storageId: equals(String(photos.id)) };
    expect(await namesIn(filtered([both]))).toEqual(['bridgePhotos']);
    expect(
      await namesIn(filtered([{ projectId: both.projectId }, { storageId: both.storageId }])),
    ).toEqual(['bridgePhotos']);
    expect(
      await namesIn(
        filtered([
          { storageUrl: equals('https://plans.example.test/cloud') },
          { storageId: both.storageId },
        ]),
      ),
    ).toEqual([]);
    expect(await namesIn(filtered([{}]))).toHaveLength(4);
    for (const none of ['[]', '']) expect(await namesIn(filtered(none))).toHaveLength(4);
  });

  test('the list keeps the filters in its self link', async () => {
    const filters = `[ {"storageId": {"operator": "=", "values": ["${photos.id}"]}} ]`;
    expect((await app.get(filtered(filters), admin)).body._links.self.href).toBe(filtered(filters));
    expect((await app.get(filtered(''), admin)).body._links.self.href).toBe(path);
  });

  test('an unknown storage gives an empty list; an unknown or hidden project is an error', async () => {
    for (const id of ['99999', '0', '-1', 'x', '2147483648', 1.5])
      expect(await namesIn(filtered([{ storageId: equals(id) }]))).toEqual([]);
    const refused = {
      status: 400,
      body: errorBody(
        'InvalidQuery',
        'Filter projectId has a value that is no project.',
        'filters',
      ),
    };
    for (const id of ['99999', '0', '-1', 'x', '2147483648', 1.5, ''])
      expect(await app.get(filtered([{ projectId: equals(id) }]), admin)).toMatchObject(refused);
    expect(
      await app.get(filtered([{ projectId: equals(String(bridge.id), '99999') }]), admin),
    ).toMatchObject(refused);
    for (const as of [member, undefined])
      expect(await app.get(filtered([{ projectId: equals(String(tower.id)) }]), as)).toMatchObject(
        refused,
      );
    expect(await namesIn(filtered([{ projectId: equals(String(bridge.id)) }]), outsider)).toEqual(
      [],
    );
  });

  test('URLs match in any scheme, host case, default port, trailing slashes and single or double encoding', async () => {
    const same = [
      'https://plans.example.test/cloud',
      'https://plans.example.test/cloud/',
      'https://plans.example.test/cloud//',
      'http://plans.example.test/cloud',
      'HTTPS://PLANS.Example.TEST/cloud',
      'https://plans.example.test:443/cloud',
      'http://plans.example.test:80/cloud/',
    ];
    for (const storageUrl of ['storageUrl', 'storage_url']) {
      for (const url of same)
        for (const value of [
          url,
          encodeURIComponent(url),
          encodeURIComponent(encodeURIComponent(url)),
        ])
          expect([value, await namesIn(filtered([{ [storageUrl]: equals(value) }]))]).toEqual([
            value,
            ['bridgePlans'],
          ]);
    }
    const others = [
      'https://plans.example.test',
      'https://plans.example.test/Cloud',
      'https://plans.example.test/cloud/more',
      'https://plans.example.test:80/cloud',
      'https://plans.example.test:8443/cloud',
      'https://example.test/cloud',
      'https://plans.example.test.evil.test/cloud',
      'http://localhost',
      'http://localhost:8081',
    ];
    for (const url of others)
      expect([url, await namesIn(filtered([{ storageUrl: equals(url) }]))]).toEqual([url, []]);
    expect(
      await namesIn(
        filtered([
          { storageUrl: equals('http://localhost:8080/', 'https://plans.example.test/cloud') },
        ]),
      ),
    ).toEqual(['towerPhotos', 'bridgePhotos', 'bridgePlans']);
    expect(
      await namesIn(filtered([{ storageUrl: equals('http://localhost:8080') }]), member),
    ).toEqual(['bridgePhotos']);
  });

  test('an invalid URL, filter or operator answers 400', async () => {
    const refusedWith = async (filters: unknown, message: string) =>
      expect(await app.get(filtered(filters), admin)).toMatchObject({
        status: 400,
        body: errorBody('InvalidQuery', message, 'filters'),
      });
    for (const url of [
      '',
      'plans.example.test/cloud',
      'ftp://plans.example.test',
      '%',
      '%E0%A4%A',
      encodeURIComponent(
        encodeURIComponent(encodeURIComponent('https://plans.example.test/cloud')),
      ),
    ])
      await refusedWith(
        [{ storageUrl: equals(url) }],
        'Filter storageUrl has a value that is no address.',
      );
    for (const values of [[null], [], 'x', undefined, [['x']], [true], { 0: 'x' }])
      await refusedWith(
        [{ storageUrl: { operator: '=', values } }],
        'Filter storageUrl takes an array of values.',
      );
    for (const operator of ['!', '', null, undefined, '=='])
      await refusedWith(
        [{ storageId: { operator, values: ['1'] } }],
        'Filter storageId takes the operator "=".',
      );
    for (const condition of [null, 'x', [], 1])
      await refusedWith([{ storageId: condition }], 'Filter storageId takes the operator "=".');
    await refusedWith([{ name: equals('x') }], 'Filter name does not exist.');
    await refusedWith([{ constructor: equals('x') }], 'Filter constructor does not exist.');
    for (const filters of ['x', '{}', 'null', '[1]', '[null]', '[', `${'['.repeat(4000)}`])
      await refusedWith(filters, "The query parameter 'filters' is missing or malformed.");
    await refusedWith(
      [{ storageId: equals('1') }, { storage_id: equals('2') }],
      'Filter storage_id is given twice.',
    );
  });

  test('the openproject profile has one message for every invalid filter', async () => {
    const other = await startApp({ API_PROFILE: 'openproject' });
    try {
      const admin = await other.given.user({ admin: true });
      const filter = { operator: '=', values: ['1'] };
      const expected = errorBody(
        'InvalidQuery',
        "The query parameter 'filters' is missing or malformed.",
        'filters',
        'openproject-org',
      );
      for (const filters of [
        [{ name: filter }],
        [{ storageId: { ...filter, operator: '!' } }],
        [{ storageId: { ...filter, values: 'x' } }],
        [{ storageId: filter }, { storage_id: filter }],
        [{ storageUrl: { ...filter, values: ['no address'] } }],
        'x',
      ]) {
        const text = encodeURIComponent(
          typeof filters === 'string' ? filters : JSON.stringify(filters),
        );
        const { status, body } = await other.get(`/api/v3/project_storages?filters=${text}`, admin);
        expect({ filters, status, body }).toEqual({ filters, status: 400, body: expected });
      }
    } finally {
      await other.stop();
    }
  });
});

test('a cloud drive without tenant or drive has no link to connect, even with credentials', async () => {
  for (const missing of ['tenant_id', 'drive_id']) {
    const half = await app.given.storage({
      type: 'CloudDrive',
      tenantId: 'e36f1dbc-fdae-427e-b61b-0d96ddfb81a4',
      driveId: 'b!0123456789abcdefghij',
      client: { id: `client of ${missing}`, secret: 'secret' },
    });
    const place = await app.given.projectStorage(bridge, half, { creator: admin });
    const connect = async () =>
      (await app.get(place.path, admin)).body._links.openWithConnectionEnsured.href as
        string | null;
    const whole = await connect();
    expect(whole).toMatch(/^\/oauth_clients\/client%20of/);
    await app.running.services.db
      .write('storages')
      .where('id', half.id)
      .update({ [missing]: null });
    const { body } = await app.get(half.path, admin);
    expect([await connect(), body.configured, body._links.authorize]).toEqual([
      null,
      false,
      undefined,
    ]);
  }
});

/** Links from work packages to files in storages over REST. */
import { runCleanup } from '../../../src/actions/operate/cleanup/run-cleanup.js';
import { startApp, startBeside, type Answer, type App } from '../../support/app.js';
import { until } from '../../support/cli.js';
import { databaseKind } from '../../support/database.js';
import { errorBody, missingPermission, notFound, TIME } from '../../support/expected.js';
import type { ContainerHandle, Person, StorageHandle } from '../../support/factories.js';
import type { CloudDrive } from '../../support/fakes/cloud-drive.js';
import type { FileServer } from '../../../demo/servers/file-server.js';
import type { Fault } from '../../../demo/servers/http-server.js';
import {
  linkIn,
  managing,
  placeIn,
  rowOf,
  stockedCloudDrive,
  stockedFileServer,
  viewing,
  type Place,
  type Stocked,
} from '../../storages/storages-with-files.js';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  test,
} from '../../support/jest.js';

const titles = {
  'permission:ViewAllowed': 'View allowed',
  'permission:ViewNotAllowed': 'View not allowed',
  NotFound: 'Not found',
  Error: 'Error',
};
type Status = keyof typeof titles;
const status = (name: Status, word = 'service-org') => ({
  href: `urn:${word}:api:v3:file-links:${name}`,
  title: titles[name],
});
const statusOf = (link: any): string =>
  link._links.status.href.replace(/^urn:[\w-]+:api:v3:file-links:/, '');
const stateOf = (link: any): string =>
  link._embedded.storage._links.authorizationState.href.split(':').at(-1);

interface Expected {
  id: number;
  originData: object;
  storage: StorageHandle;
  container: ContainerHandle | null;
  creator: Person;
  deletable?: boolean;
  status?: Status;
  /** Where a browser opens it at the storage: a string, or an asymmetric matcher. */
  origins?: { file: unknown; location: unknown } | undefined;
  /** As their own resources show them. */
  storageBody: unknown;
  containerBody?: unknown;
  vendor?: boolean;
}

const linkBody = ({
  id,
  originData,
  storage,
  container,
  creator,
  deletable = true,
  status: name = 'permission:ViewAllowed',
  origins,
  storageBody,
  containerBody,
  vendor = false,
}: Expected) => {
  const path = `/api/v3/file_links/${id}`;
  const self = container && !vendor ? `${container.path}/file_links/${id}` : path;
  return {
    _type: 'FileLink',
    id,
    createdAt: TIME,
    updatedAt: TIME,
    originData,
    _embedded: { storage: storageBody, ...(container && { container: containerBody }) },
    _links: {
      self: { href: self, title: (originData as { name: string }).name },
      storage: { href: storage.path, title: storage.name },
      container: container ? { href: container.path, title: container.title } : { href: null },
      creator: { href: `/api/v3/users/${creator.id}`, title: creator.name },
      ...(deletable && { delete: { href: self, method: 'delete' } }),
      status: status(name, vendor ? 'openproject-org' : 'service-org'),
      ...(origins && {
        originOpen: { href: origins.file },
        originOpenLocation: { href: origins.location },
      }),
      staticOriginOpen: { href: `${path}/open` },
      staticOriginOpenLocation: { href: `${path}/open?location=true` },
      staticOriginDownload: { href: `${path}/download` },
    },
  };
};

const pageBody = (
  path: string,
  elements: unknown[],
  {
    total = elements.length,
    offset = 1,
    pageSize = 20,
    filters,
  }: { total?: number; offset?: number; pageSize?: number; filters?: string } = {},
) => {
  const at = (page: string | number, size: string | number) =>
    `${path}?${filters === undefined ? '' : `filters=${encodeURIComponent(filters)}&`}offset=${page}&pageSize=${size}`;
  return {
    _type: 'Collection',
    total,
    count: elements.length,
    pageSize,
    offset,
    _embedded: { elements },
    _links: {
      self: { href: at(offset, pageSize) },
      jumpTo: { href: at('%7Boffset%7D', pageSize), templated: true },
      changeSize: { href: at(offset, '%7Bsize%7D'), templated: true },
      ...(offset > 1 && { previousByOffset: { href: at(offset - 1, pageSize) } }),
      ...(offset * pageSize < total && { nextByOffset: { href: at(offset + 1, pageSize) } }),
    },
  };
};

/** Where a browser opens the file of a self-hosted file server. Only the drive itself knows this for its files. */
const originsOf = ({ type, server }: Stocked, id: string) =>
  type === 'SelfHostedFileServer'
    ? {
        file: `${server.url}/index.php/f/${id}?openfile=1`,
        location: `${server.url}/index.php/f/${id}?openfile=false`,
      }
    : {
        file: expect.stringMatching(/^https:\/\//),
        location: expect.stringMatching(/^https:\/\//),
      };

let fileServer: Stocked;
let otherServer: Stocked;
let drive: Stocked;
let app: App;
let vendor: App;
let folders = 0;
/** The path of a folder that no other test uses. */
const fresh = () => `/folder-${(folders += 1)}`;

beforeAll(async () => {
  [fileServer, otherServer, drive] = await Promise.all([
    stockedFileServer(),
    stockedFileServer(),
    stockedCloudDrive(),
  ]);
  const environment = {
    ...drive.environment,
    STORAGE_TIMEOUT_MS: '3000',
    STORAGE_CONNECT_TIMEOUT_MS: '2000',
  };
  [app, vendor] = await Promise.all([
    startApp(environment),
    startApp({ ...environment, API_PROFILE: 'openproject' }),
  ]);
});
beforeEach(() => {
  for (const { server } of [fileServer, otherServer, drive]) {
    server.repair();
    server.forget();
  }
});
afterEach(() => {
  for (const remote of [fileServer, otherServer, drive]) remote.check();
  for (const at of [app, vendor]) {
    expect(at.logLines.filter((line) => line.includes('planted-'))).toEqual([]);
    // A failure of a storage is shown to the caller; other errors in the log would be failures of
    // this service.
    expect(
      at.logLines.filter(
        (line) =>
          (JSON.parse(line) as { level: number }).level >= 50 &&
          !line.includes('"type":"OutboundRequestFailed"'),
      ),
    ).toEqual([]);
  }
});
afterAll(async () => {
  await Promise.all([app?.stop(), vendor?.stop()]);
  await Promise.all([fileServer, otherServer, drive].map((remote) => remote?.close()));
});

const types = ['SelfHostedFileServer', 'CloudDrive'] as const;
const remoteOf = (type: (typeof types)[number]) => (type === 'CloudDrive' ? drive : fileServer);
const embeds = async (at: App, { person, workPackage }: Place, storage: StorageHandle) => {
  const { _embedded: _attachments, ...containerBody } = (await at.get(workPackage.path, person))
    .body;
  return { storageBody: (await at.get(storage.path, person)).body, containerBody };
};
const elementsOf = ({ status: code, body }: Answer): any[] => {
  expect({ code, body }).toMatchObject({ code: 200, body: { _type: 'Collection' } });
  return body._embedded.elements;
};
const filtersFor = (...values: string[]) =>
  JSON.stringify([{ storage: { operator: '=', values } }]);
const seed = {
  content: 'hello',
  mimeType: 'text/markdown',
  createdAt: '2026-01-02T03:04:05Z',
  modifiedAt: '2026-02-03T04:05:06Z',
};
const seeded = (id: string, name: string) => ({
  id,
  name,
  mimeType: 'text/markdown',
  size: 5,
  createdAt: '2026-01-02T03:04:05.000Z',
  lastModifiedAt: '2026-02-03T04:05:06.000Z',
  createdByName: 'Mia Ray',
  lastModifiedByName: 'Mia Ray',
});

describe.each(types)('listing links to a %s', (type) => {
  const remote = () => remoteOf(type);

  test.each([false, true])(
    "the list shows every link in full with the storage's current data, which is saved (vendor: %s)",
    async (isVendor) => {
      const at = isVendor ? vendor : app;
      const place = await placeIn(at, [remote()]);
      const {
        person,
        workPackage,
        list,
        storages: [storage],
      } = place;
      const originId = remote().file(`${fresh()}/brief.md`, seed);
      const id = await linkIn(at, place, storage!, originId);
      const other = await at.given.workPackage(place.project, person);
      await linkIn(at, { person, workPackage: other }, storage!, originId);
      remote().server.forget();
      const { status: code, body } = await at.get(list, person);
      expect(remote().server.requests.filter((one) => remote().asksFiles(one))).toHaveLength(1);
      expect(remote().server.requests.filter((one) => remote().asksUser(one))).toHaveLength(0);
      const expected = {
        id,
        originData: seeded(originId, 'brief.md'),
        storage: storage!,
        container: workPackage,
        creator: person,
        origins: originsOf(remote(), originId),
        vendor: isVendor,
        ...(await embeds(at, place, storage!)),
      };
      expect({ code, body }).toEqual({
        code: 200,
        body: pageBody(list, [linkBody(expected)], { pageSize: isVendor ? 1000 : 20 }),
      });
      expect(stateOf(body._embedded.elements[0])).toBe('Connected');
      expect(await rowOf(at, id)).toMatchObject({
        origin_name: 'brief.md',
        origin_mime_type: 'text/markdown',
        origin_created_by_name: 'Mia Ray',
        origin_last_modified_at: '2026-02-03T04:05:06.000Z',
        created_at: '2026-01-01T00:00:00.000Z',
      });
      const renewed = (await rowOf(at, id)).updated_at;
      expect(renewed > '2026-01-01T00:00:00.000Z').toBe(true);

      const reader = await at.given.member(place.project, viewing);
      await at.given.storageTokens(reader, storage!, {
        ...remote().grant(),
        originUserId: remote().userId,
      });
      expect((await at.get(list, reader)).body._embedded.elements[0]).toEqual(
        linkBody({
          ...expected,
          deletable: false,
          ...(await embeds(at, { ...place, person: reader }, storage!)),
        }),
      );
      // Nothing changed, so nothing is written.
      expect((await rowOf(at, id)).updated_at).toBe(renewed);

      await remote().rename(originId, 'Größe – 日本語 🎉.md');
      expect(elementsOf(await at.get(list, person))[0].originData.name).toBe(
        'Größe – 日本語 🎉.md',
      );
      expect((await rowOf(at, id)).origin_name).toBe('Größe – 日本語 🎉.md');
      expect(elementsOf(await at.get(`${other.path}/file_links`, person))[0].originData.name).toBe(
        'Größe – 日本語 🎉.md',
      );
    },
  );

  test('each link has the status of its own file', async () => {
    const place = await placeIn(app, [remote()]);
    const folder = fresh();
    const [seen, hidden, gone, failing] = ['seen', 'hidden', 'gone', 'failing'].map((name) =>
      remote().file(`${folder}/${name}.txt`),
    ) as [string, string, string, string];
    const ids: number[] = [];
    for (const originId of [seen, hidden, gone, failing])
      ids.push(
        await linkIn(app, place, place.storages[0]!, originId, {
          originName: `stored ${originId.slice(-3)}`,
        }),
      );
    remote().hide(hidden);
    remote().remove(gone);
    const before = await Promise.all(ids.slice(1).map((id) => rowOf(app, id)));
    await remote().failFile(failing, [seen, hidden, gone, failing]);
    const links = elementsOf(await app.get(place.list, place.person));
    expect(links.map((link) => [link.id, statusOf(link), link.originData.name])).toEqual([
      [ids[0], 'permission:ViewAllowed', 'seen.txt'],
      [ids[1], 'permission:ViewNotAllowed', `stored ${hidden.slice(-3)}`],
      [ids[2], 'NotFound', `stored ${gone.slice(-3)}`],
      [ids[3], 'Error', `stored ${failing.slice(-3)}`],
    ]);
    expect(links.map(({ _links }) => _links.status)).toEqual([
      status('permission:ViewAllowed'),
      status('permission:ViewNotAllowed'),
      status('NotFound'),
      status('Error'),
    ]);
    expect(links.map(stateOf)).toEqual(['Connected', 'Connected', 'Connected', 'Connected']);
    expect(await Promise.all(ids.slice(1).map((id) => rowOf(app, id)))).toEqual(before);
  });

  test('each user sees their own status of the same link', async () => {
    const place = await placeIn(app, [remote()]);
    const {
      list,
      person,
      project,
      storages: [storage],
    } = place;
    const server = remote().server as CloudDrive | FileServer;
    const originId = remote().file(`${fresh()}/a.txt`);
    const id = await linkIn(app, place, storage!, originId);
    server.user('tom', {
      displayName: 'Tom Fen',
      email: 'tom@example.test',
      password: 'planted-tom-password',
    });
    // On a file server, a user's private files are visible only to that user.
    if ('driveId' in server) server.hide(originId, 'tom');
    const other = await app.given.member(project, viewing);
    await app.given.storageTokens(other, storage!, { ...server.grant('tom'), originUserId: 'tom' });
    const seenBy = async (as: Person) =>
      elementsOf(await app.get(list, as)).map((link) => [link.id, statusOf(link)]);
    expect([await seenBy(person), await seenBy(other)]).toEqual([
      [[id, 'permission:ViewAllowed']],
      [[id, 'permission:ViewNotAllowed']],
    ]);
  });

  test('thirty links take as few storage requests as possible', async () => {
    const place = await placeIn(app, [remote()]);
    const folder = fresh();
    for (let index = 0; index < 30; index += 1)
      await linkIn(app, place, place.storages[0]!, remote().file(`${folder}/${index}.txt`));
    remote().server.forget();
    const links = elementsOf(await app.get(`${place.list}?pageSize=100`, place.person));
    expect(links.map((link) => [link.originData.name, statusOf(link)])).toEqual(
      Array.from({ length: 30 }, (_, index) => [`${index}.txt`, 'permission:ViewAllowed']),
    );
    expect(remote().server.requests).toHaveLength(type === 'CloudDrive' ? 2 : 1);
  });

  test('an empty list answers an empty page and sends no storage request', async () => {
    const { list, person } = await placeIn(app, [remote()]);
    expect(await app.get(list, person)).toMatchObject({ status: 200, body: pageBody(list, []) });
    expect(remote().server.requests).toEqual([]);
  });

  test('links to a storage that the project no longer uses are hidden, in lists and by id', async () => {
    const place = await placeIn(app, [remote()]);
    const {
      list,
      person,
      workPackage,
      storages: [storage],
    } = place;
    const id = await linkIn(app, place, storage!, remote().file(`${fresh()}/a.txt`));
    await app.running.services.db.write('project_storages').delete();
    expect((await app.get(list, person)).body).toEqual(pageBody(list, []));
    for (const path of [
      `/api/v3/file_links/${id}`,
      `${workPackage.path}/file_links/${id}`,
      `/api/v3/file_links/${id}/open`,
      `/api/v3/file_links/${id}/download`,
    ])
      expect(await app.get(path, person)).toMatchObject({ status: 404, body: notFound });
    expect(await app.delete(`/api/v3/file_links/${id}`, person)).toMatchObject({
      status: 404,
      body: notFound,
    });
    expect(remote().server.requests).toEqual([]);
  });

  test('a user without a token gets stored data and a link to connect, and no storage request is sent', async () => {
    const place = await placeIn(app, [remote()], { tokens: false });
    const {
      list,
      person,
      storages: [storage],
    } = place;
    const id = await linkIn(app, place, storage!, remote().file(`${fresh()}/a.txt`), {
      originName: 'stored',
    });
    const before = await rowOf(app, id);
    const [link] = elementsOf(await app.get(list, person));
    expect([statusOf(link), link.originData.name, stateOf(link)]).toEqual([
      'Error',
      'stored',
      'FailedAuthorization',
    ]);
    expect(link._embedded.storage._links.authorize.href).toBe(
      `${app.url}/oauth_clients/client-id-of-ours/ensure_connection?storage_id=${storage!.id}`,
    );
    expect(link._links.originOpen).toEqual(
      type === 'CloudDrive' ? undefined : { href: originsOf(remote(), link.originData.id).file },
    );
    expect(await rowOf(app, id)).toEqual(before);
    expect(remote().server.requests).toEqual([]);
  });
});

describe('lists', () => {
  test('a list without the permission answers 403 or an empty list, by profile; a hidden work package answers 404', async () => {
    for (const at of [app, vendor]) {
      const place = await placeIn(at, [fileServer]);
      await linkIn(at, place, place.storages[0]!, fileServer.file(`${fresh()}/a.txt`));
      const blind = await at.given.member(place.project, ['view_work_packages']);
      const stranger = await at.given.user();
      fileServer.server.forget();
      const answer = await at.get(place.list, blind);
      if (at === app) expect(answer).toMatchObject({ status: 403, body: missingPermission });
      else
        expect({ status: answer.status, body: answer.body }).toEqual({
          status: 200,
          body: pageBody(place.list, [], { pageSize: 1000 }),
        });
      const word = at === app ? 'service-org' : 'openproject-org';
      for (const path of [place.list, '/api/v3/work_packages/999999/file_links'])
        expect(await at.get(path, stranger)).toMatchObject({
          status: 404,
          body: errorBody('NotFound', notFound.message, undefined, word),
        });
      const { errors } = await at.graphql(
        'query($id: ID!) { workPackage(id: $id) { fileLinks { totalCount } } }',
        { id: place.workPackage.id },
        blind,
      );
      expect(errors?.map(({ extensions }) => extensions.code)).toEqual(['MISSING_PERMISSION']);
      expect(fileServer.server.requests).toEqual([]);
    }
  });

  test('filters select links by storage, and only those storages get requests; an invalid filter answers 400', async () => {
    const place = await placeIn(app, [fileServer, drive]);
    const {
      list,
      person,
      storages: [here, there],
    } = place;
    const first = await linkIn(app, place, here!, fileServer.file(`${fresh()}/a.txt`));
    const second = await linkIn(app, place, there!, drive.file(`${fresh()}/b.txt`));
    const ids = async (filters: string, more = '') =>
      elementsOf(
        await app.get(`${list}?filters=${encodeURIComponent(filters)}${more}`, person),
      ).map(({ id }) => id);
    drive.server.forget();
    expect(await ids(filtersFor(String(here!.id)))).toEqual([first]);
    expect(drive.server.requests).toEqual([]);
    expect(await ids(filtersFor(String(there!.id)))).toEqual([second]);
    expect(await ids(filtersFor(String(there!.id), String(here!.id)))).toEqual([first, second]);
    for (const value of ['999999', 'abc', '0', '-1', '99999999999999999999'])
      expect(await ids(filtersFor(value))).toEqual([]);
    expect(await ids('[]')).toEqual([first, second]);
    const filters = filtersFor(String(there!.id));
    const { body } = await app.get(
      `${list}?filters=${encodeURIComponent(filters)}&pageSize=1`,
      person,
    );
    expect(body._links.self.href).toBe(
      `${list}?${new URLSearchParams({ filters, offset: '1', pageSize: '1' })}`,
    );
    for (const wrong of [
      '[{"storage":{"operator":"#=","values":["3"]}}]',
      '[{"storage":{"operator":"!","values":["3"]}}]',
      '[{',
      '{}',
      '5',
      '[{"other":{"operator":"=","values":["3"]}}]',
      '[{"storage":{"operator":"=","values":[]}}]',
      '[{"storage":{"operator":"=","values":"3"}}]',
      '[{"storage":{"operator":"=","values":[null]}}]',
    ]) {
      expect(await app.get(`${list}?filters=${encodeURIComponent(wrong)}`, person)).toMatchObject({
        status: 400,
        body: {
          errorIdentifier: 'urn:service-org:api:v3:errors:InvalidQuery',
          _embedded: { details: { attribute: 'filters' } },
        },
      });
    }
  });

  test('pages are numbered from 1, oldest first; the openproject profile answers all links at once, newest first', async () => {
    for (const at of [app, vendor]) {
      const place = await placeIn(at, [fileServer]);
      const {
        list,
        person,
        storages: [storage],
      } = place;
      const ids: number[] = [];
      const folder = fresh();
      for (let index = 0; index < 25; index += 1)
        ids.push(await linkIn(at, place, storage!, fileServer.file(`${folder}/${index}`)));
      if (at === vendor) ids.reverse();
      const page = async (query: string) => {
        const { body } = await at.get(list + query, person);
        return [
          body.total,
          body.count,
          body.offset,
          body.pageSize,
          body._embedded.elements.map(({ id }: { id: number }) => id),
          Object.keys(body._links).sort(),
        ];
      };
      const links = (...more: string[]) => ['changeSize', 'jumpTo', ...more, 'self'].sort();
      expect(await page('')).toEqual(
        at === app
          ? [25, 20, 1, 20, ids.slice(0, 20), links('nextByOffset')]
          : [25, 25, 1, 1000, ids, links()],
      );
      expect(await page('?offset=2&pageSize=10')).toEqual([
        25,
        10,
        2,
        10,
        ids.slice(10, 20),
        links('nextByOffset', 'previousByOffset'),
      ]);
      expect(await page('?offset=3&pageSize=10')).toEqual([
        25,
        5,
        3,
        10,
        ids.slice(20),
        links('previousByOffset'),
      ]);
      expect(await page('?offset=9&pageSize=10')).toEqual([
        25,
        0,
        9,
        10,
        [],
        links('previousByOffset'),
      ]);
      expect(await page('?pageSize=5000')).toEqual([25, 25, 1, 1000, ids, links()]);
      fileServer.server.forget();
      expect((await page('?pageSize=0'))[1]).toBe(0);
      expect(fileServer.server.requests).toEqual([]);
      const usual = await page('');
      for (const query of ['?offset=x', '?pageSize=1.5']) expect(await page(query)).toEqual(usual);
      expect((await at.get(`${list}?pageSize=1&pageSize=2`, person)).status).toBe(400);
    }
  });
});

const elements = (...all: object[]) => ({ _type: 'Collection', _embedded: { elements: all } });
const inStorage = ({ path }: StorageHandle) => ({ storage: { href: path } });
const element = (storage: StorageHandle, originData: object) => ({
  originData,
  _links: inStorage(storage),
});
const linkRows = (at: App, where: object = {}): Promise<any[]> =>
  at.running.services.db.write('file_links').where(where).orderBy('id');
const activities = async (at: App, { workPackage, person }: Place) =>
  (await at.get(`${workPackage.path}/activities`, person)).body._embedded.elements.map(
    ({ _type, details, _links }: any) => [
      _type,
      details.map(({ raw }: any) => raw),
      _links.user.href,
    ],
  );
const problem = (name: string, message: string) =>
  `Error attempting to create dependent object: File link - ${name}: ${message}`;
const violation = (message: string, attribute = 'base', word = 'service-org') =>
  errorBody('PropertyConstraintViolation', message, attribute, word);

describe.each(types)('making links to a %s', (type) => {
  const remote = () => remoteOf(type);

  test("new links are answered in request order, in full, with the storage's current data and one activity", async () => {
    for (const at of [app, vendor]) {
      const place = await placeIn(at, [remote()]);
      const {
        list,
        person,
        workPackage,
        storages: [storage],
      } = place;
      const folder = fresh();
      const [first, second] = [
        remote().file(`${folder}/first.md`, seed),
        remote().file(`${folder}/second.md`, seed),
      ] as const;
      remote().server.forget();
      const answer = await at.post(
        list,
        person,
        elements(
          element(storage!, { id: second, name: 'sent.md' }),
          element(storage!, { id: first, name: 'first.md', mimeType: 'text/markdown' }),
        ),
      );
      expect(remote().server.requests).toHaveLength(1);
      const ids = answer.body._embedded.elements.map(({ id }: { id: number }) => id);
      const body = async (id: number, originId: string, name: string) =>
        linkBody({
          id,
          originData: seeded(originId, name),
          storage: storage!,
          container: workPackage,
          creator: person,
          origins: originsOf(remote(), originId),
          vendor: at === vendor,
          ...(await embeds(at, place, storage!)),
        });
      expect(answer.status).toBe(201);
      expect(answer.body._embedded.elements).toEqual([
        await body(ids[0], second, 'second.md'),
        await body(ids[1], first, 'first.md'),
      ]);
      const page = pageBody(list, answer.body._embedded.elements, { pageSize: 2 });
      expect(answer.body).toEqual({ ...page, _links: { ...page._links, self: { href: list } } });
      expect(
        elementsOf(await at.get(list, person))
          .map(({ id }) => id)
          .sort(),
      ).toEqual([...ids].sort());
      expect(await activities(at, place)).toEqual([
        [
          'Activity',
          ['Link to file sent.md added', 'Link to file first.md added'],
          `/api/v3/users/${person.id}`,
        ],
      ]);
      // Users without the permission to view file links do not see their names in the history;
      // attachments stay visible.
      const reader = await at.given.member(place.project, [
        'view_work_packages',
        'edit_work_packages',
      ]);
      expect(
        (await at.upload(workPackage.attachments, { as: reader, fileName: 'own.txt' })).body
          .fileName,
      ).toBe('own.txt');
      expect(
        (await activities(at, { ...place, person: reader })).map(([, details]: any) => details),
      ).toEqual([[], ['File own.txt added']]);
    }
  });

  test('every property is stored; empty values and the time 0 mean unknown; folders have one content type', async () => {
    const place = await placeIn(app, [remote()], { tokens: false });
    const {
      list,
      person,
      storages: [storage],
    } = place;
    const longest = type === 'CloudDrive' ? 'x'.repeat(100) : '1'.repeat(19);
    const whole = {
      id: '7714',
      name: 'sitemap.png',
      mimeType: 'image/png',
      size: 4_000_000_000,
      createdAt: '2026-01-02T03:04:05.678Z',
      lastModifiedAt: '2026-02-03T04:05:06+02:00',
      createdByName: 'Mia Ray',
      lastModifiedByName: 'Tom Fen',
    };
    const unknown = {
      mimeType: null,
      size: null,
      createdAt: null,
      lastModifiedAt: null,
      createdByName: null,
      lastModifiedByName: null,
    };
    const answer = await app.post(
      list,
      person,
      elements(
        element(storage!, whole),
        element(storage!, { id: 7715, name: 'number' }),
        element(storage!, {
          id: '7716',
          name: 'empty',
          mimeType: '',
          size: null,
          createdAt: '1970-01-01T00:00:00.000Z',
          lastModifiedAt: '1970-01-01T00:00:00Z',
          createdByName: '',
          lastModifiedByName: '',
        }),
        element(storage!, { id: '7717', name: 'folder', mimeType: 'httpd/unix-directory' }),
        element(storage!, {
          id: '7718',
          name: 'folder',
          mimeType: 'application/x-op-directory',
          size: 0,
        }),
        element(storage!, { id: longest, name: '🎉'.repeat(255) }),
      ),
    );
    expect(answer.status).toBe(201);
    expect(answer.body._embedded.elements.map(({ originData }: any) => originData)).toEqual([
      { ...whole, lastModifiedAt: '2026-02-03T02:05:06.000Z' },
      { ...unknown, id: '7715', name: 'number' },
      { ...unknown, id: '7716', name: 'empty' },
      { ...unknown, id: '7717', name: 'folder', mimeType: 'application/x-op-directory' },
      { ...unknown, id: '7718', name: 'folder', mimeType: 'application/x-op-directory', size: 0 },
      { ...unknown, id: longest, name: '🎉'.repeat(255) },
    ]);
    expect(answer.body._embedded.elements.map(statusOf)).toEqual(
      Array.from({ length: 6 }, () => 'Error'),
    );
    expect(answer.body._embedded.elements.map(stateOf)).toEqual(
      Array.from({ length: 6 }, () => 'FailedAuthorization'),
    );
    expect(
      (await linkRows(app, { storage_id: storage!.id })).map(
        ({ expires_at: expires, creator_id: creator }) => [expires, creator],
      ),
    ).toEqual(Array.from({ length: 6 }, () => [null, person.id]));
  });

  test('an id that no file of the storage can have is refused', async () => {
    const place = await placeIn(app, [remote()], { tokens: false });
    const {
      list,
      person,
      storages: [storage],
    } = place;
    const rule =
      type === 'CloudDrive'
        ? '1 to 256 visible ASCII characters without / \\ ? # % " \''
        : '1 to 19 digits';
    const odd = ['a b', 'a/b', 'a\\b', 'a?b', 'a#b', 'a%b', 'a"b', "a'b", 'ä', 'a\tb', '٣'];
    for (const id of type === 'CloudDrive' ? odd : [...odd, '1'.repeat(20), 'a', '-1', '1.5'])
      expect(
        (await app.post(list, person, elements(element(storage!, { id, name: 'odd' })))).body,
      ).toEqual(violation(problem('odd', `Origin id must be ${rule}.`), 'originData.id'));
    expect(await linkRows(app, { storage_id: storage!.id })).toEqual([]);
  });

  test('an existing link is returned unchanged; the first of several elements for one file counts', async () => {
    const place = await placeIn(app, [remote()], { tokens: false });
    const {
      list,
      person,
      storages: [storage],
    } = place;
    const first = await app.post(
      list,
      person,
      elements(element(storage!, { id: '1', name: 'first' })),
    );
    const [row] = await linkRows(app, { storage_id: storage!.id });
    const again = await app.post(
      list,
      person,
      elements(element(storage!, { id: 1, name: 'other', mimeType: 'text/plain' })),
    );
    expect([again.status, again.body._embedded.elements]).toEqual([
      201,
      [
        {
          ...first.body._embedded.elements[0],
          _embedded: again.body._embedded.elements[0]._embedded,
        },
      ],
    ]);
    expect(await linkRows(app, { storage_id: storage!.id })).toEqual([row]);
    const mixed = await app.post(
      list,
      person,
      elements(
        ...['a', 'b', 'c'].map((name) => element(storage!, { id: '2', name })),
        element(storage!, { id: '1', name: 'x' }),
        element(storage!, { id: '2', name: 'd' }),
      ),
    );
    const made = (await linkRows(app, { storage_id: storage!.id }))[1].id;
    expect(
      mixed.body._embedded.elements.map(({ id, originData }: any) => [id, originData.name]),
    ).toEqual([...Array.from({ length: 3 }, () => [made, 'a']), [row.id, 'first'], [made, 'a']]);
    expect([mixed.body.count, mixed.body.total]).toEqual([5, 5]);
    expect(await linkRows(app, { storage_id: storage!.id })).toHaveLength(2);
    // The earlier links were recorded before.
    expect((await activities(app, place)).map(([, details]: any) => details.length)).toEqual([
      1, 1,
    ]);
    const other = await app.given.workPackage(place.project, person);
    expect(
      (
        await app.post(
          `${other.path}/file_links`,
          person,
          elements(element(storage!, { id: '1', name: 'there' })),
        )
      ).body._embedded.elements[0].originData.name,
    ).toBe('there');
  });

  test('concurrent requests create one link for one file with one activity, and all of them answer that link', async () => {
    const place = await placeIn(app, [remote()], { tokens: false });
    const {
      list,
      person,
      storages: [storage],
    } = place;
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        app.post(
          list,
          person,
          elements(
            ...['1', '2', '3']
              .map((id) => element(storage!, { id, name: `${id} of ${index}` }))
              .slice(index % 2),
          ),
        ),
      ),
    );
    expect(answers.map(({ status: code }) => code)).toEqual(Array.from({ length: 8 }, () => 201));
    const rows = await linkRows(app, { storage_id: storage!.id });
    expect(rows.map(({ origin_id: id }) => id).sort()).toEqual(['1', '2', '3']);
    const found = new Map(rows.map(({ id, origin_id: originId }) => [originId, id]));
    for (const { body } of answers)
      for (const { id, originData } of body._embedded.elements)
        expect(id).toBe(found.get(originData.id));
    expect((await activities(app, place)).flatMap(([, details]: any) => details)).toHaveLength(3);
  });
});

describe('refusals of a bulk request', () => {
  let place: Place;
  let storage: StorageHandle;
  const create = (...all: object[]) => app.post(place.list, place.person, elements(...all));
  const refused = async (answer: Promise<Answer>, body: object, code = 422) => {
    const { status: given, body: answered } = await answer;
    expect({ status: given, body: answered }).toEqual({ status: code, body });
    expect(await linkRows(app, { storage_id: storage.id })).toEqual([]);
  };
  beforeEach(async () => {
    place = await placeIn(app, [fileServer], { tokens: false });
    storage = place.storages[0]!;
  });

  test('one invalid element refuses the whole request, and all errors are listed', async () => {
    const unknown = { _links: { storage: { href: '/api/v3/storages/999999' } } };
    const good = element(storage, { id: '1', name: 'good' });
    await refused(
      create(good, { originData: { id: '2', name: 'sitemap.png' }, ...unknown }),
      violation(problem('sitemap.png', 'Storage does not exist.')),
    );
    const both = [
      violation(problem('a.png', 'Storage does not exist.')),
      violation(problem('b.png', "Origin id can't be blank.")),
    ];
    const wrong = [
      { originData: { id: '2', name: 'a.png' }, ...unknown },
      good,
      element(storage, { name: 'b.png' }),
    ];
    await refused(create(...wrong), {
      ...both[0],
      _embedded: { details: { attribute: 'base' }, errors: both },
    });
    const there = await placeIn(vendor, [fileServer], { tokens: false });
    const { status: code, body } = await vendor.post(
      there.list,
      there.person,
      elements(
        { originData: { id: '2', name: 'a.png' }, ...unknown },
        element(there.storages[0]!, { name: 'b.png' }),
      ),
    );
    expect({ code, body }).toEqual({
      code: 422,
      body: {
        ...errorBody(
          'MultipleErrors',
          'Multiple field constraints have been violated.',
          undefined,
          'openproject-org',
        ),
        _embedded: {
          errors: both.map(({ message }) => violation(message, 'base', 'openproject-org')),
        },
      },
    });
    expect(await activities(app, place)).toEqual([]);
  });

  test('a missing, unknown or unusable storage is a validation error', async () => {
    const originData = { id: '1', name: 'a.png' };
    const elementError = (message: string) => violation(problem('a.png', message));
    for (const _links of [
      undefined,
      {},
      { storage: null },
      { storageUrl: null },
      { storageUrl: { href: null } },
      { storageUrl: { href: '' } },
      { storageUrl: { href: '  ' } },
      { storageUrl: {} },
      { storage: { href: null } },
      { storage: { href: null }, storageUrl: { href: null } },
      { ...inStorage(storage), storageUrl: { href: '' } },
    ]) {
      await refused(
        create({ originData, ...(_links && { _links }) }),
        elementError("Storage can't be blank."),
      );
    }
    for (const href of [
      'https://elsewhere.example.test',
      'nonsense',
      `${fileServer.server.url}/other`,
      'http://127.0.0.1:1',
      '%',
    ])
      await refused(
        create({ originData, _links: { storageUrl: { href } } }),
        elementError('Storage does not exist.'),
      );
    for (const href of [
      '/api/v3/storages/0',
      '/api/v3/storages/99999999999999999999',
      '/api/v3/projects/1',
      '',
      5,
      {},
      { toString: 1, valueOf: 1 },
      [storage.path],
      `${storage.path}/files`,
      `http://other.example.test${storage.path}`,
    ])
      await refused(
        create({ originData, _links: { storage: { href } } }),
        elementError('Storage does not exist.'),
      );
    const second = await app.given.storage();
    // Hidden from the user; then visible, but not used in this project.
    await refused(create(element(second, originData)), elementError('Storage does not exist.'));
    const elsewhere = await app.given.project();
    await app.given.projectStorage(elsewhere, second);
    await app.given.membership(place.person, elsewhere, managing);
    await refused(
      create(element(second, originData)),
      elementError('Storage is not linked to project.'),
    );
    await refused(
      create({
        originData,
        _links: { ...inStorage(second), storageUrl: { href: fileServer.server.url } },
      }),
      elementError('Storage and storage url name different storages.'),
    );
    await refused(
      create({
        originData,
        _links: {
          storage: { href: '/api/v3/storages/999999' },
          storageUrl: { href: fileServer.server.url },
        },
      }),
      elementError('Storage does not exist.'),
    );
  });

  test('a storage is found by any spelling of its URL', async () => {
    const { url, port } = fileServer.server;
    const spellings = [
      url,
      `${url}/`,
      `${url}///`,
      url.replace('http:', 'https:'),
      url.toUpperCase(),
      encodeURIComponent(url),
      encodeURIComponent(encodeURIComponent(`https://127.0.0.1:${port}/`)),
    ];
    for (const [index, href] of spellings.entries()) {
      const { status: code, body } = await create({
        originData: { id: String(index), name: 'a' },
        _links: { storageUrl: { href } },
      });
      expect({ href, code, storage: body._embedded.elements?.[0]?._links.storage.href }).toEqual({
        href,
        code: 201,
        storage: storage.path,
      });
    }
    for (const href of [`${storage.path}/`, storage.path])
      expect(
        (
          await create({
            originData: { id: '1', name: 'a' },
            _links: { storage: { href }, storageUrl: { href: url } },
          })
        ).status,
      ).toBe(201);
  });

  test('a null link beside a storage link is ignored', async () => {
    const url = { href: fileServer.server.url };
    for (const _links of [
      { storage: { href: null }, storageUrl: url },
      { storage: null, storageUrl: url },
      { ...inStorage(storage), storageUrl: { href: null } },
      { ...inStorage(storage), storageUrl: null },
    ]) {
      const { status: code, body } = await create({ originData: { id: '1', name: 'a' }, _links });
      expect({ _links, code, storage: body._embedded.elements?.[0]?._links.storage.href }).toEqual({
        _links,
        code: 201,
        storage: storage.path,
      });
    }
  });

  test('missing, empty, malformed or too many elements are refused', async () => {
    for (const json of [
      {},
      { _embedded: {} },
      { _embedded: null },
      { _embedded: 5 },
      { _embedded: { elements: null } },
      elements(),
    ])
      await refused(
        app.post(place.list, place.person, json),
        violation("Missing property '_embedded/elements'.", 'elements'),
      );
    for (const [value, called] of [
      [42, 'Integer'],
      ['x', 'String'],
      [true, 'Boolean'],
      [1.5, 'Float'],
      [{}, 'Hash'],
    ]) {
      await refused(
        app.post(place.list, place.person, { _embedded: { elements: value } }),
        violation(
          `Invalid format for property '_embedded/elements': Expected format like 'Array', but got '${called as string}'.`,
          'elements',
        ),
      );
    }
    const many = Array.from({ length: 21 }, (_, index) =>
      element(storage, { id: String(index), name: 'a' }),
    );
    await refused(
      create(...many),
      violation('Too many elements created at once. Expected 20 at most, got 21.'),
    );
    for (const json of [[], 'x', 5])
      await refused(
        app.post(place.list, place.person, json),
        errorBody('InvalidRequestBody', 'The request body was not a single JSON object.'),
        400,
      );
    for (const wrong of [null, 5, 'x', []])
      await refused(
        app.post(place.list, place.person, { _embedded: { elements: [wrong] } }),
        violation(
          problem(
            'unknown',
            "Storage can't be blank. Origin id can't be blank. Origin name can't be blank.",
          ),
        ),
      );
    expect(
      (
        await app.request('POST', place.list, {
          as: place.person,
          body: '{}',
          headers: { 'content-type': 'text/plain' },
        })
      ).status,
    ).toBe(415);
    expect((await app.request('POST', place.list, { as: place.person })).status).toBe(406);
    expect((await create(...many.slice(1))).status).toBe(201);
    const there = await placeIn(vendor, [fileServer], { tokens: false });
    expect((await vendor.post(there.list, there.person, {})).body).toEqual(
      errorBody(
        'PropertyMissingError',
        "Missing property '_embedded/elements'.",
        'elements',
        'openproject-org',
      ),
    );
    expect(
      (await vendor.post(there.list, there.person, { _embedded: { elements: 42 } })).body
        .errorIdentifier,
    ).toBe('urn:openproject-org:api:v3:errors:PropertyFormatError');
  });

  test('each invalid member of the origin data is refused with a message that has the file name', async () => {
    const expectError = (originData: object, message: string, name = 'a.png') =>
      refused(
        create(element(storage, { id: '1', name: 'a.png', ...originData })),
        violation(problem(name, message)),
      );
    for (const id of [undefined, null, '', ' '])
      await expectError({ id }, "Origin id can't be blank.");
    await expectError(
      { id: 'x'.repeat(101) },
      'Origin id is too long (maximum is 100 characters).',
    );
    for (const id of [1.5, true, [], 1e300])
      await expectError({ id }, 'The member id must be a string or a whole number.');
    for (const name of [undefined, null, '', '  '])
      await expectError({ name }, "Origin name can't be blank.", 'unknown');
    await expectError(
      { name: 'x'.repeat(256) },
      'Origin name is too long (maximum is 255 characters).',
      'x'.repeat(256),
    );
    // The name is quoted in each error, and each error is in the message and in its own entry.
    for (const length of [301, 40_000])
      await expectError(
        { name: 'x'.repeat(length) },
        'Origin name is too long (maximum is 255 characters).',
        `${'x'.repeat(300)}…`,
      );
    await expectError(
      { mimeType: 'x'.repeat(256) },
      'Origin mime type is too long (maximum is 255 characters).',
    );
    await expectError({ id: 'a\0b' }, 'Origin id must not contain NUL or broken characters.');
    for (const size of [-1, 1.5, 1e300])
      await expectError({ size }, 'Origin size is not a number of bytes.');
    for (const createdAt of [
      'yesterday',
      '2026-13-01T00:00:00Z',
      '2026',
      '9999-12-31T23:59:59-10:00',
      '0000-01-01T00:00:00+10:00',
      '2026-02-30T00:00:00Z',
      '2026-02-29T12:00:00',
      '2026-04-31T00:00:00+02:00',
      '2026-01-01T25:00:00Z',
      '2026-01-01T',
    ])
      await expectError({ createdAt }, 'Origin created at is not a date and time.');
    await expectError({ createdByName: 5 }, 'The member createdByName must be a string.');
    await expectError({ size: '5' }, 'The member size must be a number.');
    await expectError(
      { id: '', size: -1, lastModifiedAt: 'x' },
      "Origin size is not a number of bytes. Origin id can't be blank. Origin last modified at is not a date and time.",
    );
  });

  test("file times without a time zone are read as UTC, whatever the server's time zone", async () => {
    // `test/run.ts` sets a non-UTC time zone for the tests, so that code that reads it fails.
    expect(new Date(2026, 0, 1).getTimezoneOffset()).not.toBe(0);
    const times = [
      ['2026-01-01T10:00:00', '2026-01-01T10:00:00.000Z'],
      ['2026-07-01T10:00', '2026-07-01T10:00:00.000Z'],
      ['2026-01-01T10:00:00.1234567', '2026-01-01T10:00:00.123Z'],
      ['2028-02-29T23:30:00-01:00', '2028-03-01T00:30:00.000Z'],
      ['2026-01-01T10:00:00+0200', '2026-01-01T08:00:00.000Z'],
      ['2026-12-31T23:59:59Z', '2026-12-31T23:59:59.000Z'],
      ['1970-01-01T00:00:00', null],
    ];
    const { status: code, body } = await create(
      ...times.map(([createdAt, lastModifiedAt], index) =>
        element(storage, {
          id: String(index),
          name: 'a.png',
          createdAt,
          ...(lastModifiedAt && { lastModifiedAt }),
        }),
      ),
    );
    expect({
      code,
      savedTimes: body._embedded.elements.map(({ originData }: any) => [
        originData.createdAt,
        originData.lastModifiedAt,
      ]),
    }).toEqual({ code: 201, savedTimes: times.map(([, time]) => [time, time]) });
  });

  test('creating answers 403 without the permission if the work package is visible, else 404, before the body is checked', async () => {
    const reader = await app.given.member(place.project, viewing);
    const stranger = await app.given.user();
    const json = elements(element(storage, { id: '1', name: 'a' }));
    for (const body of [json, {}]) {
      await refused(app.post(place.list, reader, body), missingPermission, 403);
      await refused(app.post(place.list, stranger, body), notFound, 404);
      await refused(app.request('POST', place.list, { json: body }), notFound, 404);
      await refused(
        app.post('/api/v3/work_packages/999999/file_links', place.person, body),
        notFound,
        404,
      );
    }
    // This permission alone does not make the work package visible.
    const blind = await app.given.member(place.project, ['manage_file_links']);
    await refused(app.post(place.list, blind, json), notFound, 404);
  });
});

test.each(types)(
  'a stored id that no file can have is never sent: only its link is not found (%s)',
  async (type) => {
    const remote = remoteOf(type);
    const place = await placeIn(app, [remote]);
    const odd = ['no number', '12/34', 'a%2e', '\u{fffd}'];
    const good = remote.file(`${fresh()}/a.txt`);
    for (const id of [...odd, good]) await linkIn(app, place, place.storages[0]!, id);
    remote.server.forget();
    const links = elementsOf(await app.get(place.list, place.person));
    expect(Object.fromEntries(links.map((link) => [link.originData.id, statusOf(link)]))).toEqual({
      ...Object.fromEntries(odd.map((id) => [id, 'NotFound'])),
      [good]: 'permission:ViewAllowed',
    });
    const sent = remote.server.requests.map(({ path, body }) => path + body.toString()).join(' ');
    expect(sent).toContain(good);
    for (const id of odd) {
      expect(sent).not.toContain(id);
      expect(sent).not.toContain(encodeURIComponent(id));
    }
  },
);

describe('one link', () => {
  test.each(types)('a link is read and deleted under both paths (%s)', async (type) => {
    const remote = remoteOf(type);
    for (const at of [app, vendor]) {
      const place = await placeIn(at, [remote]);
      const {
        person,
        workPackage,
        storages: [storage],
      } = place;
      const folder = fresh();
      const origins = [remote.file(`${folder}/a.md`, seed), remote.file(`${folder}/b.md`, seed)];
      const ids: number[] = [];
      for (const [index, originId] of origins.entries())
        ids.push(await linkIn(at, place, storage!, originId, { originName: `stored ${index}` }));
      remote.server.forget();
      const scoped = (id: number) => `${workPackage.path}/file_links/${id}`;
      const { status: code, body } = await at.get(scoped(ids[0]!), person);
      expect(remote.server.requests).toHaveLength(1);
      expect({ code, body }).toEqual({
        code: 200,
        body: linkBody({
          id: ids[0]!,
          originData: seeded(origins[0]!, 'a.md'),
          storage: storage!,
          container: workPackage,
          creator: person,
          origins: originsOf(remote, origins[0]!),
          vendor: at === vendor,
          ...(await embeds(at, place, storage!)),
        }),
      });
      // The first answer saved data, which the next one shows.
      const later = { ...body, updatedAt: (await rowOf(at, ids[0]!)).updated_at };
      for (const path of [`/api/v3/file_links/${ids[0]}`, scoped(ids[0]!), body._links.self.href])
        expect((await at.get(path, person)).body).toEqual(later);
      remote.server.forget();
      // An existing client sends a Content-Type without a body.
      const answers = [
        await at.delete(scoped(ids[0]!), person),
        await at.delete(`/api/v3/file_links/${ids[1]}`, person, {
          headers: { 'content-type': 'application/json' },
        }),
      ];
      expect(answers.map((answer) => [answer.status, answer.text])).toEqual(
        Array.from({ length: 2 }, () => [at === vendor ? 204 : 200, '']),
      );
      expect(remote.server.requests).toEqual([]);
      expect(await linkRows(at, { storage_id: storage!.id })).toEqual([]);
      expect((await activities(at, place)).map(([, details]: any) => details)).toEqual([
        ['Link to file a.md removed'],
        ['Link to file stored 1 removed'],
      ]);
      expect((await at.delete(scoped(ids[0]!), person)).status).toBe(404);
    }
  });

  test('a hidden link answers 404, a missing permission 403; the path of another work package answers 404', async () => {
    const place = await placeIn(app, [fileServer], { tokens: false });
    const {
      person,
      project,
      workPackage,
      storages: [storage],
    } = place;
    const id = await linkIn(app, place, storage!, '1');
    const other = await app.given.workPackage(project, person);
    const reader = await app.given.member(project, viewing);
    const paths = [`/api/v3/file_links/${id}`, `${workPackage.path}/file_links/${id}`];
    const [blind, noLinks, stranger] = [
      await app.given.member(project, ['manage_file_links']),
      await app.given.member(project, ['view_work_packages', 'manage_file_links']),
      await app.given.user(),
    ];
    for (const path of paths) {
      for (const as of [blind, noLinks, stranger, undefined]) {
        expect(await app.get(path, as)).toMatchObject({ status: 404, body: notFound });
        expect(await app.delete(path, as)).toMatchObject({ status: 404, body: notFound });
      }
      expect(await app.delete(path, reader)).toMatchObject({
        status: 403,
        body: missingPermission,
      });
      const link = await app.get(path, reader);
      expect([link.status, link.body._links.delete]).toEqual([200, undefined]);
    }
    for (const path of [
      `${other.path}/file_links/${id}`,
      `/api/v3/work_packages/999999/file_links/${id}`,
      '/api/v3/file_links/999999',
      '/api/v3/file_links/x',
      '/api/v3/file_links/99999999999999999999',
    ]) {
      expect(await app.get(path, person)).toMatchObject({ status: 404, body: notFound });
      expect(await app.delete(path, person)).toMatchObject({ status: 404, body: notFound });
    }
    expect(await linkRows(app, { id })).toHaveLength(1);
    expect(await activities(app, place)).toEqual([]);
  });

  test('only one of several concurrent deletions succeeds, and it is recorded once', async () => {
    const place = await placeIn(app, [fileServer], { tokens: false });
    const id = await linkIn(app, place, place.storages[0]!, '1');
    const codes = await Promise.all(
      Array.from(
        { length: 5 },
        async () => (await app.delete(`/api/v3/file_links/${id}`, place.person)).status,
      ),
    );
    expect(codes.sort()).toEqual([200, 404, 404, 404, 404]);
    expect(await activities(app, place)).toHaveLength(1);
  });
});

describe.each(types)('redirects to a %s', (type) => {
  const remote = () => remoteOf(type);

  test('opening the file or its folder redirects to the storage; every download gets a new URL', async () => {
    const place = await placeIn(app, [remote()]);
    const {
      person,
      project,
      storages: [storage],
    } = place;
    const originId = remote().file(`${fresh()}/Größe #1.md`, seed);
    const path = `/api/v3/file_links/${await linkIn(app, place, storage!, originId)}`;
    const { file, location } = originsOf(remote(), originId);
    remote().server.forget();
    for (const [query, expected] of [
      ['', file],
      ['?location=false', file],
      ['?location=true', location],
    ] as const) {
      const answer = await app.get(`${path}/open${query}`, person);
      expect([
        answer.status,
        answer.headers.get('location'),
        answer.headers.get('cache-control'),
      ]).toEqual([303, expected, 'private, no-store']);
    }
    if (type === 'SelfHostedFileServer') expect(remote().server.requests).toEqual([]);
    const addresses: string[] = [];
    for (let index = 0; index < 2; index += 1) {
      const answer = await app.get(`${path}/download`, person);
      expect([answer.status, answer.headers.get('cache-control')]).toEqual([
        303,
        'private, no-store',
      ]);
      addresses.push(answer.headers.get('location')!);
      // Within one second, a drive returns the same URL.
      (remote().server as CloudDrive | FileServer).advance(2);
    }
    expect(new Set(addresses).size).toBe(2);
    for (const address of addresses) expect(await (await fetch(address)).text()).toBe('hello');

    const stranger = await app.given.user();
    const blind = await app.given.member(project, ['view_work_packages', 'manage_file_links']);
    remote().server.forget();
    for (const as of [stranger, blind, undefined])
      for (const rest of ['/open', '/open?location=true', '/download'])
        expect(await app.get(path + rest, as)).toMatchObject({ status: 404, body: notFound });
    for (const rest of ['/open', '/download'])
      expect((await app.get(`/api/v3/file_links/999999${rest}`, person)).status).toBe(404);
    expect(remote().server.requests).toEqual([]);
  });

  test('an error of the storage answers 500 with its status; the openproject profile names the kind of error', async () => {
    for (const at of [app, vendor]) {
      const place = await placeIn(at, [remote()]);
      const {
        person,
        storages: [storage],
      } = place;
      const word = at === vendor ? 'openproject-org' : 'service-org';
      const gone = remote().file(`${fresh()}/gone.txt`);
      remote().remove(gone);
      const expectFailure = async (path: string, sibling: string, message: string, as = person) => {
        const { status: code, body } = await at.get(path, as);
        expect({ code, body }).toEqual({
          code: 500,
          body: errorBody(
            at === vendor ? sibling : 'OutboundRequest:NotFound',
            message,
            undefined,
            word,
          ),
        });
      };
      const failed = (upstream: number) =>
        `An outbound request to another resource has failed with status code ${upstream}.`;
      const path = `/api/v3/file_links/${await linkIn(at, place, storage!, gone)}`;
      await expectFailure(`${path}/download`, 'OutboundRequest:NotFound', failed(404));
      if (type === 'CloudDrive')
        await expectFailure(`${path}/open`, 'OutboundRequest:NotFound', failed(404));
      const there = `/api/v3/file_links/${await linkIn(at, place, storage!, remote().file(`${fresh()}/there.txt`))}`;
      for (const [upstream, sibling] of [
        [500, 'InternalServerError'],
        [403, 'OutboundRequest:Forbidden'],
      ] as const) {
        remote().server.fault({ status: upstream });
        await expectFailure(`${there}/download`, sibling, failed(upstream));
        remote().server.repair();
      }
      const reader = await at.given.member(place.project, viewing);
      await expectFailure(
        `${there}/download`,
        'InternalServerError',
        'An outbound request to another resource has failed: The storage does not know you. Connect to it first.',
        reader,
      );
      remote().server.fault('silence');
      await expectFailure(
        `${there}/download`,
        'InternalServerError',
        `An outbound request to another resource has failed: ${new URL(remote().server.url).origin} did not answer in time.`,
      );
      remote().server.repair();
    }
  });
});

describe('links without a work package', () => {
  const unclaimed = (elementBodies: unknown[], word = 'service-org') => ({
    _type: 'Collection',
    total: elementBodies.length,
    count: elementBodies.length,
    _embedded: { elements: elementBodies },
    _links: { self: { href: `urn:${word}:api:v3:file_links:no_link_provided` } },
  });

  test.each(types)(
    'a link is created in full, expires, and is visible only to its creator (%s)',
    async (type) => {
      const remote = remoteOf(type);
      for (const at of [app, vendor]) {
        const place = await placeIn(at, [remote]);
        const {
          person,
          project,
          storages: [storage],
        } = place;
        const originId = remote.file(`${fresh()}/brief.md`, seed);
        const before = Date.now();
        const { status: code, body } = await at.post(
          '/api/v3/file_links',
          person,
          elements(
            element(storage!, { id: originId, name: 'sent.md' }),
            element(storage!, { id: originId, name: 'again.md' }),
          ),
        );
        const { id } = body._embedded.elements[0];
        const { storageBody } = await embeds(at, place, storage!);
        const expected = linkBody({
          id,
          originData: seeded(originId, 'brief.md'),
          storage: storage!,
          container: null,
          creator: person,
          origins: originsOf(remote, originId),
          storageBody,
          vendor: at === vendor,
        });
        expect({ code, body }).toEqual({
          code: 201,
          body: unclaimed([expected, expected], at === vendor ? 'openproject-org' : 'service-org'),
        });
        const [row, ...none] = await linkRows(at, { storage_id: storage!.id });
        expect([row.work_package_id, row.creator_id, none]).toEqual([null, person.id, []]);
        expect(Date.parse(row.expires_at) - 180 * 60_000).toBeGreaterThanOrEqual(before - 1000);
        expect(Date.parse(row.expires_at) - 180 * 60_000).toBeLessThanOrEqual(Date.now());
        const path = `/api/v3/file_links/${id}`;
        expect((await at.get(path, person)).body).toEqual(expected);
        // The same file again makes another link, because there is no work package with an existing
        // one.
        expect(
          (
            await at.post(
              '/api/v3/file_links',
              person,
              elements(element(storage!, { id: originId, name: 'sent.md' })),
            )
          ).body._embedded.elements[0].id,
        ).not.toBe(id);
        for (const as of [
          await at.given.member(project, managing),
          await at.given.user(),
          undefined,
        ]) {
          expect((await at.get(path, as)).status).toBe(404);
          expect((await at.delete(path, as)).status).toBe(404);
        }
        expect((await at.get(`${place.workPackage.path}/file_links/${id}`, person)).status).toBe(
          404,
        );
        expect(elementsOf(await at.get(place.list, person))).toEqual([]);
        expect((await at.delete(path, person)).status).toBe(at === vendor ? 204 : 200);
        expect(await activities(at, place)).toEqual([]);
      }
    },
  );

  test('unclaimed links are removed after their expiry, and no others', async () => {
    const place = await placeIn(app, [fileServer], { tokens: false });
    const {
      person,
      storages: [storage],
    } = place;
    const free = { person, workPackage: null };
    const past = { expiresAt: new Date(Date.now() - 1000).toISOString() };
    const [claimed, waiting, over] = [
      await linkIn(app, place, storage!, '1'),
      await linkIn(app, free, storage!, '2'),
      await linkIn(app, free, storage!, '3', past),
    ];
    expect((await runCleanup(app.running.services, { dryRun: true })).fileLinks).toBe(1);
    expect(await rowOf(app, over)).toBeDefined();
    expect((await runCleanup(app.running.services)).fileLinks).toBe(1);
    expect(
      await Promise.all(
        [claimed, waiting, over].map(async (id) => (await rowOf(app, id)) !== undefined),
      ),
    ).toEqual([true, true, false]);
    expect((await app.get(`/api/v3/file_links/${over}`, person)).status).toBe(404);
  });

  test('background work removes expired links within seconds, as with attachments, and counts them', async () => {
    const {
      person,
      storages: [storage],
    } = await placeIn(app, [fileServer], { tokens: false });
    const root = await app.given.user({ admin: true });
    const working = await startBeside(app, { BACKGROUND_WORK: 'true' });
    try {
      const swept = async () =>
        (await working.get('/metrics', root)).text
          .split('\n')
          .filter((line) => line.startsWith('moorage_swept_total'));
      // The cleanup at the start is over; the next one runs in ten minutes.
      const isOver = async () => (await swept()).some((line) => line.includes('"unfinished"'));
      await until(isOver, 'the first sweep is over');
      const over = await linkIn(app, { person, workPackage: null }, storage!, '4', {
        expiresAt: new Date(Date.now() - 1000).toISOString(),
      });
      await until(async () => (await rowOf(app, over)) === undefined, 'the link is gone');
      await until(
        async () => (await swept()).includes('moorage_swept_total{kind="fileLinks"} 1'),
        'it is counted',
      );
    } finally {
      await working.stop();
    }
  });

  test('creating one needs the permission in a project of the storage; anonymous users cannot create one', async () => {
    const place = await placeIn(app, [fileServer], { tokens: false });
    const {
      project,
      storages: [storage],
    } = place;
    const json = elements(element(storage!, { id: '1', name: 'a' }));
    const post = (as: Person | undefined, body: object = json) =>
      app.request('POST', '/api/v3/file_links', { as, json: body });
    for (const as of [await app.given.user(), await app.given.member(project, viewing), undefined])
      for (const body of [json, {}])
        expect(await post(as, body)).toMatchObject({ status: 403, body: missingPermission });
    const elsewhere = await app.given.project();
    const manager = await app.given.member(elsewhere, managing);
    // First hidden, then visible in a project without the permission to link.
    expect(await post(manager)).toMatchObject({
      status: 422,
      body: violation(problem('a', 'Storage does not exist.')),
    });
    await app.given.membership(manager, project, viewing);
    expect(await post(manager)).toMatchObject({
      status: 422,
      body: violation(problem('a', 'Storage is not linked to project.')),
    });
    await app.given.projectStorage(elsewhere, storage!);
    expect((await post(manager)).status).toBe(201);
    const publicProject = await app.given.project({ isPublic: true });
    await app.given.projectStorage(publicProject, storage!);
    await app.given.role(managing, 'Anonymous');
    try {
      expect(await post(undefined)).toMatchObject({ status: 403, body: missingPermission });
    } finally {
      await app.given.role([], 'Anonymous');
    }
  });
});

/** One link of Mia's in each storage. The first storage fails. */
const faults: [what: string, fault: Fault, state: string][] = [
  ['refuses connections', 'reset', 'Error'],
  ['is silent', 'silence', 'Error'],
  ['answers half', 'half', 'Error'],
  ['sends no end', 'endless', 'Error'],
  ['answers 500', { status: 500, body: 'planted-body' }, 'Error'],
  [
    'answers 502 with a page',
    { status: 502, headers: { 'content-type': 'text/html' }, body: '<h1>Bad gateway</h1>' },
    'Error',
  ],
  ['answers 403', { status: 403 }, 'Error'],
  [
    'answers 429 for longer than the deadline',
    { status: 429, headers: { 'retry-after': '60' } },
    'Error',
  ],
  [
    'answers no JSON',
    { status: 200, headers: { 'content-type': 'text/html' }, body: '<h1>Welcome</h1>' },
    'Error',
  ],
  [
    'answers broken JSON',
    { status: 200, headers: { 'content-type': 'application/json' }, body: '{"ocs":' },
    'Error',
  ],
  [
    'answers JSON of another shape',
    { status: 200, headers: { 'content-type': 'application/json' }, body: '[]' },
    'Error',
  ],
  ['redirects', { status: 302, headers: { location: 'http://169.254.169.254/' } }, 'Error'],
];

describe.each(types)('a list whose %s', (type) => {
  const failing = () => remoteOf(type);
  const healthy = () => (type === 'CloudDrive' ? fileServer : drive);
  const given = async (options: { expiresInSeconds?: number } = {}) => {
    const place = await placeIn(app, [failing(), healthy()], options);
    const folder = fresh();
    const origins = [
      failing().file(`${folder}/a.txt`),
      failing().file(`${folder}/b.txt`),
      healthy().file(`${folder}/c.txt`),
    ] as const;
    const ids: number[] = [];
    for (const [index, originId] of origins.entries())
      ids.push(
        await linkIn(app, place, place.storages[index < 2 ? 0 : 1]!, originId, {
          originName: `stored ${index}`,
        }),
      );
    failing().server.forget();
    return {
      ...place,
      origins,
      ids,
      kept: () => Promise.all(ids.slice(0, 2).map((id) => rowOf(app, id))),
    };
  };
  const shown = (answer: Answer) =>
    elementsOf(answer).map((link) => [statusOf(link), link.originData.name, stateOf(link)]);
  const fine = [
    ['permission:ViewAllowed', 'a.txt', 'Connected'],
    ['permission:ViewAllowed', 'b.txt', 'Connected'],
    ['permission:ViewAllowed', 'c.txt', 'Connected'],
  ];

  test.each(faults)(
    'storage %s: its links have the status Error and stored data; the others are current',
    async (_what, fault, state) => {
      const { list, person, kept, ids } = await given();
      const before = await kept();
      failing().server.fault(fault, (request) => failing().asksFiles(request));
      expect(shown(await app.get(list, person))).toEqual([
        ['Error', 'stored 0', state],
        ['Error', 'stored 1', state],
        fine[2],
      ]);
      expect(await kept()).toEqual(before);
      expect((await rowOf(app, ids[2]!)).origin_name).toBe('c.txt');
      failing().server.repair();
      // As if the time that it asked for had passed.
      await app.running.services.db.write('storage_pauses').delete();
      app.running.services.forgetIdentities();
      expect(shown(await app.get(list, person))).toEqual(fine);
    },
  );

  test('storage rejects the token refreshes it once, and all links are current', async () => {
    for (const expiresInSeconds of [3600, 5]) {
      const { list, person } = await given({ expiresInSeconds });
      failing().expireAccess();
      failing().server.forget();
      expect(shown(await app.get(list, person))).toEqual(fine);
      expect(failing().server.requests.filter((one) => failing().asksToken(one))).toHaveLength(1);
    }
  });

  test('storage no longer knows the user has error links, and tells the user to connect again', async () => {
    const { list, person, kept } = await given();
    const before = await kept();
    failing().revoke();
    failing().expireAccess();
    const answer = await app.get(list, person);
    expect(shown(answer)).toEqual([
      ['Error', 'stored 0', 'FailedAuthorization'],
      ['Error', 'stored 1', 'FailedAuthorization'],
      fine[2],
    ]);
    expect(answer.body._embedded.elements[0]._embedded.storage._links.authorize.href).toMatch(
      /ensure_connection/,
    );
    expect(await kept()).toEqual(before);
  });

  test('storage cannot refresh the token now has error links, and keeps the tokens', async () => {
    const { list, person } = await given();
    failing().expireAccess();
    failing().server.fault({ status: 503 }, (request) => failing().asksToken(request));
    expect(shown(await app.get(list, person))).toEqual([
      ['Error', 'stored 0', 'Error'],
      ['Error', 'stored 1', 'Error'],
      fine[2],
    ]);
    failing().server.repair();
    expect(shown(await app.get(list, person))).toEqual(fine);
  });

  test('storage answers for other files has error links', async () => {
    const { list, person, origins, kept } = await given();
    const before = await kept();
    const other = {
      status: 'OK',
      statuscode: 200,
      id: 999,
      name: 'other.txt',
      mtime: 1,
      ctime: 1,
      mimetype: 'text/plain',
      size: 3,
      owner_name: 'x',
      owner_id: 'x',
      modifier_name: 'x',
      modifier_id: 'x',
      dav_permissions: 'RGDNVW',
      path: 'files/other.txt',
    };
    const body =
      type === 'CloudDrive'
        ? {
            responses: ['0', '1'].map((id) => ({
              id,
              status: 200,
              headers: { 'Content-Type': 'application/json' },
              body: {
                id: '01OTHER',
                name: 'other.txt',
                file: { mimeType: 'text/plain' },
                parentReference: { path: '/drive/root:' },
              },
            })),
          }
        : {
            ocs: {
              meta: { status: 'ok', statuscode: 100, message: 'OK' },
              data: { [origins[0]]: other, 999: other },
            },
          };
    failing().server.fault(
      { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) },
      (request) => failing().asksFiles(request),
    );
    expect(shown(await app.get(list, person))).toEqual([
      ['Error', 'stored 0', 'Connected'],
      ['Error', 'stored 1', 'Connected'],
      fine[2],
    ]);
    expect(await kept()).toEqual(before);
  });
});

test('an unreachable storage affects only its own links', async () => {
  const gone = await stockedFileServer();
  const place = await placeIn(app, [gone, drive]);
  await gone.close();
  await linkIn(app, place, place.storages[0]!, '1', { originName: 'stored' });
  await linkIn(app, place, place.storages[1]!, drive.file(`${fresh()}/c.txt`));
  expect(
    elementsOf(await app.get(place.list, place.person)).map((link) => [
      statusOf(link),
      link.originData.name,
      stateOf(link),
    ]),
  ).toEqual([
    ['Error', 'stored', 'Error'],
    ['permission:ViewAllowed', 'c.txt', 'Connected'],
  ]);
});

describe('answers of storages', () => {
  const linksTo = async (type: (typeof types)[number], files: { [id: string]: object }) => {
    const remote = remoteOf(type);
    const file = (id: string, more: object) => ({
      status: 'OK',
      statuscode: 200,
      id,
      name: 'a.txt',
      mtime: 1,
      ctime: 1,
      mimetype: 'text/plain',
      size: 3,
      owner_name: 'x',
      owner_id: 'x',
      modifier_name: 'x',
      modifier_id: 'x',
      dav_permissions: 'RGDNVW',
      path: 'files/a.txt',
      ...more,
    });
    const item = (id: string, more: object) => ({
      id,
      name: 'a.txt',
      size: 3,
      file: { mimeType: 'text/plain' },
      parentReference: { path: '/drive/root:' },
      ...more,
    });
    const body =
      type === 'CloudDrive'
        ? {
            responses: Object.entries(files).map(([id, more], index) => ({
              id: String(index),
              status: 200,
              headers: { 'Content-Type': 'application/json' },
              body: item(id, more),
            })),
          }
        : {
            ocs: {
              meta: { status: 'ok', statuscode: 100, message: 'OK' },
              data: Object.fromEntries(
                Object.entries(files).map(([id, more]) => [id, file(id, more)]),
              ),
            },
          };
    const place = await placeIn(app, [remote]);
    const ids: number[] = [];
    for (const id of Object.keys(files)) ids.push(await linkIn(app, place, place.storages[0]!, id));
    remote.server.fault(
      { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) },
      (request) => remote.asksFiles(request),
    );
    return { place, ids };
  };

  test.each(types)(
    'invalid names, sizes and times of one file do not affect the other links (%s)',
    async (type) => {
      const drives = type === 'CloudDrive';
      const { place, ids } = await linksTo(type, {
        101: { name: 'x'.repeat(400) },
        102: { name: 'a\0b.txt' },
        103: { name: '\ud800.txt' },
        104: { size: 1e300 },
        105: { size: 9_007_199_254_740_991 },
        106: drives
          ? {
              fileSystemInfo: {
                createdDateTime: '+011476-01-01T00:00:00.000Z',
                lastModifiedDateTime: '9999-12-31T23:59:59-10:00',
              },
            }
          : { ctime: 3e11, mtime: 8.64e12 },
        107: drives
          ? {
              file: { mimeType: 'x'.repeat(400) },
              createdBy: { user: { displayName: 'x'.repeat(400) } },
            }
          : { mimetype: 'x'.repeat(400), owner_name: 'x'.repeat(400) },
        108: drives
          ? { size: -1, createdDateTime: 'never' }
          : { size: -1, mtime: 'never', ctime: null },
        109: { name: 'good.txt' },
      });
      for (let round = 0; round < 2; round += 1) {
        const links = elementsOf(await app.get(place.list, place.person));
        expect(links.map(statusOf)).toEqual(ids.map(() => 'permission:ViewAllowed'));
        const [long, nul, , , huge, late, wordy, odd, good] = links.map(
          ({ originData }) => originData,
        );
        expect([long.name, nul.name, huge.size, good.name]).toEqual([
          'x'.repeat(255),
          'ab.txt',
          9_007_199_254_740_991,
          'good.txt',
        ]);
        expect([late.createdAt, late.lastModifiedAt, odd.createdAt, odd.size]).toEqual([
          null,
          null,
          null,
          null,
        ]);
        expect([wordy.mimeType, wordy.createdByName]).toEqual(['x'.repeat(255), 'x'.repeat(255)]);
        expect((await rowOf(app, ids.at(-1)!)).origin_name).toBe('good.txt');
      }
    },
  );

  test.each(types)(
    'impossible file ids are shown as missing files and do not affect the other links (%s)',
    async (type) => {
      const remote = remoteOf(type);
      const place = await placeIn(app, [remote]);
      const {
        list,
        person,
        storages: [storage],
      } = place;
      const ids = [
        remote.file(`${fresh()}/a.txt`),
        '__proto__',
        'constructor',
        '..',
        '.',
        'a/b',
        '../../me',
        '%2e%2e',
        '1?x=1',
        '0',
        '-1',
        '1e3',
        '99999999999999999999',
        ' 1',
        'Größe 🎉',
        '/',
        "'",
      ];
      for (const id of ids) await linkIn(app, place, storage!, id, { originName: 'stored' });
      const [first, ...others] = elementsOf(await app.get(list, person));
      expect([statusOf(first), first.originData.name]).toEqual(['permission:ViewAllowed', 'a.txt']);
      for (const link of others.filter(({ originData }) => originData.id !== '/'))
        expect([
          link.originData.id,
          link.originData.name,
          ['NotFound', 'Error'].includes(statusOf(link)),
        ]).toEqual([link.originData.id, 'stored', true]);
      for (const { id } of others)
        for (const rest of ['open', 'download'])
          expect([303, 500]).toContain(
            (await app.get(`/api/v3/file_links/${id}/${rest}`, person)).status,
          );
    },
  );

  test('many users can list the same links while all of them change', async () => {
    // Each request must be answered, however slow the machine is.
    const patient = await startApp({ ...drive.environment, STORAGE_TIMEOUT_MS: '60000' });
    const place = await placeIn(patient, [fileServer, drive]);
    const folder = fresh();
    const origins = [fileServer, drive].map((remote) =>
      Array.from({ length: 30 }, (_, index) => remote.file(`${folder}/${index}.txt`)),
    );
    for (const [index, ids] of origins.entries())
      for (const originId of ids) await linkIn(patient, place, place.storages[index]!, originId);
    const people = [place.person];
    for (let index = 0; index < 3; index += 1) {
      const reader = await patient.given.member(place.project, viewing);
      for (const [at, remote] of [fileServer, drive].entries())
        await patient.given.storageTokens(reader, place.storages[at]!, {
          ...remote.grant(),
          originUserId: remote.userId,
        });
      people.push(reader);
    }
    for (let round = 0; round < 3; round += 1) {
      for (const [at, remote] of [fileServer, drive].entries())
        for (const [index, originId] of origins[at]!.entries())
          await remote.rename(originId, `${index} of ${round}.txt`);
      const queries = [
        '?pageSize=100',
        '?pageSize=20&offset=2',
        `?filters=${encodeURIComponent(filtersFor(String(place.storages[1]!.id)))}&pageSize=100`,
      ];
      const answers = await Promise.all(
        people.flatMap((person) => queries.map((query) => patient.get(place.list + query, person))),
      );
      for (const answer of answers)
        for (const link of elementsOf(answer))
          expect(link.originData.name).toMatch(new RegExp(` of ${round}\\.txt$`));
    }
    await patient.stop();
  });

  test('storage data that cannot be saved is still answered, and a warning is logged', async () => {
    const place = await placeIn(app, [fileServer]);
    const id = await linkIn(app, place, place.storages[0]!, fileServer.file(`${fresh()}/a.txt`), {
      originName: 'stored',
    });
    const { write } = app.running.services.db;
    const postgres = databaseKind() === 'postgres';
    if (postgres)
      await write.raw(
        "create function refuse() returns trigger language plpgsql as 'begin raise exception using message = ''refused''; end'",
      );
    await write.raw(
      `create trigger refuse before update on file_links ${postgres ? 'for each row execute function refuse()' : "begin select raise(abort, 'refused'); end"}`,
    );
    try {
      expect(
        elementsOf(await app.get(place.list, place.person)).map((link) => [
          statusOf(link),
          link.originData.name,
        ]),
      ).toEqual([['permission:ViewAllowed', 'a.txt']]);
    } finally {
      await write.raw(`drop trigger refuse${postgres ? ' on file_links' : ''}`);
    }
    expect((await rowOf(app, id)).origin_name).toBe('stored');
    expect(
      app.logLines.filter((line) =>
        line.includes('what storages said about files could not be saved'),
      ),
    ).toHaveLength(1);
    expect(elementsOf(await app.get(place.list, place.person))).toHaveLength(1);
    expect((await rowOf(app, id)).origin_name).toBe('a.txt');
  });
});

/** Browsing storages, creating folders and preparing uploads there, over REST and GraphQL. */
import { startApp, startBeside, type Answer, type App } from '../../support/app.js';
import {
  errorBody,
  missingPermission,
  notFound,
  TIME,
  violations,
} from '../../support/expected.js';
import type { Person } from '../../support/factories.js';
import type { FakeRequest } from '../../../demo/servers/http-server.js';
import {
  managing,
  placeIn,
  stockedCloudDrive,
  stockedFileServer,
  viewing,
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

const FOLDER = 'application/x-op-directory';
const ODD = ["100% #1 [a] 'b' +&.txt", 'Größe – 日本語 🎉.txt', 'a%20b.txt', '...dots.txt'];
const seed = {
  content: 'hello',
  mimeType: 'text/markdown',
  createdAt: '2026-01-02T03:04:05Z',
  modifiedAt: '2026-02-03T04:05:06Z',
};

const selfLink = (word = 'service-org') => ({
  self: { href: `urn:${word}:api:v3:storages:storage_file:no_link_provided` },
});
const file = (id: string, name: string, location: string, more: object = {}, word?: string) => ({
  _type: 'StorageFile',
  id,
  name,
  mimeType: 'text/markdown',
  size: 5,
  createdAt: '2026-01-02T03:04:05.000Z',
  lastModifiedAt: '2026-02-03T04:05:06.000Z',
  createdByName: 'Mia Ray',
  lastModifiedByName: 'Mia Ray',
  location,
  permissions: ['readable', 'writeable'],
  _links: selfLink(word),
  ...more,
});
/** Properties of folders differ between storages, except for these. The OpenAPI tests check the rest. */
const folder = (id: unknown, name: string, location: string, word?: string) =>
  expect.objectContaining({
    _type: 'StorageFile',
    id,
    name,
    mimeType: FOLDER,
    location,
    _links: selfLink(word),
  });

let fileServer: Stocked;
let drive: Stocked;
let app: App;
let vendor: App;
let folders = 0;
/** The path of a folder that no other test uses. */
const fresh = () => `/folder-${(folders += 1)}`;

beforeAll(async () => {
  [fileServer, drive] = await Promise.all([stockedFileServer(), stockedCloudDrive()]);
  const environment = {
    ...drive.environment,
    STORAGE_TIMEOUT_MS: '3000',
    STORAGE_CONNECT_TIMEOUT_MS: '800',
  };
  [app, vendor] = await Promise.all([
    startApp(environment),
    startApp({ ...environment, API_PROFILE: 'openproject' }),
  ]);
});
beforeEach(() => {
  for (const { server } of [fileServer, drive]) {
    server.repair();
    server.forget();
  }
});
afterEach(() => {
  for (const remote of [fileServer, drive]) remote.check();
  for (const at of [app, vendor])
    expect(at.logLines.filter((line) => line.includes('planted-'))).toEqual([]);
});
afterAll(async () => {
  await Promise.all([app?.stop(), vendor?.stop()]);
  await Promise.all([fileServer, drive].map((remote) => remote?.close()));
});

const refused = ({ status, body }: Answer, code: number, expected: object) =>
  expect({ status, body }).toEqual({ status: code, body: expected });
const failed = (
  upstream: number | string,
  identifier = 'OutboundRequest:NotFound',
  word?: string,
) =>
  errorBody(
    identifier,
    typeof upstream === 'number'
      ? `An outbound request to another resource has failed with status code ${upstream}.`
      : `An outbound request to another resource has failed: ${upstream}`,
    undefined,
    word,
  );
const refusedName = (
  name: string,
  attribute: string,
  rules = ' Names hold none of " * : < > ? / \\ |, neither begin nor end with a blank, and some are reserved.',
) => violations([`The storage refuses the name ${JSON.stringify(name)}.${rules}`, attribute]);
/** The answer to a caller without a token of the storage. */
const unconnected = (at: App): [number, object] => {
  const sentence = 'The storage does not know you. Connect to it first.';
  return at === vendor
    ? [401, errorBody('Unauthenticated', sentence, undefined, 'openproject-org')]
    : [500, failed(sentence)];
};
const notDirectory = errorBody('InvalidQuery', 'The parent is not a directory.', 'parent');

describe.each(['SelfHostedFileServer', 'CloudDrive'] as const)('a %s', (type) => {
  const remote = () => (type === 'CloudDrive' ? drive : fileServer);
  /** WebDAV does not return who last changed a file. */
  const listed = () => (type === 'CloudDrive' ? {} : { lastModifiedByName: null });
  const setUp = async (at = app, options: { permissions?: string[]; tokens?: boolean } = {}) => {
    const place = await placeIn(at, [remote()], options);
    remote().server.forget();
    return {
      ...place,
      storage: place.storages[0]!,
      browse: (parent?: string, as: Person = place.person) =>
        at.get(
          `${place.storages[0]!.path}/files${parent === undefined ? '' : `?parent=${encodeURIComponent(parent)}`}`,
          as,
        ),
    };
  };

  describe('browsing', () => {
    test('a folder is listed in full by its path and by its id, with its ancestors', async () => {
      const path = fresh();
      const inner = remote().folder(`${path}/Ä & b/c%20d`);
      const id = remote().file(`${path}/Ä & b/c%20d/brief.md`, seed);
      for (const at of [app, vendor]) {
        const word = at === vendor ? 'openproject-org' : 'service-org';
        const { browse, storage, person } = await setUp(at);
        const location = `${path}/Ä & b/c%20d`;
        // Each segment is percent-encoded in the openproject profile.
        const shownAs =
          at === vendor
            ? { above: `${path}/%C3%84%20%26%20b`, own: `${path}/%C3%84%20%26%20b/c%2520d` }
            : { above: `${path}/Ä & b`, own: location };
        const brief = file(id, 'brief.md', `${shownAs.own}/brief.md`, listed(), word);
        // The openproject profile leaves it out instead of null.
        if (at === vendor && brief.lastModifiedByName === null)
          delete (brief as { lastModifiedByName?: unknown }).lastModifiedByName;
        const expected = {
          _type: 'StorageFiles',
          files: [brief],
          parent: folder(inner, 'c%20d', shownAs.own, word),
          ancestors: [
            folder(expect.any(String), 'Root', '/', word),
            folder(expect.any(String), path.slice(1), path, word),
            folder(expect.any(String), 'Ä & b', shownAs.above, word),
          ],
          _links: selfLink(word),
        };
        for (const parent of [location, `${location}/`, inner])
          refused(await browse(parent), 200, expected);
        const { data } = await at.graphql(
          `query($id: ID!, $parent: String) { storage(id: $id) { files(parent: $parent) { parent { id } ancestors { location } files { id name mimeType size createdAt lastModifiedAt createdByName lastModifiedByName location permissions } } } }`,
          { id: storage.id, parent: inner },
          person,
        );
        const { _type, _links, ...shown } = file(id, 'brief.md', `${location}/brief.md`, listed());
        expect(data.storage.files).toEqual({
          parent: { id: inner },
          ancestors: ['/', path, `${path}/Ä & b`].map((above) => ({ location: above })),
          files: [{ ...shown, permissions: ['READABLE', 'WRITEABLE'] }],
        });
      }
    });

    test('a missing parent and slashes list the root, which has no ancestors', async () => {
      const { browse } = await setUp();
      const id = remote().folder(fresh());
      for (const parent of [undefined, '', '/', '//']) {
        const { status, body } = await browse(parent);
        expect({ parent, status, body }).toEqual({
          parent,
          status: 200,
          body: {
            _type: 'StorageFiles',
            files: expect.arrayContaining([expect.objectContaining({ id })]),
            parent: folder(expect.any(String), 'Root', '/'),
            ancestors: [],
            _links: selfLink(),
          },
        });
      }
    });

    test('a folder with 1,000 entries and unusual names is listed completely', async () => {
      const { browse } = await setUp();
      const path = fresh();
      for (let index = 0; index < 1000; index += 1)
        remote().file(`${path}/${index}.txt`, { content: '' });
      for (const name of ODD) remote().file(`${path}/${name}`);
      const { status, body } = await browse(path);
      expect(status).toBe(200);
      expect(body.files.map(({ name }: { name: string }) => name).sort()).toEqual(
        [...Array.from({ length: 1000 }, (_, index) => `${index}.txt`), ...ODD].sort(),
      );
      for (const name of ODD)
        expect(body.files.find((one: { name: string }) => one.name === name).location).toBe(
          `${path}/${name}`,
        );
    });

    test('a folder with percent signs in its name differs from the decoded name, also for its children', async () => {
      const { browse } = await setUp();
      const path = fresh();
      for (const name of ['plain%20folder', 'plain folder']) {
        const top = `${path}/${name}`;
        const id = remote().file(`${top}/sub/brief.md`, seed);
        const [above, sub] = [remote().folder(top), remote().folder(`${top}/sub`)];
        for (const parent of [`${top}/sub`, sub]) {
          refused(await browse(parent), 200, {
            _type: 'StorageFiles',
            files: [file(id, 'brief.md', `${top}/sub/brief.md`, listed())],
            parent: folder(sub, 'sub', `${top}/sub`),
            ancestors: [
              folder(expect.any(String), 'Root', '/'),
              folder(expect.any(String), path.slice(1), path),
              folder(above, name, top),
            ],
            _links: selfLink(),
          });
        }
      }
    });

    test('a file as parent answers 400', async () => {
      const { browse, storage, person } = await setUp();
      const path = `${fresh()}/a.txt`;
      const id = remote().file(path);
      for (const parent of [path, id]) refused(await browse(parent), 400, notDirectory);
      const { errors } = await app.graphql(
        'query($id: ID!, $parent: String) { storage(id: $id) { files(parent: $parent) { parent { id } } } }',
        { id: storage.id, parent: id },
        person,
      );
      expect(errors).toMatchObject([
        { extensions: { code: 'INVALID_QUERY', status: 400, attribute: 'parent' } },
      ]);
      expect((await app.get(`${storage.path}/files?parent=a&parent=b`, person)).status).toBe(400);
    });

    test('a path with dots answers 400 for listing, creating and uploading, without a request for the folder', async () => {
      const { browse, storage, person, project } = await setUp();
      const path = fresh();
      remote().folder(path);
      await browse('/');
      remote().server.forget();
      for (const parent of [
        '/..',
        '/.',
        `${path}/..`,
        `${path}/.`,
        `${path}/../..`,
        `/./${path}`,
        `${path}//../`,
        '/../../../remote.php',
      ]) {
        refused(await browse(parent), 400, notDirectory);
        refused(
          await app.post(`${storage.path}/folders`, person, { name: 'x', parentId: parent }),
          400,
          notDirectory,
        );
        refused(
          await app.post(`${storage.path}/files/prepare_upload`, person, {
            projectId: project.id,
            fileName: 'x.txt',
            parent,
          }),
          400,
          notDirectory,
        );
        const { errors } = await app.graphql(
          'query($id: ID!, $parent: String) { storage(id: $id) { files(parent: $parent) { parent { id } } } }',
          { id: storage.id, parent },
          person,
        );
        expect(errors).toMatchObject([
          { extensions: { code: 'INVALID_QUERY', status: 400, attribute: 'parent' } },
        ]);
      }
      expect(remote().server.requests).toEqual([]);
      expect(
        (await browse('/')).body.files.filter(({ name }: { name: string }) => name.startsWith('x')),
      ).toEqual([]);
      for (const name of ['...a', '..a', 'a..b']) {
        remote().folder(`${path}/${name}`);
        expect((await browse(`${path}/${name}`)).body.parent).toEqual(
          folder(expect.any(String), name, `${path}/${name}`),
        );
      }
    });

    test('a missing or hidden parent answers 500 with the status of the storage', async () => {
      const { browse } = await setUp();
      for (const parent of ['/nowhere', '999999999'])
        refused(await browse(parent), 500, failed(404));
      const path = fresh();
      const hidden = remote().folder(path);
      remote().hide(hidden);
      for (const parent of [path, hidden])
        expect(await browse(parent)).toMatchObject({
          status: 500,
          body: {
            errorIdentifier: 'urn:service-org:api:v3:errors:OutboundRequest:NotFound',
            message: expect.stringMatching(/status code 40[34]\.$/),
          },
        });
    });

    test('a missing document root answers 404', async () => {
      const { browse } = await setUp();
      const isRoot = ({ method, path }: { method: string; path: string }) =>
        method === 'PROPFIND' || path.startsWith('/v1.0/drives/');
      remote().server.fault(
        {
          status: 404,
          headers: { 'content-type': 'application/json' },
          body: '{"error":{"code":"itemNotFound","message":"x"}}',
        },
        isRoot,
      );
      for (const parent of [undefined, '', '/']) refused(await browse(parent), 404, notFound);
      refused(await browse('/somewhere'), 500, failed(404));
    });

    test('creating or uploading below a missing document root answers 404', async () => {
      const { storage, project, person } = await setUp();
      const atRoot = ({ path }: { path: string }) =>
        path.startsWith('/remote.php/dav/') || path.startsWith('/v1.0/drives/');
      remote().server.fault(
        {
          status: 404,
          headers: { 'content-type': 'application/json' },
          body: '{"error":{"code":"itemNotFound","message":"x"}}',
        },
        atRoot,
      );
      refused(
        await app.post(`${storage.path}/folders`, person, { name: 'New', parentId: '/' }),
        404,
        notFound,
      );
      refused(
        await app.post(`${storage.path}/files/prepare_upload`, person, {
          projectId: project.id,
          fileName: 'x.txt',
          parent: '/',
        }),
        404,
        notFound,
      );
      refused(
        await app.post(`${storage.path}/folders`, person, { name: 'New', parentId: '/somewhere' }),
        500,
        failed(404),
      );
      // A root that exists but refuses writes answers differently.
      remote().server.repair();
      remote().server.fault(
        { status: 404, body: '' },
        ({ path }) =>
          path.endsWith('/direct-upload-token') || path.endsWith('/createUploadSession'),
      );
      if (remote().type === 'SelfHostedFileServer')
        expect(
          (
            await app.post(`${storage.path}/files/prepare_upload`, person, {
              projectId: project.id,
              fileName: 'x.txt',
              parent: '/',
            })
          ).status,
        ).toBe(500);
    });

    test('a hidden storage answers 404, without a storage request', async () => {
      const { storage, project } = await setUp();
      for (const as of [
        await app.given.user(),
        await app.given.member(project, ['view_work_packages', 'manage_file_links']),
        undefined,
      ]) {
        for (const rest of ['/files', '/files/1'])
          refused(await app.get(storage.path + rest, as), 404, notFound);
      }
      refused(
        await app.get('/api/v3/storages/999999/files', await app.given.user({ admin: true })),
        404,
        notFound,
      );
      expect(remote().server.requests).toEqual([]);
    });

    test('a storage without view_file_links in its projects answers 403, without a storage request', async () => {
      const { storage, project, person } = await setUp();
      const elsewhere = await app.given.project();
      const both = await app.given.member(project, [
        'manage_files_in_project',
        'view_work_packages',
      ]);
      await app.given.membership(both, elsewhere, [...managing, 'manage_files_in_project']);
      for (const as of [
        await app.given.member(project, ['manage_files_in_project']),
        await app.given.member(elsewhere, ['manage_files_in_project']),
        both,
      ]) {
        expect((await app.get(storage.path, as)).body.id).toBe(storage.id);
        remote().server.forget();
        for (const rest of ['/files', '/files?parent=%2Fnowhere', '/files/1'])
          refused(await app.get(storage.path + rest, as), 403, missingPermission);
        for (const field of ['files { parent { id } }', 'file(id: "1") { id }']) {
          const { errors } = await app.graphql(
            `query($id: ID!) { storage(id: $id) { ${field} } }`,
            { id: storage.id },
            as,
          );
          expect(errors).toMatchObject([
            {
              message: missingPermission.message,
              extensions: { code: 'MISSING_PERMISSION', status: 403 },
            },
          ]);
        }
      }
      expect(remote().server.requests).toEqual([]);
      await app.given.membership(person, elsewhere, ['manage_files_in_project']);
      expect((await app.get(`${storage.path}/files`, person)).status).toBe(200);
    });

    test('a failing storage answers 500 with details; the openproject profile has its own error identifiers', async () => {
      for (const at of [app, vendor]) {
        const word = at === vendor ? 'openproject-org' : 'service-org';
        const sibling = (name: string) => (at === vendor ? name : 'OutboundRequest:NotFound');
        const { browse, project } = await setUp(at);
        for (const [status, name] of [
          [500, 'InternalServerError'],
          [403, 'OutboundRequest:Forbidden'],
        ] as const) {
          remote().server.fault({ status, body: 'planted-body' });
          refused(await browse('/'), 500, failed(status, sibling(name), word));
          remote().server.repair();
        }
        const reader = await at.given.member(project, viewing);
        refused(await browse('/', reader), ...unconnected(at));
        remote().expireAccess();
        expect((await browse('/')).status).toBe(200);
        remote().revoke();
        remote().expireAccess();
        refused(await browse('/'), ...unconnected(at));
      }
    });

    test('a caller without a token gets a failed outbound request for files, folders and uploads, or 401 in the openproject profile', async () => {
      for (const at of [app, vendor]) {
        const { storage, person, project } = await setUp(at, { tokens: false });
        const { path } = storage;
        const id = remote().file(`${fresh()}/a.txt`);
        for (const answer of [
          await at.get(`${path}/files`, person),
          await at.get(`${path}/files/${id}`, person),
          await at.post(`${path}/folders`, person, { name: 'New', parentId: '/' }),
          await at.post(`${path}/files/prepare_upload`, person, {
            projectId: project.id,
            fileName: 'a.txt',
            parent: '/',
          }),
        ]) {
          refused(answer, ...unconnected(at));
          // Not a refusal of the API key.
          expect(answer.headers.get('www-authenticate')).toBe(
            at === vendor ? 'Storage realm="Moorage API"' : null,
          );
        }
        const { status, errors } = await at.graphql(
          'query($id: ID!) { storage(id: $id) { files { parent { id } } } }',
          { id: storage.id },
          person,
        );
        expect([status, errors?.map(({ extensions }) => extensions.code)]).toEqual([
          200,
          [at === vendor ? 'UNAUTHENTICATED' : 'OUTBOUND_REQUEST_NOT_FOUND'],
        ]);
      }
      expect(remote().server.requests).toEqual([]);
    });

    test('a file is found by its id; a missing or hidden one answers a failed outbound request', async () => {
      const { storage, person } = await setUp();
      const path = fresh();
      const id = remote().file(`${path}/brief.md`, seed);
      refused(
        await app.get(`${storage.path}/files/${id}`, person),
        200,
        file(id, 'brief.md', `${path}/brief.md`),
      );
      const { data } = await app.graphql(
        'query($id: ID!, $file: String!) { storage(id: $id) { file(id: $file) { id name location } } }',
        { id: storage.id, file: id },
        person,
      );
      expect(data.storage.file).toEqual({ id, name: 'brief.md', location: `${path}/brief.md` });
      const gone = remote().file(`${path}/gone.md`);
      remote().remove(gone);
      for (const each of [gone, '999999999', '..%2F..', 'a%2Fb'])
        refused(await app.get(`${storage.path}/files/${each}`, person), 500, failed(404));
      remote().server.fault({ status: 500 });
      refused(await app.get(`${storage.path}/files/${id}`, person), 500, failed(500));
    });
  });

  describe('new folders', () => {
    test('are created with parents by path and by id, and answered in full', async () => {
      const { storage, person, browse } = await setUp();
      const path = fresh();
      const parent = remote().folder(path);
      const bodies = [
        { parentId: parent },
        { parent_id: parent },
        { parent },
        { parent: path },
        { parentId: `${path}/` },
        ...(type === 'SelfHostedFileServer' ? [{ parentId: Number(parent) }] : []),
      ];
      for (const [index, body] of bodies.entries()) {
        const name = `Größe #${index} 100%`;
        const made = await app.post(`${storage.path}/folders`, person, { name, ...body });
        refused(made, 201, folder(expect.any(String), name, `${path}/${name}`));
        expect(made.body).toMatchObject({
          permissions: ['readable', 'writeable'],
          lastModifiedAt: TIME,
        });
        expect(Object.keys(made.body)).toHaveLength(12);
        expect((await browse(made.body.id)).body.parent.location).toBe(`${path}/${name}`);
      }
      const { data } = await app.graphql(
        'mutation($input: CreateStorageFolderInput!) { createStorageFolder(input: $input) { folder { name location } } }',
        { input: { storageId: storage.globalId, name: 'by GraphQL', parent: '/' } },
        person,
      );
      expect(data.createStorageFolder.folder).toEqual({
        name: 'by GraphQL',
        location: '/by GraphQL',
      });
      remote().remove((await browse('/by GraphQL')).body.parent.id);
    });

    test('with a taken or missing name, or a missing parent, answer 422; with a file as parent 400', async () => {
      const { storage, person } = await setUp();
      const path = fresh();
      remote().folder(`${path}/taken`);
      const id = remote().file(`${path}/a.txt`);
      const make = (body: object) => app.post(`${storage.path}/folders`, person, body);
      for (const name of ['taken', 'a.txt'])
        refused(
          await make({ name, parentId: path }),
          422,
          violations(['Name has already been taken.', 'name']),
        );
      for (const name of [undefined, null, '', '  '])
        refused(
          await make({ name, parentId: path }),
          422,
          violations(["Name can't be blank.", 'name']),
        );
      for (const parentId of [undefined, null, ''])
        refused(
          await make({ name: 'x', parentId }),
          422,
          violations(["Parent can't be blank.", 'parent']),
        );
      for (const name of ['a/b', 'a\\b', '..', '.', 'a\u0000b', 'a\nb'])
        refused(
          await make({ name, parentId: path }),
          422,
          violations(['Name must not contain path separators or control characters.', 'name']),
        );
      refused(
        await make({ name: 'x'.repeat(256), parentId: path }),
        422,
        violations(['Name is too long (maximum is 255 characters).', 'name']),
      );
      refused(
        await make({ name: 5, parentId: path }),
        422,
        violations(['Name must be a string.', 'name']),
      );
      refused(
        await make({ name: 'x', parentId: {} }),
        422,
        violations(['ParentId must be a string.', 'parentId']),
      );
      for (const parentId of [`${path}/a.txt`, id])
        refused(await make({ name: 'x', parentId }), 400, notDirectory);
      for (const parentId of ['/nowhere', '999999999'])
        refused(await make({ name: 'x', parentId }), 500, failed(404));
      for (const json of [[], 'x', null])
        expect((await app.post(`${storage.path}/folders`, person, json)).status).toBe(400);
      expect(
        (
          await app.request('POST', `${storage.path}/folders`, {
            as: person,
            body: '{}',
            headers: { 'content-type': 'text/plain' },
          })
        ).status,
      ).toBe(415);
    });

    test('answer 403 without the permission, 404 for a hidden storage, without a storage request', async () => {
      const { storage, project } = await setUp();
      const elsewhere = await app.given.project();
      const reader = await app.given.member(project, viewing);
      await app.given.membership(reader, elsewhere, managing);
      const post = (as: Person | undefined) =>
        app.request('POST', `${storage.path}/folders`, { as, json: { name: 'x', parentId: '/' } });
      refused(await post(reader), 403, missingPermission);
      for (const as of [
        await app.given.user(),
        await app.given.member(project, ['manage_file_links']),
        undefined,
      ])
        refused(await post(as), 404, notFound);
      expect(remote().server.requests).toEqual([]);
    });
  });

  describe('uploads', () => {
    const UPLOAD =
      'mutation($input: PrepareStorageUploadInput!) { prepareStorageUpload(input: $input) { uploadLink { href method } } }';

    test('get a URL of the storage with its method, which no later request shows', async () => {
      for (const at of [app, vendor]) {
        const { storage, person, project, browse } = await setUp(at);
        const path = fresh();
        const parent = remote().folder(path);
        const word = at === vendor ? 'openproject-org' : 'service-org';
        for (const [index, into] of [parent, path].entries()) {
          const fileName = `Größe #${index}.txt`;
          const answer = await at.post(`${storage.path}/files/prepare_upload`, person, {
            projectId: project.id,
            fileName,
            parent: into,
          });
          refused(answer, 201, {
            _type: 'UploadLink',
            _links: {
              self: { href: `urn:${word}:api:v3:storages:upload_link:no_link_provided` },
              destination: {
                href: expect.stringMatching(/^https?:\/\//),
                method: type === 'CloudDrive' ? 'put' : 'post',
                title: 'Upload File',
              },
            },
          });
          expect(answer.headers.get('cache-control')).toBe('private, no-store');
          const { href, method } = answer.body._links.destination;
          const bytes = Buffer.from('hello');
          const form = new FormData();
          form.append('file', new Blob([bytes]), fileName);
          form.append('overwrite', 'false');
          const sent = await fetch(
            href,
            type === 'CloudDrive'
              ? {
                  method: method.toUpperCase(),
                  body: bytes,
                  headers: { 'content-range': 'bytes 0-4/5' },
                }
              : { method, body: form },
          );
          expect(sent.status).toBe(201);
          expect(
            (await browse(path)).body.files.map(
              ({ name, size }: { name: string; size: number }) => [name, size],
            ),
          ).toContainEqual([fileName, 5]);
        }
        const { data } = await at.graphql(
          UPLOAD,
          {
            input: {
              storageId: storage.globalId,
              projectId: String(project.id),
              fileName: 'x.txt',
              parent: '/',
            },
          },
          person,
        );
        expect(data.prepareStorageUpload.uploadLink).toEqual({
          href: expect.stringMatching(/^https?:/),
          method: type === 'CloudDrive' ? 'PUT' : 'POST',
        });
      }
    });

    test('answer 403 without the permission, even for an invalid body, without a storage request', async () => {
      const { storage, project } = await setUp();
      const [elsewhere, reader] = [
        await app.given.project(),
        await app.given.member(project, viewing),
      ];
      await app.given.membership(reader, elsewhere, managing);
      for (const json of [
        {},
        [],
        { projectId: 0 },
        { projectId: 'x', fileName: 5 },
        { projectId: project.id, fileName: 5 },
      ]) {
        refused(
          await app.request('POST', `${storage.path}/files/prepare_upload`, { as: reader, json }),
          403,
          missingPermission,
        );
      }
      const { errors } = await app.graphql(
        UPLOAD,
        { input: { storageId: storage.globalId } },
        reader,
      );
      expect(errors).toMatchObject([{ extensions: { code: 'MISSING_PERMISSION', status: 403 } }]);
      expect(remote().server.requests).toEqual([]);
    });

    test('answer 403 without the permission, 404 for an unknown project, 422 for a project without this storage', async () => {
      const { storage, person, project } = await setUp();
      const prepare = (body: object, as: Person | undefined = person) =>
        app.request('POST', `${storage.path}/files/prepare_upload`, {
          as,
          json: { projectId: project.id, fileName: 'a.txt', parent: '/', ...body },
        });
      const reader = await app.given.member(project, viewing);
      const elsewhere = await app.given.project();
      refused(await prepare({}, reader), 403, missingPermission);
      for (const projectId of [999_999, elsewhere.id, 2_147_483_648, 1e21])
        refused(await prepare({ projectId }), 404, notFound);
      for (const projectId of [0, -1, -5, -2_147_483_649])
        refused(
          await prepare({ projectId }),
          422,
          violations(['ProjectId must be a whole number of at least 1.', 'projectId']),
        );
      await app.given.membership(person, elsewhere, viewing);
      refused(await prepare({ projectId: elsewhere.id }), 403, missingPermission);
      await app.given.membership(person, elsewhere, managing);
      refused(
        await prepare({ projectId: elsewhere.id }),
        422,
        violations(['Storage is not linked to project.', 'projectId']),
      );
      refused(
        await prepare({ projectId: 0, parent: '' }),
        422,
        violations(
          ['ProjectId must be a whole number of at least 1.', 'projectId'],
          ["Parent can't be blank.", 'parent'],
        ),
      );
      refused(await prepare({}, await app.given.user()), 404, notFound);
      const anonymous = await app.post(`${storage.path}/files/prepare_upload`, undefined, {
        projectId: project.id,
        fileName: 'a.txt',
        parent: '/',
      });
      refused(anonymous, 404, notFound);
      for (const projectId of [undefined, null])
        refused(
          await prepare({ projectId }),
          422,
          violations(["Project can't be blank.", 'projectId']),
        );
      for (const projectId of ['5', 1.5, {}])
        refused(
          await prepare({ projectId }),
          422,
          violations(['ProjectId must be a whole number.', 'projectId']),
        );
      for (const fileName of [undefined, null, '', ' '])
        refused(
          await prepare({ fileName }),
          422,
          violations(["File name can't be blank.", 'fileName']),
        );
      refused(
        await prepare({ fileName: 'a/b' }),
        422,
        violations([
          'File name must not contain path separators or control characters.',
          'fileName',
        ]),
      );
      for (const parent of [undefined, null, ''])
        refused(await prepare({ parent }), 422, violations(["Parent can't be blank.", 'parent']));
      expect(remote().server.requests).toEqual([]);
      for (const parent of ['/nowhere/at/all', '999999999'])
        refused(await prepare({ parent }), 500, failed(404));
      const path = `${fresh()}/a.txt`;
      for (const parent of [path, remote().file(path)].reverse())
        refused(await prepare({ parent }), 400, notDirectory);
      for (const json of [[], 'x', null])
        expect((await app.post(`${storage.path}/files/prepare_upload`, person, json)).status).toBe(
          400,
        );
    });
  });
});

test('of a folder with more than 10,000 entries, both interfaces answer the first ones by name', async () => {
  const at = await startApp({ STORAGE_TIMEOUT_MS: '60000' });
  const { person, storages } = await placeIn(at, [fileServer]);
  const [storage] = storages;
  const ofFile = (id: number, path: string, type = '') =>
    `<d:response><d:href>/remote.php/dav/files/mia/${path}</d:href><d:propstat><d:prop>` +
    `<oc:fileid>${id}</oc:fileid><d:resourcetype>${type}</d:resourcetype></d:prop>` +
    '<d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>';
  const names = Array.from({ length: 38_000 }, (_, n) => `${(n * 7919) % 38_000}.txt`);
  const body =
    '<d:multistatus xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns">' +
    `${ofFile(1, '', '<d:collection/>')}${names.map((name, n) => ofFile(n + 2, name)).join('')}` +
    '</d:multistatus>';
  fileServer.server.fault({ status: 207, body }, ({ method }) => method === 'PROPFIND');
  const first = names.toSorted().slice(0, 10_000);
  const answer = await at.get(`${storage!.path}/files`, person);
  expect(answer.body.files.map(({ name }: { name: string }) => name)).toEqual(first);
  expect(Object.keys(answer.body)).toEqual(['_type', 'files', 'parent', 'ancestors', '_links']);
  const { data } = await at.graphql(
    'query ($id: ID!) { storage(id: $id) { files { truncated files { name } } } }',
    { id: String(storage!.id) },
    person,
  );
  expect(data.storage.files).toEqual({ truncated: true, files: first.map((name) => ({ name })) });
  fileServer.server.repair();
  const small = await at.graphql(
    'query ($id: ID!) { storage(id: $id) { files { truncated } } }',
    { id: String(storage!.id) },
    person,
  );
  expect(small.data.storage.files).toEqual({ truncated: false });
  await at.stop();
}, 120_000);

describe('folders in one document', () => {
  const selected = (parents: readonly string[]) =>
    parents
      .map((parent, n) => `a${n}: files(parent: "${parent}") { truncated parent { location } }`)
      .join(' ');
  const listing = async (remote: Stocked, parents: readonly string[]) => {
    const { person, storages } = await placeIn(app, [remote]);
    remote.server.forget();
    return app.request('POST', '/graphql', {
      as: person,
      json: {
        query: `query ($id: ID!) { storage(id: $id) { ${selected(parents)} } }`,
        variables: { id: String(storages[0]!.id) },
      },
    });
  };
  const isListing = ({ path, headers }: FakeRequest) =>
    headers['depth'] === '1' || path.endsWith('/children');

  test.each(['SelfHostedFileServer', 'CloudDrive'])(
    'of a %s are listed one after another, and once for all their paths',
    async (type) => {
      const remote = type === 'CloudDrive' ? drive : fileServer;
      const paths = [fresh(), fresh(), fresh()];
      for (const path of paths) remote.file(`${path}/a.txt`);
      let running = 0;
      let most = 0;
      const hold = async () => {
        most = Math.max(most, (running += 1));
        await new Promise((resolve) => setTimeout(resolve, 20));
        running -= 1;
      };
      remote.server.fault({ hold }, isListing);
      const { body } = await listing(
        remote,
        paths.flatMap((path) => [path, `/${path}`, `${path}//`]),
      );
      expect(
        Object.values<{ parent: object }>(body.data.storage).map(({ parent }) => parent),
      ).toEqual(paths.flatMap((location) => [{ location }, { location }, { location }]));
      expect([most, remote.server.requests.filter(isListing).length]).toEqual([1, 3]);
    },
  );

  test('are not listed once the lists before have too many entries', async () => {
    const ofFile = (id: number, path: string) =>
      `<d:response><d:href>/remote.php/dav/files/mia/${path}</d:href><d:propstat><d:prop>` +
      `<oc:fileid>${id}</oc:fileid><d:resourcetype><d:collection/></d:resourcetype></d:prop>` +
      '<d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>';
    const entries = Array.from({ length: 6_000 }, (_, n) => ofFile(n + 2, `x/${n}`)).join('');
    const body =
      '<d:multistatus xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns">' +
      `${ofFile(1, 'x')}${entries}</d:multistatus>`;
    fileServer.server.fault({ status: 207, body }, isListing);
    const answer = await listing(
      fileServer,
      Array.from({ length: 9 }, (_, n) => `/x${n}`),
    );
    expect([answer.status, answer.body.errors[0].message]).toEqual([
      400,
      'The lists of this document have more than 10000 rows together. ' +
        'Ask for fewer with first, or in several documents.',
    ]);
    expect(fileServer.server.requests.filter(isListing)).toHaveLength(3);
  });

  test('count as 10,000 fields each', async () => {
    const folders = (count: number) => Array.from({ length: count }, (_, n) => `/x${n}`);
    expect((await listing(fileServer, folders(9))).status).toBe(200);
    const { status, body } = await listing(fileServer, folders(11));
    expect([status, body.errors[0].message]).toEqual([
      400,
      'The answer would have more than 100,000 fields. ' +
        'Ask for fewer rows with first, or for fewer fields.',
    ]);
    expect(fileServer.server.requests).toEqual([]);
  });
});

describe('names that a storage does not accept', () => {
  const MAKE =
    'mutation($input: CreateStorageFolderInput!) { createStorageFolder(input: $input) { folder { name } } }';
  const PREPARE =
    'mutation($input: PrepareStorageUploadInput!) { prepareStorageUpload(input: $input) { uploadLink { href } } }';
  const violation = (attribute: string) => [
    { extensions: { code: 'PROPERTY_CONSTRAINT_VIOLATION', status: 422, attribute } },
  ];

  test('a folder answers 422 for its name, with every kind of parent, and is not created', async () => {
    const {
      person,
      storages: [storage],
    } = await placeIn(app, [drive]);
    const path = fresh();
    for (const parentId of [drive.folder(path), path, '/']) {
      for (const name of ['CON', 'x:y', ' lead', '~x', 'dot.', 'q?*'])
        refused(
          await app.post(`${storage!.path}/folders`, person, { name, parentId }),
          422,
          refusedName(name, 'name'),
        );
    }
    const { errors } = await app.graphql(
      MAKE,
      { input: { storageId: storage!.globalId, name: 'x:y', parent: path } },
      person,
    );
    expect(errors).toMatchObject(violation('name'));
    expect((await app.get(`${storage!.path}/files?parent=${path}`, person)).body.files).toEqual([]);
  });

  test('an upload answers 422 for its file name', async () => {
    const {
      person,
      project,
      storages: [storage],
    } = await placeIn(app, [drive]);
    const path = fresh();
    for (const parent of [drive.folder(path), path, '/']) {
      const prepare = (fileName: string) =>
        app.post(`${storage!.path}/files/prepare_upload`, person, {
          projectId: project.id,
          fileName,
          parent,
        });
      refused(await prepare('x:y.txt'), 422, refusedName('x:y.txt', 'fileName'));
      drive.server.fault(
        {
          status: 400,
          headers: { 'content-type': 'application/json' },
          body: '{"error":{"code":"invalidRequest","message":"x"}}',
        },
        ({ path: asked }) => asked.endsWith('createUploadSession'),
      );
      for (const fileName of ['CON', ' lead', 'q?*'])
        refused(await prepare(fileName), 422, refusedName(fileName, 'fileName'));
      drive.server.repair();
    }
    const { errors } = await app.graphql(
      PREPARE,
      {
        input: {
          storageId: storage!.globalId,
          projectId: String(project.id),
          fileName: 'x:y',
          parent: path,
        },
      },
      person,
    );
    expect(errors).toMatchObject(violation('fileName'));
  });

  test('a folder on a file server answers 422 too', async () => {
    const {
      person,
      storages: [storage],
    } = await placeIn(app, [fileServer]);
    const path = fresh();
    for (const parentId of [fileServer.folder(path), path])
      refused(
        await app.post(`${storage!.path}/folders`, person, { name: '.htaccess', parentId }),
        422,
        refusedName('.htaccess', 'name', ''),
      );
    expect((await app.get(`${storage!.path}/files?parent=${path}`, person)).body.files).toEqual([]);
  });
});

test('a disabled cloud drive gets no requests', async () => {
  const place = await placeIn(app, [drive]);
  const beside = await startBeside(app, { CLOUD_DRIVE_ENABLED: 'false' });
  drive.server.forget();
  const {
    person,
    project,
    storages: [storage],
  } = place;
  const refusal = errorBody(
    'MissingEnterpriseToken',
    'The request can not be handled due to invalid or missing Enterprise token.',
  );
  for (const rest of ['/files', '/files/1'])
    refused(await beside.get(storage!.path + rest, person), 500, refusal);
  refused(
    await beside.post(`${storage!.path}/folders`, person, { name: 'x', parentId: '/' }),
    500,
    refusal,
  );
  refused(
    await beside.post(`${storage!.path}/files/prepare_upload`, person, {
      projectId: project.id,
      fileName: 'x',
      parent: '/',
    }),
    500,
    refusal,
  );
  expect(drive.server.requests).toEqual([]);
  const offered = async (at: Pick<App, 'get' | 'graphql'>) => {
    const { data } = await at.graphql(
      'query($id: ID!) { storage(id: $id) { uploadProjects { databaseId } } }',
      { id: storage!.globalId },
      person,
    );
    return [
      (await at.get(storage!.path, person)).body._links.prepareUpload.length,
      data.storage.uploadProjects.length,
    ];
  };
  expect([await offered(beside), await offered(app)]).toEqual([
    [0, 0],
    [1, 1],
  ]);
  await beside.stop();
});

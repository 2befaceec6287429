/** Files of a cloud drive: the common contract, and the errors that only a cloud drive has. */
import type { Access, FileInfo } from '../../src/storages/adapter.js';
import { adapterFor } from '../../src/storages/index.js';
import { StorageFailure } from '../../src/storages/failure.js';
import { startCloudDrive, type CloudDrive } from '../support/fakes/cloud-drive.js';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  test,
} from '../support/jest.js';
import { fakeFileContract } from './fake-file-contract.js';
import { fileContract } from './file-contract.js';
import {
  accessOf,
  closeOutbounds,
  failureOf,
  kindOf,
  sendRange,
  type FakeRemote,
} from './file-remote.js';
import { serveFake } from '../../demo/servers/http-server.js';

const cloudDrive = adapterFor('CloudDrive');

async function start(): Promise<{ drive: CloudDrive; remote: FakeRemote }> {
  const drive = await startCloudDrive();
  drive.user('mia', {
    displayName: 'Mia Ray',
    email: 'mia@example.test',
    password: 'planted-mia-password',
  });
  const authorization = () => `Bearer ${drive.accessToken({ userId: 'mia' })}`;
  const remote: FakeRemote = {
    adapter: cloudDrive,
    server: drive,
    authorization,
    addresses: {
      tenantId: drive.tenantId,
      driveId: drive.driveId,
      loginUrl: drive.loginUrl,
      apiUrl: drive.apiUrl,
    },
    application: () => `Bearer ${drive.accessToken('app')}`,
    base: '',
    describes: {
      createdByName: 'Mia Ray',
      lastModifiedByName: 'Mia Ray',
      mimeType: 'text/markdown',
    },
    refused: () => `Bearer ${drive.accessToken({ userId: 'mia' }, -1)}`,
    file: (path, seed = {}) => drive.file(path, { by: 'mia', ...seed }),
    folder: (path) => drive.folder(path),
    hide: (id) => drive.hide(id, 'mia'),
    remove: (id) => drive.remove(id),
    rename: (id, name) => {
      const item = drive.items.byId(id)!;
      drive.items.place(item, item.parent!, name, { userId: 'mia' });
    },
    upload: sendRange,
    most: (files, missing) => Math.ceil(files / 20) + Math.ceil(missing / 20),
    check: () => expect(drive.violations).toEqual([]),
    close: () => drive.close(),
  };
  return { drive, remote };
}

fileContract('cloud drive', async () => (await start()).remote);
fakeFileContract('cloud drive', async () => (await start()).remote);

describe('only a cloud drive', () => {
  let drive: CloudDrive;
  let remote: FakeRemote;
  beforeAll(async () => {
    ({ drive, remote } = await start());
  });
  beforeEach(() => {
    drive.repair();
    drive.forget();
    drive.appCanRead = true;
  });
  afterEach(() => remote.check());
  afterAll(async () => {
    await closeOutbounds();
    await drive.close();
  });

  let folders = 0;
  const fresh = () => `/folder-${(folders += 1)}`;
  const user = (ms?: number) => accessOf(remote, remote.authorization(), ms);
  const application = async () => accessOf(remote, remote.application!());
  const info = (
    ids: readonly string[],
    { access = user(), app = application }: { access?: Access; app?: () => Promise<Access> } = {},
  ) => cloudDrive.filesInfo(access, ids, app);
  const kinds = async (
    ids: readonly string[],
    options?: { access?: Access; app?: () => Promise<Access> },
  ) => {
    const found = await info(ids, options);
    return ids.map((id) => kindOf(found.get(id)));
  };
  const seed = (count: number) => {
    const path = fresh();
    return Array.from({ length: count }, (_, index) =>
      drive.file(`${path}/${index}.txt`, { by: 'mia' }),
    );
  };
  const batches = () =>
    drive.requests
      .filter(({ path }) => path === '/v1.0/$batch')
      .map(({ body }) => (JSON.parse(body.toString()) as { requests: { url: string }[] }).requests);
  const isBatch = ({ path }: { path: string }) => path === '/v1.0/$batch';
  /** A batch gets this response. */
  const answering = (responses: unknown, status = 200) =>
    drive.fault(
      { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(responses) },
      isBatch,
      1,
    );
  const json = (body: unknown, status = 200) => ({
    status,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

  describe('batches', () => {
    test('requests go out in batches of twenty; only files that the user does not find are requested again as the service', async () => {
      const ids = seed(45);
      for (const id of ids.slice(0, 20)) drive.hide(id, 'mia');
      drive.remove(ids[20]!);
      let asked = 0;
      const app = () => {
        asked += 1;
        return application();
      };
      expect(await kinds(ids, { app })).toEqual([
        ...Array.from({ length: 20 }, () => 'forbidden'),
        'notFound',
        ...Array.from({ length: 24 }, () => 'value'),
      ]);
      expect(
        batches()
          .map(({ length }) => length)
          .sort(),
      ).toEqual([1, 20, 20, 20, 5].sort());
      expect(drive.requests).toHaveLength(5);
      expect(asked).toBe(1);
    });

    test('the token of the service is not requested if it is not needed', async () => {
      expect(
        await kinds(seed(2), { app: () => Promise.reject(new Error('must not be asked for')) }),
      ).toEqual(['value', 'value']);
    });

    test('batches are sent at the same time', async () => {
      const ids = seed(100);
      let arrived = 0;
      let release = () => {};
      const all = new Promise<void>((resolve) => {
        release = resolve;
      });
      drive.fault(
        {
          hold: () => {
            arrived += 1;
            if (arrived === 5) release();
            return all;
          },
        },
        isBatch,
      );
      expect(new Set(await kinds(ids))).toEqual(new Set(['value']));
    });

    test.each([
      ['has no credentials', () => Promise.reject(new Error('no credentials'))],
      ['is refused', async () => accessOf(remote, remote.refused())],
      [
        'uses a drive that cannot be reached',
        async () => ({
          ...accessOf(remote, remote.application!(), 500),
          apiUrl: 'http://127.0.0.1:1/v1.0',
        }),
      ],
    ])(
      'a file that the user does not find has an unexpected status if the service %s',
      async (_what, app) => {
        const [seen, hidden, removed] = seed(3);
        drive.hide(hidden!, 'mia');
        drive.remove(removed!);
        expect(await kinds([seen!, hidden!, removed!], { app })).toEqual([
          'value',
          'unexpected',
          'unexpected',
        ]);
      },
    );

    test('without permissions of the application, hidden files look removed', async () => {
      const [hidden] = seed(1);
      drive.hide(hidden!, 'mia');
      drive.appCanRead = false;
      expect(await kinds([hidden!])).toEqual(['notFound']);
    });

    test('403 inside a batch is forbidden; 409, 500 and a redirect are unexpected', async () => {
      const ids = seed(4);
      answering({
        responses: [
          { id: '3', status: 302, headers: { location: 'http://example.test' } },
          { id: '1', status: 500, body: {} },
          { id: '0', status: 403, body: {} },
          { id: '2', status: 409 },
        ],
      });
      expect(await kinds(ids)).toEqual(['forbidden', 'unexpected', 'unexpected', 'unexpected']);
    });

    test('a response that is missing, malformed or for another file is unexpected, and the others are used', async () => {
      const ids = seed(7);
      const about = (id: string) => ({
        id,
        name: 'a.txt',
        file: {},
        parentReference: { path: `/drives/${drive.driveId}/root:` },
      });
      answering({
        responses: [
          { id: '99', status: 200, body: about(ids[0]!) },
          { id: '1', status: 200, body: about(ids[0]!) },
          { id: '2', status: 200 },
          { id: '3', status: 200, body: 'text' },
          { id: '4', status: '200', body: about(ids[4]!) },
          { id: '5', status: 200, body: { id: ids[5] } },
          { id: '6', status: 200, body: about(ids[6]!) },
          null,
          7,
          'x',
          { status: 200 },
        ],
      });
      expect(await kinds(ids)).toEqual([...Array.from({ length: 6 }, () => 'unexpected'), 'value']);
    });

    test.each([
      ['a list', []],
      ['no answers', {}],
      ['other answers', { responses: {} }],
    ])('all files fail after %s instead of responses', async (_what, body) => {
      answering(body);
      expect(await failureOf(info(seed(2)))).toMatchObject({ kind: 'unexpected' });
    });

    test('one failed batch affects only its files; if all fail, the call fails', async () => {
      const ids = seed(25);
      drive.fault(
        { status: 500 },
        ({ path, body }) =>
          path === '/v1.0/$batch' &&
          (JSON.parse(body.toString()) as { requests: object[] }).requests.length === 5,
      );
      expect(await kinds(ids)).toEqual([
        ...Array.from({ length: 20 }, () => 'value'),
        ...Array.from({ length: 5 }, () => 'unexpected'),
      ]);
      drive.fault({ status: 500 });
      expect(await failureOf(info(ids))).toMatchObject({ kind: 'unexpected', status: 500 });
    });

    test('401 for a batch or inside a batch is unauthorized for all files', async () => {
      const ids = seed(25);
      drive.fault({ status: 401 }, isBatch, 1);
      expect(await failureOf(info(ids))).toMatchObject({ kind: 'unauthorized' });
      drive.repair();
      answering({ responses: [{ id: '0', status: 401, body: {} }] });
      expect(await failureOf(info(ids.slice(0, 2)))).toMatchObject({ kind: 'unauthorized' });
    });

    test.each([403, 404, 500, 502])(
      'status %i for a batch is unexpected, and says nothing about files',
      async (status) => {
        drive.fault({ status }, isBatch);
        expect(await failureOf(info(seed(1)))).toMatchObject({ kind: 'unexpected', status });
      },
    );

    test.each([
      ['whole seconds', 1],
      ['fractions of a second', 0.249],
      ['without a wait', undefined],
    ])('only throttled requests (%s) are repeated', async (_what, retryAfter) => {
      const ids = seed(20);
      const throttled = new Set(ids.slice(0, 3));
      drive.throttle({
        members: true,
        times: 3,
        when: ({ path }) => throttled.has(path.split('/').at(-1)!),
        ...(retryAfter !== undefined && { retryAfter }),
      });
      const began = performance.now();
      expect(new Set(await kinds(ids))).toEqual(new Set(['value']));
      expect(performance.now() - began).toBeGreaterThanOrEqual((retryAfter ?? 0) * 1000 - 10);
      expect(batches().map(({ length }) => length)).toEqual([20, 3]);
    });

    test('requests with different waits are repeated at different times', async () => {
      const ids = seed(2);
      for (const [index, retryAfter] of [0.2, 1].entries())
        drive.throttle({
          members: true,
          retryAfter,
          when: ({ path }) => path.endsWith(ids[index]!),
        });
      expect(await kinds(ids)).toEqual(['value', 'value']);
      expect(batches().map(({ length }) => length)).toEqual([2, 1, 1]);
    });

    test('a wait beyond the deadline ends at once, and the others continue', async () => {
      const ids = seed(3);
      drive.throttle({
        members: true,
        times: Infinity,
        retryAfter: 120,
        when: ({ path }) => path.endsWith(ids[0]!),
      });
      expect(await kinds(ids)).toEqual(['unexpected', 'value', 'value']);
      expect(batches()).toHaveLength(1);
    });

    test('requests that stay throttled end within the deadline', async () => {
      const ids = seed(2);
      drive.throttle({
        members: true,
        times: Infinity,
        when: ({ path }) => path.endsWith(ids[0]!),
      });
      expect(await kinds(ids, { access: user(4_000) })).toEqual(['unexpected', 'value']);
    });

    test('requests that stay throttled are sent six times, with longer waits each time, even if the drive wants short ones', async () => {
      const ids = seed(2);
      drive.throttle({
        members: true,
        times: Infinity,
        retryAfter: 0.249,
        when: ({ path }) => path.endsWith(ids[0]!),
      });
      const began = performance.now();
      expect(await kinds(ids, { access: user(20_000) })).toEqual(['unexpected', 'value']);
      expect(batches().map(({ length }) => length)).toEqual([2, 1, 1, 1, 1, 1]);
      expect(performance.now() - began).toBeGreaterThanOrEqual(7_700);
    });

    test('results of other requests are kept if the repetition of throttled ones fails', async () => {
      const ids = seed(2);
      drive.throttle({
        members: true,
        retryAfter: 0.1,
        when: ({ path }) => path.endsWith(ids[0]!),
      });
      drive.fault(
        'reset',
        ({ path, body }) =>
          path === '/v1.0/$batch' &&
          (JSON.parse(body.toString()) as { requests: object[] }).requests.length === 1,
      );
      expect(await kinds(ids)).toEqual(['unexpected', 'value']);
    });
  });

  describe('items', () => {
    const about = async (id: string) => (await info([id])).get(id) as FileInfo;

    test('addresses in the browser: of the item, and of its folder if that can be derived', async () => {
      const path = `${fresh()}/Ä b`;
      const id = drive.file(`${path}/a #1.txt`);
      const folder = (await about(drive.folder(path))).webUrl;
      expect(await about(id)).toMatchObject({
        webUrl: `${folder}/a%20%231.txt`,
        folderWebUrl: folder,
      });
      answering({
        responses: [
          {
            id: '0',
            status: 200,
            body: {
              id,
              name: 'a.docx',
              file: {},
              webUrl: 'https://contoso.example/_layouts/15/Doc.aspx?sourcedoc=1&file=a.docx',
            },
          },
        ],
      });
      const { folderWebUrl } = await about(id);
      expect(folderWebUrl).toBeUndefined();
      const [listed] = (await cloudDrive.files(user(), path)).files;
      expect(listed).toMatchObject({ id, folderWebUrl: folder });
      expect(
        await (cloudDrive.fileLink(user(), id, 'location') as (access: Access) => Promise<string>)(
          user(),
        ),
      ).toBe(folder);
      expect(
        await (cloudDrive.fileLink(user(), id, 'file') as (access: Access) => Promise<string>)(
          user(),
        ),
      ).toBe(`${folder}/a%20%231.txt`);
    });

    test('the location of the root is the root', async () => {
      const {
        parent: { id, webUrl },
      } = await cloudDrive.files(user(), '/');
      expect(
        await (cloudDrive.fileLink(user(), id, 'location') as (access: Access) => Promise<string>)(
          user(),
        ),
      ).toBe(webUrl);
      expect(await about('root')).toMatchObject({ id, name: 'Root', location: '/' });
    });

    test('a notebook and a shortcut are neither files nor folders', async () => {
      const path = fresh();
      const [notebook, shortcut] = [
        drive.notebook(`${path}/notes`),
        drive.shortcut(`${path}/elsewhere`),
      ];
      for (const id of [notebook, shortcut]) {
        const { mimeType, permissions } = await about(id);
        expect([mimeType, permissions]).toEqual([null, ['readable']]);
        expect(await failureOf(cloudDrive.files(user(), id))).toMatchObject({
          kind: 'notDirectory',
        });
        // The API would accept both.
        expect(await failureOf(cloudDrive.createFolder(user(), id, 'new'))).toMatchObject({
          kind: 'notDirectory',
        });
        expect(await failureOf(cloudDrive.uploadLink(user(), id, 'new.txt'))).toMatchObject({
          kind: 'notDirectory',
        });
      }
      expect((await cloudDrive.files(user(), path)).files.map(({ mimeType }) => mimeType)).toEqual([
        null,
        null,
      ]);
      expect(await failureOf(cloudDrive.downloadLink(user(), notebook))).toMatchObject({
        kind: 'unexpected',
        status: 400,
      });
    });

    test.each<[string, object, Partial<FileInfo>]>([
      [
        "the server's dates if the client has set none",
        {
          createdDateTime: '2026-01-01T00:00:00Z',
          lastModifiedDateTime: '2026-01-02T00:00:00.1234567Z',
        },
        { createdAt: '2026-01-01T00:00:00.000Z', lastModifiedAt: '2026-01-02T00:00:00.123Z' },
      ],
      [
        'an offset',
        {
          fileSystemInfo: {
            createdDateTime: '2026-01-01T02:00:00+02:00',
            lastModifiedDateTime: 'soon',
          },
        },
        { createdAt: '2026-01-01T00:00:00.000Z', lastModifiedAt: null },
      ],
      [
        'an application',
        {
          createdBy: { application: { displayName: 'Files' } },
          lastModifiedBy: { user: { displayName: '' }, application: { displayName: 'Flow' } },
        },
        { createdByName: 'Files', lastModifiedByName: 'Flow' },
      ],
      [
        'nobody',
        { createdBy: null, lastModifiedBy: {} },
        { createdByName: null, lastModifiedByName: null },
      ],
      ['no size', { size: null }, { size: null }],
      ['no type', { file: {} }, { mimeType: null }],
      [
        'an encoded path',
        { parentReference: { path: '/drive/root:/A%20b/100%25', name: '100%' } },
        { location: '/A b/100%/a.txt' },
      ],
      [
        'an encoded path of a new item',
        { parentReference: { path: '/drive/root:/A%20b' } },
        { location: '/A b/a.txt' },
      ],
      [
        'a path that only looks encoded',
        { parentReference: { path: '/drives/x/root:/50%25', name: '50%25' } },
        { location: '/50%25/a.txt' },
      ],
      [
        'a path that looks encoded above a folder that does not',
        { parentReference: { path: '/drives/x/root:/50%25/sub', name: 'sub' } },
        { location: '/50%25/sub/a.txt' },
      ],
      [
        'a path with a percent character',
        { parentReference: { path: '/drives/x/root:/100% of it' } },
        { location: '/100% of it/a.txt' },
      ],
      [
        'a folder with the name "root"',
        { parentReference: { path: '/drives/x/root:/root/root' } },
        { location: '/root/root/a.txt' },
      ],
      ['no path', { parentReference: {} }, { location: '/a.txt' }],
      ['an invalid address', { webUrl: 'javascript:alert(1)' }, {}],
    ])('%s', async (_what, members, expected) => {
      drive.fault(json({ id: 'x', name: 'a.txt', file: { mimeType: 'text/plain' }, ...members }));
      const described = await cloudDrive.file(user(), 'x');
      expect(described).toMatchObject(expected);
      expect(described).not.toHaveProperty('webUrl');
    });
  });

  test.each([301, 302, 303, 307, 308])(
    'a redirect to another host (%i) is never followed, so the token is not sent there',
    async (status) => {
      const elsewhere = await serveFake((_request, response) => void response.end('{}'));
      const [id] = seed(1) as [string];
      const location = `${elsewhere.url}/v1.0/me`;
      drive.fault({ status, headers: { location } });
      for (const ask of [
        () => cloudDrive.user(user()),
        () => info([id]),
        () => cloudDrive.file(user(), id),
        () => cloudDrive.files(user(), '/'),
        () => cloudDrive.createFolder(user(), '/', 'new'),
        () => cloudDrive.uploadLink(user(), '/', 'a.txt'),
      ])
        expect(await failureOf(ask())).toMatchObject({ kind: 'unexpected' });
      // The client of the user follows this one, without a token.
      if (status === 302) expect(await cloudDrive.downloadLink(user(), id)).toBe(location);
      expect(elsewhere.requests).toEqual([]);
      await elsewhere.close();
    },
  );

  describe('lists', () => {
    const many = (count: number) => {
      const path = fresh();
      for (let index = 0; index < count; index += 1) drive.file(`${path}/${index}.txt`);
      return path;
    };
    const isList = ({ path }: { path: string }) => path.endsWith('/children');

    test('need three requests, and one more for each further page', async () => {
      const path = many(2500);
      expect((await cloudDrive.files(user(), path)).files).toHaveLength(2500);
      expect(
        drive.requests
          .map(({ path: asked }) => asked.split('/').at(-1)!.replace(/^01.*/, 'item'))
          .sort(),
      ).toEqual(['$batch', 'children', 'children', 'children', path.slice(1)].sort());
    });

    test('continue after an empty page with a next link', async () => {
      const path = many(3);
      const id = drive.folder(path);
      drive.fault(
        json({
          value: [],
          '@odata.nextLink': `${drive.apiUrl}/drives/${drive.driveId}/items/${id}/children`,
        }),
        isList,
        1,
      );
      expect((await cloudDrive.files(user(), path)).files).toHaveLength(3);
    });

    test.each([
      ['another host', () => 'https://169.254.169.254/v1.0/drives'],
      ['another port', () => drive.apiUrl.replace(/:\d+/, ':1')],
      ['a host with the same beginning', () => `${drive.url}.example.test/v1.0/drives`],
      ['another path', () => `${drive.url}/elsewhere`],
      ['an invalid address', () => 'nowhere'],
      ['something else', () => 7],
    ])('do not continue at %s', async (_what, next) => {
      const path = many(1);
      drive.fault(json({ value: [], '@odata.nextLink': next() }), isList, 1);
      expect(await failureOf(cloudDrive.files(user(), path))).toMatchObject({ kind: 'unexpected' });
      expect(drive.requests.filter(isList)).toHaveLength(1);
    });

    const item = (more: object) => ({ value: [{ id: '01X', name: 'a.txt', file: {}, ...more }] });
    const padding = 'x'.repeat(300_000);
    test.each([
      ['deep nesting', `{"value":${'['.repeat(400_000)}`],
      ['deep objects', `${'{"value":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
      ['many members', `{${Array.from({ length: 100_001 }, (_, n) => `"${n}":1`).join()}}`],
      ['many elements', `{"value":[${'1.5,'.repeat(100_001)}1]}`],
      ['many parts', `{"value":[${'[1,1,1,1,1,1,1,1],'.repeat(90_000)}1]}`],
      ['a huge number', `{"value":${'1'.repeat(2_000_000)}}`],
      ['a huge text', `{"value":"${'x'.repeat(2_000_000)}"}`],
      ['two values', `${JSON.stringify({ value: [], padding })}{}`],
      ['a part of a value', JSON.stringify({ value: [], padding }).slice(0, -1)],
      ['garbage', '{"\u0001'.repeat(100_000)],
    ])('a page with %s is unexpected', async (_what, body) => {
      const path = many(1);
      const headers = { 'content-type': 'application/json' };
      drive.fault({ status: 200, headers, body }, isList);
      expect(await failureOf(cloudDrive.files(user(), path))).toMatchObject({
        kind: 'unexpected',
        message: 'The storage answered with something that is not JSON.',
      });
    });

    test('of a member that is there twice in a large page, the last one counts', async () => {
      const path = many(1);
      const rows = JSON.stringify(item({ padding }).value);
      const headers = { 'content-type': 'application/json' };
      const body = `{"value":7,"__proto__":{"value":8},"value":${rows}}`;
      drive.fault({ status: 200, headers, body }, isList);
      expect((await cloudDrive.files(user(), path)).files).toMatchObject([{ id: '01X' }]);
    });

    test('a page that is too large, and one with too many entries, are failures', async () => {
      const path = many(1);
      const large = { bytes: 17 * 1024 * 1024 };
      const full = json({ value: Array.from({ length: 10_001 }, () => ({ id: 'x', name: 'x' })) });
      for (const fault of [large, full]) {
        drive.repair();
        drive.fault(fault, isList);
        const failure = await failureOf(cloudDrive.files(user(), path));
        expect(['size', 'unexpected']).toContain(
          'reason' in failure ? failure.reason : failure.kind,
        );
      }
      expect(drive.requests.filter(isList)).toHaveLength(2);
    });

    test('stop after 500 pages, each with the address of another one', async () => {
      let pages = 0;
      const endless = await serveFake(({ path }, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        pages += path.endsWith('/children') ? 1 : 0;
        const next = `${endless.url}/v1.0/drives/x/items/01X/children?$skiptoken=${pages}`;
        const folder = { id: '01X', name: 'root', root: {}, folder: {} };
        response.end(
          JSON.stringify(
            path.endsWith('/children') ? { ...item({}), '@odata.nextLink': next } : folder,
          ),
        );
      });
      const there = { addresses: { ...remote.addresses, apiUrl: `${endless.url}/v1.0` } };
      const access = accessOf(there, remote.authorization(), 60_000);
      expect(await failureOf(cloudDrive.files(access, '/'))).toMatchObject({
        kind: 'unexpected',
        message: 'The storage lists a folder without an end.',
      });
      expect(pages).toBe(500);
      await endless.close();
    }, 60_000);

    test('stop if the pages never end', async () => {
      const path = many(1);
      drive.fault(
        json({
          value: [],
          '@odata.nextLink': `${drive.apiUrl}/drives/${drive.driveId}/items/x/children`,
        }),
        isList,
      );
      expect(await failureOf(cloudDrive.files(user(), path))).toMatchObject({ kind: 'unexpected' });
      expect(drive.requests.filter(isList)).toHaveLength(2);
    });

    test.each([
      ['no list', {}],
      ['something else', { value: {} }],
      ['an entry without a name', { value: [{ id: 'x' }] }],
      ['an entry that is null', { value: [null] }],
    ])('%s is unexpected', async (_what, body) => {
      const path = many(1);
      drive.fault(json(body), isList);
      expect(await failureOf(cloudDrive.files(user(), path))).toMatchObject({ kind: 'unexpected' });
    });

    test.each<[string, () => void]>([
      ['cannot be read', () => drive.fault({ status: 500 }, isBatch)],
      ['are not answered for', () => answering({ responses: [] })],
      ['are not JSON', () => drive.fault('half', isBatch)],
    ])('ancestors that %s have their path as their id', async (_what, arrange) => {
      const path = `${fresh()}/a/b`;
      const id = drive.folder(path);
      const above = drive.folder(path.replace(/\/b$/, ''));
      arrange();
      const { ancestors } = await cloudDrive.files(user(), id);
      const [, top] = path.split('/');
      expect(ancestors).toMatchObject([
        { id: '/', name: 'Root', location: '/' },
        { id: `/${top}`, name: top, location: `/${top}` },
        { id: above, name: 'a', location: `/${top}/a` },
      ]);
      for (const ancestor of ancestors)
        expect((await cloudDrive.files(user(), ancestor.id)).parent.location).toBe(
          ancestor.location,
        );
    });

    test('an ancestor that the user cannot see has its path as its id', async () => {
      const path = `${fresh()}/a/b`;
      drive.items.byId(drive.folder(path))!.visibleTo = new Set(['mia']);
      drive.items.byId(drive.folder(path.replace(/\/a\/b$/, '')))!.visibleTo = new Set();
      const { ancestors } = await cloudDrive.files(user(), drive.folder(path));
      expect(ancestors).toMatchObject([
        { location: '/' },
        { id: path.replace(/\/a\/b$/, ''), permissions: [] },
        { name: 'a' },
      ]);
    });

    test('forty levels have forty ancestors', async () => {
      const path = `${fresh()}${'/d'.repeat(39)}`;
      drive.folder(path);
      const { ancestors } = await cloudDrive.files(user(), path);
      expect(ancestors.map(({ location }) => location)).toEqual([
        '/',
        ...path
          .split('/')
          .slice(1, -1)
          .map((_, index) =>
            path
              .split('/')
              .slice(0, index + 2)
              .join('/'),
          ),
      ]);
      expect(new Set(ancestors.map(({ id }) => id)).size).toBe(40);
    });
  });

  describe('changes', () => {
    test.each(['a:b', 'what?', 'CON', ' blank', 'end.', '~$a', ''])(
      '%j is refused as the name of a folder',
      async (name) => {
        expect(await failureOf(cloudDrive.createFolder(user(), '/', name))).toMatchObject({
          kind: 'nameRefused',
          status: 400,
          message: expect.stringContaining(JSON.stringify(name)),
        });
      },
    );

    test.each(['a/b', 'a\\b', '..', '.', 'a:b', '', '\ud800'])(
      '%j is refused as the name of a file, without a request',
      async (name) => {
        expect(await failureOf(cloudDrive.uploadLink(user(), '/', name))).toMatchObject({
          kind: 'nameRefused',
          status: 400,
          message: expect.stringContaining(JSON.stringify(name)),
        });
        expect(drive.requests).toEqual([]);
      },
    );

    test('a file cannot contain files', async () => {
      const path = `${fresh()}/a.txt`;
      const id = drive.file(path);
      for (const parent of [path, id]) {
        expect(await failureOf(cloudDrive.createFolder(user(), parent, 'new'))).toMatchObject({
          kind: 'notDirectory',
        });
        expect(await failureOf(cloudDrive.uploadLink(user(), parent, 'a.txt'))).toMatchObject({
          kind: 'notDirectory',
        });
      }
    });

    test('an upload to a read-only folder is refused', async () => {
      const id = drive.folder(fresh());
      drive.protect(id, 'mia');
      expect(await failureOf(cloudDrive.createFolder(user(), id, 'new'))).toMatchObject({
        kind: 'forbidden',
      });
      expect(await failureOf(cloudDrive.uploadLink(user(), id, 'a.txt'))).toMatchObject({
        kind: 'forbidden',
      });
    });

    test('an upload with a taken name gets a new name', async () => {
      const path = fresh();
      drive.file(`${path}/a.txt`, { content: 'before' });
      const to = await cloudDrive.uploadLink(user(), path, 'a.txt');
      expect(to.method).toBe('put');
      await remote.upload(to, 'a.txt', 'after');
      expect(
        (await cloudDrive.files(user(), path)).files.map(({ name, size }) => [name, size]),
      ).toEqual([
        ['a 1.txt', 5],
        ['a.txt', 6],
      ]);
    });
  });

  describe('addresses for clients', () => {
    // As if the drive used https: then addresses with http are refused.
    const secure = (): Access => {
      const access = user();
      return {
        ...access,
        apiUrl: access.apiUrl.replace('http:', 'https:'),
        send: (request) => access.send({ ...request, url: request.url.replace('https:', 'http:') }),
      };
    };

    test.each([
      ['http', 'http://files.example.test/?tempauth=planted-secret'],
      ['another scheme', 'javascript:alert("planted-secret")'],
      ['no address', '/planted-secret'],
      ['nothing', undefined],
    ])('not %s', async (_what, address) => {
      const id = drive.file(`${fresh()}/a.txt`);
      drive.fault(json({ uploadUrl: address }), ({ path }) => path.endsWith('createUploadSession'));
      drive.fault(
        { status: 302, headers: { ...(address !== undefined && { location: address }) } },
        ({ path }) => path.endsWith('/content'),
      );
      for (const work of [
        () => cloudDrive.uploadLink(secure(), '/', 'a.txt'),
        () => cloudDrive.downloadLink(secure(), id),
      ]) {
        const error = await failureOf(work());
        expect(error).toBeInstanceOf(StorageFailure);
        expect(JSON.stringify([String(error), error.stack])).not.toContain('planted-secret');
      }
    });

    test('https', async () => {
      const address = 'https://files.example.test/?tempauth=planted-secret';
      drive.fault(json({ uploadUrl: address }), ({ path }) => path.endsWith('createUploadSession'));
      expect(await cloudDrive.uploadLink(secure(), '/', 'a.txt')).toEqual({
        href: address,
        method: 'put',
      });
    });

    test.each([200, 401, 403, 404, 429, 500])(
      'a download that answers %i has no address',
      async (status) => {
        const id = drive.file(`${fresh()}/a.txt`);
        drive.fault({ status, headers: { 'retry-after': '60' } });
        expect(await failureOf(cloudDrive.downloadLink(user(), id))).toMatchObject({
          kind: { 401: 'unauthorized', 403: 'forbidden', 404: 'notFound' }[status] ?? 'unexpected',
          status,
        });
      },
    );
  });

  test('a silent drive ends at the deadline', async () => {
    const ids = seed(1);
    drive.fault('silence');
    expect(await failureOf(info(ids, { access: user(700) }))).toMatchObject({ reason: 'timeout' });
  });
});

/** Files of a self-hosted file server: the common contract, and the errors that only this type has. */
import { FOLDER_TYPE, type FileInfo } from '../../src/storages/adapter.js';
import { adapterFor } from '../../src/storages/index.js';
import { startFileServer, type FileServer } from '../../demo/servers/file-server.js';
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
  sendForm,
  type FakeRemote,
} from './file-remote.js';

const selfHostedFileServer = adapterFor('SelfHostedFileServer');

async function start(prefix = ''): Promise<{ server: FileServer; remote: FakeRemote }> {
  const server = await startFileServer({ prefix });
  server.user('mia', { displayName: 'Mia Ray', password: 'planted-mia-password' });
  server.setClient({ id: 'client', secret: 'secret', redirectUri: 'http://127.0.0.1/' });
  const seconds = (iso: string | undefined) =>
    iso === undefined ? undefined : Date.parse(iso) / 1000;
  const basic = `Basic ${Buffer.from('mia:planted-mia-password').toString('base64')}`;
  const remote: FakeRemote = {
    adapter: selfHostedFileServer,
    server,
    addresses: { origin: `${server.url}/` },
    authorization: () => `Bearer ${server.grant('mia').accessToken}`,
    base: '',
    describes: {
      createdByName: 'Mia Ray',
      lastModifiedByName: 'Mia Ray',
      mimeType: 'text/markdown',
    },
    refused: () => 'Bearer unknown',
    file: (path, { content, mimeType, createdAt, modifiedAt } = {}) =>
      String(
        server.file('mia', path, {
          ...(content !== undefined && { content }),
          ...(mimeType !== undefined && { mimeType }),
          ...(createdAt !== undefined && { ctime: seconds(createdAt)! }),
          ...(modifiedAt !== undefined && { mtime: seconds(modifiedAt)! }),
        }),
      ),
    folder: (path) => String(server.folder('mia', path)),
    hide: (id) => server.hide(Number(id), 'mia'),
    remove: (id) => server.remove(Number(id)),
    async rename(id, name) {
      const { location } = (
        await selfHostedFileServer.filesInfo(accessOf(remote, basic), [id], () =>
          Promise.reject(new Error('not needed')),
        )
      ).get(id) as FileInfo;
      const at = (path: string) =>
        `${server.url}/remote.php/dav/files/mia${path.split('/').map(encodeURIComponent).join('/')}`;
      const { status } = await fetch(at(location), {
        method: 'MOVE',
        headers: { authorization: basic, destination: at(location.replace(/[^/]+$/, () => name)) },
      });
      expect(status).toBe(201);
    },
    upload: sendForm,
    most: () => 1,
    check: () => undefined,
    close: () => server.close(),
  };
  return { server, remote };
}

fileContract('self-hosted file server', async () => (await start()).remote);
fakeFileContract('self-hosted file server', async () => (await start()).remote);

describe('only a self-hosted file server', () => {
  let server: FileServer;
  let remote: FakeRemote;
  beforeAll(async () => {
    ({ server, remote } = await start('/cloud'));
  });
  beforeEach(() => {
    server.repair();
    server.forget();
    Object.assign(server, { appEnabled: true, maintenance: false });
  });
  afterEach(() => closeOutbounds());
  afterAll(() => server.close());

  const user = () => accessOf(remote, remote.authorization());
  const info = (ids: readonly string[]) =>
    selfHostedFileServer.filesInfo(user(), ids, () => Promise.reject(new Error('not needed')));
  /** From now on the companion app returns this data for a file. */
  const tells = (id: string, entry: object) => {
    const body = JSON.stringify({
      ocs: {
        meta: { status: 'ok', statuscode: 100, message: 'OK' },
        data: { [id]: { status: 'OK', statuscode: 200, id: Number(id), ...entry } },
      },
    });
    server.repair();
    server.fault(
      { status: 200, headers: { 'content-type': 'application/json; charset=utf-8' }, body },
      ({ path }) => path.endsWith('/filesinfo'),
    );
  };

  test('works below a path', async () => {
    const id = remote.file('/Docs/Plans/ä b.txt', { content: 'x' });
    const { parent, ancestors, files } = await selfHostedFileServer.files(user(), '/Docs/Plans');
    expect([
      parent.location,
      ancestors.map(({ location, name, id: own }) => [location, name, own]),
      files.map(({ id: own, location }) => [own, location]),
    ]).toEqual([
      '/Docs/Plans',
      [
        ['/', 'Root', String(server.idOf('mia', '/'))],
        ['/Docs', 'Docs', String(server.idOf('mia', '/Docs'))],
      ],
      [[id, '/Docs/Plans/ä b.txt']],
    ]);
    expect(selfHostedFileServer.fileLink(user(), id, 'location')).toBe(
      `${server.url}/index.php/f/${id}?openfile=false`,
    );
  });

  test('without the companion app finds files by searches, up to their limits', async () => {
    const ids = [
      remote.file('/search/one.txt', { content: '1' }),
      remote.file('/search/two.txt', { content: '22' }),
      '999999',
      'no-number',
    ];
    server.appEnabled = false;
    const found = await info(ids);
    expect(ids.map((id) => kindOf(found.get(id)))).toEqual([
      'value',
      'value',
      'notFound',
      'notFound',
    ]);
    expect(found.get(ids[1]!)).toMatchObject({
      id: ids[1],
      name: 'two.txt',
      size: 2,
      location: '/search/two.txt',
      lastModifiedByName: null,
    });
    expect(server.requests.filter(({ method }) => method === 'SEARCH')).toHaveLength(3);
  });

  test('without the companion app returns the download address of the server itself', async () => {
    const id = remote.file('/search/three.txt', { content: '333' });
    expect(await selfHostedFileServer.downloadLink(user(), id)).toMatch(
      /\/index\.php\/apps\/integration_openproject\/direct\/[\w-]+\/three\.txt$/,
    );
    server.appEnabled = false;
    const url = await selfHostedFileServer.downloadLink(user(), id);
    expect(url).toMatch(/\/remote\.php\/direct\/[\w-]+$/);
    expect(await (await fetch(url)).text()).toBe('333');
    expect(await failureOf(selfHostedFileServer.downloadLink(user(), '999999'))).toMatchObject({
      kind: 'notFound',
    });
  });

  test('a folder has no download address, with and without the companion app', async () => {
    const id = String(server.folder('mia', '/plans'));
    for (const enabled of [true, false]) {
      server.appEnabled = enabled;
      expect(await failureOf(selfHostedFileServer.downloadLink(user(), id))).toMatchObject({
        kind: 'unexpected',
        status: 400,
        advice:
          'This is a folder. Only files can be downloaded: open the folder in the storage instead.',
      });
    }
  });

  test('in maintenance mode fails completely, with that reason', async () => {
    server.maintenance = true;
    for (const work of [
      () => info(['1']),
      () => selfHostedFileServer.files(user(), undefined),
      () => selfHostedFileServer.uploadLink(user(), '/', 'a.txt'),
      () => selfHostedFileServer.createFolder(user(), '/', 'New'),
    ]) {
      expect(await failureOf(work())).toMatchObject({ kind: 'unexpected', status: 503 });
    }
  });

  test('an empty page with 200 instead of a download address is a refusal', async () => {
    const id = remote.file('/download.txt', { content: 'x' });
    server.fault({ status: 200, headers: { 'content-type': 'text/html' }, body: '' }, ({ path }) =>
      path.endsWith('/direct'),
    );
    expect(await failureOf(selfHostedFileServer.downloadLink(user(), id))).toMatchObject({
      kind: 'unauthorized',
    });
  });

  test('the author of a mounted folder is unknown, because the server names the current user as its owner', async () => {
    // As recorded for a team folder, with two users.
    const recorded = {
      name: 'Demo (7)',
      mtime: 1_795_192_428,
      ctime: 0,
      mimetype: FOLDER_TYPE,
      size: 0,
      modifier_name: null,
      modifier_id: null,
      path: 'files/OpenProject/Demo (7)/',
    };
    for (const [owner, letters, createdByName] of [
      ['Alice Lee', 'MGDNVCK', null],
      ['OpenProject', 'RMGDNVCK', null],
      ['Alice Lee', 'RGDNVCK', 'Alice Lee'],
      ['Alice Lee', 'SRGDNVCK', 'Alice Lee'],
    ]) {
      tells('143', { ...recorded, owner_name: owner, dav_permissions: letters });
      expect((await info(['143'])).get('143')).toMatchObject({
        createdByName,
        lastModifiedByName: null,
        location: '/OpenProject/Demo (7)',
        permissions: ['readable', 'writeable'],
      });
    }
  });

  test('the author of a mounted folder is unknown in WebDAV lists and searches too', async () => {
    const multistatus = (letters: string) =>
      '<?xml version="1.0"?>\n<d:multistatus xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns"><d:response><d:href>/cloud/remote.php/dav/files/mia/OpenProject/Demo%20(7)/</d:href><d:propstat><d:prop>' +
      `<oc:fileid>143</oc:fileid><oc:permissions>${letters}</oc:permissions><d:resourcetype><d:collection/></d:resourcetype><oc:owner-display-name>Mia Ray</oc:owner-display-name></d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response></d:multistatus>`;
    server.appEnabled = false;
    for (const [letters, createdByName] of [
      ['MGDNVCK', null],
      ['RGDNVCK', 'Mia Ray'],
    ] as const) {
      server.repair();
      server.fault(
        {
          status: 207,
          headers: { 'content-type': 'application/xml; charset=utf-8' },
          body: multistatus(letters),
        },
        ({ method, path }) => method === 'SEARCH' || path.includes('Demo'),
      );
      const { parent } = await selfHostedFileServer.files(user(), '/OpenProject/Demo (7)');
      for (const found of [parent, (await info(['143'])).get('143')])
        expect(found).toMatchObject({
          id: '143',
          createdByName,
          permissions: ['readable', 'writeable'],
        });
    }
  });

  const long = 'x'.repeat(2_000_000);
  const dav = (content: string) => `<d:multistatus xmlns:d="DAV:">${content}</d:multistatus>`;
  const response = (content: string) => dav(`<d:response>${content}</d:response>`);
  const entities = Array.from(
    { length: 10 },
    (_, n) => `<!ENTITY e${n + 1} "${`&e${n};`.repeat(10)}">`,
  ).join('');
  test.each([
    ['long names of elements', dav(`<${long}>${'<a/>'.repeat(200_000)}</${long}>`)],
    ['deep nesting', '<d:multistatus>'.repeat(1_000_000)],
    ['deep nesting in a response', response(`${'<a>'.repeat(40)}${'</a>'.repeat(40)}`)],
    ['millions of elements', dav('<a/>'.repeat(1_600_000))],
    ['thousands of elements in one response', response('<a/>'.repeat(2_000))],
    [
      'thousands of attributes',
      dav(`<a${Array.from({ length: 50_000 }, (_, n) => ` a${n}=""`).join('')}/>`),
    ],
    ['a huge value of an attribute', dav(`<a b="${long}"/>`)],
    ['a huge text', response(`<d:href>${long}</d:href>`)],
    ['a huge text as CDATA', response(`<d:href><![CDATA[${long}]]></d:href>`)],
    ['a huge comment', dav(`<!--${long}-->`)],
    ['expanding entities', `<!DOCTYPE x [<!ENTITY e0 "x">${entities}]>${response('&e10;')}`],
    ['an unknown entity', response('&nbsp;')],
    ['another document', '<html><body/></html>'],
    ['a part of a document', '<d:multistatus xmlns:d="DAV:"><d:response>'],
    ['two documents', `${dav('')}${dav('')}`],
    ['garbage', '\u0001<&>'.repeat(100_000)],
    ['nothing', ''],
  ])('a folder that is answered with %s is unexpected', async (_what, body) => {
    server.fault(
      { status: 207, headers: { 'content-type': 'application/xml; charset=utf-8' }, body },
      ({ method }) => method === 'PROPFIND',
    );
    expect(await failureOf(selfHostedFileServer.files(user(), '/'))).toMatchObject({
      kind: 'unexpected',
      message: 'The storage answered with something that is not WebDAV.',
    });
  });

  test('a deep folder that does not exist is known before its many ancestors are requested', async () => {
    const deep = (levels: number) => `/${'a/'.repeat(levels)}a`;
    expect(await failureOf(selfHostedFileServer.files(user(), deep(200)))).toMatchObject({
      kind: 'notFound',
    });
    expect(server.requests.length).toBeLessThanOrEqual(2);
    server.forget();
    expect(await failureOf(selfHostedFileServer.files(user(), deep(300)))).toMatchObject({
      kind: 'unexpected',
      message: 'The folder lies too deep.',
    });
    expect(server.requests.filter(({ method }) => method === 'PROPFIND')).toEqual([]);
  });

  test('a download of a hidden file is forbidden, although the server reports it as missing', async () => {
    const [hidden, gone] = [remote.file('/hidden.txt'), remote.file('/gone.txt')];
    remote.hide(hidden);
    remote.remove(gone);
    expect(await failureOf(selfHostedFileServer.downloadLink(user(), hidden))).toMatchObject({
      kind: 'forbidden',
      status: 403,
    });
    expect(await failureOf(selfHostedFileServer.downloadLink(user(), gone))).toMatchObject({
      kind: 'notFound',
      status: 404,
    });
  });

  test('a token that one of the two APIs refuses is refused, even if the other one accepts it', async () => {
    const hidden = remote.file('/hidden too.txt');
    remote.hide(hidden);
    for (const route of ['/direct', '/filesinfo']) {
      server.repair();
      server.fault(
        { status: 200, headers: { 'content-type': 'text/html' }, body: '' },
        ({ path }) => path.endsWith(route),
      );
      expect(await failureOf(selfHostedFileServer.downloadLink(user(), hidden))).toMatchObject({
        kind: 'unauthorized',
      });
    }
  });

  test('an upload to a read-only folder is forbidden; without the companion app there is another reason', async () => {
    server.user('ada');
    const id = server.folder('ada', '/from ada');
    server.share(id, 'mia', { readOnly: true });
    for (const parent of ['/from ada', String(id)]) {
      server.appEnabled = true;
      expect(
        await failureOf(selfHostedFileServer.uploadLink(user(), parent, 'a.txt')),
      ).toMatchObject({
        kind: 'forbidden',
        status: 404,
        advice: 'You may not add files to this folder. Choose another one.',
      });
      server.appEnabled = false;
      expect(
        await failureOf(selfHostedFileServer.uploadLink(user(), parent, 'a.txt')),
      ).toMatchObject({
        kind: 'unexpected',
        status: 404,
        advice:
          'The integration app of the storage is missing or switched off. ' +
          'Its administrator must install and enable it.',
      });
    }
    expect(await failureOf(selfHostedFileServer.uploadLink(user(), '/', 'a.txt'))).toMatchObject({
      kind: 'unexpected',
      status: 404,
    });
  });

  test('a folder for which the companion app returns no path is not mistaken for the root', async () => {
    const id = remote.folder('/somewhere');
    for (const path of [undefined, null, '', 'elsewhere/somewhere/']) {
      tells(id, { name: 'somewhere', mimetype: FOLDER_TYPE, dav_permissions: 'RGDNVCK', path });
      expect((await info([id])).get(id)).toMatchObject({ id, name: 'somewhere' });
      for (const work of [
        () => selfHostedFileServer.files(user(), id),
        () => selfHostedFileServer.createFolder(user(), id, 'New'),
        () => selfHostedFileServer.file(user(), id),
      ]) {
        expect(await failureOf(work())).toMatchObject({ kind: 'unexpected' });
      }
    }
    expect(
      server.requests.filter(({ method }) => method === 'MKCOL' || method === 'PROPFIND'),
    ).toEqual([]);
  });

  test.each([
    [
      'a page',
      { status: 404, headers: { 'content-type': 'text/html' }, body: '<h1>Not found</h1>' },
    ],
    [
      'the envelope',
      {
        status: 200,
        headers: { 'content-type': 'application/json' },
        body: '{"ocs":{"meta":{"status":"failure","statuscode":998,"message":""},"data":[]}}',
      },
    ],
  ])(
    'if the current user cannot be requested (%s), the root is not reported as missing',
    async (_what, fault) => {
      server.fault(fault, ({ path }) => path.endsWith('/cloud/user'));
      const { files, createFolder, uploadLink } = selfHostedFileServer;
      for (const work of [
        () => selfHostedFileServer.user(user()),
        () => files(user(), undefined),
        () => createFolder(user(), '/', 'New'),
        () => uploadLink(user(), '/', 'a.txt'),
      ]) {
        expect(await failureOf(work())).toMatchObject({ kind: 'unexpected', status: 404 });
      }
    },
  );

  test('paths with dots are refused', async () => {
    for (const parent of ['/..', '/Docs/../..', '/./Docs'])
      expect(await failureOf(selfHostedFileServer.files(user(), parent))).toMatchObject({
        kind: 'notDirectory',
      });
    expect(server.requests.filter(({ method }) => method === 'PROPFIND')).toEqual([]);
  });
});

/** Files of a self-hosted file server: what every storage does, and what only this one can do wrong. */
import type { FileInfo } from '../../src/storages/adapter.js';
import { selfHostedFileServer } from '../../src/storages/self-hosted-file-server/index.js';
import { startFileServer, type FileServer } from '../support/fakes/file-server.js';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '../support/jest.js';
import { fakeFileContract } from './fake-file-contract.js';
import { fileContract } from './file-contract.js';
import { accessOf, closeOutbounds, failureOf, kindOf, sendForm, type FakeRemote } from './file-remote.js';

async function start(prefix = ''): Promise<{ server: FileServer; remote: FakeRemote }> {
  const server = await startFileServer({ prefix });
  server.user('mia', { displayName: 'Mia Ray', password: 'planted-mia-password' });
  server.setClient({ id: 'client', secret: 'secret', redirectUri: 'http://127.0.0.1/' });
  const seconds = (iso: string | undefined) => (iso === undefined ? undefined : Date.parse(iso) / 1000);
  const basic = `Basic ${Buffer.from('mia:planted-mia-password').toString('base64')}`;
  const remote: FakeRemote = {
    adapter: selfHostedFileServer, server,
    addresses: { origin: `${server.url}/`, tenantId: null, driveId: null, loginUrl: '', apiUrl: '' },
    authorization: () => `Bearer ${server.grant('mia').accessToken}`,
    base: '', describes: { createdByName: 'Mia Ray', lastModifiedByName: 'Mia Ray', mimeType: 'text/markdown' },
    refused: () => 'Bearer unknown',
    file: (path, { content, mimeType, createdAt, modifiedAt } = {}) => String(server.file('mia', path, {
      ...(content !== undefined && { content }), ...(mimeType !== undefined && { mimeType }), ...(createdAt !== undefined && { ctime: seconds(createdAt)! }), ...(modifiedAt !== undefined && { mtime: seconds(modifiedAt)! }),
    })),
    folder: (path) => String(server.folder('mia', path)),
    hide: (id) => server.hide(Number(id), 'mia'),
    remove: (id) => server.remove(Number(id)),
    async rename(id, name) {
      const { location } = (await selfHostedFileServer.filesInfo(accessOf(remote, basic), [id], () => Promise.reject(new Error('not needed')))).get(id) as FileInfo;
      const at = (path: string) => `${server.url}/remote.php/dav/files/mia${path.split('/').map(encodeURIComponent).join('/')}`;
      const { status } = await fetch(at(location), { method: 'MOVE', headers: { authorization: basic, destination: at(location.replace(/[^/]+$/, () => name)) } });
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
  const info = (ids: readonly string[]) => selfHostedFileServer.filesInfo(user(), ids, () => Promise.reject(new Error('not needed')));

  test('lives below a path as well', async () => {
    const id = remote.file('/Docs/Plans/ä b.txt', { content: 'x' });
    const { parent, ancestors, files } = await selfHostedFileServer.files(user(), '/Docs/Plans');
    expect([parent.location, ancestors.map(({ location, name, id: own }) => [location, name, own]), files.map(({ id: own, location }) => [own, location])]).toEqual([
      '/Docs/Plans', [['/', 'Root', String(server.idOf('mia', '/'))], ['/Docs', 'Docs', String(server.idOf('mia', '/Docs'))]], [[id, '/Docs/Plans/ä b.txt']],
    ]);
    expect(selfHostedFileServer.fileLink(user(), id, 'location')).toBe(`${server.url}/index.php/f/${id}?openfile=false`);
  });

  test('without the companion app tells of files by searches, as far as they go', async () => {
    const ids = [remote.file('/search/one.txt', { content: '1' }), remote.file('/search/two.txt', { content: '22' }), '999999', 'no-number'];
    server.appEnabled = false;
    const found = await info(ids);
    expect(ids.map((id) => kindOf(found.get(id)))).toEqual(['value', 'value', 'notFound', 'notFound']);
    expect(found.get(ids[1]!)).toMatchObject({ id: ids[1], name: 'two.txt', size: 2, location: '/search/two.txt', lastModifiedByName: null });
    expect(server.requests.filter(({ method }) => method === 'SEARCH')).toHaveLength(3);
  });

  test('without the companion app gives the download address of the server itself', async () => {
    const id = remote.file('/search/three.txt', { content: '333' });
    expect(await selfHostedFileServer.downloadLink(user(), id)).toMatch(/\/index\.php\/apps\/integration_openproject\/direct\/[\w-]+\/three\.txt$/);
    server.appEnabled = false;
    const url = await selfHostedFileServer.downloadLink(user(), id);
    expect(url).toMatch(/\/remote\.php\/direct\/[\w-]+$/);
    expect(await (await fetch(url)).text()).toBe('333');
    expect(await failureOf(selfHostedFileServer.downloadLink(user(), '999999'))).toMatchObject({ kind: 'notFound' });
  });

  test('in maintenance fails as a whole, and says how', async () => {
    server.maintenance = true;
    for (const work of [info(['1']), selfHostedFileServer.files(user(), undefined), selfHostedFileServer.uploadLink(user(), '/', 'a.txt'), selfHostedFileServer.createFolder(user(), '/', 'New')]) {
      expect(await failureOf(work)).toMatchObject({ kind: 'unexpected', status: 503 });
    }
  });

  test('a download address that is an empty page with 200 is a refusal', async () => {
    const id = remote.file('/download.txt', { content: 'x' });
    server.fault({ status: 200, headers: { 'content-type': 'text/html' }, body: '' }, ({ path }) => path.endsWith('/direct'));
    expect(await failureOf(selfHostedFileServer.downloadLink(user(), id))).toMatchObject({ kind: 'unauthorized' });
  });

  test('paths with dots do not lead anywhere', async () => {
    for (const parent of ['/..', '/Docs/../..', '/./Docs']) expect(await failureOf(selfHostedFileServer.files(user(), parent))).toMatchObject({ kind: 'notDirectory' });
    expect(server.requests.filter(({ method }) => method === 'PROPFIND')).toEqual([]);
  });
});

/** The fake cloud drive behaves as the real one was observed, and reports requests that the real one would refuse. */
import type { Browser } from 'playwright-core';
import { describeBrowser, startBrowser } from '../../support/browser.js';
import {
  challengeOf,
  startCloudDrive,
  validationMissing,
  type CloudDrive,
} from '../../support/fakes/cloud-drive.js';
import { contract } from '../../support/fakes/validate-cloud-drive.js';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  test,
} from '../../support/jest.js';

const describeValidated = validationMissing === undefined ? describe : (describe.skip ?? describe);
const skipped = validationMissing === undefined ? '' : ` (skipped: ${validationMissing})`;
const GUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const STEP = 320 * 1024;
const KEY = { alice: 'wonderland', bob: 'builder' };

interface Answer {
  status: number;
  headers: Headers;
  body: any;
  text: string;
}

interface Options {
  as?: string | undefined;
  json?: unknown;
  body?: string | Buffer | URLSearchParams;
  headers?: { [name: string]: string };
}

let drive: CloudDrive;
let alice: string;
let bob: string;
let app: string;

beforeAll(async () => {
  drive = await startCloudDrive();
  drive.user('alice', {
    displayName: 'Alice Liddell',
    email: 'alice@contoso.example',
    password: KEY.alice,
  });
  drive.user('bob', {
    displayName: 'Bob Builder',
    email: 'bob@contoso.example',
    password: KEY.bob,
  });
  alice = drive.grant('alice').accessToken;
  bob = drive.grant('bob').accessToken;
  app = drive.accessToken('app', 10 * 3600);
});
beforeEach(() => {
  // Some tests move the clock.
  alice = drive.grant('alice').accessToken;
  bob = drive.grant('bob').accessToken;
});
afterEach(() => {
  drive.repair();
  Object.assign(drive, {
    appCanRead: true,
    emptyForMissingScope: false,
    onlyPermitted: false,
    refreshGraceSeconds: 0,
    quota: Infinity,
    checkRequests: true,
  });
});
afterAll(async () => {
  const { violations } = drive;
  await drive.close();
  expect(violations).toEqual([]);
});

async function call(
  method: string,
  url: string,
  { as, json, body, headers }: Options = {},
): Promise<Answer> {
  const response = await fetch(url, {
    method,
    redirect: 'manual',
    headers: {
      ...(as !== undefined && { authorization: `Bearer ${as}` }),
      ...(json !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(json !== undefined
      ? { body: JSON.stringify(json) }
      : body !== undefined && { body: body as never }),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: /json/.test(response.headers.get('content-type') ?? '') ? JSON.parse(text) : undefined,
  };
}

const api = (method: string, path: string, options?: Options) =>
  call(method, `${drive.apiUrl}${path}`, options);
const inDrive = (method: string, path: string, options?: Options) =>
  api(method, `/drives/${drive.driveId}${path}`, options);
const item = (id: string, as = alice, query = '') => inDrive('GET', `/items/${id}${query}`, { as });
const token = (
  fields: { [name: string]: string },
  {
    tenant = drive.tenantId,
    headers,
  }: { tenant?: string; headers?: { [name: string]: string } } = {},
) =>
  call('POST', `${drive.loginUrl}/${tenant}/oauth2/v2.0/token`, {
    body: new URLSearchParams(fields),
    ...(headers && { headers }),
  });
const credentials = () => ({ client_id: drive.client.id, client_secret: drive.client.secret });
const scope = 'https://graph.microsoft.com/.default offline_access';
const errorOf = ({ status, body }: Answer) => ({
  status,
  code: body.error.code,
  message: body.error.message,
  inner: 'innerError' in body.error,
});
const unreadable = {
  status: 404,
  code: 'itemNotFound',
  message: 'The resource could not be found.',
  inner: false,
};
const nonsense = { status: 404, code: 'itemNotFound', message: 'Item not found', inner: false };

/** Names that no other test uses. */
let names = 0;
const fresh = (name = 'item') => `${name}-${(names += 1)}`;

/** Sends requests that the published description does not allow, to test the response. */
async function unchecked<Result>(work: () => Promise<Result>): Promise<Result> {
  drive.checkRequests = false;
  const result = await work();
  drive.checkRequests = true;
  return result;
}

describe('visibility of items', () => {
  test('a user cannot see the items of others, but the application can', async () => {
    const id = drive.file(`${fresh()}.txt`, { visibleTo: ['bob'] });
    expect((await item(id, bob)).status).toBe(200);
    expect((await item(id, app)).status).toBe(200);
    expect(errorOf(await item(id, alice))).toEqual(unreadable);
  });

  test('a hidden item, a missing item and an item below a hidden folder give the same error', async () => {
    const folder = fresh('folder');
    const inside = drive.file(`${folder}/a.txt`);
    const removed = drive.file(`${fresh()}.txt`);
    expect((await item(inside)).status).toBe(200);
    drive.hide(drive.folder(folder), 'alice');
    drive.remove(removed);
    expect(
      [
        await item(inside),
        await item(removed),
        await inDrive('GET', `/root:/${folder}`, { as: alice }),
      ].map(errorOf),
    ).toEqual([unreadable, unreadable, unreadable]);
    expect((await item(inside, bob)).status).toBe(200);
  });

  test('a list leaves out hidden items', async () => {
    const folder = fresh('folder');
    drive.file(`${folder}/open.txt`);
    drive.file(`${folder}/secret.txt`, { visibleTo: ['bob'] });
    const namesFor = async (as: string) =>
      (await inDrive('GET', `/root:/${folder}:/children`, { as })).body.value.map(
        ({ name }: { name: string }) => name,
      );
    expect({
      alice: await namesFor(alice),
      bob: await namesFor(bob),
      app: await namesFor(app),
    }).toEqual({
      alice: ['open.txt'],
      bob: ['open.txt', 'secret.txt'],
      app: ['open.txt', 'secret.txt'],
    });
  });

  test('an application without permissions finds nothing', async () => {
    const id = drive.file(`${fresh()}.txt`);
    drive.appCanRead = false;
    expect(errorOf(await item(id, app))).toEqual(unreadable);
    expect(errorOf(await inDrive('GET', '', { as: app }))).toEqual(unreadable);
    expect((await item(id, alice)).status).toBe(200);
  });

  test('a user with read access cannot change anything', async () => {
    const id = drive.folder(fresh('folder'));
    drive.protect(id, 'alice');
    const refused = await inDrive('POST', `/items/${id}/children`, {
      as: alice,
      json: { name: 'new', folder: {} },
    });
    expect(errorOf(refused)).toEqual({
      status: 403,
      code: 'accessDenied',
      message: 'Access denied',
      inner: true,
    });
    expect(
      (await inDrive('PATCH', `/items/${id}`, { as: alice, json: { name: 'x' } })).status,
    ).toBe(403);
    expect((await inDrive('DELETE', `/items/${id}`, { as: alice })).status).toBe(403);
    expect((await item(id)).status).toBe(200);
  });

  test('permissions name the users, with an empty inheritedFrom if they are inherited', async () => {
    const folder = fresh('folder');
    const id = drive.folder(folder, { visibleTo: ['bob'] });
    const inside = drive.file(`${folder}/a.txt`);
    const own = (await inDrive('GET', `/items/${id}/permissions`, { as: bob })).body.value;
    expect(own).toEqual([
      {
        id: expect.any(String),
        roles: ['write'],
        grantedToV2: {
          user: { id: 'bob', displayName: 'Bob Builder', email: 'bob@contoso.example' },
        },
      },
    ]);
    expect((await inDrive('GET', `/items/${inside}/permissions`, { as: bob })).body.value).toEqual([
      { ...own[0], inheritedFrom: {} },
    ]);
  });
});

describe('permissions', () => {
  const permissionsOf = async (id: string, as = app) =>
    (await inDrive('GET', `/items/${id}/permissions`, { as })).body.value;
  const invite = (id: string, roles: string[], people: string[], as = app) =>
    inDrive('POST', `/items/${id}/invite`, {
      as,
      json: {
        requireSignIn: true,
        sendInvitation: false,
        roles,
        recipients: people.map((objectId) => ({ objectId })),
      },
    });
  const kept = (id: string) => drive.folders().find((one) => one.id === id)?.permissions;
  const aliceShown = {
    user: { id: 'alice', displayName: 'Alice Liddell', email: 'alice@contoso.example' },
  };

  beforeEach(() => {
    drive.onlyPermitted = true;
  });

  test('the application makes, renames and removes folders', async () => {
    const name = fresh('Folder');
    const made = await inDrive('POST', '/root/children', {
      as: app,
      json: { name, folder: {}, '@microsoft.graph.conflictBehavior': 'fail' },
    });
    expect([made.status, made.body.createdBy.application]).toEqual([
      201,
      { id: drive.client.id, displayName: expect.any(String) },
    ]);
    const { id } = made.body;
    const other = drive.addFolder(fresh('Other'));
    expect((await item(other, app)).body.createdBy.user.id).toBe('alice');
    const rename = (to: string) =>
      inDrive('PATCH', `/items/${other}`, { as: app, json: { name: to } });
    expect(errorOf(await rename(name.toUpperCase()))).toMatchObject({
      status: 409,
      code: 'nameAlreadyExists',
    });
    const renamed = await rename(`${name} 2`);
    expect([renamed.status, renamed.body.id, renamed.body.name]).toEqual([200, other, `${name} 2`]);
    drive.renameItem(other, `${name} 3`);
    expect((await item(other, app)).body.name).toBe(`${name} 3`);
    expect((await inDrive('DELETE', `/items/${id}`, { as: app })).status).toBe(204);
    drive.removeItem(other);
    expect([kept(id), kept(other)]).toEqual([undefined, undefined]);
  });

  test('people are invited with a role, and with a second one besides', async () => {
    const id = drive.addFolder(fresh('folder'));
    const invited = await invite(id, ['read'], ['alice', 'bob']);
    expect([invited.status, invited.body.value]).toEqual([
      200,
      [
        { id: expect.any(String), roles: ['read'], grantedToV2: aliceShown },
        expect.objectContaining({ roles: ['read'] }),
      ],
    ]);
    expect(await permissionsOf(id)).toEqual(invited.body.value);
    await invite(id, ['read'], ['alice']);
    await invite(id, ['write'], ['alice']);
    expect(
      kept(id)?.map(({ user, roles, inherited, link }) => ({ user, roles, inherited, link })),
    ).toEqual([
      { user: 'alice', roles: ['read'], inherited: false, link: false },
      { user: 'bob', roles: ['read'], inherited: false, link: false },
      { user: 'alice', roles: ['write'], inherited: false, link: false },
    ]);
  });

  test('nobody is invited if one of them is unknown', async () => {
    const id = drive.addFolder(fresh('folder'));
    const refused = await invite(id, ['read'], ['alice', 'ghost']);
    expect([refused.status, refused.body.error.code, refused.body.error.innerError.code]).toEqual([
      400,
      'invalidRequest',
      'noResolvedUsers',
    ]);
    expect((await invite(id, ['sing'], ['alice'])).status).toBe(400);
    expect(kept(id)).toEqual([]);
  });

  test('a direct permission can be removed, an inherited one cannot', async () => {
    const folder = fresh('folder');
    const id = drive.addFolder(folder);
    const direct = drive.addPermission(id, { user: 'alice', roles: ['write'] });
    const inherited = drive.addPermission(id, { user: 'bob', roles: ['owner'], inherited: true });
    const link = drive.addPermission(id, { roles: ['write'], link: true });
    const [own, above, shared] = await permissionsOf(id);
    expect([own, above, shared]).toEqual([
      { id: direct, roles: ['write'], grantedToV2: aliceShown },
      expect.objectContaining({ id: inherited, roles: ['owner'], inheritedFrom: {} }),
      {
        id: link,
        roles: ['write'],
        link: { scope: 'organization', type: 'edit', webUrl: expect.any(String) },
        grantedToIdentitiesV2: [],
      },
    ]);
    const inside = drive.folder(`${folder}/inside`);
    expect((await permissionsOf(inside))[0]).toEqual({ ...own, inheritedFrom: {} });
    const withdraw = async (at: string, permission: string, as = app) =>
      (await inDrive('DELETE', `/items/${at}/permissions/${permission}`, { as })).status;
    expect(await withdraw(inside, direct)).toBe(400);
    expect(await withdraw(id, inherited)).toBe(400);
    expect(await withdraw(id, direct)).toBe(204);
    expect(await withdraw(id, direct)).toBe(404);
    expect(kept(id)?.map((one) => one.id)).toEqual([inherited, link]);
  });

  test('users see and change what they have a permission for', async () => {
    const folder = fresh('folder');
    const id = drive.addFolder(folder);
    const inside = drive.file(`${folder}/a.txt`);
    const hidden = drive.addFolder(fresh('hidden'));
    // A link alone shows nothing.
    drive.addPermission(hidden, { user: 'alice', roles: ['read'], link: true });
    const rename = async (as: string) =>
      (await inDrive('PATCH', `/items/${inside}`, { as, json: { name: fresh('name') } })).status;
    const listed = async (as: string): Promise<string[]> =>
      (await inDrive('GET', '/root/children?$top=999', { as })).body.value
        .map((one: { id: string }) => one.id)
        .filter((one: string) => one === id || one === hidden);
    expect(errorOf(await item(inside))).toEqual(unreadable);
    expect([await rename(alice), await listed(alice)]).toEqual([404, []]);
    await invite(id, ['read'], ['alice']);
    expect([(await item(inside)).status, await rename(alice), await listed(alice)]).toEqual([
      200,
      403,
      [id],
    ]);
    await invite(id, ['write'], ['alice']);
    expect([await rename(alice), await rename(bob), await listed(bob)]).toEqual([200, 404, []]);
    expect((await item(hidden)).status).toBe(404);
    expect((await listed(app)).sort()).toEqual([id, hidden].sort());
  });

  test('only owners see the permissions of others', async () => {
    const id = drive.addFolder(fresh('folder'));
    drive.addPermission(id, { user: 'alice', roles: ['read'] });
    drive.addPermission(id, { user: 'bob', roles: ['owner'] });
    expect([
      (await permissionsOf(id, alice)).length,
      (await permissionsOf(id, bob)).length,
    ]).toEqual([1, 2]);
    expect((await invite(id, ['write'], ['alice'], alice)).status).toBe(403);
  });

  test('without the switch everybody has a permission, and a direct one can be removed', async () => {
    drive.onlyPermitted = false;
    const id = drive.folder(fresh('folder'), { visibleTo: ['bob'] });
    const [own] = await permissionsOf(id);
    expect(
      (await inDrive('DELETE', `/items/${id}/permissions/${own.id}`, { as: app })).status,
    ).toBe(204);
    expect([await permissionsOf(id), (await item(id, bob)).status]).toEqual([[], 404]);
  });
});

describe('errors and headers', () => {
  const unknownDrive = `b!${'x'.repeat(64)}`;
  const unknownItem = `01${'A'.repeat(32)}`;

  test.each<[name: string, ask: () => Promise<Answer>, error: object]>([
    ['a missing item', () => item(unknownItem), unreadable],
    ['a missing path', () => inDrive('GET', '/root:/no/where.txt', { as: alice }), unreadable],
    ['a nonsense id', () => item('nonsense'), nonsense],
    ['an unknown drive', () => api('GET', `/drives/${unknownDrive}`, { as: alice }), nonsense],
    [
      'a malformed drive id',
      () => api('GET', '/drives/nonsense/root', { as: alice }),
      {
        status: 400,
        code: 'invalidRequest',
        message:
          'The provided drive id appears to be malformed, or does not represent a valid drive.',
        inner: false,
      },
    ],
    [
      'a folder below nothing',
      () =>
        inDrive('POST', `/items/${unknownItem}/children`, {
          as: alice,
          json: { name: 'a', folder: {} },
        }),
      { status: 404, code: 'itemNotFound', message: 'Item not found', inner: true },
    ],
    [
      'an upload below nothing',
      () => inDrive('POST', `/items/${unknownItem}:/a.txt:/createUploadSession`, { as: alice }),
      { status: 400, code: 'invalidRequest', message: 'Invalid request', inner: true },
    ],
    [
      'me without a user',
      () => api('GET', '/me', { as: app }),
      {
        status: 400,
        code: 'BadRequest',
        message: '/me request is only valid with delegated authentication flow.',
        inner: true,
      },
    ],
  ])('%s is refused as recorded', async (_name, ask, error) => {
    expect(errorOf(await ask())).toEqual(error);
  });

  test.each<[name: string, as: () => string | undefined, message: RegExp]>([
    ['no token', () => undefined, /^Access token is empty\.$/],
    ['a malformed token', () => 'nonsense', /^IDX14100: JWT is not well formed/],
    ['a foreign token', () => 'a.b.c', /Invalid signature/],
    [
      'an expired token',
      () => (drive.expireAccess('alice'), alice),
      /^Lifetime validation failed, the token is expired\.$/,
    ],
  ])('%s gets 401 and a challenge', async (_name, as, message) => {
    const refused = await api('GET', '/me', { as: as() });
    expect(errorOf(refused)).toEqual({
      status: 401,
      code: 'InvalidAuthenticationToken',
      message: expect.stringMatching(message),
      inner: true,
    });
    expect(refused.headers.get('www-authenticate')).toMatch(
      /^Bearer realm="", authorization_uri="https:\/\/.*", client_id="00000003-0000-0000-c000-000000000000"$/,
    );
  });

  test('a token lives for an hour', async () => {
    drive.advance(3590);
    expect((await api('GET', '/me', { as: alice })).status).toBe(200);
    drive.advance(20);
    expect((await api('GET', '/me', { as: alice })).status).toBe(401);
  });

  test('responses have an id, errors too, and repeat the id of the client', async () => {
    const found = await item('root', alice);
    expect(found.headers.get('request-id')).toMatch(GUID);
    expect(found.headers.get('client-request-id')).toBe(found.headers.get('request-id'));
    expect(JSON.parse(found.headers.get('x-ms-ags-diagnostic')!)).toHaveProperty('ServerInfo');
    expect(found.headers.get('cache-control')).toBe('no-store');
    const refused = await api('GET', '/me', {
      as: 'nonsense',
      headers: { 'client-request-id': 'mine' },
    });
    const { innerError } = refused.body.error;
    expect(refused.headers.get('client-request-id')).toBe('mine');
    expect(innerError).toEqual({
      date: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/),
      'request-id': refused.headers.get('request-id'),
      'client-request-id': 'mine',
    });
  });

  test('the content type of JSON has several spellings', async () => {
    const types = new Set<string | null>();
    for (let count = 0; count < 8; count += 1)
      types.add((await api('GET', '/me', { as: alice })).headers.get('content-type'));
    expect(types.size).toBe(4);
    for (const type of types) expect(type).toMatch(/^application\/json\b/);
  });

  test('users are shown with their own properties', async () => {
    const { body } = await api('GET', '/me', { as: alice });
    expect(body).toMatchObject({
      id: 'alice',
      displayName: 'Alice Liddell',
      mail: 'alice@contoso.example',
      givenName: 'Alice',
      surname: 'Liddell',
    });
    expect((await api('GET', '/users/bob', { as: app })).body).toMatchObject({ id: 'bob' });
    expect((await api('GET', '/users/nobody', { as: app })).status).toBe(404);
  });
});

describe('lists', () => {
  const folder = 'many';
  let id: string;
  beforeAll(() => {
    id = drive.folder(folder);
    for (let count = 0; count < 1003; count += 1)
      drive.file(`${folder}/${String(count).padStart(4, '0')}.txt`);
  });

  test.each<[query: string, size: number]>([
    ['', 200],
    ['?$top=2', 2],
    ['?$top=999', 999],
    ['?$top=1000', 1000],
    ['?$top=5000', 1000],
  ])('%s gives pages of %i', async (query, size) => {
    const { body } = await inDrive('GET', `/items/${id}/children${query}`, { as: alice });
    expect(body.value).toHaveLength(size);
    expect(body['@odata.nextLink']).toMatch(new RegExp(`^${drive.apiUrl}/`));
  });

  test.each([
    ['by id', () => `/items/${id}/children`],
    ['by path', () => `/root:/${folder}:/children`],
  ])('the links %s lead through all items once', async (_name, path) => {
    const seen: string[] = [];
    let url: string | undefined =
      `${drive.apiUrl}/drives/${drive.driveId}${path()}?$top=400&$select=name`;
    const sizes: number[] = [];
    while (url !== undefined) {
      const { body }: Answer = await call('GET', url, { as: alice });
      sizes.push(body.value.length);
      seen.push(...body.value.map(({ name }: { name: string }) => name));
      expect(Object.keys(body.value[0]).sort()).toEqual(['@odata.etag', 'name']);
      url = body['@odata.nextLink'];
    }
    expect(sizes).toEqual([400, 400, 203]);
    expect(new Set(seen).size).toBe(1003);
  });

  test('a link works only with the token of its user, and only unchanged', async () => {
    const link: string = (await inDrive('GET', `/items/${id}/children?$top=1`, { as: alice })).body[
      '@odata.nextLink'
    ];
    expect((await call('GET', link, { as: bob })).status).toBe(400);
    expect((await call('GET', `${link}x`, { as: alice })).status).toBe(400);
    expect((await inDrive('GET', `/items/${id}/children?$skip=2`, { as: alice })).status).toBe(400);
  });

  test('a list of one page has no link', async () => {
    const { body } = await inDrive('GET', `/items/${drive.folder(fresh('folder'))}/children`, {
      as: alice,
    });
    expect(body).toEqual({ '@odata.context': expect.any(String), value: [] });
  });

  test('with a missing scope, lists can be empty instead of an error', async () => {
    drive.emptyForMissingScope = true;
    const { status, body } = await inDrive('GET', `/items/${id}/children`, { as: alice });
    expect({ status, value: body.value }).toEqual({ status: 200, value: [] });
  });
});

describe('items', () => {
  test('a file has the recorded members', async () => {
    const folder = fresh('Folder with spaces');
    const id = drive.file(`${folder}/Ä b.txt`, {
      content: 'hello',
      by: 'alice',
      createdAt: '2020-01-02T03:04:05Z',
      modifiedAt: '2020-02-03T04:05:06Z',
    });
    const { body } = await item(id);
    expect(body).toMatchObject({
      id,
      name: 'Ä b.txt',
      size: 5,
      file: { mimeType: 'text/plain', hashes: { quickXorHash: expect.any(String) } },
      createdBy: {
        user: { displayName: 'Alice Liddell', email: 'alice@contoso.example', id: 'alice' },
      },
      fileSystemInfo: {
        createdDateTime: '2020-01-02T03:04:05Z',
        lastModifiedDateTime: '2020-02-03T04:05:06Z',
      },
      parentReference: {
        driveType: 'documentLibrary',
        driveId: drive.driveId,
        id: drive.folder(folder),
        name: folder,
        path: `/drives/${drive.driveId}/root:/${folder}`,
        siteId: expect.any(String),
      },
    });
    expect(id).toMatch(/^01[A-Z2-7]{32}$/);
    expect(body.createdDateTime).not.toBe(body.fileSystemInfo.createdDateTime);
    expect(Object.keys(body)).not.toContain('folder');
  });

  test('an item of the application has no user id', async () => {
    expect((await item(drive.file(`${fresh()}.txt`))).body.createdBy).toEqual({
      application: expect.any(Object),
      user: { displayName: 'SharePoint App' },
    });
  });

  test('the root has no path above it', async () => {
    const { body } = await inDrive('GET', '/root', { as: alice });
    expect(body).toMatchObject({
      name: 'root',
      root: {},
      folder: { childCount: expect.any(Number) },
    });
    expect(body.parentReference).toEqual({ driveType: 'documentLibrary', driveId: drive.driveId });
    expect((await item('root')).body.id).toBe(body.id);
  });

  test('the size of a folder is the size of everything below it', async () => {
    const folder = fresh('folder');
    drive.file(`${folder}/a.txt`, { content: '12345' });
    drive.file(`${folder}/b/c/d.txt`, { content: '1234567' });
    const { body } = await item(drive.folder(folder));
    expect({ size: body.size, children: body.folder.childCount }).toEqual({
      size: 12,
      children: 2,
    });
    expect((await item(drive.folder(fresh('empty')))).body).toMatchObject({
      size: 0,
      folder: { childCount: 0 },
    });
  });

  test('a notebook is a package, neither file nor folder', async () => {
    const id = drive.notebook(fresh('Notes'));
    const { body } = await item(id);
    expect(body.package).toEqual({ type: 'oneNote' });
    expect(body).not.toHaveProperty('file');
    expect(body).not.toHaveProperty('folder');
    expect((await inDrive('GET', `/items/${id}/content`, { as: alice })).status).toBe(400);
  });

  test('a shortcut points to an item of another drive', async () => {
    const id = drive.shortcut(fresh('Shared'));
    const { remoteItem } = (await item(id)).body;
    expect(remoteItem).toMatchObject({
      id: expect.stringMatching(/^01/),
      folder: {},
      parentReference: { driveId: expect.stringMatching(/^b!/) },
    });
    expect(remoteItem.parentReference.driveId).not.toBe(drive.driveId);
  });

  test('$select returns only the named properties', async () => {
    const id = drive.file(`${fresh()}.txt`);
    const { body } = await item(id, alice, '?$select=id,name,@microsoft.graph.downloadUrl');
    expect(Object.keys(body).sort()).toEqual([
      '@microsoft.graph.downloadUrl',
      '@odata.context',
      '@odata.etag',
      'id',
      'name',
    ]);
    expect(
      Object.keys((await inDrive('GET', '?$select=webUrl', { as: alice })).body).sort(),
    ).toEqual(['@odata.context', 'webUrl']);
  });

  test('names keep their case and are found in any case', async () => {
    const folder = fresh('MiXed');
    const id = drive.file(`${folder}/ReadMe.TXT`);
    for (const path of [
      `${folder}/ReadMe.TXT`,
      `${folder.toLowerCase()}/readme.txt`,
      `${folder.toUpperCase()}/README.TXT`,
    ]) {
      const { body } = await inDrive('GET', `/root:/${path}`, { as: alice });
      expect({ path, id: body.id, name: body.name }).toEqual({ path, id, name: 'ReadMe.TXT' });
    }
    const below = await inDrive('GET', `/items/${drive.folder(folder)}:/readme.txt`, { as: alice });
    expect(below.body.id).toBe(id);
    expect(
      (
        await inDrive('POST', `/root/children`, {
          as: alice,
          json: { name: folder.toLowerCase(), folder: {} },
        })
      ).status,
    ).toBe(409);
  });

  test.each([
    'a"b',
    'a*b',
    'a:b',
    'a<b',
    'a>b',
    'a?b',
    'a/b',
    'a\\b',
    'a|b',
    ' a',
    'a ',
    'a.',
    '~a',
    '~$a',
    '.lock',
    'CON',
    'prn',
    'AUX',
    'nul',
    'COM0',
    'lpt9',
    'Desktop.ini',
    'x_vti_y',
    'forms',
    '',
  ])('the folder name %j is refused', async (name) => {
    const refused = await inDrive('POST', '/root/children', {
      as: alice,
      json: { name, folder: {} },
    });
    expect(errorOf(refused)).toMatchObject({ status: 400, code: 'invalidRequest' });
  });

  test.each(['a#b%c', 'com10', 'lock', 'ünï', 'a.b', 'a~'])(
    'the folder name %j is accepted',
    async (name) => {
      const { status, body } = await inDrive(
        'POST',
        `/items/${drive.folder(fresh('folder'))}/children`,
        { as: alice, json: { name, folder: {} } },
      );
      expect({ status, name: body.name }).toEqual({ status: 201, name });
      expect(
        (
          await inDrive('GET', `/items/${body.parentReference.id}:/${encodeURIComponent(name)}`, {
            as: alice,
          })
        ).body.id,
      ).toBe(body.id);
    },
  );

  test('the name "forms" is reserved in the library only, and a path has at most 400 characters', async () => {
    const id = drive.folder(fresh('folder'));
    expect(
      (
        await inDrive('POST', `/items/${id}/children`, {
          as: alice,
          json: { name: 'forms', folder: {} },
        })
      ).status,
    ).toBe(201);
    expect(
      (
        await inDrive('POST', '/root/children', {
          as: alice,
          json: { name: 'x'.repeat(400), folder: {} },
        })
      ).status,
    ).toBe(400);
  });
});

describe('changes', () => {
  test('a new folder gets 201, without the name of its parent', async () => {
    const parent = drive.folder(fresh('folder'));
    const { status, headers, body } = await inDrive('POST', `/items/${parent}/children`, {
      as: alice,
      json: { name: 'new', folder: {}, '@microsoft.graph.conflictBehavior': 'fail' },
    });
    expect({ status, etag: headers.get('etag'), location: headers.get('location') }).toEqual({
      status: 201,
      etag: body.eTag,
      location: `https://contoso.sharepoint.com/_api/v2.0/drives('${drive.driveId}')/items('${parent}')/children('${body.id}')`,
    });
    expect(body.parentReference).toEqual({
      driveType: 'documentLibrary',
      driveId: drive.driveId,
      id: parent,
      path: expect.any(String),
      sharepointIds: expect.any(Object),
    });
    expect((await item(body.id)).body.parentReference).toHaveProperty('name');
  });

  test.each<[behavior: string | undefined, status: number, name: string | undefined]>([
    [undefined, 409, undefined],
    ['fail', 409, undefined],
    ['rename', 201, 'taken 1'],
    ['replace', 201, 'taken'],
  ])('a taken name with conflict behaviour %s gets %i', async (behavior, status, name) => {
    const parent = fresh('folder');
    drive.folder(`${parent}/taken`);
    const answer = await inDrive('POST', `/items/${drive.folder(parent)}/children`, {
      as: alice,
      json: {
        name: 'taken',
        folder: {},
        ...(behavior !== undefined && { '@microsoft.graph.conflictBehavior': behavior }),
      },
    });
    expect({ status: answer.status, name: answer.body.name }).toEqual({ status, name });
    if (status === 409)
      expect(errorOf(answer)).toEqual({
        status: 409,
        code: 'nameAlreadyExists',
        message: 'Name already exists',
        inner: true,
      });
  });

  test('rename and move keep the id', async () => {
    const [from, to] = [fresh('from'), fresh('to')];
    const id = drive.file(`${from}/a.txt`, { content: 'text' });
    const { status, body } = await inDrive('PATCH', `/items/${id}`, {
      as: alice,
      json: { name: 'b.txt', parentReference: { id: drive.folder(to) } },
    });
    expect({ status, id: body.id, name: body.name, path: body.parentReference.path }).toEqual({
      status: 200,
      id,
      name: 'b.txt',
      path: `/drives/${drive.driveId}/root:/${to}`,
    });
    expect((await inDrive('GET', `/root:/${from}/a.txt`, { as: alice })).status).toBe(404);
    expect(body.lastModifiedBy.user.id).toBe('alice');
  });

  test('a move into itself or to a taken name is refused', async () => {
    const folder = fresh('folder');
    const inner = drive.folder(`${folder}/inner`);
    drive.folder(`${folder}/other`);
    expect(
      (
        await inDrive('PATCH', `/items/${drive.folder(folder)}`, {
          as: alice,
          json: { parentReference: { id: inner } },
        })
      ).status,
    ).toBe(400);
    expect(
      (await inDrive('PATCH', `/items/${inner}`, { as: alice, json: { name: 'OTHER' } })).status,
    ).toBe(409);
    expect(
      (await inDrive('PATCH', `/items/${inner}`, { as: alice, json: { name: 'INNER' } })).body.name,
    ).toBe('INNER');
  });

  test('a removed folder is gone with everything below it', async () => {
    const folder = fresh('folder');
    const inside = drive.file(`${folder}/a/b.txt`);
    const { status, text } = await inDrive('DELETE', `/items/${drive.folder(folder)}`, {
      as: alice,
    });
    expect({ status, text }).toEqual({ status: 204, text: '' });
    expect((await item(inside)).status).toBe(404);
  });

  test('an ETag makes a read or a change conditional', async () => {
    const id = drive.file(`${fresh()}.txt`);
    const { eTag } = (await item(id)).body;
    const again = await inDrive('GET', `/items/${id}`, {
      as: alice,
      headers: { 'if-none-match': eTag },
    });
    expect({ status: again.status, text: again.text }).toEqual({ status: 304, text: '' });
    drive.file((await item(id)).body.name, { content: 'changed' });
    expect(
      (await inDrive('GET', `/items/${id}`, { as: alice, headers: { 'if-none-match': eTag } }))
        .status,
    ).toBe(200);
    expect(
      (await inDrive('DELETE', `/items/${id}`, { as: alice, headers: { 'if-match': eTag } }))
        .status,
    ).toBe(412);
  });
});

describe('downloads', () => {
  const target = async (id: string) =>
    (await inDrive('GET', `/items/${id}/content`, { as: alice })).headers.get('location')!;

  test('content redirects without a body to an address that needs no token', async () => {
    const id = drive.file(`${fresh()}.txt`, { content: 'hello world' });
    const redirect = await inDrive('GET', `/items/${id}/content`, { as: alice });
    expect({ status: redirect.status, text: redirect.text }).toEqual({ status: 302, text: '' });
    const { status, text, headers } = await call('GET', redirect.headers.get('location')!);
    expect({ status, text, type: headers.get('content-type') }).toEqual({
      status: 200,
      text: 'hello world',
      type: 'text/plain',
    });
    expect((await call('GET', (await item(id)).body['@microsoft.graph.downloadUrl'])).text).toBe(
      'hello world',
    );
    expect(
      (await call('HEAD', redirect.headers.get('location')!)).headers.get('content-length'),
    ).toBe('11');
  });

  test.each<[range: string, status: number, text: string, contentRange: string]>([
    ['bytes=0-4', 206, 'hello', 'bytes 0-4/11'],
    ['bytes=6-', 206, 'world', 'bytes 6-10/11'],
    ['bytes=-3', 206, 'rld', 'bytes 8-10/11'],
    ['bytes=6-99', 206, 'world', 'bytes 6-10/11'],
    ['bytes=11-', 416, '', 'bytes */11'],
  ])('the target supports the range %s', async (range, status, text, contentRange) => {
    const url = await target(drive.file(`${fresh()}.txt`, { content: 'hello world' }));
    const part = await call('GET', url, { headers: { range } });
    expect({
      status: part.status,
      text: part.text,
      range: part.headers.get('content-range'),
    }).toEqual({ status, text, range: contentRange });
  });

  test('the target expires after an hour and cannot be forged', async () => {
    const id = drive.file(`${fresh()}.txt`, { content: 'secret' });
    const url = await target(id);
    const forged = new URL(url);
    forged.searchParams.set('tempauth', 'a.b.c');
    expect((await call('GET', forged.href)).status).toBe(401);
    const other = new URL(url);
    other.searchParams.set(
      'UniqueId',
      new URL(await target(drive.file(`${fresh()}.txt`))).searchParams.get('UniqueId')!,
    );
    expect((await call('GET', other.href)).status).toBe(404);
    drive.advance(3500);
    expect((await call('GET', url)).status).toBe(200);
    drive.advance(101);
    expect((await call('GET', url)).status).toBe(401);
  });

  test('a folder has no content', async () => {
    expect(
      errorOf(
        await inDrive('GET', `/items/${drive.folder(fresh('folder'))}/content`, { as: alice }),
      ),
    ).toMatchObject({ status: 400, code: 'invalidRequest' });
  });
});

describe('uploads', () => {
  type Behavior = 'fail' | 'replace' | 'rename';
  const open = (folder: string, name: string, conflict?: Behavior, more: object = {}) =>
    inDrive(
      'POST',
      `/items/${drive.folder(folder)}:/${encodeURIComponent(name)}:/createUploadSession`,
      {
        as: alice,
        json: {
          item: { ...(conflict && { '@microsoft.graph.conflictBehavior': conflict }) },
          ...more,
        },
      },
    );
  const put = (
    url: string,
    first: number,
    content: Buffer,
    total: number,
    headers: { [name: string]: string } = {},
  ) =>
    call('PUT', url, {
      body: content,
      headers: {
        'content-range': `bytes ${first}-${first + content.length - 1}/${total}`,
        'content-type': 'application/octet-stream',
        ...headers,
      },
    });
  const session = async (
    folder = fresh('folder'),
    name = 'new.bin',
    conflict?: Behavior,
    more?: object,
  ): Promise<string> => (await open(folder, name, conflict, more)).body.uploadUrl;

  test('a session has a long address and an expiry', async () => {
    const { status, headers, body } = await open(fresh('folder'), 'a.bin');
    expect({ status, location: headers.get('location'), ranges: body.nextExpectedRanges }).toEqual({
      status: 200,
      location: 'https://graph.microsoft.com',
      ranges: ['0-'],
    });
    expect(body.uploadUrl.length).toBeGreaterThan(2000);
    expect(Date.parse(body.expirationDateTime) - drive.now()).toBeLessThanOrEqual(15 * 60_000);
  });

  test('consecutive ranges become a file', async () => {
    const folder = fresh('folder');
    const content = Buffer.alloc(2 * STEP + 7, 'abc');
    const url = await session(folder, 'whole.bin');
    for (const first of [0, STEP]) {
      const { status, body } = await put(
        url,
        first,
        content.subarray(first, first + STEP),
        content.length,
      );
      expect({ status, ranges: body.nextExpectedRanges }).toEqual({
        status: 202,
        ranges: [`${first + STEP}-`],
      });
    }
    expect((await call('GET', url)).body.nextExpectedRanges).toEqual([`${2 * STEP}-`]);
    const { status, body } = await put(url, 2 * STEP, content.subarray(2 * STEP), content.length);
    expect({ status, name: body.name, size: body.size, by: body.createdBy.user.id }).toEqual({
      status: 201,
      name: 'whole.bin',
      size: content.length,
      by: 'alice',
    });
    expect(drive.contentOf(body.id).equals(content)).toBe(true);
    expect((await call('GET', url)).status).toBe(404);
  });

  test('the root accepts uploads by path', async () => {
    const name = `${fresh('at root')}.txt`;
    const { body } = await inDrive(
      'POST',
      `/root:/${encodeURIComponent(name)}:/createUploadSession`,
      { as: alice },
    );
    expect((await put(body.uploadUrl, 0, Buffer.from('x'), 1)).status).toBe(201);
    expect(
      (await inDrive('GET', `/root:/${encodeURIComponent(name)}`, { as: alice })).body.size,
    ).toBe(1);
  });

  test('an Authorization header is refused', async () => {
    const url = await session();
    expect(
      (await put(url, 0, Buffer.from('x'), 1, { authorization: `Bearer ${alice}` })).status,
    ).toBe(401);
    expect((await put(url, 0, Buffer.from('x'), 1)).status).toBe(201);
  });

  test.each<[name: string, first: number, length: number, total: number, status: number]>([
    ['a range that has arrived already', 0, STEP, 3 * STEP, 416],
    ['a gap', 2 * STEP, STEP, 3 * STEP, 416],
    ['not a multiple of 320 KiB', STEP, 1000, 3 * STEP, 400],
    ['another total', STEP, STEP, 4 * STEP, 400],
    ['more than the total', STEP, 3 * STEP, 3 * STEP, 400],
  ])('%s is refused, and the session continues', async (_name, first, length, total, status) => {
    const url = await session();
    expect((await put(url, 0, Buffer.alloc(STEP), 3 * STEP)).status).toBe(202);
    expect((await put(url, first, Buffer.alloc(length), total)).status).toBe(status);
    expect((await put(url, STEP, Buffer.alloc(2 * STEP), 3 * STEP)).status).toBe(201);
  });

  test('a range without its header, or with a wrong one, is refused', async () => {
    const url = await session();
    await unchecked(async () =>
      expect((await call('PUT', url, { body: Buffer.from('x') })).status).toBe(400),
    );
    expect(
      (
        await call('PUT', url, {
          body: Buffer.from('xy'),
          headers: { 'content-range': 'bytes 0-0/1' },
        })
      ).status,
    ).toBe(400);
  });

  test('a session expires after fifteen minutes, and each range renews it', async () => {
    const [idle, busy] = [await session(), await session()];
    drive.advance(10 * 60);
    expect((await put(busy, 0, Buffer.alloc(STEP), 2 * STEP)).status).toBe(202);
    drive.advance(6 * 60);
    expect((await put(idle, 0, Buffer.from('x'), 1)).status).toBe(404);
    expect((await put(busy, STEP, Buffer.alloc(STEP), 2 * STEP)).status).toBe(201);
  });

  test('a cancelled session is gone', async () => {
    const url = await session();
    const { status, text } = await call('DELETE', url);
    expect({ status, text }).toEqual({ status: 204, text: '' });
    expect((await put(url, 0, Buffer.from('x'), 1)).status).toBe(404);
  });

  test.each<[behavior: Behavior | undefined, status: number, name: string | undefined]>([
    [undefined, 409, undefined],
    ['fail', 409, undefined],
    ['rename', 201, 'taken 1.txt'],
    ['replace', 200, 'taken.txt'],
  ])(
    'at the last range a taken name with conflict behaviour %s gets %i',
    async (behavior, status, name) => {
      const folder = fresh('folder');
      const id = drive.file(`${folder}/taken.txt`, { content: 'old' });
      const answer = await put(
        await session(folder, 'TAKEN.txt'.toLowerCase(), behavior),
        0,
        Buffer.from('new'),
        3,
      );
      expect({ status: answer.status, name: answer.body.name }).toEqual({ status, name });
      if (status === 409) expect(answer.body.error.code).toBe('upload_name_conflict');
      expect(drive.contentOf(id).toString()).toBe(behavior === 'replace' ? 'new' : 'old');
      if (behavior === 'replace') expect(answer.body.id).toBe(id);
    },
  );

  test('after a conflict the last range can be sent again', async () => {
    const folder = fresh('folder');
    const id = drive.file(`${folder}/taken.txt`);
    const url = await session(folder, 'taken.txt', 'fail');
    expect((await put(url, 0, Buffer.from('new'), 3)).status).toBe(409);
    drive.remove(id);
    expect((await put(url, 0, Buffer.from('new'), 3)).status).toBe(201);
  });

  test('a range of 60 MiB is too large', async () => {
    const size = 60 * 1024 * 1024;
    const url = await session();
    await unchecked(async () =>
      expect((await put(url, 0, Buffer.alloc(size), size)).status).toBe(400),
    );
    expect((await call('GET', url)).body.nextExpectedRanges).toEqual(['0-']);
  });

  test('a reserved name is refused at the last range', async () => {
    expect((await put(await session(fresh('folder'), 'con'), 0, Buffer.from('x'), 1)).status).toBe(
      400,
    );
  });

  test('a deferred file appears when it is committed', async () => {
    const folder = fresh('folder');
    const url = await session(folder, 'later.txt', 'fail', { deferCommit: true });
    const last = await put(url, 0, Buffer.from('x'), 1);
    expect({ status: last.status, ranges: last.body.nextExpectedRanges }).toEqual({
      status: 202,
      ranges: [],
    });
    expect((await inDrive('GET', `/root:/${folder}/later.txt`, { as: alice })).status).toBe(404);
    expect((await call('POST', url)).status).toBe(201);
    expect((await inDrive('GET', `/root:/${folder}/later.txt`, { as: alice })).status).toBe(200);
  });

  test('a full drive refuses an upload at once if the size is known, else at the last range', async () => {
    const folder = fresh('folder');
    drive.quota = (await inDrive('GET', '', { as: alice })).body.quota.used + 10;
    const early = await inDrive(
      'POST',
      `/items/${drive.folder(folder)}:/a.bin:/createUploadSession`,
      { as: alice, json: { item: { fileSize: 11 } } },
    );
    expect(errorOf(early)).toMatchObject({ status: 507, code: 'quotaLimitReached' });
    expect((await put(await session(folder, 'b.bin'), 0, Buffer.alloc(11), 11)).status).toBe(507);
    expect((await put(await session(folder, 'c.bin'), 0, Buffer.alloc(10), 10)).status).toBe(201);
  });

  test('a small file can be uploaded in one request, and an existing file has its own sessions', async () => {
    const folder = fresh('folder');
    const url = `/items/${drive.folder(folder)}:/small.txt:/content`;
    const send = (content: string, path = url) =>
      inDrive('PUT', path, { as: alice, body: content, headers: { 'content-type': 'text/plain' } });
    const created = await send('one');
    const { id } = created.body;
    expect([
      created.status,
      (await send('two')).status,
      (await send('', `/items/${id}/content`)).status,
    ]).toEqual([201, 200, 200]);
    expect(drive.contentOf(id).toString()).toBe('');
    const { body } = await inDrive('POST', `/items/${id}/createUploadSession`, { as: alice });
    expect((await put(body.uploadUrl, 0, Buffer.from('three'), 5)).body.id).toBe(id);
  });

  test('a browser may send the headers of a range and no others', async () => {
    const { status, headers } = await call('OPTIONS', await session());
    expect({
      status,
      origin: headers.get('access-control-allow-origin'),
      allowed: headers.get('access-control-allow-headers'),
    }).toEqual({ status: 200, origin: '*', allowed: 'content-range, content-type' });
  });
});

describe('tokens', () => {
  const code = (extra: { [name: string]: string } = {}) => ({
    ...credentials(),
    grant_type: 'authorization_code',
    redirect_uri: drive.client.redirectUri,
    scope,
    ...extra,
  });
  const refresh = (refreshToken: string) => ({
    ...credentials(),
    grant_type: 'refresh_token',
    scope,
    refresh_token: refreshToken,
  });
  const application = (extra: { [name: string]: string } = {}) => ({
    ...credentials(),
    grant_type: 'client_credentials',
    scope,
    ...extra,
  });

  test('a code works once for tokens', async () => {
    const granted = drive.grantCode('alice');
    const { status, body, headers } = await token(code({ code: granted }));
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        token_type: 'Bearer',
        scope: expect.stringContaining('https://graph.microsoft.com/Files.ReadWrite.All'),
        expires_in: expect.any(Number),
        ext_expires_in: expect.any(Number),
        access_token: expect.any(String),
        refresh_token: expect.any(String),
      },
    });
    expect({
      cache: headers.get('cache-control'),
      pragma: headers.get('pragma'),
      id: headers.get('x-ms-request-id'),
    }).toEqual({
      cache: 'no-store, no-cache',
      pragma: 'no-cache',
      id: expect.stringMatching(GUID),
    });
    expect((await api('GET', '/me', { as: body.access_token })).body.id).toBe('alice');
    expect((await token(code({ code: granted }))).body).toMatchObject({
      error: 'invalid_grant',
      error_codes: [54005],
    });
  });

  test('an application gets no refresh token and no scope, and can send its credentials as HTTP Basic', async () => {
    const { body } = await token(application());
    expect(Object.keys(body).sort()).toEqual([
      'access_token',
      'expires_in',
      'ext_expires_in',
      'token_type',
    ]);
    expect(body.expires_in).toBe(3599);
    const basic = Buffer.from(`${drive.client.id}:${drive.client.secret}`).toString('base64');
    expect(
      (
        await token(
          { grant_type: 'client_credentials', scope },
          { headers: { authorization: `Basic ${basic}` } },
        )
      ).status,
    ).toBe(200);
    expect((await item('root', body.access_token)).status).toBe(200);
  });

  test('each refresh returns a new refresh token and ends the old one', async () => {
    const { refreshToken } = drive.grant('alice');
    const { body } = await token(refresh(refreshToken));
    expect(body.refresh_token).not.toBe(refreshToken);
    const again = await token(refresh(refreshToken));
    expect({ status: again.status, error: again.body.error }).toEqual({
      status: 400,
      error: 'invalid_grant',
    });
    expect((await token(refresh(body.refresh_token))).status).toBe(200);
  });

  test('within the grace period a used refresh token works', async () => {
    drive.refreshGraceSeconds = 60;
    const { refreshToken } = drive.grant('alice');
    expect((await token(refresh(refreshToken))).status).toBe(200);
    drive.advance(50);
    expect((await token(refresh(refreshToken))).status).toBe(200);
    drive.advance(11);
    expect((await token(refresh(refreshToken))).status).toBe(400);
  });

  test('only one of simultaneous refreshes with one token succeeds', async () => {
    const { refreshToken } = drive.grant('alice');
    const statuses = (await Promise.all([1, 2, 3].map(() => token(refresh(refreshToken)))))
      .map(({ status }) => status)
      .sort();
    expect(statuses).toEqual([200, 400, 400]);
  });

  test('a revoked grant ends at the next refresh', async () => {
    const { accessToken, refreshToken } = drive.grant('bob');
    drive.revokeGrant('bob');
    expect((await token(refresh(refreshToken))).body).toMatchObject({
      error: 'invalid_grant',
      error_codes: [50173],
    });
    expect((await api('GET', '/me', { as: accessToken })).status).toBe(200);
  });

  test('without offline_access there is no refresh token', async () => {
    const { body } = await token(
      code({ code: drive.grantCode('alice', { scope: 'https://graph.microsoft.com/.default' }) }),
    );
    expect(body).not.toHaveProperty('refresh_token');
  });

  test.each<
    [name: string, ask: () => Promise<Answer>, status: number, error: string, number: number]
  >([
    [
      'a malformed tenant',
      () => token(application(), { tenant: 'nonsense' }),
      400,
      'invalid_request',
      900023,
    ],
    [
      'an unknown tenant',
      () => token(application(), { tenant: '11111111-2222-3333-4444-555555555555' }),
      400,
      'invalid_request',
      90002,
    ],
    [
      'an unknown client',
      () => token(application({ client_id: 'other' })),
      400,
      'unauthorized_client',
      700016,
    ],
    [
      'a wrong secret',
      () => token(application({ client_secret: 'wrong' })),
      401,
      'invalid_client',
      7000215,
    ],
    ['no secret', () => token(application({ client_secret: '' })), 401, 'invalid_client', 7000218],
    [
      'a scope beside .default',
      () => token(application({ scope: `https://graph.microsoft.com/User.Read ${scope}` })),
      400,
      'invalid_scope',
      1002012,
    ],
    ['an unknown code', () => token(code({ code: 'nonsense' })), 400, 'invalid_grant', 9002313],
    [
      'a code for another address',
      () => token(code({ code: drive.grantCode('alice', { redirectUri: 'http://elsewhere' }) })),
      400,
      'invalid_grant',
      500112,
    ],
    ['an unknown refresh token', () => token(refresh('nonsense')), 400, 'invalid_grant', 70000],
    [
      'an unknown grant type',
      () => unchecked(() => token({ ...credentials(), grant_type: 'password' })),
      400,
      'unsupported_grant_type',
      70003,
    ],
    ['no code', () => unchecked(() => token(code())), 400, 'invalid_request', 900144],
  ])('%s is refused as recorded', async (_name, ask, status, error, number) => {
    const refused = await ask();
    expect({ status: refused.status, body: refused.body }).toEqual({
      status,
      body: {
        error,
        error_codes: [number],
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ$/),
        trace_id: expect.stringMatching(GUID),
        correlation_id: expect.stringMatching(GUID),
        error_uri: expect.stringContaining(String(number)),
        error_description: expect.stringMatching(
          new RegExp(`^AADSTS${number}: .* Trace ID: \\S+ Correlation ID: \\S+ Timestamp: `),
        ),
      },
    });
  });

  test('an expired secret is refused until it is replaced', async () => {
    drive.setClient({ secret: 'expired' });
    expect((await token(application())).body).toMatchObject({
      error: 'invalid_client',
      error_codes: [7000222],
    });
    drive.setClient({ secret: 'replaced' });
    expect((await token(application({ client_secret: 'expired' }))).body.error_codes).toEqual([
      7000215,
    ]);
    expect((await token(application({ client_secret: 'replaced' }))).status).toBe(200);
  });

  test('a code lives for ten minutes, a refresh token for ninety days', async () => {
    const granted = drive.grantCode('alice');
    const { refreshToken } = drive.grant('alice');
    drive.advance(601);
    expect((await token(code({ code: granted }))).body.error_codes).toEqual([70008]);
    drive.advance(90 * 24 * 3600);
    expect((await token(refresh(refreshToken))).body.error_codes).toEqual([700082]);
    app = drive.accessToken('app', 10 * 3600);
  });

  test.each<
    [name: string, challenge: string | undefined, verifier: string | undefined, status: number]
  >([
    ['the right verifier', challengeOf('verifier'), 'verifier', 200],
    ['a wrong verifier', challengeOf('verifier'), 'other', 400],
    ['the challenge as the verifier', challengeOf('verifier'), challengeOf('verifier'), 400],
    ['no verifier', challengeOf('verifier'), undefined, 400],
    ['a verifier without a challenge', undefined, 'verifier', 400],
  ])('PKCE: %s gets %5$s', async (_name, challenge, verifier, status) => {
    const granted = drive.grantCode(
      'alice',
      challenge === undefined ? {} : { codeChallenge: challenge },
    );
    const { status: answered, body } = await token(
      code({ code: granted, ...(verifier !== undefined && { code_verifier: verifier }) }),
    );
    expect({ status: answered, codes: body.error_codes }).toEqual({
      status,
      codes: status === 200 ? undefined : [501481],
    });
  });
});

describe('signing in', () => {
  const authorizeUrl = (query: { [name: string]: string } = {}, tenant = drive.tenantId) =>
    `${drive.loginUrl}/${tenant}/oauth2/v2.0/authorize?${new URLSearchParams({
      client_id: drive.client.id,
      response_type: 'code',
      redirect_uri: drive.client.redirectUri,
      scope,
      state: 's & "t"',
      code_challenge: challengeOf('verifier'),
      code_challenge_method: 'S256',
      ...query,
    }).toString()}`;

  /** Fills in the form of a page and submits it. */
  async function submit(page: Answer, fields: { [name: string]: string }): Promise<Answer> {
    const action = /action="([^"]*)"/.exec(page.text)![1]!;
    const hidden = [...page.text.matchAll(/type="hidden" name="([^"]*)" value="([^"]*)"/g)].map(
      ([, name, value]) => [
        name!,
        value!.replaceAll(/&#(\d+);/g, (_, number) => String.fromCharCode(number)),
      ],
    );
    return call('POST', `${drive.loginUrl}${action}`, {
      body: new URLSearchParams([...hidden, ...Object.entries(fields)] as [string, string][]),
    });
  }
  const signedIn = async (query?: { [name: string]: string }) =>
    submit(await call('GET', authorizeUrl(query)), {
      loginfmt: 'Alice@contoso.example',
      passwd: KEY.alice,
    });
  const returned = (answer: Answer) =>
    Object.fromEntries(new URL(answer.headers.get('location')!).searchParams);

  test('a user who signs in and consents returns with a code that fits the challenge', async () => {
    const answer = await submit(await signedIn(), { decision: 'accept' });
    expect(answer.headers.get('location')).toMatch(new RegExp(`^${drive.client.redirectUri}\\?`));
    const { code, state } = returned(answer);
    expect(state).toBe('s & "t"');
    const fields = {
      ...credentials(),
      grant_type: 'authorization_code',
      redirect_uri: drive.client.redirectUri,
      scope,
      code: code!,
    };
    expect((await token({ ...fields, code_verifier: 'wrong' })).body.error_codes).toEqual([501481]);
    const { body } = await token({ ...fields, code_verifier: 'verifier' });
    expect((await api('GET', '/me', { as: body.access_token })).body.id).toBe('alice');
  });

  test('a user who refuses returns with access_denied', async () => {
    expect(returned(await submit(await signedIn(), { decision: 'deny' }))).toEqual({
      error: 'access_denied',
      error_subcode: 'cancel',
      error_description: expect.stringMatching(/^AADSTS65004: /),
      state: 's & "t"',
    });
  });

  test('a wrong password shows the page again', async () => {
    const page = await submit(await call('GET', authorizeUrl()), {
      loginfmt: 'alice@contoso.example',
      passwd: 'wrong',
    });
    expect(page.text).toContain('AADSTS50126');
    expect(
      (await submit(page, { loginfmt: 'alice@contoso.example', passwd: KEY.alice })).text,
    ).toContain('Alice Liddell');
  });

  test('the response can be a form or a fragment', async () => {
    const form = await submit(await signedIn({ response_mode: 'form_post' }), {
      decision: 'accept',
    });
    expect(form.text).toContain(`<form method="post" action="${drive.client.redirectUri}">`);
    expect(form.text).toMatch(/name="code" value="1\./);
    const fragment = await submit(await signedIn({ response_mode: 'fragment' }), {
      decision: 'accept',
    });
    expect(new URL(fragment.headers.get('location')!).hash).toMatch(/^#code=/);
  });

  test.each<[name: string, url: () => string, problem: string]>([
    ['an unknown client', () => authorizeUrl({ client_id: 'other' }), 'AADSTS700016'],
    [
      'a foreign redirect address',
      () => authorizeUrl({ redirect_uri: `${drive.client.redirectUri}/other` }),
      'AADSTS50011',
    ],
    [
      'an unknown tenant',
      () => authorizeUrl({}, '11111111-2222-3333-4444-555555555555'),
      'AADSTS90002',
    ],
    ['a malformed tenant', () => authorizeUrl({}, 'nonsense'), 'AADSTS900023'],
  ])('%s is shown on a page, without a redirect', async (_name, url, problem) => {
    const { status, text } = await call('GET', url());
    expect({ status, shown: text.includes(problem), form: text.includes('<form') }).toEqual({
      status: 200,
      shown: true,
      form: false,
    });
  });

  test('a silent request is redirected back', async () => {
    expect(returned(await call('GET', authorizeUrl({ prompt: 'none' })))).toMatchObject({
      error: 'login_required',
    });
  });

  describeBrowser('with a browser', () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await startBrowser();
    });
    afterAll(() => browser?.close());

    test.each([
      ['Accept', /[?&]code=1\./],
      ['Cancel', /[?&]error=access_denied/],
    ])('the pages work, and %s redirects back', async (button, expected) => {
      const page = await browser.newPage();
      // Only a browser with windows asks for it.
      await page.route('**/favicon.ico', (route) => route.abort());
      await page.goto(authorizeUrl());
      await page.getByLabel('Email').fill('alice@contoso.example');
      await page.getByLabel('Password').fill(KEY.alice);
      await page.getByRole('button', { name: 'Sign in' }).click();
      // Nothing listens there.
      const back = page.waitForRequest(`${drive.client.redirectUri}**`);
      await page.getByRole('button', { name: button }).click();
      expect((await back).url()).toMatch(expected);
      await page.close();
    });
  });
});

describe('throttling', () => {
  test.each<[retryAfter: number | undefined, header: string | null]>([
    [120, '120'],
    [2.128, '2.128'],
    [undefined, null],
  ])(
    'Retry-After %s is sent as %s, for the given number of requests',
    async (retryAfter, header) => {
      drive.throttle({ ...(retryAfter !== undefined && { retryAfter }), times: 2 });
      const refused = [await item('root'), await item('root')];
      for (const one of refused) {
        expect(errorOf(one)).toEqual({
          status: 429,
          code: 'activityLimitReached',
          message: 'The request has been throttled',
          inner: true,
        });
        expect(one.headers.get('retry-after')).toBe(header);
      }
      expect((await item('root')).status).toBe(200);
    },
  );

  test('throttling can be limited to some requests, can use 503, and lasts until it is repaired', async () => {
    drive.throttle({ status: 503, times: Infinity, when: ({ path }) => path === '/me' });
    expect((await item('root')).status).toBe(200);
    expect([
      (await api('GET', '/me', { as: alice })).status,
      (await api('GET', '/me', { as: alice })).status,
    ]).toEqual([503, 503]);
    drive.repair();
    expect((await api('GET', '/me', { as: alice })).status).toBe(200);
  });
});

describe('batches', () => {
  interface Member {
    id: string;
    method?: string;
    url: string;
    headers?: { [name: string]: string };
    body?: unknown;
    dependsOn?: string[];
  }
  const batch = (requests: Member[], as: string = alice) =>
    api('POST', '/$batch', {
      as,
      json: { requests: requests.map((member) => ({ method: 'GET', ...member })) },
    });
  const byId = ({ body }: Answer): { [id: string]: any } =>
    Object.fromEntries(body.responses.map((response: { id: string }) => [response.id, response]));
  const itemUrl = (id: string) => `/drives/${drive.driveId}/items/${id}`;

  test('each request has its own response, in any order', async () => {
    const id = drive.file(`${fresh()}.txt`);
    const secret = drive.file(`${fresh()}.txt`, { visibleTo: ['bob'] });
    const answer = await batch([
      { id: 'a', url: itemUrl(id) },
      { id: 'b', url: itemUrl(secret) },
      { id: 'c', url: `${itemUrl(id)}?$select=name` },
    ]);
    expect(answer.status).toBe(200);
    expect(answer.body.responses.map(({ id: member }: Member) => member)).not.toEqual([
      'a',
      'b',
      'c',
    ]);
    const { a, b, c } = byId(answer);
    expect([a.status, a.body.id, b.status, b.body.error.code, c.body.id]).toEqual([
      200,
      id,
      404,
      'itemNotFound',
      undefined,
    ]);
    expect(a.headers).toMatchObject({
      'Content-Type': expect.stringMatching(/^application\/json/),
      'request-id': expect.stringMatching(GUID),
    });
  });

  test('a batch has at most twenty requests', async () => {
    const members = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ id: String(index), url: itemUrl('root') }));
    expect((await batch(members(20))).body.responses).toHaveLength(20);
    expect(errorOf(await unchecked(() => batch(members(21))))).toMatchObject({
      status: 400,
      code: 'BadRequest',
    });
  });

  test.each<[name: string, members: Member[]]>([
    [
      'ids that are not unique',
      [
        { id: '1', url: '/me' },
        { id: '1', url: '/me' },
      ],
    ],
    ['a nested batch', [{ id: '1', method: 'POST', url: '/$batch' }]],
    ['a body without a content type', [{ id: '1', method: 'POST', url: '/me', body: {} }]],
    ['a dependency on nothing', [{ id: '1', url: '/me', dependsOn: ['0'] }]],
    ['an absolute URL', [{ id: '1', url: 'https://graph.microsoft.com/v1.0/me' }]],
    ['no members', []],
  ])('a batch with %s fails completely', async (_name, members) => {
    expect((await unchecked(() => batch(members))).status).toBe(400);
  });

  test('a request fails if one that it depends on fails', async () => {
    const { bad, next, last, other } = byId(
      await batch([
        { id: 'bad', url: itemUrl('nonsense') },
        { id: 'next', url: '/me', dependsOn: ['bad'] },
        { id: 'last', url: '/me', dependsOn: ['next'] },
        { id: 'other', url: '/me' },
      ]),
    );
    expect([bad.status, next.status, next.body.error.code, last.status, other.status]).toEqual([
      404,
      424,
      'FailedDependency',
      424,
      200,
    ]);
  });

  test('single requests can be throttled, while the batch gets 200', async () => {
    drive.throttle({ members: true, retryAfter: 0.249, when: ({ path }) => path === '/me' });
    drive.throttle({ members: true, when: ({ path }) => path.endsWith('/root') });
    expect((await api('GET', '/me', { as: alice })).status).toBe(200);
    const answer = await batch([
      { id: 'me', url: '/me' },
      { id: 'root', url: `/drives/${drive.driveId}/root` },
      { id: 'drive', url: `/drives/${drive.driveId}` },
    ]);
    const { me, root, drive: whole } = byId(answer);
    expect([
      answer.status,
      me.status,
      me.headers['Retry-After'],
      root.status,
      root.headers['Retry-After'],
      whole.status,
    ]).toEqual([200, 429, '0.249', 429, undefined, 200]);
    drive.throttle({ when: ({ path }) => path === '/me' });
    drive.throttle({ when: ({ path }) => path === '/$batch' });
    const refused = await batch([{ id: '1', url: '/me' }]);
    expect(refused.status).toBe(429);
    expect(byId(await batch([{ id: '1', url: '/me' }]))['1'].status).toBe(200);
  });

  test('a batch can have redirects and changes', async () => {
    const folder = fresh('folder');
    const id = drive.file(`${folder}/a.txt`, { content: 'hello' });
    const { get, post, remove } = byId(
      await batch([
        { id: 'get', url: `${itemUrl(id)}/content` },
        {
          id: 'post',
          method: 'POST',
          url: `${itemUrl(drive.folder(folder))}/children`,
          headers: { 'Content-Type': 'application/json' },
          body: { name: 'new', folder: {} },
        },
        { id: 'remove', method: 'DELETE', url: itemUrl(drive.file(`${folder}/b.txt`)) },
      ]),
    );
    expect([
      get.status,
      post.status,
      post.body.name,
      remove.status,
      'body' in remove,
      'body' in get,
    ]).toEqual([302, 201, 'new', 204, false, false]);
    expect((await call('GET', get.headers.location)).text).toBe('hello');
  });

  test('a batch needs a token', async () => {
    expect((await batch([{ id: '1', url: '/me' }], 'nonsense')).status).toBe(401);
  });
});

describe('faults of the server', () => {
  test('replace the true response until they are repaired', async () => {
    drive.fault({ status: 502 }, ({ path }) => path === '/v1.0/me');
    expect([(await api('GET', '/me', { as: alice })).status, (await item('root')).status]).toEqual([
      502, 200,
    ]);
    drive.repair();
    expect((await api('GET', '/me', { as: alice })).status).toBe(200);
    drive.fault('half', undefined, 1);
    await expect(api('GET', '/me', { as: alice })).rejects.toThrow();
  });

  test('an operation that the fake does not support fails with a clear error', async () => {
    const { status, text } = await unchecked(() => inDrive('GET', '/root/delta', { as: alice }));
    expect({ status, text }).toEqual({
      status: 599,
      text: expect.stringContaining('does not offer'),
    });
    expect(drive.violations.splice(0)).toHaveLength(1);
  });
});

describeValidated(`the published description${skipped}`, () => {
  const violation = async (ask: () => Promise<Answer>) => {
    const { status, text } = await ask();
    return { status, text, kept: drive.violations.splice(0) };
  };
  const caught = (reason: RegExp) => ({
    status: 599,
    text: expect.stringMatching(reason),
    kept: [expect.stringMatching(reason)],
  });

  test.each<[name: string, ask: () => Promise<Answer>, reason: RegExp]>([
    ['an unknown path', () => api('GET', '/drive', { as: alice }), /no such operation/],
    ['an unknown method', () => inDrive('PUT', '/root', { as: alice }), /no such operation/],
    [
      'an unknown query parameter',
      () => inDrive('GET', '/root?select=id', { as: alice }),
      /query parameter select/,
    ],
    [
      'a query parameter twice',
      () => inDrive('GET', '/root?$select=id&$select=name', { as: alice }),
      /\$select/,
    ],
    ['a wrong $top', () => inDrive('GET', '/root/children?$top=many', { as: alice }), /\$top/],
    [
      'an unknown property in $select',
      () => inDrive('GET', '/root?$select=id,lastmodifiedDateTime', { as: alice }),
      /lastmodifiedDateTime/,
    ],
    [
      'an unknown property in $select of a list',
      () => inDrive('GET', '/root/children?$select=Name', { as: alice }),
      /Name/,
    ],
    [
      'an unknown property in a body',
      () => inDrive('POST', '/root/children', { as: alice, json: { name: 'a', fodler: {} } }),
      /fodler/,
    ],
    [
      'a wrong type in a body',
      () => inDrive('PATCH', '/root:/a.txt', { as: alice, json: { name: 5 } }),
      /\/name must be string/,
    ],
    [
      'an unknown conflict behaviour',
      () =>
        inDrive('POST', '/root/children', {
          as: alice,
          json: { name: 'a', folder: {}, '@microsoft.graph.conflictBehavior': 'overwrite' },
        }),
      /must be equal to one of/,
    ],
    [
      'a body that is not JSON',
      () =>
        inDrive('POST', '/root/children', {
          as: alice,
          body: '{',
          headers: { 'content-type': 'application/json' },
        }),
      /not JSON/,
    ],
    ['a missing body', () => inDrive('POST', '/root/children', { as: alice }), /body is missing/],
    [
      'a body on an operation without one',
      () => inDrive('DELETE', '/root:/a.txt', { as: alice, json: {} }),
      /body where none/,
    ],
    [
      'a wrong content type',
      () =>
        inDrive('POST', '/root/children', {
          as: alice,
          body: 'a',
          headers: { 'content-type': 'text/plain' },
        }),
      /content type/,
    ],
    [
      'a batch of twenty-one',
      () =>
        api('POST', '/$batch', {
          as: alice,
          json: {
            requests: Array.from({ length: 21 }, (_, index) => ({
              id: String(index),
              method: 'GET',
              url: '/me',
            })),
          },
        }),
      /20/,
    ],
    [
      'an unknown grant type',
      () => token({ ...credentials(), grant_type: 'password' }),
      /grant_type/,
    ],
    [
      'an unknown field of a token request',
      () => token({ ...credentials(), grant_type: 'client_credentials', scope, resource: 'x' }),
      /additional properties/,
    ],
    [
      'an authorize request without a scope',
      () =>
        call(
          'GET',
          `${drive.loginUrl}/${drive.tenantId}/oauth2/v2.0/authorize?client_id=x&response_type=code`,
        ),
      /scope is missing/,
    ],
    [
      'a range without its header',
      async () =>
        call(
          'PUT',
          (await inDrive('POST', '/root:/a.bin:/createUploadSession', { as: alice })).body
            .uploadUrl,
          { body: Buffer.from('x') },
        ),
      /Content-Range is missing/,
    ],
  ])('%s in a request is reported', async (_name, ask, reason) => {
    expect(await violation(ask)).toEqual(caught(reason));
  });

  test('a wrong request in a batch is reported', async () => {
    const { body } = await api('POST', '/$batch', {
      as: alice,
      json: {
        requests: [
          { id: 'bad', method: 'GET', url: '/me?x=1' },
          { id: 'good', method: 'GET', url: '/me' },
        ],
      },
    });
    expect(
      Object.fromEntries(
        body.responses.map(({ id, status }: { id: string; status: number }) => [id, status]),
      ),
    ).toEqual({ bad: 599, good: 200 });
    expect(drive.violations.splice(0)).toEqual([
      expect.stringMatching(/GET \/me: the query parameter x/),
    ]);
  });

  test.each<[name: string, make: () => string, reason: RegExp]>([
    [
      'type',
      () => drive.file(`${fresh()}.txt`, { mimeType: 5 as never }),
      /mimeType must be string/,
    ],
    [
      'date',
      () => drive.file(`${fresh()}.txt`, { createdAt: 'yesterday' }),
      /createdDateTime must match/,
    ],
  ])('a wrong %s in a response of the fake is reported', async (_name, make, reason) => {
    const id = make();
    expect(await violation(() => item(id))).toEqual(caught(reason));
    expect(
      await violation(() => inDrive('GET', '/root/children?$top=1000', { as: alice })),
    ).toEqual(caught(reason));
    drive.remove(id);
  });

  describe('a single response', () => {
    const at = (path: string, method = 'GET') => ({
      method,
      path: `/drives/${drive.driveId}${path}`,
      query: new URLSearchParams(),
      headers: {},
      body: Buffer.alloc(0),
    });
    const headers = { 'Content-Type': 'application/json; charset=utf-8' };
    const good = async () => (await item('root')).body;

    test('is allowed if it is true', async () => {
      expect(
        contract()!.answer(at('/root'), { status: 200, headers, json: await good() }),
      ).toBeUndefined();
    });

    test.each<[name: string, change: (item: any) => object, reason: RegExp]>([
      [
        'a misspelt property',
        ({ lastModifiedDateTime, ...rest }) => ({
          ...rest,
          lastModifiedDateTime,
          lastmodifiedDateTime: lastModifiedDateTime,
        }),
        /lastmodifiedDateTime is not a known property/,
      ],
      [
        'a misspelt inner property',
        (root) => ({ ...root, createdBy: { user: { displayname: 'x' } } }),
        /createdBy\.user\.displayname/,
      ],
      [
        'a missing property',
        (root) => ({ ...root, size: undefined }),
        /profile driveItem\.default .*'size'/,
      ],
      ['two facets', (root) => ({ ...root, file: {} }), /exactly one schema/],
    ])('is reported for %s', async (_name, change, reason) => {
      const json = change(await good());
      expect(contract()!.answer(at('/root'), { status: 200, headers, json })).toMatch(reason);
      if (_name !== 'a missing property')
        expect(
          contract()!.answer(at('/root/children'), {
            status: 200,
            headers,
            json: { value: [json] },
          }),
        ).toMatch(reason);
    });

    test('is allowed with observed extra properties', async () => {
      expect(
        contract()!.answer(at('/root'), {
          status: 200,
          headers,
          json: { ...(await good()), commentSettings: {}, createdBy: { user: { email: 'x' } } },
        }),
      ).toBeUndefined();
    });

    test.each<
      [
        name: string,
        path: string,
        method: string,
        reply: Parameters<NonNullable<ReturnType<typeof contract>>['answer']>[1],
        reason: RegExp,
      ]
    >([
      [
        'an undocumented status',
        '/root/children',
        'POST',
        { status: 200, headers, json: {} },
        /describes 201 only/,
      ],
      [
        'an error without a code',
        '/root',
        'GET',
        { status: 404, headers, json: { error: { message: 'x' } } },
        /required property 'code'/,
      ],
      [
        'an error with an empty code',
        '/root',
        'GET',
        { status: 404, headers, json: { error: { code: '', message: 'x' } } },
        /profile error/,
      ],
      [
        'an error of the other service',
        '/root',
        'GET',
        { status: 400, headers, json: { error: 'invalid_grant', error_description: 'AADSTS1: x' } },
        /error must be object/,
      ],
      [
        'a list without its value',
        '/root/children',
        'GET',
        { status: 200, headers, json: {} },
        /profile collection\.driveItem/,
      ],
      [
        'a relative nextLink',
        '/root/children',
        'GET',
        { status: 200, headers, json: { value: [], '@odata.nextLink': '/next' } },
        /nextLink must match format "uri"/,
      ],
      [
        'a redirect without a target',
        '/root/content',
        'GET',
        { status: 302, headers: {} },
        /Location is missing/,
      ],
      [
        'a redirect with a body',
        '/root/content',
        'GET',
        { status: 302, headers: { Location: 'https://x.example/' }, content: 'x' },
        /body where none/,
      ],
      [
        'a removal with a body',
        '/items/x',
        'DELETE',
        { status: 204, headers, json: {} },
        /body where none/,
      ],
      [
        'another content type',
        '/root',
        'GET',
        { status: 200, headers: { 'Content-Type': 'text/html' }, content: 'x' },
        /content type is text\/html/,
      ],
    ])('%s is reported', (_name, path, method, reply, reason) => {
      expect(contract()!.answer(at(path, method), reply)).toMatch(reason);
    });

    test('an error of Entra ID must have its number', () => {
      const call = { ...at('', 'POST'), path: '/common/oauth2/v2.0/token' };
      const json = (description: string) => ({
        error: 'invalid_grant',
        error_description: description,
      });
      expect(
        contract()!.answer(call, { status: 400, headers, json: json('AADSTS70000: x') }, true),
      ).toBeUndefined();
      expect(
        contract()!.answer(call, { status: 400, headers, json: json('expired') }, true),
      ).toMatch(/error_description must match/);
      expect(
        contract()!.answer(call, { status: 500, headers, json: json('AADSTS70000: x') }, true),
      ).toMatch(/describes 200, 400, 401 only/);
    });
  });
});

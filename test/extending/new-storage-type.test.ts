/**
 * The cost of a new type of storage: its folder, an entry in each of two lists, and a migration.
 *
 * A copy of the checkout gets the type `ObjectBucket`: a bucket of a store that speaks S3. Its
 * sources are in `object-bucket`. Users connect with OAuth 2, as with every type. The token
 * service of the store (STS) turns their tokens into keys. The keys sign requests and links
 * (signature version 4). The copy runs from source, in its own process, with SQLite.
 *
 * The store is `object-store.ts`. It refuses every request with a wrong signature. The store of
 * the other tests cannot be used, because it would need its own identity provider.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { adapterFor } from '../../src/storages/index.js';
import { storageTypeNames, storageTypes } from '../../src/storages/types.js';
import { bash, root, succeeded } from '../packaging/checkout.js';
import type { Answer } from '../support/app.js';
import { emptyFolder, endCommands, run, serve, type Environment } from '../support/cli.js';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '../support/jest.js';
import { Contract, type Description } from '../support/openapi.js';
import { Visitor } from '../support/browser-visitor.js';
import { refusals, type Omission } from './forgotten.js';
import { BUCKET, CLIENT, startObjectStore, type ObjectStore } from './object-store.js';
import { copyWithNewType, differences, written } from './scratch-checkout.js';

/** For programs that start, possibly while other tests run. */
const TIMEOUT_MS = 240_000;
const PASSWORD = 'password-of-mia';
const URN = 'urn:service-org:api:v3:storages:';

let copy: string;
let store: ObjectStore;
let environment: Environment;
let options: { cwd: string; by: string[] };
let started: Awaited<ReturnType<typeof serve>>;
let keys: { [login: string]: string };
let contract: Contract;

beforeAll(async () => {
  copy = copyWithNewType();
  store = await startObjectStore();
  const here = { TSX_TSCONFIG_PATH: join(copy, 'tsconfig.json') };
  succeeded(await bash('npm run --silent generate', copy, here));

  const data = emptyFolder();
  environment = {
    ...here,
    DATABASE_URL: `sqlite:${join(data, 'db.sqlite3')}`,
    BLOB_STORE: `disk:${data}`,
    SECRET_KEY: '0'.repeat(64),
    OBJECT_BUCKET_SIGN_IN_URL: `${store.server.url}/sign-in/`,
  };
  const loader = join(root, 'node_modules/tsx/dist/esm/index.mjs');
  const by = [process.execPath, '--import', loader, join(copy, 'src/cli/main.ts')];
  options = { cwd: data, by };
  started = await serve(environment, options);
  keys = started.banner.demoKeys;
  const file = join(data, 'directory.json');
  const mia = { login: 'mia', firstName: 'Mia', lastName: 'Member', password: PASSWORD };
  writeFileSync(file, JSON.stringify({ users: [mia] }));
  succeeded(await run(['import', file], environment, options));
  const { body } = await request('GET', '/api/v3/spec.json');
  contract = new Contract(body);
}, TIMEOUT_MS);

afterAll(async () => {
  await endCommands();
  await store.close();
  rmSync(copy, { recursive: true, force: true });
});

interface Sent {
  as?: string;
  json?: unknown;
  headers?: { [name: string]: string };
  body?: string;
  at?: string;
}

async function request(method: string, path: string, sent: Sent = {}): Promise<Answer> {
  const { as, json, headers = {}, body = json && JSON.stringify(json), at } = sent;
  const response = await fetch((at ?? started.banner.address) + path, {
    method,
    redirect: 'manual',
    headers: {
      ...(as && { authorization: `Bearer ${keys[as]}` }),
      ...(json !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(typeof body === 'string' && { body }),
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  const text = bytes.toString();
  const isJson = /json/.test(response.headers.get('content-type') ?? '') && text !== '';
  const answer = { status: response.status, headers: response.headers, text, bytes };
  return { ...answer, body: isJson ? JSON.parse(text) : undefined };
}

/** Every HAL response is checked against the OpenAPI description of the copy. */
async function rest(method: string, path: string, as: string, json?: unknown, at?: string) {
  const answer = await request(method, path, { as, json, ...(at && { at }) });
  contract.check(method, path, answer);
  return answer;
}

async function graphql(query: string, variables: object, as: string): Promise<any> {
  const { body } = await request('POST', '/graphql', { as, json: { query, variables } });
  return body;
}

const STORAGES = '/api/v3/storages';
const type = { href: `${URN}ObjectBucket` };
const create = (own: object) => rest('POST', STORAGES, 'ada', { _links: { type }, ...own });
const CREATE = `mutation($input: CreateStorageInput!) {
  createStorage(input: $input) {
    storage { databaseId type name endpoint bucket origin tenantId }
  }
}`;

let named = 0;
const name = () => `Plans ${(named += 1)}`;

/** A storage with client credentials, in the demo project. */
async function bucketStorage(): Promise<{ id: number; path: string }> {
  const own = { name: name(), endpoint: store.server.url, bucket: BUCKET };
  const {
    body: { id },
  } = await create(own);
  const path = `${STORAGES}/${id}`;
  await rest('POST', `${path}/oauth_client_credentials`, 'ada', {
    clientId: CLIENT.id,
    clientSecret: CLIENT.secret,
  });
  const { errors } = await graphql(
    `
      mutation ($input: CreateProjectStorageInput!) {
        createProjectStorage(input: $input) {
          __typename
        }
      }
    `,
    { input: { projectId: '1', storageId: String(id) } },
    'ada',
  );
  expect(errors).toBeUndefined();
  return { id, path };
}

/** Sends Mia's browser to the sign-in of the store and back. */
async function connect({ path }: { path: string }): Promise<void> {
  const { address } = started.banner;
  const { body } = await rest('GET', path, 'mia');
  const browser = new Visitor({ request: request as never, running: { baseUrl: address } });
  await browser.signIn('mia', PASSWORD);
  const { location } = await browser.get(body._links.authorize.href.slice(address.length));
  expect(location).toMatch(`${store.server.url}/sign-in/authorize?`);
  const { headers } = await fetch(location!, { redirect: 'manual' });
  const { status } = await browser.get(headers.get('location')!.slice(address.length));
  expect(status).toBe(303);
}

async function connected(): Promise<{ id: number; path: string }> {
  const storage = await bucketStorage();
  await connect(storage);
  return storage;
}

const stateOf = async ({ path }: { path: string }): Promise<string> =>
  (await rest('GET', path, 'mia')).body._links.authorizationState.title;

const LINKS = '/api/v3/work_packages/1/file_links';

/** Links a file of the store to the work package of the demo, with an outdated name. */
async function linked({ path }: { path: string }, id: string): Promise<string> {
  const element = { originData: { id, name: 'as it was' }, _links: { storage: { href: path } } };
  const { body } = await rest('POST', LINKS, 'mia', { _embedded: { elements: [element] } });
  return `/api/v3/file_links/${body._embedded.elements[0].id}`;
}

beforeEach(() => {
  store.objects.clear();
  store.objects.set('Plans/House 1 (new).txt', { body: 'four walls', type: 'text/plain' });
  store.objects.set('Plans/roof.bin', { body: '', type: 'image/tiff', size: 3_000_000_000 });
  store.objects.set('Plans/Old/wall & door.txt', { body: 'a wall', type: 'text/plain' });
  store.objects.set('readme.txt', { body: 'hello', type: 'text/plain' });
});

test('a new type needs its folder, two lists and a migration; everything else is generated', () => {
  const { changed, ...others } = differences(copy);
  expect(others).toEqual({ new: expect.arrayContaining(written.new), gone: [] });
  expect(others.new).toHaveLength(written.new.length);
  const generated = [
    '.env.example',
    'docs/reference/generated/settings.md',
    'openapi/generated/openproject.json',
    'openapi/generated/standard.json',
    'schema.graphql',
    'src/rest/generated/documents.ts',
    'src/rest/generated/members.ts',
  ];
  expect(changed.sort()).toEqual([...written.changed, ...generated].sort());
});

describe('both interfaces', () => {
  test('describe it: its name, its own members and their meaning', async () => {
    const { document } = contract as unknown as { document: Description & { components: any } };
    const shapes: any[] = document.components.schemas.Storage.oneOf;
    const own = shapes.filter(
      ({ properties: { _links } }) =>
        _links.properties.type.properties.title.const === 'ObjectBucket',
    );
    expect(own).toHaveLength(3);
    for (const { required, properties } of own) {
      expect(required).toEqual(expect.arrayContaining(['endpoint', 'bucket']));
      expect(Object.keys(properties)).not.toContain('driveId');
      expect(Object.keys(properties)).not.toContain('hasApplicationPassword');
    }
    const { data } = await graphql(
      `
        {
          kinds: __type(name: "StorageType") {
            enumValues {
              name
              description
            }
          }
          storage: __type(name: "Storage") {
            fields {
              name
              description
            }
          }
          input: __type(name: "CreateStorageInput") {
            inputFields {
              name
              description
            }
          }
          change: __type(name: "UpdateStorageInput") {
            inputFields {
              name
              description
            }
          }
        }
      `,
      {},
      'ada',
    );
    const kind = { name: 'OBJECT_BUCKET', description: 'A bucket of a store that speaks S3.' };
    expect(data.kinds.enumValues).toContainEqual(kind);
    const shown = { name: 'bucket', description: 'Name of an object bucket.' };
    const asked = expect.stringMatching('^Name of an object bucket: 3 to 63 small letters');
    expect(data.storage.fields).toContainEqual(shown);
    for (const { inputFields } of [data.input, data.change]) {
      expect(inputFields).toContainEqual({ name: 'bucket', description: asked });
    }
  });

  test('create, show, list, change and delete storages of the type', async () => {
    const own = { endpoint: store.server.url, bucket: BUCKET };
    const made = await create(own);
    expect([made.status, made.body]).toEqual([
      201,
      expect.objectContaining({
        name: 'Object bucket',
        ...own,
        configured: false,
      }),
    ]);
    expect(made.body._links.type).toEqual({ href: `${URN}ObjectBucket`, title: 'ObjectBucket' });
    expect(made.body._embedded.oauthApplication.name).toBe('Object bucket (ObjectBucket)');
    for (const absent of ['tenantId', 'driveId', 'storageAudience']) {
      expect(made.body).not.toHaveProperty(absent);
    }
    const { href: path } = made.body._links.self;

    const input = { type: 'OBJECT_BUCKET', name: name(), ...own };
    const {
      data: { createStorage },
    } = await graphql(CREATE, { input }, 'ada');
    const { databaseId, ...shown } = createStorage.storage;
    expect(shown).toEqual({ ...input, origin: null, tenantId: null });

    const { body: list } = await rest('GET', STORAGES, 'ada');
    const listed = list._embedded.elements.map(({ id, bucket }: any) => ({ id, bucket }));
    expect(listed).toEqual(
      expect.arrayContaining([
        { id: made.body.id, bucket: BUCKET },
        { id: databaseId, bucket: BUCKET },
      ]),
    );

    const changed = await rest('PATCH', path, 'ada', { bucket: 'another-one' });
    expect([changed.status, changed.body]).toEqual([
      200,
      expect.objectContaining({
        ...own,
        bucket: 'another-one',
      }),
    ]);
    expect((await rest('GET', path, 'ada')).body.bucket).toBe('another-one');
    const {
      data: { updateStorage },
    } = await graphql(
      `
        mutation ($input: UpdateStorageInput!) {
          updateStorage(input: $input) {
            storage {
              endpoint
              bucket
            }
          }
        }
      `,
      { input: { id: String(databaseId), bucket: null } },
      'ada',
    );
    expect(updateStorage.storage).toEqual({ ...own, bucket: null });
    expect((await rest('DELETE', path, 'ada')).status).toBe(204);
    expect((await rest('GET', path, 'ada')).status).toBe(404);
  });

  test.each([
    ['a bucket in capitals', 'bucket', 'PLANS', 'Bucket is invalid.'],
    ['a long bucket', 'bucket', 'b'.repeat(256), 'Bucket is too long (maximum is 255 characters).'],
    ['an endpoint that is not an address', 'endpoint', 'the store', 'Endpoint is invalid.'],
    ['a plain endpoint', 'endpoint', 'http://store.example.test', 'Endpoint is invalid.'],
  ])('refuse %s', async (_what, attribute, value, message) => {
    const own = { name: name(), endpoint: store.server.url, bucket: BUCKET, [attribute]: value };
    const { status, body } = await create(own);
    expect([status, body.message, body._embedded.details]).toEqual([422, message, { attribute }]);
    const { errors } = await graphql(CREATE, { input: { type: 'OBJECT_BUCKET', ...own } }, 'ada');
    expect(errors).toEqual([
      expect.objectContaining({
        message,
        extensions: expect.objectContaining({ status: 422, attribute }),
      }),
    ]);
  });

  test('refuse an endpoint that does not speak S3, and store nothing', async () => {
    const own = { name: name(), endpoint: started.banner.address, bucket: BUCKET };
    const { status, body } = await create(own);
    const message = 'Host could not be checked: What answers there does not speak S3.';
    expect([status, body.message]).toEqual([422, message]);
  });

  test('ignore members of other types, and other types ignore the members of this one', async () => {
    const foreign = { tenantId: 'no tenant', driveId: 'short', storageAudience: 'somebody' };
    const own = { name: name(), endpoint: store.server.url, bucket: BUCKET };
    const made = await create({ ...foreign, ...own });
    expect([made.status, made.body]).toEqual([201, expect.objectContaining(own)]);
    const drive = await create({
      name: name(),
      bucket: 'No Bucket',
      endpoint: 'no endpoint',
      _links: { type: { href: `${URN}CloudDrive` } },
    });
    expect([drive.status, Object.keys(drive.body)]).toEqual([
      201,
      expect.not.arrayContaining(['bucket']),
    ]);
  });
});

describe('a user of the store', () => {
  test('is connected by its sign-in, and known there afterwards', async () => {
    const storage = await bucketStorage();
    expect((await rest('GET', storage.path, 'mia')).body.configured).toBe(true);
    expect(await stateOf(storage)).toBe('Authorization failed');
    await connect(storage);
    expect(await stateOf(storage)).toBe('Connected');
    const state = 'query($id: ID!) { storage(id: $id) { authorizationState authorizeUrl } }';
    const { data } = await graphql(state, { id: String(storage.id) }, 'mia');
    expect(data.storage).toEqual({ authorizationState: 'CONNECTED', authorizeUrl: null });

    // A token that the store refuses is refreshed. If that fails too, the user is not connected.
    store.expire();
    expect(await stateOf(storage)).toBe('Connected');
    store.revoke();
    expect(await stateOf(storage)).toBe('Authorization failed');
  });

  test('loses the connection if the endpoint changes, but not if the bucket changes', async () => {
    const storage = await connected();
    const change = (own: object) => rest('PATCH', storage.path, 'ada', own);
    const { body: same } = await change({ bucket: 'another-one' });
    expect([same.configured, await stateOf(storage)]).toEqual([true, 'Connected']);
    const { body: moved } = await change({ endpoint: `${store.server.url}//` });
    expect([moved.configured, await stateOf(storage)]).toEqual([false, 'Authorization failed']);
    expect(moved._links.oauthClientCredentials).toEqual({ href: null });
  });

  test('browses folders, and creates new ones', async () => {
    const storage = await connected();
    const files = `${storage.path}/files`;
    const { body: top } = await rest('GET', files, 'mia');
    const namesOf = (found: any[]) => found.map((one) => one.name).sort();
    expect(namesOf(top.files)).toEqual(['Plans', 'readme.txt']);
    expect([top.parent.location, top.ancestors]).toEqual(['/', []]);
    for (const parent of ['/Plans', 'Plans/']) {
      const { body } = await rest('GET', `${files}?parent=${encodeURIComponent(parent)}`, 'mia');
      expect(namesOf(body.files)).toEqual(['House 1 (new).txt', 'Old', 'roof.bin']);
      expect(namesOf(body.ancestors)).toEqual(['Root']);
    }
    const { data } = await graphql(
      `
        query ($id: ID!) {
          storage(id: $id) {
            files(parent: "/Plans/Old") {
              files {
                id
                name
                size
              }
              ancestors {
                id
              }
            }
            file(id: "Plans/roof.bin") {
              size
              mimeType
              lastModifiedAt
              location
              permissions
            }
          }
        }
      `,
      { id: String(storage.id) },
      'mia',
    );
    expect(data.storage.files).toEqual({
      files: [{ id: 'Plans/Old/wall & door.txt', name: 'wall & door.txt', size: 6 }],
      ancestors: [{ id: '/' }, { id: 'Plans/' }],
    });
    expect(data.storage.file).toEqual({
      size: 3_000_000_000,
      mimeType: 'image/tiff',
      lastModifiedAt: '2026-03-01T10:20:30.000Z',
      location: '/Plans/roof.bin',
      permissions: ['READABLE', 'WRITEABLE'],
    });
    const { body: gone } = await rest('GET', `${files}/nowhere.txt`, 'mia');
    expect(gone._type).toBe('Error');

    const fresh = { name: 'New', parentId: 'Plans/' };
    const folder = await rest('POST', `${storage.path}/folders`, 'mia', fresh);
    expect([folder.status, folder.body.id]).toEqual([201, 'Plans/New/']);
    expect(store.objects.has('Plans/New/')).toBe(true);
    const taken = await rest('POST', `${storage.path}/folders`, 'mia', fresh);
    expect([taken.status, taken.body._embedded.details]).toEqual([422, { attribute: 'name' }]);
  });

  test('uploads and downloads with signed addresses, directly at the store', async () => {
    const storage = await connected();
    const prepared = await rest('POST', `${storage.path}/files/prepare_upload`, 'mia', {
      projectId: 1,
      fileName: 'gate +1.txt',
      parent: '/Plans',
    });
    const { destination } = prepared.body._links;
    expect(destination.method).toBe('put');
    const sent = await fetch(destination.href, { method: 'PUT', body: 'an iron gate' });
    const kept = store.objects.get('Plans/gate +1.txt');
    expect([sent.status, kept?.body]).toEqual([200, 'an iron gate']);
    const forged = destination.href.replace('gate', 'gait');
    expect((await fetch(forged, { method: 'PUT', body: 'a wooden one' })).status).toBe(403);

    const link = await linked(storage, 'Plans/gate +1.txt');
    const { status, headers } = await rest('GET', `${link}/download`, 'mia');
    const download = await fetch(headers.get('location')!);
    expect([status, download.status, await download.text()]).toEqual([303, 200, 'an iron gate']);
  });

  test('sees the current data of the store in file links', async () => {
    const storage = await connected();
    const link = await linked(storage, 'Plans/House 1 (new).txt');
    const seen = async () => {
      const { body } = await rest('GET', link, 'mia');
      const {
        originData: { name, size, mimeType },
        _links: links,
      } = body;
      const query = 'query($id: ID!) { fileLink(id: $id) { status originData { name size } } }';
      const { data } = await graphql(query, { id: link.split('/').at(-1) }, 'mia');
      expect(data.fileLink.originData).toEqual({ name, size });
      const open = [links.originOpen?.href, links.originOpenLocation?.href];
      const { status } = data.fileLink;
      return { status, title: links.status.title, name, size, mimeType, open };
    };
    const place = `${store.server.url}/console/${BUCKET}?prefix=Plans%2F`;
    expect(await seen()).toEqual({
      status: 'VIEW_ALLOWED',
      title: 'View allowed',
      name: 'House 1 (new).txt',
      size: 10,
      mimeType: 'text/plain',
      open: [`${place}&key=Plans%2FHouse%201%20%28new%29.txt`, place],
    });
    expect((await rest('GET', `${link}/open`, 'mia')).headers.get('location')).toMatch(place);

    const object = { body: 'five walls and a door', type: 'text/plain' };
    store.objects.set('Plans/House 1 (new).txt', object);
    expect(await seen()).toMatchObject({ status: 'VIEW_ALLOWED', size: 21 });
    const { body: list } = await rest('GET', LINKS, 'mia');
    const own = list._embedded.elements.find((one: any) => `/api/v3/file_links/${one.id}` === link);
    expect(own.originData.size).toBe(21);

    store.objects.set('Plans/House 1 (new).txt', { ...object, hidden: true });
    expect(await seen()).toMatchObject({ status: 'VIEW_NOT_ALLOWED', title: 'View not allowed' });
    store.objects.delete('Plans/House 1 (new).txt');
    expect(await seen()).toMatchObject({ status: 'NOT_FOUND', title: 'Not found', size: 21 });
    store.revoke();
    expect(await seen()).toMatchObject({ status: 'ERROR', title: 'Error', size: 21 });
  });
});

test('the health report has the checks of the type first, then the common ones', async () => {
  const storage = await connected();
  const examined = async () => {
    const { data } = await graphql(
      `
        query ($id: ID!) {
          storage(id: $id) {
            health {
              checks {
                check
                code
                status
              }
            }
          }
        }
      `,
      { id: String(storage.id) },
      'ada',
    );
    return data.storage.health.checks.map(({ check, code, status }: any) =>
      [check, ...(code === check ? [] : [code]), status].join(' '),
    );
  };
  expect(await examined()).toEqual(['host OK', 'tls SKIPPED', 'bucket OK', 'connection SKIPPED']);
  await rest('PATCH', storage.path, 'ada', { bucket: 'nowhere-to-be-found' });
  expect(await examined()).toEqual([
    'host OK',
    'tls SKIPPED',
    'bucket bucket_missing FAILED',
    'connection SKIPPED',
  ]);
});

test(
  'the setting of the type switches it off',
  async () => {
    const storage = await connected();
    const link = await linked(storage, 'readme.txt');
    const own = { name: name(), endpoint: store.server.url, bucket: BUCKET, _links: { type } };
    const without = await serve({ ...environment, OBJECT_BUCKET_ENABLED: 'false' }, options);
    const off = (method: string, path: string, as: string, json?: unknown) =>
      rest(method, path, as, json, without.banner.address);
    const refused = await off('POST', STORAGES, 'ada', own);
    expect([refused.status, refused.body.errorIdentifier]).toEqual([
      500,
      'urn:service-org:api:v3:errors:MissingEnterpriseToken',
    ]);
    for (const path of [`${storage.path}/files`, `${link}/open`, `${link}/download`]) {
      expect([path, (await off('GET', path, 'mia')).status]).toEqual([path, 500]);
    }
    const { body } = await off('GET', link, 'mia');
    expect([body._links.status.title, body._links.originOpen]).toEqual(['Error', undefined]);
  },
  TIMEOUT_MS,
);

const about = 'object-bucket/about.ts';
const index = 'object-bucket/index.ts';
const property = (name: string) => `Property '${name}' is missing`;
const line = (start: string) => new RegExp(`^ *${start}.*\n`, 'm');
const block = (start: string, end = '\\},') => new RegExp(`^( *)${start}[^]*?^\\1${end}\n`, 'm');
const saying = (name: string, part = line(`${name}:`)): Omission => ({
  file: about,
  part,
  message: property(name),
});
const operations = [
  'authorizationServer',
  'user',
  'openLink',
  'filesInfo',
  'file',
  'files',
  'createFolder',
  'uploadLink',
  'downloadLink',
  'fileLink',
  'checks',
];

const omissions: { [piece: string]: Omission } = {
  'the entry in the list of types': {
    file: 'types.ts',
    part: /, ObjectBucket(?= \})/,
    refusedIn: 'index.ts',
    message: "'ObjectBucket' does not exist in type",
  },
  'the entry in the list of adapters': {
    file: 'index.ts',
    part: /^  ObjectBucket: objectBucket,\n/m,
    message: property('ObjectBucket'),
  },
  'its description': saying('description'),
  'the name of a new storage': saying('defaultName'),
  'its names': saying('names'),
  'its name in one profile': saying('openproject', /, openproject: '\w+'/),
  'whether it has an origin': saying('hasOrigin'),
  'what a connection needs': saying('connectionNeeds'),
  'its configured addresses': saying('hosts', block('hosts: \\{')),
  'the setting of a configured address': saying('setting', line("setting: 'objectBucketSign")),
  'the variable of a configured address': saying('variable', line("variable: 'OBJECT_BUCKET_SIGN")),
  'the default of a configured address': saying('default'),
  'its own members': saying('members', block('members: \\{')),
  'the ids of its files': saying('fileIds', block('fileIds: \\{')),
  'the rule for ids, in words': saying('rule'),
  'the label of a member': saying('label'),
  'the description of a member': saying('description', line("description: 'Address")),
  'the validity of a member': saying('isValid', line('isValid: \\(value\\) => BUCKET')),
  ...Object.fromEntries(
    operations.map((name) => [
      `the operation ${name}`,
      { file: index, part: new RegExp(`^  ${name},\n`, 'm'), message: property(name) },
    ]),
  ),
};

describe('the compiler', () => {
  let refused: Map<string, { file: string; message: string }[]>;
  beforeAll(async () => {
    const found = await refusals(copy, Object.values(omissions));
    refused = new Map(Object.keys(omissions).map((piece, at) => [piece, found[at]!]));
  }, TIMEOUT_MS);

  test.each(Object.keys(omissions))('refuses a type without %s', (piece) => {
    const { file, refusedIn = file, message } = omissions[piece]!;
    const expected = expect.objectContaining({
      file: refusedIn,
      message: expect.stringContaining(message),
    });
    expect(refused.get(piece)).toContainEqual(expected);
  });

  test(
    'accepts the complete type, in the whole copy',
    async () => {
      const { status, stdout } = await bash(
        'node_modules/.bin/tsc --noEmit --pretty false --singleThreaded',
        copy,
      );
      expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
    },
    TIMEOUT_MS,
  );
});

test.each(storageTypeNames)('%s: a check depends only on checks before it', (type) => {
  const { checks } = adapterFor(type);
  const names = checks.map(({ check }) => check);
  for (const [at, { needs }] of checks.entries()) {
    expect(names.slice(0, at)).toEqual(expect.arrayContaining([...needs]));
  }
  expect(names).toContain(storageTypes[type].connectionNeeds);
});

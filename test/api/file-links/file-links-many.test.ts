/**
 * Hundreds of links to five storages in one list: the number of storage requests and SQL statements, and the
 * status of each link.
 */
import { wordsOf } from '../../../src/graphql/enum-words.js';
import { startApp, type App } from '../../support/app.js';
import { serveFake, type FakeRequest, type FakeServer } from '../../../demo/servers/http-server.js';
import {
  linkIn,
  placeIn,
  stockedCloudDrive,
  stockedFileServer,
  type Place,
  type Stocked,
} from '../../storages/storages-with-files.js';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '../../support/jest.js';

const linkWords = wordsOf<string>('FileLinkStatus');
const stateWords = wordsOf<string>('AuthorizationState');

type Status = 'permission:ViewAllowed' | 'permission:ViewNotAllowed' | 'NotFound' | 'Error';

interface Planned {
  links: number;
  hidden: number;
  gone: number;
  failing: number;
}

/** Links to each storage, with the numbers of hidden, deleted and failing files. */
const MANY: readonly Planned[] = [
  { links: 150, hidden: 7, gone: 4, failing: 0 },
  { links: 90, hidden: 0, gone: 21, failing: 0 },
  { links: 41, hidden: 0, gone: 0, failing: 0 },
  { links: 130, hidden: 25, gone: 16, failing: 2 },
  { links: 89, hidden: 1, gone: 0, failing: 1 },
];
/** As many as a page of GraphQL has. */
const PAGE: readonly Planned[] = [
  { links: 60, hidden: 7, gone: 4, failing: 0 },
  { links: 30, hidden: 0, gone: 21, failing: 0 },
  { links: 11, hidden: 0, gone: 0, failing: 0 },
  { links: 58, hidden: 25, gone: 16, failing: 2 },
  { links: 41, hidden: 1, gone: 0, failing: 1 },
];
const FILE_SERVERS = 3;
const LARGEST_BATCH = 20;
/** Hundreds of rows and files are created one by one, which is slow on a busy machine. */
const TIMEOUT_MS = 120_000;
/** The batch sizes for this number of files. */
const batchesOf = (files: number): number[] =>
  Array.from({ length: Math.ceil(files / LARGEST_BATCH) }, (_, index) =>
    Math.min(LARGEST_BATCH, files - index * LARGEST_BATCH),
  );
const drivesOf = (plan: readonly Planned[]) =>
  plan.slice(FILE_SERVERS).map(({ links, hidden, gone }) => ({
    asUser: batchesOf(links),
    asService: batchesOf(hidden + gone),
  }));

let remotes: Stocked[];
let cloud: FakeServer;
let app: App;

beforeAll(async () => {
  remotes = await Promise.all([
    ...Array.from({ length: FILE_SERVERS }, stockedFileServer),
    ...drivesOf(MANY).map(stockedCloudDrive),
  ]);
  cloud = await cloudBefore(remotes.slice(FILE_SERVERS));
  app = await startApp({
    CLOUD_DRIVE_LOGIN_URL: cloud.url,
    CLOUD_DRIVE_API_URL: `${cloud.url}/v1.0`,
    STORAGE_TIMEOUT_MS: '20000',
  });
});
afterEach(() => {
  for (const remote of remotes) {
    remote.check();
    remote.server.repair();
  }
});
afterAll(async () => {
  await app?.stop();
  await Promise.all([cloud, ...(remotes ?? [])].map((one) => one?.close()));
});

/** All tenants of the cloud share one address: the path of a request names the tenant or the drive. */
function cloudBefore(drives: readonly Stocked[]): Promise<FakeServer> {
  return serveFake(async (request, response) => {
    const { server } = drives.find(
      ({ storage: { tenantId, driveId } }) =>
        request.path.includes(tenantId!) || request.body.includes(driveId!),
    )!;
    const { authorization, 'content-type': type } = request.headers;
    const answer = await fetch(`${server.url}${request.path}`, {
      method: request.method,
      body: new Uint8Array(request.body),
      headers: { ...(authorization && { authorization }), ...(type && { 'content-type': type }) },
    });
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
    response.end(Buffer.from(await answer.arrayBuffer()));
  });
}

interface Shown {
  id: number;
  status: Status;
  name: string;
  storageId: number;
  state: string;
}

/** The planned links, distributed over the storages, and the expected list entries. */
async function linked(plan: readonly Planned[]): Promise<{ place: Place; expected: Shown[] }> {
  const place = await placeIn(app, remotes);
  const folder = `/folder-${place.project.id}`;
  const expected: Shown[] = [];
  for (let index = 0; index < Math.max(...plan.map(({ links }) => links)); index += 1) {
    for (const [at, { links }] of plan.entries()) {
      if (index >= links) continue;
      const storage = place.storages[at]!;
      const originId = remotes[at]!.file(`${folder}/${at}-${index}.txt`);
      const stored = `stored ${at}-${index}`;
      const id = await linkIn(app, place, storage, originId, { originName: stored });
      const status = await befall(plan, at, index, originId);
      expected.push({
        id,
        status,
        name: status === 'permission:ViewAllowed' ? `${at}-${index}.txt` : stored,
        storageId: storage.id,
        state: 'Connected',
      });
    }
  }
  for (const { server } of remotes) server.forget();
  return { place, expected };
}

/** Makes a file hidden, deleted or failing, as the plan says. */
async function befall(
  plan: readonly Planned[],
  at: number,
  index: number,
  originId: string,
): Promise<Status> {
  const { hidden, gone, failing } = plan[at]!;
  const remote = remotes[at]!;
  if (index < hidden) {
    remote.hide(originId);
    return 'permission:ViewNotAllowed';
  }
  if (index < hidden + gone) {
    remote.remove(originId);
    return 'NotFound';
  }
  if (index >= hidden + gone + failing) return 'permission:ViewAllowed';
  await remote.failFile(originId, [originId]);
  return 'Error';
}

/** The last links of the list, in both orders. */
async function partsOf({ workPackage, person }: Place): Promise<number[][]> {
  const links = (args: string) => `fileLinks(${args}) { nodes { databaseId } }`;
  const { data, errors } = await app.graphql(
    `query($id: ID!) { workPackage(id: $id) { last: ${links('last: 200')} newest: ${links('orderBy: NEWEST_FIRST, last: 200')} } }`,
    { id: workPackage.id },
    person,
  );
  expect(errors).toBeUndefined();
  return [data.workPackage.last, data.workPackage.newest].map(({ nodes }) =>
    nodes.map(({ databaseId }: { databaseId: number }) => databaseId),
  );
}

const nameIn = (urn: string): string =>
  urn.replace(/^urn:service-org:api:v3:(file-links|storages:authorization):/, '');

async function byRest({ list, person }: Place): Promise<Shown[]> {
  const { status, body } = await app.get(`${list}?pageSize=500`, person);
  expect([status, body.total, body.count]).toEqual([200, 500, 500]);
  return body._embedded.elements.map(({ id, originData, _links, _embedded: { storage } }: any) => ({
    id,
    status: nameIn(_links.status.href),
    name: originData.name,
    storageId: storage.id,
    state: nameIn(storage._links.authorizationState.href),
  }));
}

const LIST =
  'query($id: ID!) { workPackage(id: $id) { fileLinks(first: 200) { totalCount nodes { databaseId status originData { name } storage { databaseId authorizationState } } } } }';

async function byGraphql({ workPackage, person }: Place): Promise<Shown[]> {
  const { data, errors } = await app.graphql(LIST, { id: workPackage.id }, person);
  expect([errors, data.workPackage.fileLinks.totalCount]).toEqual([undefined, 200]);
  return data.workPackage.fileLinks.nodes.map(
    ({ databaseId, status, originData, storage }: any) => ({
      id: databaseId,
      status: linkWords[status]!.replace(/^View/, 'permission:View'),
      name: originData.name,
      storageId: storage.databaseId,
      state: stateWords[storage.authorizationState],
    }),
  );
}

/** Holds back all requests until this many have arrived. */
function gate(count: number) {
  let arrived = 0;
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return {
    full: () => arrived === count,
    pass(): Promise<void> {
      arrived += 1;
      if (arrived === count) open();
      return opened;
    },
  };
}

const sizeOf = ({ body }: FakeRequest): number =>
  (JSON.parse(body.toString()) as { requests: unknown[] }).requests.length;

/**
 * The requests to each storage: paths for file servers; batch sizes for drives, first as the user and then as the
 * service.
 */
function calls() {
  return {
    fileServers: remotes
      .slice(0, FILE_SERVERS)
      .map(({ server }) => server.requests.map(({ method, path }) => `${method} ${path}`)),
    drives: remotes.slice(FILE_SERVERS).map(({ server: { requests }, asksFiles, asksToken }) => {
      const batches = requests.filter((request) => asksFiles(request));
      const sizes = (token: (authorization: string | undefined) => boolean) =>
        batches
          .filter(({ headers }) => token(headers.authorization))
          .map(sizeOf)
          .sort((a, b) => b - a);
      const user = batches[0]?.headers.authorization;
      return {
        asUser: sizes((token) => token === user),
        asService: sizes((token) => token !== user),
        tokens: requests.filter((request) => asksToken(request)).length,
        all: requests.length,
      };
    }),
  };
}

const expectedCalls = (plan: readonly Planned[], { tokens }: { tokens: number }) => ({
  fileServers: Array.from({ length: FILE_SERVERS }, () => [
    'POST /ocs/v1.php/apps/integration_openproject/filesinfo',
  ]),
  drives: drivesOf(plan).map(({ asUser, asService }) => ({
    asUser,
    asService,
    tokens,
    all: asUser.length + asService.length + tokens,
  })),
});

/** API keys, permissions, and rows to which others refer are cached between requests, for seconds. */
const REMEMBERED =
  /api_keys|^select distinct .role_permissions|from .(users|projects|statuses|types). where /;

function counted(statements: readonly string[]): { reads: string[]; writes: string[] } {
  const fresh = statements.filter((sql) => !REMEMBERED.test(sql));
  const isRead = (sql: string) => /^\s*select/i.test(sql);
  return { reads: fresh.filter(isRead), writes: fresh.filter((sql) => !isRead(sql)) };
}

describe.each([
  [500, 'REST', byRest, MANY],
  [200, 'GraphQL', byGraphql, PAGE],
] as const)('%i links to three file servers and two drives, by %s', (_count, _api, list, plan) => {
  const drivePlan = drivesOf(plan);
  test(
    'storages get the fewest requests, all at once; few SQL statements, one write; each link has its status',
    async () => {
      const { place, expected } = await linked(plan);
      // The calls that must run concurrently: those as the user, then those as the service for
      // files not found in drives.
      const userCalls = FILE_SERVERS + drivePlan.flatMap(({ asUser }) => asUser).length;
      const gates = [gate(userCalls), gate(drivePlan.flatMap(({ asService }) => asService).length)];
      for (const remote of remotes)
        remote.server.fault({ hold: () => gates.find(({ full }) => !full())!.pass() }, (request) =>
          remote.asksFiles(request),
        );
      let shown: Shown[] = [];
      const statements = await app.statements(async () => {
        shown = await list(place);
      });
      expect(shown).toEqual(expected);
      expect(calls()).toEqual(expectedCalls(plan, { tokens: 1 }));
      const { reads, writes } = counted(statements);
      expect(writes.map((sql) => /update file_links/.test(sql))).toEqual([true]);
      expect(reads.length).toBeLessThanOrEqual(9);
    },
    TIMEOUT_MS,
  );

  test(
    "a second request costs the same storage requests, reuses the service's token and writes nothing",
    async () => {
      const { place, expected } = await linked(plan);
      expect(await list(place)).toEqual(expected);
      for (const { server } of remotes) server.forget();
      let shown: Shown[] = [];
      const { reads, writes } = counted(
        await app.statements(async () => {
          shown = await list(place);
        }),
      );
      expect(shown).toEqual(expected);
      expect(calls()).toEqual(expectedCalls(plan, { tokens: 0 }));
      expect(writes).toEqual([]);
      // One of them reads the waits for which storages have asked.
      expect(reads.length).toBeLessThanOrEqual(8);
    },
    TIMEOUT_MS,
  );
});

test('the last 200 of 500 links are the right ones', async () => {
  const { place, expected } = await linked(MANY);
  const ids = expected.map(({ id }) => id);
  expect(await partsOf(place)).toEqual([ids.slice(-200), ids.toReversed().slice(-200)]);
});

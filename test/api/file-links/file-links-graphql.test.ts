/** File links over GraphQL: features that REST does not have, and the number of storage requests and SQL statements. */
import { setTimeout as sleep } from 'node:timers/promises';
import { startApp, type App } from '../../support/app.js';
import { until } from '../../support/cli.js';
import { TIME } from '../../support/expected.js';
import type { Person } from '../../support/factories.js';
import {
  linkIn,
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

let fileServer: Stocked;
let otherServer: Stocked;
let drive: Stocked;
let app: App;
let folders = 0;
/** The path of a folder that no other test uses. */
const fresh = () => `/folder-${(folders += 1)}`;

beforeAll(async () => {
  [fileServer, otherServer, drive] = await Promise.all([
    stockedFileServer(),
    stockedFileServer(),
    stockedCloudDrive(),
  ]);
  app = await startApp({
    ...drive.environment,
    STORAGE_TIMEOUT_MS: '60000',
    STORAGE_CONNECT_TIMEOUT_MS: '10000',
  });
});
const all = () => [fileServer, otherServer, drive];
beforeEach(() => {
  for (const { server } of all()) {
    server.repair();
    server.forget();
  }
});
afterEach(() => {
  for (const remote of all()) remote.check();
});
afterAll(async () => {
  await app?.stop();
  await Promise.all(all().map((remote) => remote?.close()));
});

const globalId = (type: string, id: number) => Buffer.from(`${type}:${id}`).toString('base64url');
const codes = (answer: { errors: { extensions: { code: string } }[] | undefined }) =>
  answer.errors?.map(({ extensions }) => extensions.code);
const FIELDS = `id databaseId createdAt updatedAt status originOpenUrl originOpenLocationUrl viewerCanDelete
  originData { id name mimeType size createdAt lastModifiedAt createdByName lastModifiedByName } storage { databaseId authorizationState } container { databaseId } creator { databaseId }`;
const LIST =
  'query($id: ID!) { workPackage(id: $id) { fileLinks(first: 200) { nodes { originData { name } status } } } }';

/** Links to existing files, distributed over the storages. */
async function linked(
  counts: readonly number[],
  remotes: readonly Stocked[] = all(),
): Promise<Place & { ids: number[] }> {
  const place = await placeIn(app, remotes);
  const ids: number[] = [];
  const folder = fresh();
  for (const [index, count] of counts.entries()) {
    for (let file = 0; file < count; file += 1)
      ids.push(
        await linkIn(
          app,
          place,
          place.storages[index]!,
          remotes[index]!.file(`${folder}/${file}.txt`),
        ),
      );
  }
  for (const { server } of remotes) server.forget();
  return { ...place, ids };
}

describe('a list of 60 links to three storages', () => {
  test('sends one request to each file server and batches of twenty to the drive; few SQL statements, one write', async () => {
    const { workPackage, person } = await linked([20, 15, 25]);
    let answer: any;
    // The caller's identity is cached between requests.
    const counted = async (work: () => Promise<unknown>) =>
      (await app.statements(work)).filter((sql) => !/api_keys/.test(sql));
    const statements = await counted(async () => {
      answer = await app.graphql(LIST, { id: workPackage.id }, person);
    });
    const { nodes } = answer.data.workPackage.fileLinks;
    expect(nodes.map(({ status }: any) => status)).toEqual(
      Array.from({ length: 60 }, () => 'VIEW_ALLOWED'),
    );
    expect(nodes.map(({ originData }: any) => originData.name)).toEqual(
      [20, 15, 25].flatMap((count) => Array.from({ length: count }, (_, index) => `${index}.txt`)),
    );
    expect(all().map(({ server }) => server.requests.length)).toEqual([1, 1, 2]);
    const writes = statements.filter((sql) => !/^\s*select/i.test(sql));
    expect(writes.map((sql) => /update file_links/.test(sql))).toEqual([true]);
    // The waits for which storages have asked are read every few seconds, not for each request.
    const own = (all: readonly string[]) => all.filter((sql) => !/storage_pauses/.test(sql));
    expect(own(statements).filter((sql) => /^\s*select/i.test(sql)).length).toBeLessThanOrEqual(6);
    // Unchanged data is not written again.
    const again = await counted(async () => {
      await app.graphql(LIST, { id: workPackage.id }, person);
    });
    expect(again.filter((sql) => !/^\s*select/i.test(sql))).toEqual([]);
    expect(own(again).length).toBeLessThanOrEqual(6);
  });

  test('lists links oldest or newest first, in pages and for some storages', async () => {
    const place = await placeIn(app, [fileServer, drive]);
    const ids: number[] = [];
    for (let index = 0; index < 6; index += 1) {
      const remote = index % 2 === 0 ? fileServer : drive;
      const originId = remote.file(`${fresh()}/${index}.txt`);
      ids.push(await linkIn(app, place, place.storages[index % 2]!, originId));
    }
    const list = async (variables: object): Promise<[number[], string]> => {
      const { data } = await app.graphql(
        'query($id: ID!, $order: FileLinkOrder, $first: Int, $after: String, $page: Int, $storages: [ID!]) { workPackage(id: $id) { fileLinks(orderBy: $order, first: $first, after: $after, page: $page, filter: { storageIds: $storages }) { nodes { databaseId } pageInfo { endCursor } } } }',
        { id: place.workPackage.id, ...variables },
        place.person,
      );
      const { nodes, pageInfo } = data.workPackage.fileLinks;
      return [nodes.map((node: { databaseId: number }) => node.databaseId), pageInfo.endCursor];
    };
    const newest = [...ids].reverse();
    for (const [order, sorted] of [
      [undefined, ids],
      ['OLDEST_FIRST', ids],
      ['NEWEST_FIRST', newest],
    ] as const) {
      expect((await list({ order }))[0]).toEqual(sorted);
      const [firstPage, after] = await list({ order, first: 4 });
      expect(firstPage).toEqual(sorted.slice(0, 4));
      expect((await list({ order, first: 4, after }))[0]).toEqual(sorted.slice(4));
      expect((await list({ order, first: 4, page: 2 }))[0]).toEqual(sorted.slice(4));
      expect((await list({ order, storages: [String(place.storages[1]!.id)] }))[0]).toEqual(
        sorted.filter((id) => ids.indexOf(id) % 2 === 1),
      );
    }
  });

  test('requests drive files again as the service if the user cannot find them', async () => {
    const place = await placeIn(app, [drive]);
    const folder = fresh();
    const origins = Array.from({ length: 45 }, (_, index) => drive.file(`${folder}/${index}.txt`));
    for (const originId of origins) await linkIn(app, place, place.storages[0]!, originId);
    for (const originId of origins.slice(0, 21)) drive.hide(originId);
    drive.server.forget();
    const { data } = await app.graphql(LIST, { id: place.workPackage.id }, place.person);
    expect(data.workPackage.fileLinks.nodes.map(({ status }: any) => status)).toEqual([
      ...Array.from({ length: 21 }, () => 'VIEW_NOT_ALLOWED'),
      ...Array.from({ length: 24 }, () => 'VIEW_ALLOWED'),
    ]);
    const batches = () =>
      drive.server.requests.filter((request) => drive.asksFiles(request)).length;
    expect([
      batches(),
      drive.server.requests.filter((request) => drive.asksToken(request)).length,
    ]).toEqual([3 + 2, 1]);
    // The service's token is cached.
    drive.server.forget();
    await app.graphql(LIST, { id: place.workPackage.id }, place.person);
    expect([batches(), drive.server.requests.length]).toEqual([5, 5]);
  });

  test('needs no more requests and no extra SQL statement per link, whatever fields it selects', async () => {
    const query = `query($id: ID!) { workPackage(id: $id) { fileLinks(first: 60) { totalCount nodes { ${FIELDS} } } } }`;
    const counted = async (counts: readonly number[]) => {
      const { workPackage, person } = await linked(counts);
      let answer: any;
      const statements = await app.statements(async () => {
        answer = await app.graphql(query, { id: workPackage.id }, person);
      });
      expect([answer.errors, answer.data.workPackage.fileLinks.totalCount]).toEqual([
        undefined,
        counts.reduce((sum, one) => sum + one),
      ]);
      expect(all().map(({ server }) => server.requests.length)).toEqual([
        1,
        1,
        Math.ceil(counts[2]! / 20),
      ]);
      // The waits of storages are cached for a short time.
      return statements.filter((sql) => !sql.includes('storage_pauses')).length;
    };
    expect(await counted([20, 15, 25])).toBe(await counted([1, 1, 1]));
  });

  test('several aliases of the same link cost one storage request', async () => {
    const {
      person,
      ids: [id],
    } = await linked([0, 0, 1]);
    const asked = async (fields: string) => {
      for (const { server } of all()) server.forget();
      const { data, errors } = await app.graphql(
        `query($id: ID!) { fileLink(id: $id) { ${fields} } }`,
        { id },
        person,
      );
      expect(errors).toBeUndefined();
      return {
        distinct: new Set(Object.values(data.fileLink)).size,
        requests: all().map(({ server }) => server.requests.length),
      };
    };
    for (const field of ['downloadUrl', 'openUrl', 'openUrl(location: true)'])
      expect(await asked(`a: ${field} b: ${field} c: ${field}`)).toEqual(await asked(field));
    expect((await asked('downloadUrl')).requests).not.toEqual([0, 0, 0]);
  });
});

test.each([
  // The companion app and the server itself, at the same time.
  [
    'downloadUrl',
    'a file server',
    2,
    (index: number) =>
      new RegExp(
        `^${fileServer.server.url}/index\\.php/apps/integration_openproject/direct/[\\w-]+/${index}\\.txt$`,
      ),
  ],
  ['openUrl', 'a cloud drive', 1, (index: number) => new RegExp(`^https?://.*/${index}\\.txt`)],
] as const)(
  '%s of 40 links: %s gets at most sixteen requests at the same time, and all links are answered',
  async (field, where, calls, address) => {
    const remote = where === 'a cloud drive' ? drive : fileServer;
    const { workPackage, person } = await linked([40], [remote]);
    let [underWay, most] = [0, 0];
    let letGo = () => {};
    const released = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    remote.server.fault({
      hold: async () => {
        most = Math.max(most, (underWay += 1));
        await released;
        await sleep(20);
        underWay -= 1;
      },
    });
    try {
      const answer = app.graphql(
        `query($id: ID!) { workPackage(id: $id) { fileLinks(first: 200) { nodes { ${field} } } } }`,
        { id: workPackage.id },
        person,
      );
      await until(() => underWay >= 16 * calls, 'the first links are asked for');
      await sleep(500);
      letGo();
      const { data, errors } = await answer;
      expect(errors).toBeUndefined();
      expect(
        data.workPackage.fileLinks.nodes.map((link: { [name: string]: string }) => link[field]),
      ).toEqual(Array.from({ length: 40 }, (_, index) => expect.stringMatching(address(index))));
      expect([most, remote.server.requests.length]).toEqual([16 * calls, 40 * calls]);
    } finally {
      letGo();
    }
  },
);

test('stored data is answered without a storage request', async () => {
  const { workPackage, person, ids } = await linked([2, 1, 2]);
  const { data } = await app.graphql(
    'query($id: ID!) { workPackage(id: $id) { fileLinks { nodes { databaseId originData(refresh: false) { id name } } } } }',
    { id: workPackage.id },
    person,
  );
  expect(data.workPackage.fileLinks.nodes).toEqual(
    await Promise.all(
      ids.map(async (id) => {
        const row = await rowOf(app, id);
        return { databaseId: id, originData: { id: row.origin_id, name: row.origin_name } };
      }),
    ),
  );
  expect(data.workPackage.fileLinks.nodes[0].originData.name).toMatch(/^old /);
  expect(all().map(({ server }) => server.requests.length)).toEqual([0, 0, 0]);
  // Next to a status, originData with refresh: false is still the stored data.
  const both = await app.graphql(
    'query($id: ID!) { fileLink(id: $id) { status stored: originData(refresh: false) { name } now: originData { name } } }',
    { id: ids[0] },
    person,
  );
  expect(both.data.fileLink).toEqual({
    status: 'VIEW_ALLOWED',
    stored: { name: expect.stringMatching(/^old /) },
    now: { name: '0.txt' },
  });
});

test.each([1_001, 2_345])(
  'the pages of a list of %i links are complete and in order',
  async (count) => {
    const {
      workPackage,
      person,
      ids: [first],
    } = await linked([1, 0, 0]);
    const { read, write } = app.running.services.db;
    const { id: _id, ...row } = await read('file_links').where('id', first!).first();
    await write.batchInsert(
      'file_links',
      Array.from({ length: count - 1 }, (_, n) => ({
        ...row,
        origin_id: String(5_000_000 + n),
        origin_name: `more ${n}`,
      })),
      500,
    );
    const ids = await read('file_links')
      .where('work_package_id', workPackage.id)
      .orderBy('id')
      .pluck('id');
    const list = async (args: string) =>
      (
        await app.graphql(
          `query($id: ID!) { workPackage(id: $id) { fileLinks${args} { totalCount pageInfo { hasNextPage } nodes { databaseId } } } }`,
          { id: workPackage.id },
          person,
        )
      ).data.workPackage.fileLinks;
    const of = (wanted: number[], hasNextPage: boolean) => ({
      totalCount: count,
      pageInfo: { hasNextPage },
      nodes: wanted.map((databaseId) => ({ databaseId })),
    });
    for (let page = 1; page <= Math.ceil(count / 200); page += 1)
      expect(await list(`(first: 200, page: ${page})`)).toEqual(
        of(ids.slice((page - 1) * 200, page * 200), count > page * 200),
      );
  },
);

test.each([
  ['edges', '', '{ fileLinks(first: 200) { edges { node { status } } } }'],
  [
    'fragments',
    '',
    '{ fileLinks(first: 200) { ...Page } } } fragment Page on FileLinkConnection { nodes { ... on FileLink { ...Row } } } fragment Row on FileLink { originData { name }',
  ],
  [
    'a variable for refresh',
    ', $asks: Boolean! = true',
    '{ fileLinks(first: 200) { nodes { updatedAt(refresh: $asks) } } }',
  ],
  [
    'a field with @include',
    ', $asks: Boolean! = true',
    '{ fileLinks(first: 200) { nodes { databaseId status @include(if: $asks) } } }',
  ],
  [
    'two lists of the same links',
    '',
    '{ fileLinks(first: 200) { nodes { status } } again: fileLinks(first: 200) { edges { node { originOpenUrl } } } }',
  ],
])(
  'links selected by %s cost one request for each storage or batch',
  async (_what, variables, selection) => {
    const { workPackage, person } = await linked([3, 2, 25]);
    const { errors } = await app.graphql(
      `query($id: ID!${variables}) { workPackage(id: $id) ${selection} }`,
      { id: workPackage.id },
      person,
    );
    expect(errors).toBeUndefined();
    expect(all().map(({ server }) => server.requests.length)).toEqual([1, 1, 2]);
  },
);

test('the storage details of many links are requested once', async () => {
  const { workPackage, person } = await linked([0, 0, 4]);
  const ask = (links: number) =>
    app.graphql(
      `query($id: ID!, $links: Int) { workPackage(id: $id) { fileLinks(first: $links) { nodes { storage { openUrl files { files { name } } } } } } }`,
      { id: workPackage.id, links },
      person,
    );
  expect((await ask(1)).errors).toBeUndefined();
  const one = drive.server.requests.length;
  drive.server.forget();
  const { data, errors } = await ask(4);
  expect([errors, data.workPackage.fileLinks.nodes.length, drive.server.requests.length]).toEqual([
    undefined,
    4,
    one,
  ]);
});

test('URLs at a file server need no storage request; those at a drive take one batch', async () => {
  const { workPackage, person } = await linked([2, 0, 2]);
  const { data, errors } = await app.graphql(
    'query($id: ID!) { workPackage(id: $id) { fileLinks { nodes { originOpenUrl originOpenLocationUrl } } } }',
    { id: workPackage.id },
    person,
  );
  expect([
    errors,
    data.workPackage.fileLinks.nodes
      .flatMap((link: object) => Object.values(link))
      .filter((url: unknown) => !/^https?:/.test(String(url))),
  ]).toEqual([undefined, []]);
  expect(all().map(({ server }) => server.requests.length)).toEqual([0, 0, 1]);
});

test('more ids than one SQL statement can take are refused with a clear error', async () => {
  const { workPackage, person, project } = await linked([1, 0, 0]);
  const ids = Array.from({ length: 40_000 }, (_, index) => String(index + 1_000_000));
  const filtered = await app.graphql(
    'query($id: ID!, $s: [ID!]) { workPackage(id: $id) { fileLinks(filter: { storageIds: $s }) { totalCount } } }',
    { id: workPackage.id, s: ids },
    person,
  );
  expect(filtered.errors).toMatchObject([
    {
      message:
        'The document has more than 1,000 ids in lists. ' +
        'A variable and a fragment count at each use. Send several documents.',
      extensions: { code: 'INVALID_QUERY', status: 400 },
    },
  ]);
  await app.given.membership(person, await app.given.project(), []);
  const editor = await app.given.member(project, [
    'view_work_packages',
    'edit_work_packages',
    'view_file_links',
    'manage_file_links',
  ]);
  const claimed = await app.graphql(
    'mutation($id: ID!, $links: [ID!]) { updateWorkPackage(input: { id: $id, fileLinkIds: $links }) { workPackage { id } } }',
    { id: workPackage.id, links: ids },
    editor,
  );
  expect(claimed.errors).toMatchObject([
    {
      message:
        'The document has more than 1,000 ids in lists. ' +
        'A variable and a fragment count at each use. Send several documents.',
      extensions: { code: 'INVALID_QUERY', status: 400 },
    },
  ]);
});

/** Queries of one user that run at the same time. */
const TOGETHER = 16;

test('concurrent requests of one user for the same links share one storage call; another user gets a separate call', async () => {
  const { project, workPackage, person, storages, ids } = await linked([10, 0, 10]);
  const other = await app.given.member(project, viewing);
  for (const [index, remote] of all().entries())
    await app.given.storageTokens(other, storages[index]!, {
      ...remote.grant(),
      originUserId: remote.userId,
    });
  const ask = async (as: Person) =>
    (await app.graphql(LIST, { id: workPackage.id }, as)).data.workPackage.fileLinks.nodes;
  // Storages answer once all requests have read their links, however long that takes.
  const { read } = app.running.services.db;
  let readers = 0;
  const note = (_answer: unknown, { sql }: { sql: string }) =>
    void (readers += Number(/^select .*file_links/.test(sql)));
  const allHaveRead = async () => {
    await until(() => readers >= TOGETHER, 'all have read their links', 60_000);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  };
  read.on('query-response', note);
  for (const { server } of all()) server.fault({ hold: allHaveRead });
  const answers = await Promise.all(Array.from({ length: TOGETHER }, () => ask(person)));
  for (const nodes of answers)
    expect(nodes).toEqual(
      [
        ...Array.from({ length: 10 }, (_, index) => index),
        ...Array.from({ length: 10 }, (_, index) => index),
      ].map((name) => ({ originData: { name: `${name}.txt` }, status: 'VIEW_ALLOWED' })),
    );
  read.off('query-response', note);
  expect(all().map(({ server }) => server.requests.length)).toEqual([1, 0, 1]);
  await Promise.all([ask(person), ask(other)]);
  expect(all().map(({ server }) => server.requests.length)).toEqual([3, 0, 3]);
  expect(app.running.services.refreshing.size).toBe(0);
  expect((await rowOf(app, ids[0]!)).origin_name).toBe('0.txt');
});

describe('REST features over GraphQL', () => {
  const CREATE = `mutation($input: CreateFileLinksInput!) { createFileLinks(input: $input) { fileLinks { ${FIELDS} } } }`;
  const DELETE = 'mutation($id: ID!) { deleteFileLink(input: { id: $id }) { deletedFileLinkId } }';
  const VIEW = `query($id: ID!) { fileLink(id: $id) { ${FIELDS} } }`;
  const origin = {
    mimeType: 'text/markdown',
    size: 5,
    createdAt: '2026-01-02T03:04:05.000Z',
    lastModifiedAt: '2026-02-03T04:05:06.000Z',
    createdByName: 'Mia Ray',
    lastModifiedByName: 'Mia Ray',
  };

  test('links are created, read and deleted by either form of id', async () => {
    const place = await placeIn(app, all());
    const { workPackage, person, storages } = place;
    const folder = fresh();
    const seed = {
      content: 'hello',
      mimeType: 'text/markdown',
      createdAt: '2026-01-02T03:04:05Z',
      modifiedAt: '2026-02-03T04:05:06Z',
    };
    const [first, second] = [
      fileServer.file(`${folder}/a.md`, seed),
      drive.file(`${folder}/b.md`, seed),
    ];
    const { data, errors } = await app.graphql(
      CREATE,
      {
        input: {
          workPackageId: workPackage.globalId,
          fileLinks: [
            { storageId: storages[0]!.globalId, originData: { id: first, name: 'a.md' } },
            { storageId: String(storages[2]!.id), originData: { id: second, name: 'b.md' } },
          ],
        },
      },
      person,
    );
    expect(errors).toBeUndefined();
    const links = data.createFileLinks.fileLinks;
    const body = (
      at: number,
      originId: string,
      name: string,
      storageId: number,
      address: unknown,
      location: unknown,
    ) => ({
      id: globalId('FileLink', links[at].databaseId),
      databaseId: links[at].databaseId,
      createdAt: TIME,
      updatedAt: TIME,
      status: 'VIEW_ALLOWED',
      originOpenUrl: address,
      originOpenLocationUrl: location,
      viewerCanDelete: true,
      originData: { id: originId, name, ...origin },
      storage: { databaseId: storageId, authorizationState: 'CONNECTED' },
      container: { databaseId: workPackage.id },
      creator: { databaseId: person.id },
    });
    expect(links).toEqual([
      body(
        0,
        first,
        'a.md',
        storages[0]!.id,
        `${fileServer.server.url}/index.php/f/${first}?openfile=1`,
        `${fileServer.server.url}/index.php/f/${first}?openfile=false`,
      ),
      body(
        1,
        second,
        'b.md',
        storages[2]!.id,
        expect.stringMatching(/^https:/),
        expect.stringMatching(/^https:/),
      ),
    ]);
    for (const [index, id] of [links[0].databaseId, links[1].id].entries()) {
      expect((await app.graphql(VIEW, { id }, person)).data.fileLink).toEqual({
        ...links[index],
        updatedAt: TIME,
      });
      expect((await app.graphql(DELETE, { id }, person)).data).toEqual({
        deleteFileLink: { deletedFileLinkId: links[index].id },
      });
      expect(codes(await app.graphql(DELETE, { id }, person))).toEqual(['NOT_FOUND']);
    }
  });

  test('refusals have the codes of the REST answers', async () => {
    const place = await placeIn(app, [fileServer], { tokens: false });
    const {
      project,
      workPackage,
      person,
      storages: [storage],
    } = place;
    const id = await linkIn(app, place, storage!, '1');
    const input = {
      workPackageId: workPackage.id,
      fileLinks: [{ storageId: storage!.id, originData: { id: '2', name: 'a' } }],
    };
    const [reader, stranger] = [await app.given.member(project, viewing), await app.given.user()];
    expect(codes(await app.graphql(CREATE, { input }, reader))).toEqual(['MISSING_PERMISSION']);
    expect(
      codes(await app.graphql(CREATE, { input: { fileLinks: input.fileLinks } }, reader)),
    ).toEqual(['MISSING_PERMISSION']);
    expect(codes(await app.graphql(DELETE, { id }, reader))).toEqual(['MISSING_PERMISSION']);
    for (const as of [stranger, undefined])
      for (const [query, variables] of [
        [CREATE, { input }],
        [DELETE, { id }],
        [VIEW, { id }],
      ] as const)
        expect(codes(await app.graphql(query, variables, as))).toEqual(['NOT_FOUND']);
    for (const wrong of [globalId('Storage', id), 'x', '0', '-1', ''])
      expect(codes(await app.graphql(VIEW, { id: wrong }, person))).toEqual(['NOT_FOUND']);
    expect(
      codes(
        await app.graphql(
          CREATE,
          { input: { ...input, workPackageId: storage!.globalId } },
          person,
        ),
      ),
    ).toEqual(['NOT_FOUND']);
    for (const fileLinks of [undefined, null, []])
      expect(
        (await app.graphql(CREATE, { input: { workPackageId: workPackage.id, fileLinks } }, person))
          .errors,
      ).toMatchObject([
        {
          message: "Missing property '_embedded/elements'.",
          extensions: { code: 'PROPERTY_CONSTRAINT_VIOLATION', attribute: 'elements', status: 422 },
        },
      ]);
    const wrong = {
      storageUrl: 'https://elsewhere.example.test',
      originData: { id: '2', name: 'a.png' },
    };
    expect(
      (await app.graphql(CREATE, { input: { ...input, fileLinks: [wrong] } }, person)).errors,
    ).toMatchObject([
      {
        message:
          'Error attempting to create dependent object: File link - a.png: Storage does not exist.',
        extensions: { code: 'PROPERTY_CONSTRAINT_VIOLATION', attribute: 'base', status: 422 },
      },
    ]);
    for (const storageId of [project.id + 1000, globalId('Project', project.id), 'x'])
      expect(
        (
          await app.graphql(
            CREATE,
            {
              input: {
                ...input,
                fileLinks: [{ ...wrong, storageUrl: undefined, storageId: String(storageId) }],
              },
            },
            person,
          )
        ).errors?.[0]!.message,
      ).toMatch(/Storage does not exist\.$/);
    expect(
      (await app.graphql('query($id: ID!) { fileLink(id: $id) { downloadUrl } }', { id }, person))
        .errors,
    ).toMatchObject([
      {
        message:
          'An outbound request to another resource has failed: The storage does not know you. Connect to it first.',
        extensions: { status: 500 },
      },
    ]);
  });

  test('links without a work package are created without one and show null', async () => {
    const {
      person,
      storages: [storage],
    } = await placeIn(app, [fileServer], { tokens: false });
    const { data } = await app.graphql(
      CREATE,
      {
        input: {
          fileLinks: [{ storageUrl: fileServer.server.url, originData: { id: '1', name: 'a' } }],
        },
      },
      person,
    );
    expect(data.createFileLinks.fileLinks).toMatchObject([
      {
        container: null,
        status: 'ERROR',
        viewerCanDelete: true,
        storage: { databaseId: storage!.id, authorizationState: 'FAILED_AUTHORIZATION' },
        originOpenUrl: `${fileServer.server.url}/index.php/f/1?openfile=1`,
      },
    ]);
  });

  test('cursor pages, and the filter by storages', async () => {
    const { workPackage, person, ids, storages } = await linked([3, 2, 0]);
    const page = async (args: string) => {
      const { fileLinks } = (
        await app.graphql(
          `query($id: ID!) { workPackage(id: $id) { fileLinks(${args}) { totalCount pageInfo { hasNextPage endCursor } nodes { databaseId } } } }`,
          { id: workPackage.id },
          person,
        )
      ).data.workPackage;
      return { ...fileLinks, nodes: fileLinks.nodes.map(({ databaseId }: any) => databaseId) };
    };
    const first = await page('first: 2');
    expect(first).toMatchObject({
      totalCount: 5,
      pageInfo: { hasNextPage: true },
      nodes: ids.slice(0, 2),
    });
    expect(await page(`first: 9, after: "${first.pageInfo.endCursor}"`)).toMatchObject({
      totalCount: 5,
      pageInfo: { hasNextPage: false },
      nodes: ids.slice(2),
    });
    expect(
      await page(`first: 9, filter: { storageIds: ["${storages[1]!.globalId}"] }`),
    ).toMatchObject({
      totalCount: 2,
      nodes: ids.slice(3),
    });
    expect(await page('first: 9, filter: { storageIds: [] }')).toMatchObject({
      totalCount: 0,
      nodes: [],
    });
    expect(all().map(({ server }) => server.requests.length)).toEqual([0, 0, 0]);
  });
});

/** The list of all files for somebody with more than 10,000, among newer ones of others. */
import { startApp, type App } from '../../support/app.js';
import type { Person } from '../../support/factories.js';
import { afterAll, beforeAll, expect, test } from '../../support/jest.js';

const OLD = 16_000;
const NEWER = 1_200;

let app: App;
let admin: Person;
let reader: Person;
let harbour: { id: number };

beforeAll(async () => {
  app = await startApp();
  const { given } = app;
  admin = await given.user({ admin: true });
  harbour = await given.project();
  const quay = await given.project();
  const hidden = await given.project();
  reader = await given.member(harbour, ['view_work_packages', 'view_meetings']);
  await given.membership(reader, quay, ['view_work_packages']);
  const place = async (project: { id: number }) => ({
    project: project.id,
    workPackage: (await given.workPackage(project, admin)).id,
    meeting: (await given.meeting(project, admin)).id,
  });
  const places = [await place(harbour), await place(quay), await place(hidden)] as const;
  await add(1, OLD, places[0], places[1]);
  await add(OLD + 1, OLD + NEWER, places[2], places[2]);
});
afterAll(() => app?.stop());

interface Place {
  project: number;
  workPackage: number;
  meeting: number;
}

/** Rows with these ids. One in three is at the second place, one in ten at the meeting. */
async function add(from: number, to: number, first: Place, second: Place) {
  const at = (column: keyof Place) =>
    `case when n % 3 = 0 then ${second[column]} else ${first[column]} end`;
  // Many have the same name.
  const name = "case when n % 2 = 0 then 'report ' else 'plan ' end || (n * 7919 % 2011)";
  await app.running.services.db.write.raw(
    'insert into attachments (id, author_id, project_id, work_package_id, meeting_id, file_name,' +
      ' search_text, file_size, content_type, description_text, blob_key, digest_algorithm, digest_hash, phase,' +
      ' status, created_at, updated_at)' +
      ` with recursive series(n) as (select ${from} union all select n + 1 from series where n < ${to})` +
      ` select n, ${admin.id}, ${at('project')},` +
      ` case when n % 10 <> 0 then ${at('workPackage')} end,` +
      ` case when n % 10 = 0 then ${at('meeting')} end, ${name}, ${name}, n, 'text/plain', '', 'many-' || n,` +
      " 'sha256', cast(n as text), 'kept', 'scanned', '2026-03-01T00:00:00.000Z'," +
      " '2026-03-01T00:00:00.000Z' from series",
  );
}

/** The ids of the files that the reader sees, the newest first. */
const seen = (isWanted: (id: number) => boolean = () => true): number[] =>
  Array.from({ length: OLD }, (_, at) => OLD - at).filter(
    (id) => isWanted(id) && !(id % 3 === 0 && id % 10 === 0),
  );
const isReport = (id: number) => id % 2 === 0;

interface Paging {
  first?: number;
  after?: string;
  last?: number;
  before?: string;
}

async function page(search: string | undefined, orderBy: string, paging: Paging) {
  const { data, errors } = await app.graphql(
    'query ($search: String, $orderBy: AttachmentOrder, $first: Int, $after: String, $last: Int, $before: String) {' +
      ' attachments(search: $search, orderBy: $orderBy, first: $first, after: $after, last: $last, before: $before) {' +
      ' pageInfo { startCursor endCursor hasNextPage hasPreviousPage } nodes { databaseId } } }',
    { search, orderBy, ...paging },
    reader,
  );
  expect(errors).toBeUndefined();
  const { pageInfo, nodes } = data.attachments;
  return { ...pageInfo, ids: nodes.map((node: { databaseId: number }) => node.databaseId) };
}

test.each([
  [undefined, 'ID_DESC', seen()],
  [undefined, 'ID_ASC', seen().reverse()],
  ['report', 'ID_DESC', seen(isReport)],
  ['port', 'ID_ASC', seen(isReport).reverse()],
])('all pages of the search for %s by %s have each file once', async (search, orderBy, all) => {
  const found: number[] = [];
  for (let after: string | undefined; ;) {
    const { ids, endCursor, hasNextPage } = await page(search, orderBy, { first: 200, after });
    found.push(...ids);
    if (!hasNextPage) break;
    after = endCursor;
  }
  expect(found).toEqual(all);
});

test('the list can be sorted by name and by size', async () => {
  const nameOf = (id: number) => `${isReport(id) ? 'report' : 'plan'} ${(id * 7919) % 2011}`;
  const byName = (a: number, b: number) =>
    nameOf(a) === nameOf(b) ? a - b : nameOf(a) < nameOf(b) ? -1 : 1;
  const sorted = seen(isReport).sort(byName);
  const { ids, endCursor } = await page('report', 'FILE_NAME_ASC', { first: 100 });
  expect(ids).toEqual(sorted.slice(0, 100));
  expect(await page('report', 'FILE_NAME_ASC', { first: 100, after: endCursor })).toMatchObject({
    ids: sorted.slice(100, 200),
  });
  expect(await page(undefined, 'FILE_SIZE_DESC', { first: 50 })).toMatchObject({
    ids: seen().slice(0, 50),
  });
});

test.each([
  ['ID_DESC', seen(isReport)],
  ['ID_ASC', seen(isReport).reverse()],
])('pages by %s go back and lie between two cursors', async (orderBy, all) => {
  const { endCursor } = await page('report', orderBy, { first: 30 });
  const { endCursor: further } = await page('report', orderBy, { first: 50 });
  expect(await page('report', orderBy, { last: 20, before: endCursor })).toMatchObject({
    ids: all.slice(9, 29),
    hasPreviousPage: true,
  });
  expect(
    await page('report', orderBy, { first: 40, after: endCursor, before: further }),
  ).toMatchObject({ ids: all.slice(30, 49) });
  expect(await page('report', orderBy, { last: 20 })).toMatchObject({
    ids: all.slice(-20),
    hasNextPage: false,
  });
});

/** The lists of all files and of all linked files have exactly the rows that single reads show, for random people. */
import { FileLink } from '../../../src/models/file-link.js';
import { startApp, type App } from '../../support/app.js';
import { kinds, type ContainerHandle, type Person } from '../../support/factories.js';
import { afterAll, beforeAll, describe, expect, test } from '../../support/jest.js';
import { randomNumbers } from '../../support/random-numbers.js';

const SEED = 42;
const PEOPLE = 9;
const PROJECTS = 5;
const PERMISSIONS = [
  'view_work_packages',
  'view_internal_comments',
  'view_meetings',
  'view_messages',
  'view_wiki_pages',
  'view_file_links',
];
const WORDS = ['anchor', 'rope', 'süd'];

interface File {
  id: number;
  name: string;
  /** Whether lists of containers can have it. */
  isListed: boolean;
}

let app: App;
const people: (Person | undefined)[] = [];
const files: File[] = [];
const links: File[] = [];

beforeAll(async () => {
  app = await startApp({ TRASH_DAYS: '30' });
  const { given } = app;
  const random = randomNumbers(SEED);
  const some = <T>(values: readonly T[]): T[] => values.filter(() => random(2) === 0);
  const name = () => `${WORDS[random(WORDS.length)]} ${files.length + links.length}.txt`;
  await given.role(some(PERMISSIONS), 'Non member');
  await given.role(['view_work_packages', 'view_wiki_pages', 'view_file_links'], 'Anonymous');
  const admin = await given.user({ admin: true });
  const authors = await Promise.all(Array.from({ length: PEOPLE }, () => given.user()));
  const storage = await given.storage();
  const unused = await given.storage();

  const add = async (container: ContainerHandle | undefined) => {
    const author = authors[random(PEOPLE)]!;
    const fileName = name();
    const status = (['uploaded', 'scanned', 'quarantined', 'prepared'] as const)[random(4)]!;
    const { id } = await given.attachment({ container, author, fileName, status, blob: false });
    files.push({ id, name: fileName, isListed: container !== undefined && status !== 'prepared' });
  };
  const link = async (workPackage: ContainerHandle | undefined) => {
    const originName = name();
    const createdAt = new Date().toISOString();
    const { id } = await FileLink.query(app.running.services.db.write)
      .insert({
        workPackageId: workPackage?.id ?? null,
        storageId: random(4) === 0 ? unused.id : storage.id,
        creatorId: authors[random(PEOPLE)]!.id,
        originId: originName,
        originName,
        createdAt,
        updatedAt: createdAt,
      })
      .returning('id');
    links.push({ id, name: originName, isListed: workPackage !== undefined });
  };

  for (let at = 0; at < PROJECTS; at += 1) {
    const project = await given.project({ isPublic: at < 2 });
    if (at > 0) await given.projectStorage(project, storage, { creator: admin });
    const workPackage = await given.workPackage(project, admin);
    const containers = [
      workPackage,
      await given.comment(workPackage, admin, { internal: true }),
      ...(await Promise.all(
        kinds
          .filter((kind) => kind !== 'WorkPackage')
          .map((kind) => given.container(kind, project, admin)),
      )),
    ];
    for (const container of containers) for (let of = 0; of < 3; of += 1) await add(container);
    for (let of = 0; of < 4; of += 1) await link(workPackage);
    for (const person of authors)
      if (random(3) > 0) await given.membership(person, project, some(PERMISSIONS));
  }
  for (let of = 0; of < 6; of += 1) {
    await add(undefined);
    await link(undefined);
  }
  const deleted = some(files.filter(({ isListed }) => isListed)).slice(0, 8);
  for (const { id } of deleted)
    expect((await app.delete(`/api/v3/attachments/${id}`, admin)).status).toBe(204);
  people.push(admin, ...authors, undefined);
});
afterAll(() => app?.stop());

/** The rows that a person can read one by one, and that lists can have. */
async function readable(
  field: 'attachment' | 'fileLink',
  rows: readonly File[],
  person: Person | undefined,
): Promise<number[]> {
  const found: number[] = [];
  const listed = rows.filter(({ isListed }) => isListed);
  for (let at = 0; at < listed.length; at += 20) {
    const fields = listed
      .slice(at, at + 20)
      .map(({ id }) => `a${id}: ${field}(id: ${id}) { databaseId }`);
    const { data } = await app.graphql(`{ ${fields.join(' ')} }`, {}, person);
    for (const row of Object.values(data as { [alias: string]: { databaseId: number } | null }))
      if (row) found.push(row.databaseId);
  }
  return found.sort((a, b) => a - b);
}

/** All rows of a list, page by page. */
async function listed(
  field: 'attachments' | 'fileLinks',
  search: string | undefined,
  person: Person | undefined,
): Promise<{ ids: number[]; totals: Set<number> }> {
  const ids: number[] = [];
  const totals = new Set<number>();
  for (let after: string | undefined; ;) {
    const { data, errors } = await app.graphql(
      `query ($search: String, $after: String) { list: ${field}(search: $search, first: 7, after: $after) {` +
        ' totalCount nodes { databaseId } pageInfo { hasNextPage endCursor } } }',
      { search, after },
      person,
    );
    expect(errors).toBeUndefined();
    totals.add(data.list.totalCount);
    ids.push(...data.list.nodes.map(({ databaseId }: { databaseId: number }) => databaseId));
    if (!data.list.pageInfo.hasNextPage) return { ids, totals };
    after = data.list.pageInfo.endCursor;
  }
}

describe.each(Array.from({ length: PEOPLE + 2 }, (_, at) => at))('person %i', (at) => {
  test.each([
    ['attachments', 'attachment', files],
    ['fileLinks', 'fileLink', links],
  ] as const)('finds by %s what single reads show', async (list, single, rows) => {
    for (const search of [undefined, 'anchor', 'ro', 'sud txt']) {
      const [word = ''] = (search ?? '').replace('sud', 'süd').split(' ');
      const matching = rows.filter(({ name }) => name.includes(word));
      const expected = await readable(single, matching, people[at]);
      const { ids, totals } = await listed(list, search, people[at]);
      expect(ids).toEqual(expected.toReversed());
      expect([...totals]).toEqual([expected.length]);
    }
  });
});

test('the world has what some people see, and others do not', async () => {
  for (const [single, rows] of [
    ['attachment', files],
    ['fileLink', links],
  ] as const) {
    const counts = await Promise.all(
      people.map(async (person) => (await readable(single, rows, person)).length),
    );
    expect(new Set(counts).size).toBeGreaterThan(2);
    expect(counts[0]).toBe(Math.max(...counts));
    expect(Math.min(...counts)).toBeLessThan(counts[0]! / 2);
  }
});

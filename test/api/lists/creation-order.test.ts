/** Lists that are sorted by creation only, in both directions and page by page. */
import { startApp, type App } from '../../support/app.js';
import type { Person, StorageHandle } from '../../support/factories.js';
import { afterAll, beforeAll, describe, expect, test } from '../../support/jest.js';

let app: App;
let admin: Person;
/** Used by many projects. */
let used: StorageHandle;
/** Many people are connected with it. */
let shared: StorageHandle;
let project: { id: number };

beforeAll(async () => {
  app = await startApp();
  const { given } = app;
  admin = await given.user({ admin: true });
  project = await given.project();
  const meeting = await given.meeting(project, admin);
  used = await given.storage();
  for (let at = 0; at < 4; at += 1) {
    const other = await given.project();
    const client = { id: `client-${at}`, secret: 'secret' };
    const one = await given.storage({ client });
    await given.storageTokens(admin, one, { accessToken: 'a' });
    await given.projectStorage(other, used);
    await given.membership(admin, other, ['view_meetings']);
    await given.member(project, ['view_meetings']);
    await given.attachment({ author: admin, container: meeting });
    await given.attachment({ author: admin, status: 'prepared' });
  }
  shared = await given.storage({ client: { id: 'shared', secret: 'secret' } });
  for (let at = 0; at < 4; at += 1)
    await given.storageTokens(await given.user(), shared, { accessToken: 'a' });
});
afterAll(() => app?.stop());

const lists: [name: string, order: string, usual: string, around: () => [string, string]][] = [
  ['memberships', 'MembershipOrder', 'ID_ASC', () => ['{', '}']],
  ['memberships', 'MembershipOrder', 'ID_ASC', () => [`{ project(id: ${project.id}) {`, '} }']],
  ['memberships', 'MembershipOrder', 'ID_ASC', () => ['{ viewer {', '} }']],
  ['oauthApplications', 'OAuthApplicationOrder', 'ID_DESC', () => ['{', '}']],
  [
    'projectStorages',
    'ProjectStorageOrder',
    'ID_DESC',
    () => [`{ storage(id: ${used.id}) {`, '} }'],
  ],
  ['connections', 'ConnectionOrder', 'ID_DESC', () => [`{ storage(id: ${shared.id}) {`, '} }']],
  ['connections', 'ConnectionOrder', 'ID_DESC', () => ['{ viewer {', '} }']],
  ['recentAttachments', 'RecentAttachmentOrder', 'ID_DESC', () => ['{ viewer {', '} }']],
  ['pendingUploads', 'PendingUploadOrder', 'ID_DESC', () => ['{ viewer {', '} }']],
];

describe.each(lists)('%s of %s', (name, order, usual, around) => {
  async function page(args: string): Promise<{ ids: number[]; end: string }> {
    const [before, after] = around();
    const { data, errors } = await app.graphql(
      `${before} ${name}(${args}) { pageInfo { endCursor } nodes { databaseId } } ${after}`,
      {},
      admin,
    );
    expect(errors).toBeUndefined();
    const found = data[name] ?? Object.values<any>(data)[0][name];
    return {
      ids: found.nodes.map(({ databaseId }: { databaseId: number }) => databaseId),
      end: found.pageInfo.endCursor,
    };
  }

  test('both directions have the same rows, page by page, and one is usual', async () => {
    const { ids: ascending } = await page('orderBy: ID_ASC, first: 100');
    expect(ascending.length).toBeGreaterThanOrEqual(4);
    expect(ascending).toEqual(ascending.toSorted((a, b) => a - b));
    const { ids: descending } = await page('orderBy: ID_DESC, first: 100');
    expect(descending).toEqual(ascending.toReversed());
    expect((await page('first: 100')).ids).toEqual(usual === 'ID_ASC' ? ascending : descending);
    for (const [direction, all] of [
      ['ID_ASC', ascending],
      ['ID_DESC', descending],
    ] as const) {
      const first = await page(`orderBy: ${direction}, first: 3`);
      const second = await page(`orderBy: ${direction}, first: 100, after: "${first.end}"`);
      expect([...first.ids, ...second.ids]).toEqual(all);
      expect((await page(`orderBy: ${direction}, last: 2`)).ids).toEqual(all.slice(-2));
    }
  });

  test('another order is refused', async () => {
    const [before, after] = around();
    const query = `${before} ${name}(orderBy: name) { nodes { databaseId } } ${after}`;
    const { data, errors } = await app.graphql(query, {}, admin);
    expect([data, errors?.[0]?.message]).toEqual([
      undefined,
      `Value "name" does not exist in "${order}" enum.`,
    ]);
  });
});

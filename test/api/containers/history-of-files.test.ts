/** The recorded changes of files: each says which file it is about, whatever its name. */
import { startApp, type App } from '../../support/app.js';
import type { ContainerHandle, Person } from '../../support/factories.js';
import { afterAll, beforeAll, expect, test } from '../../support/jest.js';

const CHANGES = `query ($id: ID!) { workPackage(id: $id) { activities { nodes {
  changes { action fileName formerName attachmentDatabaseId }
} } } }`;

let app: App;
let mia: Person;
let here: ContainerHandle;
let there: ContainerHandle;

beforeAll(async () => {
  app = await startApp({ TRASH_DAYS: '30' });
  const project = await app.given.project();
  mia = await app.given.user();
  await app.given.membership(mia, project, [
    'view_work_packages',
    'edit_work_packages',
    'add_work_package_attachments',
  ]);
  here = await app.given.workPackage(project, mia, 'Here');
  there = await app.given.workPackage(project, mia, 'There');
});
afterAll(() => app.stop());

const upload = async (fileName: string): Promise<number> =>
  (await app.upload(here.attachments, { as: mia, fileName, content: fileName })).body.id;
const mutate = async (mutation: string, input: object) => {
  const document = `mutation ($input: ${mutation.replace(/^./, (first) => first.toUpperCase())}Input!) {
    ${mutation}(input: $input) { __typename }
  }`;
  expect((await app.graphql(document, { input }, mia)).errors).toBeUndefined();
};
const changes = async ({ globalId: id }: ContainerHandle) =>
  (await app.graphql(CHANGES, { id }, mia)).data.workPackage.activities.nodes
    .flatMap((node: { changes: object[] }) => node.changes)
    .map((change: { formerName: string | null }) =>
      change.formerName === null ? { ...change, formerName: undefined } : change,
    );

test('two files of one name have changes of their own, through all that can be done', async () => {
  const [first, second] = [await upload('plan.txt'), await upload('plan.txt')];
  await mutate('updateAttachment', {
    id: String(first),
    fileName: 'old plan.txt',
    description: 'Of May',
  });
  await mutate('copyAttachments', { ids: [String(second)], to: there.globalId });
  await mutate('moveAttachments', { ids: [String(second)], to: there.globalId });
  await mutate('deleteAttachments', { ids: [String(first)] });
  await mutate('restoreAttachments', { ids: [String(first)] });
  const of = (attachmentDatabaseId: number, action: string, fileName: string) => ({
    action,
    fileName,
    attachmentDatabaseId,
  });
  expect(await changes(here)).toEqual([
    of(first, 'ATTACHMENT_ADDED', 'plan.txt'),
    of(second, 'ATTACHMENT_ADDED', 'plan.txt'),
    { ...of(first, 'ATTACHMENT_RENAMED', 'old plan.txt'), formerName: 'plan.txt' },
    of(first, 'ATTACHMENT_DESCRIBED', 'old plan.txt'),
    of(second, 'ATTACHMENT_MOVED_AWAY', 'plan.txt'),
    of(first, 'ATTACHMENT_REMOVED', 'old plan.txt'),
    of(first, 'ATTACHMENT_RESTORED', 'old plan.txt'),
  ]);
  const [copy, moved] = await changes(there);
  expect(copy).toEqual(of(expect.any(Number) as never, 'ATTACHMENT_ADDED', 'plan.txt'));
  expect([first, second]).not.toContain(copy.attachmentDatabaseId);
  expect(moved).toEqual(of(second, 'ATTACHMENT_MOVED_HERE', 'plan.txt'));
});

/** PostgreSQL parses JSON itself. */
const parsed = (json: string | object[]) =>
  (typeof json === 'string' ? JSON.parse(json) : json) as { attachmentDatabaseId?: number }[];

test('an entry of an earlier version names no id', async () => {
  const id = await upload('early.txt');
  const db = app.running.services.db.write;
  const row = await db('activities')
    .where({ work_package_id: here.id })
    .orderBy('id', 'desc')
    .first();
  const [{ attachmentDatabaseId, ...early } = {}] = parsed(row.changes);
  expect(attachmentDatabaseId).toBe(id);
  await db('activities')
    .where({ id: row.id })
    .update({ changes: JSON.stringify([early]) });
  expect((await changes(here)).at(-1)).toEqual({
    action: 'ATTACHMENT_ADDED',
    fileName: 'early.txt',
    attachmentDatabaseId: null,
  });
});

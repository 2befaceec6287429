/** The subscription workPackageChanged, and the recorded changes that a page then asks for. */
import { startApp, type App } from '../../support/app.js';
import { TIME } from '../../support/expected.js';
import type { ContainerHandle, Person } from '../../support/factories.js';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '../../support/jest.js';
import { listen, type Listener } from '../../support/stream.js';

const CHANGED = `subscription ($workPackageId: ID!) { workPackageChanged(workPackageId: $workPackageId) {
  deliveryId subjectId commentId createdAt
} }`;
const CHANGES = `query ($id: ID!) { workPackage(id: $id) { activities { nodes {
  kind author { name } changes { action fileName formerName reason }
} } } }`;
const RIGHTS = [
  'view_work_packages',
  'edit_work_packages',
  'add_work_package_comments',
  'view_internal_comments',
  'view_file_links',
  'manage_file_links',
];

let app: App;
let project: { id: number };
let writer: Person;
let reader: Person;
const open: Listener[] = [];
beforeAll(async () => {
  app = await startApp({ STORAGE_TIMEOUT_MS: '200' });
  project = await app.given.project();
  writer = await app.given.member(project, RIGHTS);
  reader = await app.given.member(project, ['view_work_packages']);
});
afterEach(() => {
  for (const listener of open.splice(0)) listener.leave();
});
afterAll(() => app?.stop());

async function subscribed(as: Person, workPackage: ContainerHandle): Promise<Listener> {
  const variables = { workPackageId: String(workPackage.id) };
  const listener = await listen(app, as, { query: CHANGED, variables });
  open.push(listener);
  return listener;
}
const globalId = (type: string, id: number) => Buffer.from(`${type}:${id}`).toString('base64url');
const told = (type: string, id: number, comment?: number) => ({
  data: {
    workPackageChanged: {
      deliveryId: expect.stringMatching(/^[\da-f-]{36}$/),
      subjectId: globalId(type, id),
      commentId: comment === undefined ? null : globalId('Activity', comment),
      createdAt: TIME,
    },
  },
});
async function mutate(field: string, input: object, result: string) {
  const type = `${field[0]!.toUpperCase()}${field.slice(1)}Input`;
  const { data, errors } = await app.graphql(
    `mutation ($input: ${type}!) { ${field}(input: $input) { ${result} } }`,
    { input },
    writer,
  );
  expect(errors).toBeUndefined();
  return data[field];
}
const write = async (workPackage: ContainerHandle, internal = false): Promise<number> =>
  (
    await mutate(
      'createComment',
      { workPackageId: String(workPackage.id), comment: 'The ladder is loose.', internal },
      'comment { databaseId }',
    )
  ).comment.databaseId;

describe('workPackageChanged', () => {
  test('tells of comments, of their files and of attachments, and of no other work package', async () => {
    const [here, other] = [
      await app.given.workPackage(project, writer),
      await app.given.workPackage(project, writer),
    ];
    const stream = await subscribed(reader, here);
    await write(other);
    const comment = await write(here);
    await mutate(
      'updateComment',
      { id: String(comment), comment: 'It is safe.' },
      'comment { id }',
    );
    const inComment = await app.upload(`/api/v3/activities/${comment}/attachments`, {
      as: writer,
    });
    const attachment = await app.upload(here.attachments, { as: writer });
    await app.upload(other.attachments, { as: writer });
    const expected = [
      told('Activity', comment, comment),
      told('Activity', comment, comment),
      told('Attachment', inComment.body.id, comment),
      told('Attachment', attachment.body.id),
    ];
    expect(await stream.next(4)).toEqual(expected);
    // The file in the comment is deleted with it.
    await mutate('deleteComment', { id: String(comment) }, 'deletedActivityId');
    expect(await stream.next(5)).toEqual([...expected, told('Activity', comment, comment)]);
  });

  test('tells nobody of what they may not see: internal comments, file links', async () => {
    const workPackage = await app.given.workPackage(project, writer);
    const [all, some] = [
      await subscribed(writer, workPackage),
      await subscribed(reader, workPackage),
    ];
    const hidden = await write(workPackage, true);
    const storage = await app.given.storage();
    await app.given.projectStorage(project, storage);
    const { body } = await app.post(`${workPackage.path}/file_links`, writer, {
      _embedded: {
        elements: [
          {
            originData: { id: '1', name: 'plan.pdf' },
            _links: { storage: { href: storage.path } },
          },
        ],
      },
    });
    const seen = await write(workPackage);
    expect(await all.next(3)).toEqual([
      told('Activity', hidden, hidden),
      told('FileLink', body._embedded.elements[0].id),
      told('Activity', seen, seen),
    ]);
    expect(await some.next(1)).toEqual([told('Activity', seen, seen)]);

    const links = {
      action: 'FILE_LINK_ADDED',
      fileName: 'plan.pdf',
      formerName: null,
      reason: null,
    };
    const system = { kind: 'SYSTEM', author: { name: expect.any(String) } };
    const comments = { kind: 'COMMENT', author: { name: expect.any(String) }, changes: [] };
    const asked = async (as: Person) =>
      (await app.graphql(CHANGES, { id: String(workPackage.id) }, as)).data.workPackage.activities
        .nodes;
    expect(await asked(writer)).toEqual([comments, { ...system, changes: [links] }, comments]);
    expect(await asked(reader)).toEqual([{ ...system, changes: [] }, comments]);
  });

  test('a work package that is hidden is answered like one that is missing', async () => {
    const outsider = await app.given.user();
    const workPackage = await app.given.workPackage(project, writer);
    for (const workPackageId of [workPackage.globalId, '999999', 'none']) {
      const refused = await listen(app, outsider, { query: CHANGED, variables: { workPackageId } });
      await refused.end();
      expect(refused.results).toEqual([
        {
          errors: [
            expect.objectContaining({ extensions: expect.objectContaining({ code: 'NOT_FOUND' }) }),
          ],
        },
      ]);
    }
  });
});

/** The viewer's own files in the graph: the latest attachments, and uploads that are not finished. */
import { startApp, type App } from '../../support/app.js';
import type { ContainerHandle, Person } from '../../support/factories.js';
import { afterAll, beforeAll, expect, test } from '../../support/jest.js';
import { describeS3, freshBucket, s3Environment } from '../../support/rgw.js';

let app: App;
let admin: Person;
let mia: Person;
let seen: ContainerHandle;
let secret: ContainerHandle;

beforeAll(async () => {
  app = await startApp();
  const { given } = app;
  admin = await given.user({ admin: true });
  const house = await given.project();
  mia = await given.member(house, ['view_work_packages', 'edit_work_packages']);
  seen = await given.workPackage(house, admin, 'Roof');
  secret = await given.meeting(house, admin);
  for (const [fileName, container] of [
    ['plan.txt', seen],
    ['secret.txt', secret],
    ['loose.txt', undefined],
  ] as const)
    await given.attachment({ author: mia, fileName, container });
  await given.attachment({ author: mia, fileName: 'pending.txt', status: 'prepared' });
  await given.attachment({ author: admin, fileName: 'of-admin.txt', container: seen });
});
afterAll(() => app.stop());

const NAMES = '{ totalCount nodes { fileName container { ... on WorkPackage { subject } } } }';
const own = async (field: string, person?: Person) =>
  (await app.graphql(`{ viewer { ${field} ${NAMES} } }`, {}, person)).data.viewer[field];
const none = { totalCount: 0, nodes: [] };

test('recentAttachments has the own attachments that are still visible, newest first', async () => {
  expect(await own('recentAttachments', mia)).toEqual({
    totalCount: 2,
    nodes: [
      { fileName: 'loose.txt', container: null },
      { fileName: 'plan.txt', container: { subject: 'Roof' } },
    ],
  });
  expect(await own('recentAttachments', admin)).toEqual({
    totalCount: 1,
    nodes: [{ fileName: 'of-admin.txt', container: { subject: 'Roof' } }],
  });
});

test('pendingUploads has the own prepared uploads that are not completed', async () => {
  const completed = await app.given.attachment({
    author: mia,
    fileName: 'completed.txt',
    status: 'prepared',
  });
  await completed
    .$query(app.running.services.db.write)
    .patch({ leaseUntil: new Date().toISOString() });
  expect(await own('pendingUploads', mia)).toEqual({
    totalCount: 1,
    nodes: [{ fileName: 'pending.txt', container: null }],
  });
  expect(await own('pendingUploads', admin)).toEqual(none);
});

test.each(['recentAttachments', 'pendingUploads'])(
  '%s is refused to everybody else, also to administrators and visitors',
  async (field) => {
    for (const person of [admin, undefined]) {
      const { data, errors } = await app.graphql(
        `query ($id: ID!) { user(id: $id) { ${field} ${NAMES} } }`,
        { id: String(mia.id) },
        person,
      );
      expect([data, errors?.[0]?.extensions.code]).toEqual([
        { user: null },
        person ? 'MISSING_PERMISSION' : 'NOT_FOUND',
      ]);
    }
    const { errors } = await app.graphql(`{ viewer { ${field} ${NAMES} } }`, {}, undefined);
    expect(errors?.map(({ extensions }) => extensions.code)).toEqual(['MISSING_PERMISSION']);
  },
);

describeS3('the form of a prepared upload', () => {
  let withStore: App;
  beforeAll(async () => {
    withStore = await startApp({
      ...s3Environment(await freshBucket()),
      UPLOAD_URL_SECONDS: '600',
    });
  });
  afterAll(() => withStore.stop());

  test('says when it expires, also in the list of pending uploads', async () => {
    const person = await withStore.given.user({ admin: true });
    const { data, errors } = await withStore.graphql(
      'mutation { prepareAttachmentUpload(input: { fileName: "a.txt", fileSize: 3 }) { upload { createdAt addAttachment { expiresAt formFields { name value } } } } }',
      {},
      person,
    );
    expect(errors).toBeUndefined();
    const { createdAt, addAttachment } = data.prepareAttachmentUpload.upload;
    const after = (seconds: number) =>
      new Date(Date.parse(createdAt) + seconds * 1_000).toISOString();
    expect(addAttachment.expiresAt).toBe(after(600));
    const policy = addAttachment.formFields.find(
      ({ name }: { name: string }) => name.toLowerCase() === 'policy',
    );
    const { expiration } = JSON.parse(Buffer.from(policy.value, 'base64').toString());
    expect(Date.parse(expiration)).toBeGreaterThanOrEqual(
      Date.parse(addAttachment.expiresAt) - 999,
    );
    const pending = await withStore.graphql(
      '{ viewer { pendingUploads { nodes { uploadFormExpiresAt } } } }',
      {},
      person,
    );
    expect(pending.data.viewer.pendingUploads.nodes).toEqual([
      { uploadFormExpiresAt: addAttachment.expiresAt },
    ]);
  });
});

test('an attachment whose upload is finished has no form that expires', async () => {
  const { data } = await app.graphql(
    '{ viewer { recentAttachments { nodes { uploadFormExpiresAt } } } }',
    {},
    mia,
  );
  expect(data.viewer.recentAttachments.nodes).toEqual([
    { uploadFormExpiresAt: null },
    { uploadFormExpiresAt: null },
  ]);
});

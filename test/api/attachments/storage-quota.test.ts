/** The quota of a project, and what its files use. */
import { runCleanup } from '../../../src/actions/operate/cleanup/run-cleanup.js';
import { startApp, startBeside, type Answer, type App } from '../../support/app.js';
import { errorBody } from '../../support/expected.js';
import type { ContainerHandle, Person } from '../../support/factories.js';
import { afterAll, beforeAll, beforeEach, expect, test } from '../../support/jest.js';
import { create } from '../../support/tus.js';

let app: App;
let beside: App;
let ada: Person;
let writer: Person;
let project: { id: number; name: string };
let workPackage: ContainerHandle;
let meeting: ContainerHandle;
beforeAll(async () => {
  app = await startApp({ TRASH_DAYS: '30' });
  beside = await startBeside(app, { TRASH_DAYS: '30' });
  ada = await app.given.user({ admin: true });
});
afterAll(async () => {
  await beside?.stop();
  await app?.stop();
});
beforeEach(async () => {
  project = await app.given.project();
  writer = await member(project);
  workPackage = await app.given.workPackage(project, writer);
  meeting = await app.given.meeting(project, writer);
});

const member = (of: { id: number }) =>
  app.given.member(of, [
    'view_work_packages',
    'edit_work_packages',
    'view_meetings',
    'edit_meetings',
  ]);
const full = (allowed: number, used: number, needed: number | string) =>
  errorBody(
    'PropertyConstraintViolation',
    `The project has no room for it: ${allowed} Bytes are allowed, ${used} are used, ${needed} are needed. ` +
      'Delete files there, or ask an administrator for more room.',
    'fileSize',
  );
const shown = ({ status, body }: Answer) => ({ status, body: status === 422 ? body : undefined });
const upload = (bytes: number, to = workPackage, on = app) =>
  on.upload(to.attachments, { as: writer, content: 'x'.repeat(bytes) });
const setQuota = async (storageQuota: number | null, id = project.id, as = ada) =>
  app.graphql(
    `mutation ($input: UpdateProjectInput!) { updateProject(input: $input) { project { storageQuota storageUsed } } }`,
    { input: { id: String(id), storageQuota } },
    as,
  );
const usage = async (id = project.id, as = ada) =>
  (
    await app.graphql(
      'query ($id: ID!) { project(id: $id) { storageQuota storageUsed storageUsage { bytes files kinds { kind bytes files } } } }',
      { id: String(id) },
      as,
    )
  ).data.project;
const change = async (name: string, input: object, selection: string) =>
  app.graphql(
    `mutation ($input: ${name[0]!.toUpperCase()}${name.slice(1)}Input!) { ${name}(input: $input) { ${selection} } }`,
    { input },
    writer,
  );
const refused = ({ errors }: { errors?: any }) =>
  errors.map(({ message, extensions: { code, attribute } }: any) => [code, attribute, message]);
const refusal = (allowed: number, used: number, needed: number) => [
  ['PROPERTY_CONSTRAINT_VIOLATION', 'fileSize', full(allowed, used, needed).message],
];

test('what files use is counted by kind, with the trash and copies', async () => {
  const { id } = (await upload(100)).body;
  await upload(50, meeting);
  expect(await usage()).toEqual({
    storageQuota: null,
    storageUsed: 150,
    storageUsage: {
      bytes: 150,
      files: 2,
      kinds: [
        { kind: 'WORK_PACKAGE', bytes: 100, files: 1 },
        { kind: 'MEETING', bytes: 50, files: 1 },
      ],
    },
  });
  await change(
    'copyAttachments',
    { ids: [String(id)], to: meeting.globalId },
    'attachments { id }',
  );
  expect((await app.delete(`/api/v3/attachments/${id}`, writer)).status).toBe(204);
  expect((await usage()).storageUsage).toEqual({
    bytes: 250,
    files: 3,
    kinds: [
      { kind: 'MEETING', bytes: 150, files: 2 },
      { kind: 'WORK_PACKAGE', bytes: 100, files: 1 },
    ],
  });
  await app.graphql(
    'mutation ($input: EmptyTrashInput!) { emptyTrash(input: $input) { removed } }',
    { input: { projectId: String(project.id) } },
    ada,
  );
  expect(await usage()).toMatchObject({ storageUsed: 150, storageUsage: { files: 2 } });
  const { errors } = await change('deleteMeeting', { id: meeting.globalId }, 'deletedMeetingId');
  expect(errors).toBeUndefined();
  expect(await usage()).toEqual({
    storageQuota: null,
    storageUsed: 0,
    storageUsage: { bytes: 0, files: 0, kinds: [] },
  });
});

test('a quota refuses what would pass it, with figures, in each way to add a file', async () => {
  const first = (await upload(100)).body;
  expect((await setQuota(150)).data.updateProject.project).toEqual({
    storageQuota: 150,
    storageUsed: 100,
  });
  const result = shown(await upload(51));
  expect(result).toEqual({ status: 422, body: full(150, 100, 'at least 51') });
  const resumable = await create(app, writer, 51, {
    filename: 'a.bin',
    container: workPackage.globalId,
  });
  expect([resumable.status, resumable.body]).toEqual([422, full(150, 100, 51)]);
  const loose = (await app.upload('/api/v3/attachments', { as: writer, content: 'x'.repeat(51) }))
    .body;
  expect(
    refused(
      await change(
        'moveAttachments',
        { ids: [String(loose.id)], to: meeting.globalId },
        'attachments { id }',
      ),
    ),
  ).toEqual(refusal(150, 100, 51));
  const { lockVersion } = (await app.get(workPackage.path, writer)).body;
  const claim = await app.request('PATCH', workPackage.path, {
    as: writer,
    json: {
      lockVersion,
      _links: {
        attachments: [first.id, loose.id].map((id) => ({ href: `/api/v3/attachments/${id}` })),
      },
    },
  });
  expect(shown(claim)).toEqual({ status: 422, body: full(150, 100, 51) });
  const large = await upload(2 * 1024 * 1024);
  expect([large.status, large.body.message]).toEqual([
    422,
    expect.stringMatching(/ at least \d+ are needed\./),
  ]);
  expect(await usage()).toMatchObject({ storageUsed: 100, storageUsage: { files: 1 } });
  expect((await upload(50)).status).toBe(200);
  expect(await usage()).toMatchObject({ storageUsed: 150, storageUsage: { files: 2 } });
  expect((await setQuota(null)).data.updateProject.project.storageQuota).toBeNull();
  expect((await upload(51)).status).toBe(200);
});

test('copies and files of other projects need room, and files of this project move freely', async () => {
  const other = await app.given.project();
  await app.given.membership(writer, other, ['view_work_packages', 'edit_work_packages']);
  const there = await app.given.workPackage(other, writer);
  const file = String((await upload(100)).body.id);
  const away = String((await upload(60, there)).body.id);
  await setQuota(90);
  const to = { to: meeting.globalId };
  expect(
    refused(await change('copyAttachments', { ids: [file], ...to }, 'attachments { id }')),
  ).toEqual(refusal(90, 100, 100));
  expect(
    refused(await change('moveAttachments', { ids: [away], ...to }, 'attachments { id }')),
  ).toEqual(refusal(90, 100, 60));
  const moved = await change('moveAttachments', { ids: [file], ...to }, 'attachments { fileSize }');
  expect(moved.data.moveAttachments.attachments).toEqual([{ fileSize: 100 }]);
  await change('moveAttachments', { ids: [file], to: there.globalId }, 'attachments { id }');
  expect(await usage()).toMatchObject({ storageUsed: 0 });
  expect(await usage(other.id)).toMatchObject({ storageUsed: 160 });
});

test('two processes never use the last of a quota twice', async () => {
  await setQuota(100);
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, index) =>
      upload(60, workPackage, index % 2 === 0 ? app : beside),
    ),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422, 422, 422]);
  expect(await usage()).toMatchObject({ storageUsed: 60, storageUsage: { files: 1 } });
});

test('a form without a size is stopped where the room ends, and leaves nothing', async () => {
  await setQuota(100_000);
  const boundary = 'b';
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="metadata"\r\n\r\n{"fileName":"a.bin"}\r\n--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\n\r\n`;
  const send = async (bytes: number) => {
    const response = await fetch(app.url + workPackage.attachments, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${writer.key}`,
        'content-type': `multipart/form-data; boundary=${boundary}`,
      },
      body: new Blob([head, 'x'.repeat(bytes), `\r\n--${boundary}--\r\n`]).stream(),
      duplex: 'half',
    });
    return { status: response.status, body: (await response.json()) as any };
  };
  const { status, body } = await send(100_001);
  expect([status, body._type, body.errorIdentifier]).toEqual([
    422,
    'Error',
    'urn:service-org:api:v3:errors:PropertyConstraintViolation',
  ]);
  const refusalOfPart = /: 100000 Bytes are allowed, 0 are used, at least \d+ are needed\./;
  expect(body.message).toMatch(refusalOfPart);
  const { errors } = await app.graphqlUpload(
    'mutation ($file: Upload!, $containerId: ID) { createAttachment(input: { file: $file, fileName: "a.bin", containerId: $containerId }) { attachment { id } } }',
    { containerId: workPackage.globalId },
    'x'.repeat(100_001),
    writer,
  );
  expect(refused({ errors })).toEqual([
    ['PROPERTY_CONSTRAINT_VIOLATION', 'fileSize', expect.stringMatching(refusalOfPart)],
  ]);
  expect(await usage()).toMatchObject({ storageUsed: 0 });
  expect((await send(100_000)).status).toBe(200);
  expect(await usage()).toMatchObject({ storageUsed: 100_000 });
});

test('a replaced file needs room for both, and the former one counts in the trash', async () => {
  const { id } = (await upload(100)).body;
  await setQuota(150);
  const replace = (bytes: number) =>
    create(app, writer, bytes, { filename: 'a.bin', replaces: String(id) });
  expect((await replace(51)).body).toEqual(full(150, 100, 51));
  expect((await replace(50)).status).toBe(201);
  expect(await usage()).toMatchObject({ storageUsed: 150 });
});

test('only administrators and those who administer storages there see what is used', async () => {
  await upload(10);
  const keeper = await app.given.member(project, ['view_work_packages', 'manage_files_in_project']);
  await setQuota(1_000);
  expect(await usage(project.id, keeper)).toMatchObject({ storageQuota: 1_000, storageUsed: 10 });
  expect(await usage(project.id, writer)).toEqual({
    storageQuota: null,
    storageUsed: null,
    storageUsage: null,
  });
  expect(refused(await setQuota(5, project.id, keeper))).toEqual([
    ['MISSING_PERMISSION', undefined, 'You are not authorized to access this resource.'],
  ]);
  expect(refused(await setQuota(0.5))).toEqual([
    [
      'PROPERTY_CONSTRAINT_VIOLATION',
      'storageQuota',
      'The quota must be a whole number of bytes from 0 to 9007199254740991.',
    ],
  ]);
});

test('administrators see which projects use most', async () => {
  const before = (await app.graphql('{ storageUsage { bytes files } }', {}, ada)).data.storageUsage;
  await upload(1_000_000);
  await upload(5, meeting);
  const { data } = await app.graphql(
    '{ storageUsage { bytes files projects(first: 1) { project { databaseId } bytes files kinds { kind bytes files } } } }',
    {},
    ada,
  );
  expect(data.storageUsage).toEqual({
    bytes: before.bytes + 1_000_005,
    files: before.files + 2,
    projects: [
      {
        project: { databaseId: project.id },
        bytes: 1_000_005,
        files: 2,
        kinds: [
          { kind: 'WORK_PACKAGE', bytes: 1_000_000, files: 1 },
          { kind: 'MEETING', bytes: 5, files: 1 },
        ],
      },
    ],
  });
  expect(refused(await app.graphql('{ storageUsage { bytes } }', {}, writer))).toEqual([
    ['MISSING_PERMISSION', undefined, 'You are not authorized to access this resource.'],
  ]);
});

test('the cleanup adds the changes to the sums, in two processes at once', async () => {
  await upload(10);
  await upload(20, meeting);
  const { db } = app.running.services;
  await Promise.all([runCleanup(app.running.services), runCleanup(beside.running.services)]);
  expect(await db.read('project_usage_changes')).toEqual([]);
  expect(await usage()).toMatchObject({ storageUsed: 30, storageUsage: { files: 2 } });
  await upload(5);
  expect(await usage()).toMatchObject({ storageUsed: 35, storageUsage: { files: 3 } });
});

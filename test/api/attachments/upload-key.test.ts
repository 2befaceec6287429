/** A regular upload that is repeated with its key stores one file. */
import { startApp, type App } from '../../support/app.js';
import { eventually } from '../../support/direct-upload.js';
import type { ContainerHandle, Person } from '../../support/factories.js';
import { afterAll, beforeAll, beforeEach, expect, test } from '../../support/jest.js';
import { MULTIPART } from '../../support/raw.js';

let app: App;
let project: { id: number };
let editor: Person;
let meeting: ContainerHandle;
beforeAll(async () => {
  app = await startApp();
  project = await app.given.project();
  editor = await app.given.member(project, ['view_meetings', 'edit_meetings']);
});
beforeEach(async () => {
  meeting = await app.given.meeting(project, editor);
});
afterAll(() => app?.stop());

const CREATE = `mutation ($container: ID, $name: String, $key: String, $file: Upload!) {
  createAttachment(input: { containerId: $container, fileName: $name, uploadKey: $key, file: $file }) {
    attachment { databaseId fileName fileSize uploadKey }
  }
}`;

interface Upload {
  key: string | null;
  container?: ContainerHandle | null;
  name?: string;
  content?: string;
  as?: Person;
}

async function upload({
  key,
  container = meeting,
  name = 'plan.txt',
  content = 'plan',
  as = editor,
}: Upload) {
  const variables = { container: container?.globalId, name, key };
  const { status, data, errors } = await app.graphqlUpload(CREATE, variables, content, as);
  return { status, made: data?.createAttachment?.attachment, error: errors?.[0] as any };
}

/** Starts an upload whose last bytes wait for the gate. */
async function slowly(key: string, gate: Promise<void>) {
  const operations = JSON.stringify({
    query: CREATE,
    variables: { container: meeting.globalId, name: 'plan.txt', key, file: null },
  });
  const field = (name: string, text: string) =>
    `--the-boundary\r\nContent-Disposition: form-data; ${name}\r\n\r\n${text}`;
  async function* body() {
    yield Buffer.from(
      `${field('name="operations"', operations)}\r\n` +
        `${field('name="map"', '{"0":["variables.file"]}')}\r\n` +
        field('name="0"; filename="a"', 'pl'),
    );
    await gate;
    yield Buffer.from('an\r\n--the-boundary--\r\n');
  }
  const answer = await fetch(`${app.url}/graphql`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${editor.key}`,
      'content-type': MULTIPART,
      'apollo-require-preflight': '1',
    },
    body: body() as never,
    duplex: 'half',
  });
  // Cast: the answer of our own service.
  return (await answer.json()) as { data: unknown; errors?: { extensions: { code: string } }[] };
}

const listed = async (container = meeting): Promise<[string, number][]> => {
  const { body } = await app.get(container.attachments, editor);
  return body._embedded.elements.map((one: any) => [one.fileName, one.id]);
};

/** Rows of the meeting's attachments, hidden ones too, and the events about them. */
async function left() {
  const { db } = app.running.services;
  const rows = await db.read('attachments').where({ meeting_id: meeting.id });
  const events = await db
    .read('events')
    .where({ container_type: 'Meeting', container_id: meeting.id });
  return { rows: rows.length, events: events.map(({ kind }) => kind) };
}

test('a repeated upload returns the attachment of the first one', async () => {
  const first = await upload({ key: 'key-1' });
  expect(first).toEqual({
    status: 200,
    made: {
      databaseId: expect.any(Number),
      fileName: 'plan.txt',
      fileSize: 4,
      uploadKey: 'key-1',
    },
    error: undefined,
  });
  expect(await upload({ key: 'key-1' })).toEqual(first);
  // The content of the second one is not read.
  expect(await upload({ key: 'key-1', content: 'x'.repeat(2_000_000) })).toEqual(first);
  expect(await listed()).toEqual([['plan.txt', first.made.databaseId]]);
  expect(await left()).toEqual({ rows: 1, events: ['attachment:created'] });
});

test('a file without a container is found after a container has claimed it', async () => {
  const first = await upload({ key: 'unclaimed', container: null });
  expect((await upload({ key: 'unclaimed', container: null })).made).toEqual(first.made);
  await app.graphql(
    'mutation ($id: ID!, $ids: [ID!]) { updateMeeting(input: { id: $id, attachmentIds: $ids }) { meeting { id } } }',
    { id: meeting.globalId, ids: [String(first.made.databaseId)] },
    editor,
  );
  expect(await listed()).toEqual([['plan.txt', first.made.databaseId]]);
  expect((await upload({ key: 'unclaimed', container: null })).made).toEqual(first.made);
});

test('an upload that has not ended is replaced, and leaves nothing', async () => {
  let goOn: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const { db, blobs } = app.running.services;
  const slow = slowly('replaced', gate);
  const rows = () => db.read('attachments').where({ meeting_id: meeting.id });
  const [arriving] = await eventually(rows, ({ length }) => length === 1);
  const second = await upload({ key: 'replaced' });
  expect(await listed()).toEqual([['plan.txt', second.made.databaseId]]);
  goOn();
  const { data, errors } = await slow;
  expect([data, errors?.[0]?.extensions.code]).toEqual([null, 'SERVICE_UNAVAILABLE']);
  expect(await listed()).toEqual([['plan.txt', second.made.databaseId]]);
  expect(await left()).toEqual({ rows: 1, events: ['attachment:created'] });
  expect(arriving.id).not.toBe(second.made.databaseId);
  expect(await blobs.stat(arriving.blob_key)).toBeNull();
});

test('of many uploads with one key at the same time, one file stays', async () => {
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => upload({ key: 'many', content: 'same' })),
  );
  for (const { made, error } of answers)
    expect(made ?? error.extensions.code).toEqual(
      made ? expect.objectContaining({ fileName: 'plan.txt' }) : 'SERVICE_UNAVAILABLE',
    );
  const last = await upload({ key: 'many' });
  expect(await listed()).toEqual([['plan.txt', last.made.databaseId]]);
  expect(new Set(answers.flatMap(({ made }) => (made ? [made.databaseId] : [])))).toEqual(
    new Set([last.made.databaseId]),
  );
});

test.each([
  ['a file with another name', () => upload({ key: 'taken', name: 'other.txt' })],
  [
    'a file of another container',
    async () => upload({ key: 'taken', container: await app.given.meeting(project, editor) }),
  ],
])('a key is refused for %s', async (_, again) => {
  await upload({ key: 'taken' });
  const { status, made, error } = await again();
  expect([status, made, error.message, error.extensions]).toEqual([
    200,
    undefined,
    'Upload key belongs to another file. Use a new key for each file.',
    {
      code: 'PROPERTY_CONSTRAINT_VIOLATION',
      errorIdentifier: 'urn:service-org:api:v3:errors:PropertyConstraintViolation',
      status: 422,
      attribute: 'uploadKey',
    },
  ]);
});

test.each(['', ' ', 'two words', 'ü', '\u0000', 'x'.repeat(65)])(
  'the key %j is refused',
  async (key) => {
    const { error } = await upload({ key });
    expect([error.message, error.extensions.attribute]).toEqual([
      'Upload key must have 1 to 64 visible ASCII characters.',
      'uploadKey',
    ]);
    expect(await listed()).toEqual([]);
  },
);

test('the key of a deleted attachment is free', async () => {
  const first = await upload({ key: 'deleted' });
  await app.delete(`/api/v3/attachments/${first.made.databaseId}`, editor);
  const second = await upload({ key: 'deleted', name: 'another.txt' });
  expect(await listed()).toEqual([['another.txt', second.made.databaseId]]);
});

test('the key of a refused upload is free', async () => {
  const refused = await upload({ key: 'refused', name: 'a/b.txt' });
  expect(refused.error.extensions.attribute).toBe('fileName');
  expect((await upload({ key: 'refused' })).made.uploadKey).toBe('refused');
});

test('two people can use the same key, and see their own only', async () => {
  const colleague = await app.given.member(project, ['view_meetings', 'edit_meetings']);
  const own = await upload({ key: 'shared' });
  const other = await upload({ key: 'shared', as: colleague });
  expect(other.made.databaseId).not.toBe(own.made.databaseId);
  const { data } = await app.graphql(
    'query ($id: ID!) { attachment(id: $id) { uploadKey } }',
    { id: String(own.made.databaseId) },
    colleague,
  );
  expect(data).toEqual({ attachment: { uploadKey: null } });
});

test('the key of a lost permission gives nothing away', async () => {
  const leaver = await app.given.member(project, ['view_meetings', 'edit_meetings']);
  await upload({ key: 'left', as: leaver });
  await app.given.membership(leaver, project, []);
  const { made, error } = await upload({ key: 'left', as: leaver });
  expect([made, error.extensions.code]).toEqual([undefined, 'NOT_FOUND']);
});

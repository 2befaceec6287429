/** The quota of a user for files that no container has. */
import { expireAttachments } from '../../../src/actions/operate/cleanup/expire-attachments.js';
import { startApp, startBeside, type Answer, type App } from '../../support/app.js';
import { until } from '../../support/cli.js';
import { errorBody } from '../../support/expected.js';
import type { ContainerHandle, Person } from '../../support/factories.js';
import { afterAll, beforeAll, beforeEach, expect, test } from '../../support/jest.js';
import { halves, MULTIPART } from '../../support/raw.js';

const UNCLAIMED = '/api/v3/attachments';
const CREATE = `mutation ($file: Upload!) {
  createAttachment(input: { fileName: "a.txt", file: $file }) { attachment { databaseId } }
}`;
const tooMany = errorBody(
  'PropertyConstraintViolation',
  'Too many uploads are pending (maximum is 3). Complete or delete some of them first.',
  'base',
);
const tooLarge = errorBody(
  'PropertyConstraintViolation',
  'The pending uploads are too large together (maximum is 2500 Bytes). Complete or delete some of them first.',
  'base',
);

let app: App;
let beside: App;
let project: { id: number; name: string };
let uploader: Person;
let container: ContainerHandle;
beforeAll(async () => {
  app = await startApp({
    PENDING_UPLOADS: '3',
    PENDING_UPLOAD_BYTES: '2500',
    ATTACHMENT_MAX_SIZE: '1000',
  });
  beside = await startBeside(app);
  project = await app.given.project();
});
afterAll(async () => {
  await beside?.stop();
  await app?.stop();
});
beforeEach(async () => {
  uploader = await app.given.member(project, [
    'view_work_packages',
    'add_work_packages',
    'edit_work_packages',
  ]);
  container = await app.given.workPackage(project, uploader);
});

const upload = (on: App = app, as = uploader) => on.upload(UNCLAIMED, { as });
const shown = ({ status, body }: Answer) => ({ status, body: status === 422 ? body : undefined });

/** Over GraphQL, with the form of the multipart request specification. */
async function uploadOverGraphql() {
  const form = new FormData();
  form.append('operations', JSON.stringify({ query: CREATE, variables: { file: null } }));
  form.append('map', '{"0":["variables.file"]}');
  form.append('0', new Blob(['some text']), 'a.txt');
  return (
    await app.request('POST', '/graphql', {
      as: uploader,
      body: form,
      headers: { 'apollo-require-preflight': 'true' },
    })
  ).body;
}

test('unclaimed attachments count, and claimed, deleted and expired ones no longer do', async () => {
  const made = [await upload(), await upload()];
  expect(await uploadOverGraphql()).not.toHaveProperty('errors');
  expect(shown(await upload())).toEqual({ status: 422, body: tooMany });
  expect(await uploadOverGraphql()).toMatchObject({
    errors: [
      {
        message: tooMany.message,
        extensions: { code: 'PROPERTY_CONSTRAINT_VIOLATION', attribute: 'base' },
      },
    ],
  });
  // Another user has an own quota, and a file in a container needs none.
  const other = await app.given.member(project, ['view_work_packages', 'edit_work_packages']);
  expect((await upload(app, other)).status).toBe(200);
  expect((await app.upload(container.attachments, { as: uploader })).status).toBe(200);

  const { errors } = await app.graphql(
    'mutation ($id: ID!, $files: [ID!]) { updateWorkPackage(input: { id: $id, attachmentIds: $files }) { workPackage { databaseId } } }',
    { id: String(container.id), files: [String(made[0]!.body.id)] },
    uploader,
  );
  expect(errors).toBeUndefined();
  expect((await upload()).status).toBe(200);
  expect(shown(await upload())).toEqual({ status: 422, body: tooMany });
  expect((await app.delete(`${UNCLAIMED}/${made[1]!.body.id}`, uploader)).status).toBe(204);
  expect((await upload()).status).toBe(200);
  expect(shown(await upload())).toEqual({ status: 422, body: tooMany });
  const { services } = app.running;
  const later = () => new Date(Date.now() + 24 * 60 * 60_000);
  await expireAttachments({ ...services, clock: later });
  expect((await upload()).status).toBe(200);
});

test('two processes do not exceed the quota together', async () => {
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, n) => upload(n % 2 === 0 ? app : beside)),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([
    ...Array.from({ length: 3 }, () => 200),
    ...Array.from({ length: 9 }, () => 422),
  ]);
});

test('a file that is arriving takes its announced size, or the maximum, and then its own', async () => {
  let goOn: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  /** The request does not announce its length. */
  const begin = () =>
    fetch(app.url + UNCLAIMED, {
      method: 'POST',
      headers: { authorization: `Bearer ${uploader.key}`, 'content-type': MULTIPART },
      body: halves(gate) as never,
      duplex: 'half',
    });
  const running = [begin(), begin()];
  try {
    await until(
      async () =>
        (await app.running.services.db.write('attachments').where({ author_id: uploader.id }))
          .length === 2,
      'both are arriving',
    );
    // They hold 1000 bytes each. This form has fewer than 1000 bytes, but more than 500.
    expect(shown(await app.upload(UNCLAIMED, { as: uploader, content: 'x'.repeat(500) }))).toEqual({
      status: 422,
      body: tooLarge,
    });
  } finally {
    goOn();
  }
  expect((await Promise.all(running)).map(({ status }) => status)).toEqual([200, 200]);
  expect((await app.upload(UNCLAIMED, { as: uploader, content: 'x'.repeat(500) })).status).toBe(
    200,
  );
});

test('an upload that is refused later takes nothing from the quota', async () => {
  for (let n = 0; n < 4; n += 1) {
    const { status, body } = await app.upload(UNCLAIMED, {
      as: uploader,
      content: 'x'.repeat(1001),
    });
    expect({ status, body }).toEqual({
      status: 422,
      body: errorBody(
        'PropertyConstraintViolation',
        'File is too large (maximum size is 1000 Bytes).',
        'fileSize',
      ),
    });
  }
  expect((await upload()).status).toBe(200);
});

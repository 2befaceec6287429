/**
 * Sends the requests of the examples to a real server, and compares the answers with the recorded ones.
 * `RECORD_EXAMPLES=1 npx tsx test/run.ts openapi-examples` records them again after an intended change.
 * `npm run generate` then adds them to the description.
 */
import { writeFileSync } from 'node:fs';
import { examplesFile, examplesOf, type Example } from '../../../openapi/examples.js';
import { profiles } from '../../../src/contract/profiles.js';
import { startApp, startBeside, type Answer, type App } from '../../support/app.js';
import { sendForm } from '../../support/direct-upload.js';
import type { Person } from '../../support/factories.js';
import { png, SET_AVATAR } from '../../support/images.js';
import { startFileServer, type FileServer } from '../../../demo/servers/file-server.js';
import { afterAll, beforeAll, describe, expect, test } from '../../support/jest.js';
import { contractOf, escaped, operationsOf } from '../../support/openapi.js';
import { freshBucket, s3Environment } from '../../support/rgw.js';
import { directUploads, exampleRequests } from './example-requests.js';

const recording = process.env['RECORD_EXAMPLES'] !== undefined;

/** Without a store, the examples of direct uploads are skipped. */
const remoteStore = process.env['MOORAGE_TEST_S3_ENDPOINT'] !== undefined;

/** The addresses of this run, by those in the examples. */
type Addresses = [example: string, real: string][];

const permissions = [
  'view_work_packages',
  'add_work_packages',
  'edit_work_packages',
  'add_work_package_comments',
  'view_meetings',
  'edit_meetings',
  'view_messages',
  'edit_messages',
  'view_wiki_pages',
  'edit_wiki_pages',
  'view_file_links',
  'manage_file_links',
];

describe.each(Object.values(profiles))('the examples of the $name profile', (profile) => {
  const contract = contractOf(profile);
  const requests = Object.entries(exampleRequests(profile));
  let recorded = examplesOf(profile);
  const operations = new Map(
    operationsOf(contract.document).map(([name, { operationId }]) => [operationId, name]),
  );
  /** The pointer to an operation, and its method. */
  const placeOf = (operationId: string): [pointer: string, method: string] => {
    const [method, template] = operations.get(operationId)!.split(' ') as [string, string];
    return [`#/paths/${escaped(template)}/${method.toLowerCase()}`, method];
  };

  let app: App;
  let withStore: App | undefined;
  let server: FileServer;
  let mia: Person;
  let addresses: Addresses;

  beforeAll(async () => {
    server = await startFileServer();
    app = await startApp({ API_PROFILE: profile.name });
    const store = remoteStore ? s3Environment(await freshBucket()) : undefined;
    withStore = store && (await startBeside(app, store));
    mia = await createSampleUser(app, server);
    addresses = [
      ['https://files.example.org', server.url],
      // Another name of the same machine, because an origin can have only one storage.
      ['https://archive.example.org', server.url.replace('127.0.0.1', 'localhost')],
      ['https://moorage.example.org', app.url],
      ...(store ? ([['https://store.example.org', store['S3_ENDPOINT']!]] as Addresses) : []),
    ];
  });
  afterAll(async () => {
    await withStore?.stop();
    await Promise.all([app.stop(), server.close()]);
  });

  test('exist for every operation', () => {
    expect(requests.map(([operationId]) => operationId).sort()).toEqual(
      [...operations.keys()].sort(),
    );
  });

  test('match the schemas of their requests', () => {
    const wrong = requests.flatMap(([operationId, { body }]) => {
      const type =
        body &&
        (typeof body === 'string'
          ? 'text/plain'
          : 'metadata' in body
            ? 'multipart/form-data'
            : 'application/json');
      const pointer = `${placeOf(operationId)[0]}/requestBody/content/${escaped(type ?? '')}/schema`;
      return body === undefined || contract.validator(pointer)(body) ? [] : [operationId];
    });
    expect(wrong).toEqual([]);
  });

  test('get the documented answers', async () => {
    const sent: typeof recorded = {};
    for (const [operationId, request] of requests) {
      const direct = Object.hasOwn(directUploads, operationId);
      const asked = direct ? withStore : app;
      if (!asked) continue;
      if (operationId === 'listNotifications')
        await app.given.notification(mia, { id: 1 }, { id: 4 }, { activityId: 1 });
      const answer = await send(asked, mia, placeOf(operationId)[1], request, addresses);
      sent[operationId] = { request, answer: masked(answer, addresses) };
      // A client sends the bytes before it completes the upload.
      if (operationId === 'prepareAttachment')
        await sendForm(answer.body._links.addAttachment, Buffer.alloc(2_000_000));
    }
    if (recording) {
      recorded = Object.fromEntries(
        requests.map(([operationId]) => [operationId, sent[operationId] ?? recorded[operationId]!]),
      );
      writeFileSync(examplesFile(profile), `${JSON.stringify(recorded, null, 2)}\n`);
    }
    const names = Object.keys(sent);
    expect(sent).toEqual(Object.fromEntries(names.map((name) => [name, recorded[name]])));
    expect(names.filter((name) => !(sent[name]!.answer.status < 400))).toEqual([]);
  });

  test('have answers that match their schemas', () => {
    const wrong = Object.entries(recorded).flatMap(([operationId, { answer }]) => {
      if (!answer.type?.endsWith('json')) return [];
      const content = `responses/${answer.status}/content/${escaped(answer.type)}`;
      const fits = contract.validator(`${placeOf(operationId)[0]}/${content}/schema`);
      return fits(answer.body) ? [] : [operationId];
    });
    expect(wrong).toEqual([]);
  });
});

/** A user with all permissions in a project that uses a storage with a file. */
async function createSampleUser(app: App, server: FileServer): Promise<Person> {
  const { given, running } = app;
  const mia = await given.user({ login: 'mia', email: 'mia@example.org', admin: true });
  const project = await given.project({ name: 'Harbour house' });
  await running.services.db.write('projects').update({ identifier: 'harbour-house' });
  await given.membership(mia, project, permissions);
  await running.services.db
    .write('roles')
    .where('name', 'like', 'Role %')
    .update({ name: 'Editor' });
  await given.meeting(project, mia, 'Building site, Monday');
  await given.post(project, mia, 'Which wood?');
  await given.wikiPage(project, mia, 'Tools');
  server.user('mia');
  const folder = server.folder('mia', '/Plans', { id: 4 });
  server.file('mia', '/Plans/house.txt', { id: 5, content: 'A house', ctime: 1_700_000_000 });
  const client = { id: 'moorage', secret: 'secret' };
  server.setClient({ ...client, redirectUri: 'https://moorage.example.org/' });
  const storage = await given.storage({ name: 'Plans', origin: server.url, client, creator: mia });
  await given.projectStorage(project, storage, {
    creator: mia,
    mode: 'manual',
    folderId: String(folder),
  });
  await given.storageTokens(mia, storage, server.grant('mia'));
  const kai = await given.user({ login: 'kai' });
  await app.graphqlUpload(SET_AVATAR, { id: String(kai.id) }, png(), mia);
  return mia;
}

function send(
  app: App,
  as: Person,
  method: string,
  { path, body }: Example['request'],
  addresses: Addresses,
): Promise<Answer> {
  const address = `/api/v3${path === '/' ? '' : path}`;
  if (!body) return app.request(method, address, { as });
  if (typeof body === 'string')
    return app.request(method, address, { as, body, headers: { 'content-type': 'text/plain' } });
  if ('metadata' in body) return app.request(method, address, { as, body: formOf(body) });
  const json = addresses.reduce(
    (text, [example, real]) => text.replaceAll(example, real),
    JSON.stringify(body),
  );
  return app.request(method, address, {
    as,
    body: json,
    headers: { 'content-type': 'application/json' },
  });
}

function formOf({ metadata, file }: { metadata?: unknown; file?: unknown }): FormData {
  const form = new FormData();
  form.append('metadata', new Blob([JSON.stringify(metadata)], { type: 'application/json' }));
  if (file !== undefined) form.append('file', new Blob([String(file)]), 'ignored');
  return form;
}

/** Texts that differ between runs. */
const maskedTexts: [pattern: RegExp, example: string][] = [
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, '2026-01-02T03:04:05.678Z'],
  [/direct-upload\/\w+/g, 'direct-upload/the-token'],
  [/moorage-[\da-f]{8}-[\da-f-]{27}/g, 'moorage'],
];
/** Members that differ between runs or versions. */
const maskedMembers: { [name: string]: string } = {
  coreVersion: '1.0.0',
  clientId: 'the-client-id',
  clientSecret: 'the-client-secret',
  bucket: 'moorage',
  key: 'uploads/the-key',
  policy: 'the-policy',
  'X-Amz-Credential': 'the-credential',
  'X-Amz-Date': '20260102T030405Z',
  'X-Amz-Signature': 'the-signature',
};

/** An answer with the addresses, times and secrets of the examples. */
function masked({ status, headers, text, body }: Answer, addresses: Addresses): Example['answer'] {
  const type = headers.get('content-type')?.split(';')[0];
  // An example shows no bytes of an image or an archive.
  if (text === '' || type === undefined || /^image\/|\/zip$/.test(type)) return { status };
  const withAddresses = addresses
    .flatMap(([shown, real]): Addresses => [
      [shown, real],
      [encodeURIComponent(shown), encodeURIComponent(real)],
      [new URL(shown).host, new URL(real).host],
    ])
    .reduce((whole, [shown, real]) => whole.replaceAll(real, shown), text);
  const example = maskedTexts.reduce(
    (whole, [pattern, shown]) => whole.replaceAll(pattern, shown),
    withAddresses,
  );
  if (body === undefined) return { status, type, body: example };
  const value: unknown = JSON.parse(example, (name, member: unknown) =>
    typeof member === 'string' ? (maskedMembers[name] ?? member) : member,
  );
  return { status, type, body: isDescription(value) ? outline(value) : value };
}

interface Description {
  openapi: string;
  info: { title: string };
}
const isDescription = (value: unknown): value is Description =>
  typeof value === 'object' && value !== null && 'openapi' in value;
/** The description has no example of itself. */
const outline = ({ openapi, info: { title } }: Description) => ({
  openapi,
  info: { title },
  paths: {},
});

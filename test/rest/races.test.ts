/** Two requests at the same moment: what one of them takes away, the other one does not leave in pieces. */
import { startApp, type Answer, type App } from '../support/app.js';
import { until } from '../support/cli.js';
import { on } from '../support/database.js';
import { notFound } from '../support/expected.js';
import type { ContainerHandle, Person, StorageHandle } from '../support/factories.js';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '../support/jest.js';

const permissions = ['view_work_packages', 'add_work_packages', 'edit_work_packages', 'add_work_package_comments', 'view_file_links', 'manage_file_links', 'manage_files_in_project'];
let app: App;
let project: { id: number };
let person: Person;
let storage: StorageHandle;
let place: { path: string };
let workPackage: ContainerHandle;
let files = 0;
beforeAll(async () => {
  app = await startApp({ STORAGE_TIMEOUT_MS: '200' });
});
beforeEach(async () => {
  project = await app.given.project();
  person = await app.given.member(project, permissions);
  storage = await app.given.storage();
  place = await app.given.projectStorage(project, storage);
  workPackage = await app.given.workPackage(project, person);
});
afterEach(() => expect(app.logLines.splice(0).filter((line) => (JSON.parse(line) as { level: number }).level >= 50)).toEqual([]));
afterAll(() => app.stop());

const element = (name: string) => ({ originData: { id: `f-${files += 1}`, name }, _links: { storage: { href: storage.path } } });
const link = (...elements: object[]) => app.post(`${workPackage.path}/file_links`, person, { _embedded: { elements } });
const namesOf = ({ body }: Answer): string[] => body._embedded.elements.map(({ originData }: any) => originData.name);

/** Sends requests while a transaction of the test holds what they need, and lets it go when they wait, or are through. */
async function meanwhile(hold: (trx: any) => Promise<unknown>, send: () => Promise<Answer>[]): Promise<Answer[]> {
  const trx = await app.running.services.db.write.transaction();
  try {
    await hold(trx);
    const answers = send();
    await new Promise((resolve) => setTimeout(resolve, 600));
    await trx.commit();
    return await Promise.all(answers);
  } finally {
    if (!trx.isCompleted()) await trx.rollback();
  }
}
/** No event can be written: what would write one waits, in the midst of its transaction. */
const events = (trx: any) => trx.raw('lock table events in exclusive mode');

describe('a work package that is deleted', () => {
  const gone = (trx: any) => trx('work_packages').where('id', workPackage.id).delete();

  test.each([
    ['a comment', () => app.post(`${workPackage.path}/activities`, person, { comment: { raw: 'Hello' } })],
    ['a file link', () => link(element('a.txt'))],
    ['an attachment', () => app.upload(workPackage.attachments, { as: person })],
  ] as const)('takes no %s any more: 404', async (_what, send) => {
    const [answer] = await meanwhile(gone, () => [send()]);
    expect({ status: answer!.status, body: answer!.body }).toEqual({ status: 404, body: notFound });
  });

  on('postgres')('takes what is attached to its comments with it, also in its last moment', async () => {
    const comment = await app.given.comment(workPackage, person);
    await app.given.attachment({ container: comment, author: person });
    const [deleted, uploaded] = await meanwhile(events, () => [
      app.request('POST', '/graphql', { as: person, json: { query: `mutation { deleteWorkPackage(input: { id: "${workPackage.id}" }) { deletedWorkPackageId } }` } }),
      new Promise((resolve) => setTimeout(resolve, 300)).then(() => app.upload(comment.attachments, { as: person })),
    ]);
    expect(deleted!.body).toEqual({ data: { deleteWorkPackage: { deletedWorkPackageId: workPackage.globalId } } });
    expect({ status: uploaded!.status, body: uploaded!.body }).toEqual({ status: 404, body: notFound });
  });
});

on('postgres')('a link that is claimed while its storage is taken away from the project goes with it', async () => {
  const made = await app.post('/api/v3/file_links', person, { _embedded: { elements: [element('mine.txt')] } });
  const { self } = made.body._embedded.elements[0]._links;
  const [claimed, removed] = await meanwhile(events, () => [
    app.patch(workPackage.path, person, { _links: { fileLinks: [{ href: self.href }] } }),
    new Promise((resolve) => setTimeout(resolve, 300)).then(() => app.graphql(`mutation($id: ID!) { deleteProjectStorage(input: { id: $id }) { deletedProjectStorageId } }`, { id: place.path.split('/').at(-1) }, person)) as Promise<never>,
  ]);
  expect([claimed!.status, (removed as unknown as { errors: unknown }).errors]).toEqual([200, undefined]);
  await app.given.projectStorage(project, storage);
  expect(namesOf(await app.get(`${workPackage.path}/file_links`, person))).toEqual([]);
});

on('postgres')('a link that is deleted while it is made again is made anew, with the others', async () => {
  const again = element('again.txt');
  const before = (await link(again)).body._embedded.elements[0].id as number;
  const { db } = app.running.services;
  const trx = await db.write.transaction();
  await events(trx);
  const answer = link(element('new.txt'), again);
  await new Promise((resolve) => setTimeout(resolve, 600));
  await db.write('file_links').where('id', before).delete();
  await trx.commit();
  const { status, body } = await answer;
  expect([status, body._embedded.elements.map(({ originData }: any) => originData.name), body._embedded.elements[1].id > before]).toEqual([201, ['new.txt', 'again.txt'], true]);
  expect(namesOf(await app.get(`${workPackage.path}/file_links`, person)).sort()).toEqual(['again.txt', 'new.txt']);
});

test('the same comment twice at once is written twice; the file that its text names belongs to one of them', async () => {
  for (let n = 0; n < 5; n += 1) {
    const { id } = await app.given.attachment({ author: person });
    const answers = await Promise.all(Array.from({ length: 3 }, () => app.post(`${workPackage.path}/activities`, person, { comment: { raw: `See /api/v3/attachments/${id}/content` } })));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    const lists = await Promise.all(answers.map(({ body }) => app.get(`/api/v3/activities/${body.id}/attachments`, person)));
    expect(lists.map(({ body }) => body.total).sort()).toEqual([0, 0, 1]);
  }
});

test('a permission that is taken away while a file is under way stops the upload', async () => {
  const { db } = app.running.services;
  const boundary = 'between-two-parts';
  let rest = () => {};
  const held = new Promise<void>((resolve) => { rest = resolve; });
  async function* bytes() {
    yield Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="metadata"\r\n\r\n{"fileName":"late.txt"}\r\n--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\nfirst `);
    await held;
    yield Buffer.from(`last\r\n--${boundary}--\r\n`);
  }
  const { Readable } = await import('node:stream');
  const sent = app.request('POST', workPackage.attachments, { as: person, body: Readable.from(bytes()), headers: { 'content-type': `multipart/form-data; boundary=${boundary}` } });
  await until(async () => (await db.read('attachments').where({ author_id: person.id, phase: 'storing' })).length === 1, 'the upload has begun');
  await db.write('memberships').where({ user_id: person.id }).delete();
  // Permissions are remembered for a second.
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  rest();
  const { status, body } = await sent;
  expect({ status, body }).toEqual({ status: 404, body: notFound });
  expect(await db.read('attachments').where({ author_id: person.id })).toEqual([]);
});

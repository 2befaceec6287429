/** Two requests at the same time: when one deletes a record, the other leaves nothing broken behind. */
import { Readable } from 'node:stream';
import { startApp, type Answer, type App } from '../support/app.js';
import { until } from '../support/cli.js';
import { databaseKind, on } from '../support/database.js';
import { missingPermission, notFound } from '../support/expected.js';
import type { ContainerHandle, Person, StorageHandle } from '../support/factories.js';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  test,
} from '../support/jest.js';

const permissions = [
  'view_work_packages',
  'add_work_packages',
  'edit_work_packages',
  'add_work_package_comments',
  'view_file_links',
  'manage_file_links',
  'manage_files_in_project',
];
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
afterEach(() =>
  expect(
    app.logLines.splice(0).filter((line) => (JSON.parse(line) as { level: number }).level >= 50),
  ).toEqual([]),
);
afterAll(() => app.stop());

const element = (name: string) => ({
  originData: { id: String((files += 1)), name },
  _links: { storage: { href: storage.path } },
});
const link = (...elements: object[]) =>
  app.post(`${workPackage.path}/file_links`, person, { _embedded: { elements } });
const namesOf = ({ body }: Answer): string[] =>
  body._embedded.elements.map(({ originData }: any) => originData.name);

/** Holds rows that the requests need. Sends each request once the one before waits or has ended, then releases the rows. */
async function meanwhile(
  hold: (trx: any) => Promise<unknown>,
  ...sends: (() => Promise<Answer>)[]
): Promise<Answer[]> {
  const trx = await app.running.services.db.write.transaction();
  try {
    await hold(trx);
    const answers: Promise<Answer>[] = [];
    let over = 0;
    for (const send of sends) {
      answers.push(
        send().finally(() => {
          over += 1;
        }),
      );
      await until(
        async () => over + (await waiting()) >= answers.length,
        'the request waits for the test',
      );
    }
    await trx.commit();
    return await Promise.all(answers);
  } finally {
    if (!trx.isCompleted()) await trx.rollback();
  }
}
/** The number of transactions that wait for others. On SQLite: those that wait for the only writer. */
async function waiting(): Promise<number> {
  const { db } = app.running.services;
  if (databaseKind() === 'sqlite') return db.write.client.pool.numPendingAcquires();
  const { rows } = await db.read.raw(
    "select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  );
  return rows[0].count as number;
}
/** Blocks writes of events, so a transaction that writes one waits in its middle. */
const events = (trx: any) => trx.raw('lock table events in exclusive mode');

describe('a deleted work package', () => {
  const gone = (trx: any) => trx('work_packages').where('id', workPackage.id).delete();

  test.each([
    [
      'a comment',
      () => app.post(`${workPackage.path}/activities`, person, { comment: { raw: 'Hello' } }),
    ],
    ['a file link', () => link(element('a.txt'))],
    ['an attachment', () => app.upload(workPackage.attachments, { as: person })],
  ] as const)('gets no %s any more: 404', async (_what, send) => {
    const [answer] = await meanwhile(gone, send);
    expect({ status: answer!.status, body: answer!.body }).toEqual({ status: 404, body: notFound });
  });

  on('postgres')(
    'removes the attachments of its comments too, even one that is added at the last moment',
    async () => {
      const comment = await app.given.comment(workPackage, person);
      await app.given.attachment({ container: comment, author: person });
      const [deleted, uploaded] = await meanwhile(
        events,
        () =>
          app.request('POST', '/graphql', {
            as: person,
            json: {
              query: `mutation { deleteWorkPackage(input: { id: "${workPackage.id}" }) { deletedWorkPackageId } }`,
            },
          }),
        () => app.upload(comment.attachments, { as: person }),
      );
      expect(deleted!.body).toEqual({
        data: { deleteWorkPackage: { deletedWorkPackageId: workPackage.globalId } },
      });
      expect({ status: uploaded!.status, body: uploaded!.body }).toEqual({
        status: 404,
        body: notFound,
      });
    },
  );
});

on('postgres')('a work package is deleted while a file is claimed for its comment', async () => {
  const comment = await app.given.comment(workPackage, await app.given.user());
  const boss = await app.given.user({ admin: true });
  const { id } = await app.given.attachment({ author: boss });
  const [claimed, deleted] = await meanwhile(
    events,
    () =>
      app.patch(comment.path, boss, {
        _links: { attachments: [{ href: `/api/v3/attachments/${id}` }] },
      }),
    () =>
      app.request('POST', '/graphql', {
        as: boss,
        json: {
          query: `mutation { deleteWorkPackage(input: { id: "${workPackage.id}" }) { deletedWorkPackageId } }`,
        },
      }),
  );
  expect([claimed!.status, deleted!.body.errors]).toEqual([200, undefined]);
  expect(await app.running.services.db.read('attachments').where({ phase: 'kept' })).toEqual([]);
});

on('postgres')(
  'a link that is claimed while its storage leaves the project is deleted',
  async () => {
    const made = await app.post('/api/v3/file_links', person, {
      _embedded: { elements: [element('mine.txt')] },
    });
    const { self } = made.body._embedded.elements[0]._links;
    const [claimed, removed] = await meanwhile(
      events,
      () => app.patch(workPackage.path, person, { _links: { fileLinks: [{ href: self.href }] } }),
      () =>
        app.request('POST', '/graphql', {
          as: person,
          json: {
            query:
              'mutation($id: ID!) { deleteProjectStorage(input: { id: $id }) { deletedProjectStorageId } }',
            variables: { id: place.path.split('/').at(-1) },
          },
        }),
    );
    expect([claimed!.status, removed!.body.errors]).toEqual([200, undefined]);
    await app.given.projectStorage(project, storage);
    expect(namesOf(await app.get(`${workPackage.path}/file_links`, person))).toEqual([]);
  },
);

on('postgres')(
  'a new list of links contains an existing link that is deleted at the same time',
  async () => {
    const again = element('again.txt');
    const { id } = (await link(again)).body._embedded.elements[0];
    const [made, deleted] = await meanwhile(
      events,
      () => link(element('new.txt'), again),
      () => app.delete(`/api/v3/file_links/${id}`, person),
    );
    expect([
      made!.status,
      namesOf(made!),
      made!.body._embedded.elements[1].id,
      deleted!.status,
    ]).toEqual([201, ['new.txt', 'again.txt'], id, 200]);
    expect(namesOf(await app.get(`${workPackage.path}/file_links`, person))).toEqual(['new.txt']);
  },
);

on('postgres')(
  'links that are created again while their work package is deleted cause no deadlock',
  async () => {
    const again = element('again.txt');
    await link(again);
    await app.given.attachment({ container: workPackage, author: person });
    const [deleted, made] = await meanwhile(
      events,
      () =>
        app.request('POST', '/graphql', {
          as: person,
          json: {
            query: `mutation { deleteWorkPackage(input: { id: "${workPackage.id}" }) { deletedWorkPackageId } }`,
          },
        }),
      () => link(element('new.txt'), again),
    );
    expect([deleted!.body.errors, made!.status]).toEqual([undefined, 404]);
  },
);

test('an edit that names only attachments does not overwrite a text that changes at the same time', async () => {
  const comment = await app.given.comment(workPackage, person, { text: 'old' });
  const { id } = await app.given.attachment({ author: person });
  const [answer] = await meanwhile(
    (trx) => trx('activities').where('id', comment.id).update({ comment_text: 'new' }),
    () =>
      app.patch(comment.path, person, {
        _links: { attachments: [{ href: `/api/v3/attachments/${id}` }] },
      }),
  );
  expect([
    answer!.status,
    answer!.body.comment.raw,
    answer!.body._embedded.attachments.count,
  ]).toEqual([200, 'new', 1]);
});

test('the same comment sent twice at once is stored twice; only one of them gets the file that its text names', async () => {
  for (let n = 0; n < 5; n += 1) {
    const { id } = await app.given.attachment({ author: person });
    const answers = await Promise.all(
      Array.from({ length: 3 }, () =>
        app.post(`${workPackage.path}/activities`, person, {
          comment: { raw: `See /api/v3/attachments/${id}/content` },
        }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    const lists = await Promise.all(
      answers.map(({ body }) => app.get(`/api/v3/activities/${body.id}/attachments`, person)),
    );
    expect(lists.map(({ body }) => body.total).sort()).toEqual([0, 0, 1]);
  }
});

test.each([
  [
    'a permission',
    async () => person,
    () => app.running.services.db.write('memberships').where({ user_id: person.id }).delete(),
    404,
  ],
  [
    'the administrator flag',
    () => app.given.user({ admin: true }),
    (boss: Person) =>
      app.running.services.db.write('users').where({ id: boss.id }).update({ admin: false }),
    404,
  ],
  [
    'an account',
    async () => person,
    () =>
      app.running.services.db.write('users').where({ id: person.id }).update({ status: 'locked' }),
    403,
  ],
] as const)(
  'an upload stops if %s is taken away while it runs',
  async (_what, makeUploader, takeAway, refusal) => {
    const { db } = app.running.services;
    const uploader = await makeUploader();
    const boundary = 'between-two-parts';
    let rest = () => {};
    const held = new Promise<void>((resolve) => {
      rest = resolve;
    });
    async function* bytes() {
      yield Buffer.from(
        `--${boundary}\r\nContent-Disposition: form-data; name="metadata"\r\n\r\n{"fileName":"late.txt"}\r\n--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\nfirst `,
      );
      await held;
      yield Buffer.from(`last\r\n--${boundary}--\r\n`);
    }
    const sent = app.request('POST', workPackage.attachments, {
      as: uploader,
      body: Readable.from(bytes()),
      headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    });
    await until(
      async () =>
        (await db.read('attachments').where({ author_id: uploader.id, phase: 'storing' }))
          .length === 1,
      'the upload has begun',
    );
    await takeAway(uploader);
    // Permissions are cached for a second.
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    rest();
    const { status, body } = await sent;
    expect({ status, body }).toEqual({
      status: refusal,
      body: refusal === 404 ? notFound : missingPermission,
    });
    expect(await db.read('attachments').where({ author_id: uploader.id })).toEqual([]);
  },
);

/** The virus scan as users notice it, with a real clamd. */
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Scanner } from '../../src/scanning/scanner.js';
import { startApp, startBeside, type App } from '../support/app.js';
import { describeClamd, EICAR, EICAR_SIGNATURE, startClamd, type Clamd } from '../support/clamd.js';
import { eventually, objects, until, uploadDirectly, Work } from '../support/direct-upload.js';
import {
  attachmentElement,
  changeBody,
  collectionOf,
  errorBody,
  missingPermission,
  notFound,
  TIME,
  userBody,
} from '../support/expected.js';
import { kinds, type ContainerHandle, type Kind, type Person } from '../support/factories.js';
import { afterAll, beforeAll, describe, expect, test } from '../support/jest.js';
import { describeS3, freshBucket, s3Environment, type S3Bucket } from '../support/rgw.js';

const editing: { [kind in Kind]: string[] } = {
  WorkPackage: ['view_work_packages', 'edit_work_packages', 'add_work_packages'],
  Activity: ['view_work_packages', 'add_work_package_comments'],
  Meeting: ['view_meetings', 'edit_meetings'],
  Post: ['view_messages', 'edit_messages'],
  WikiPage: ['view_wiki_pages', 'edit_wiki_pages'],
};
const everything = [...new Set(Object.values(editing).flat())];
const sha256 = (content: string | Uint8Array) => ({
  algorithm: 'sha256',
  hash: createHash('sha256').update(content).digest('hex'),
});
const quarantinedBody = {
  ...missingPermission,
  message: 'The file is quarantined because the virus scan found something in it.',
};
const waitingBody = {
  ...missingPermission,
  message: 'The file waits for its virus scan. Try again shortly.',
};
const heldBody = {
  ...missingPermission,
  message: 'The virus scan could not read the file. An administrator sees the reason.',
};
const unclaimed = '/api/v3/attachments';
const contentOf = (id: number) => `${unclaimed}/${id}/content`;

/** A TCP proxy before the daemon, which can be switched off. */
class Switch {
  readonly #folder = mkdtempSync(join(tmpdir(), 'moorage-scanner-'));
  readonly #socket = join(this.#folder, 'socket');
  readonly environment = { CLAMD_URL: `unix:${this.#socket}` };

  on(): void {
    if (!existsSync(this.#socket)) symlinkSync(clamd.unix.path, this.#socket);
  }

  off(): void {
    rmSync(this.#socket, { force: true });
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

let clamd: Clamd;
let app: App;
let work: Work;
let scanner: Switch;
let project: { id: number; name: string };
let author: Person;
let viewer: Person;
let stranger: Person;
let admin: Person;

const withStatus = (id: number, status: string, as: Person, on = app) =>
  until(
    on,
    `${unclaimed}/${id}`,
    as,
    (answer) => answer.status === 200 && answer.body.status === status,
  );
const statusOf = async (id: number, as: Person, on = app): Promise<string> =>
  (await on.get(`${unclaimed}/${id}`, as)).body.status;
const outbox = async (id: number, on = app) =>
  (
    await on.running.services.db
      .write('events')
      .where({ subject_type: 'Attachment', subject_id: id })
      .orderBy('id')
  ).map(({ kind, data }) => [kind, JSON.parse(data).reason]);
const logged = (msg: string, on = app) =>
  on.logLines.map((line) => JSON.parse(line)).filter((line) => line.msg === msg);
const storedFiles = (on: App) =>
  readdirSync(join(on.folder, 'blobs'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);

async function add(
  to: string,
  {
    as = author,
    content = 'harmless',
    fileName = 'a.txt',
    on = app,
  }: { as?: Person; content?: string | Uint8Array; fileName?: string; on?: App } = {},
): Promise<number> {
  const { status, body } = await on.upload(to, { as, content, fileName });
  expect({ status, state: body.status }).toEqual({ status: 200, state: 'uploaded' });
  return body.id;
}

async function history({ path }: { path: string }, as: Person, on = app): Promise<any[]> {
  return (await on.get(`${path}/activities`, as)).body._embedded.elements.filter(
    ({ _type }: { _type: string }) => _type === 'Activity',
  );
}

/** The account that is the author of changes by the service. Everybody sees it, and it cannot sign in. */
async function systemUser(on = app): Promise<{ id: number; name: string }> {
  const { id } = await on.running.services.db
    .read('users')
    .where('login', 'moorage-system')
    .first();
  return { id, name: 'System' };
}

async function refusedToAll(id: number, people: Person[], body: object, on = app) {
  for (const person of people) {
    const answer = await on.get(contentOf(id), person);
    expect({ status: answer.status, body: answer.body }).toEqual({ status: 403, body });
  }
}

const RELEASE =
  'mutation ($id: ID!) { releaseAttachment(input: { id: $id }) { attachment { databaseId status fileName } } }';
const QUARANTINE =
  'query ($first: Int, $after: String) { quarantinedAttachments(first: $first, after: $after) { totalCount nodes { databaseId fileName status downloadLocation author { databaseId } container { databaseId } viewerCanDelete } pageInfo { hasNextPage endCursor } } }';

describeClamd('the virus scan', () => {
  beforeAll(async () => {
    clamd = await startClamd();
    scanner = new Switch();
    scanner.on();
    app = await startApp(scanner.environment);
    work = new Work(app);
    work.start();
    project = await app.given.project();
    author = await app.given.member(project, everything, { firstName: 'Tom', lastName: 'Fen' });
    viewer = await app.given.member(project, [
      'view_work_packages',
      'view_meetings',
      'view_messages',
      'view_wiki_pages',
    ]);
    stranger = await app.given.user();
    admin = await app.given.user({ admin: true, firstName: 'Ada', lastName: 'Admin' });
  });
  afterAll(async () => {
    await work?.stop();
    await app?.stop();
    await clamd?.stop();
    scanner?.remove();
  });

  test('clients are told that files are scanned, and without a scanner that they are not', async () => {
    const query = '{ configuration { virusScanning } }';
    expect((await app.graphql(query, {}, author)).data.configuration.virusScanning).toBe(true);
    const plain = await startBeside(app, { CLAMD_URL: '' });
    try {
      const { data } = await plain.graphql(query, {}, author);
      expect(data.configuration.virusScanning).toBe(false);
    } finally {
      await plain.stop();
    }
  });

  test('what is found in a file is found in its copies, also in the trash; a release concerns all', async () => {
    const [here, there] = [
      await app.given.workPackage(project, author),
      await app.given.wikiPage(project, author),
    ];
    const trashing = await startBeside(app, { TRASH_DAYS: '30' });
    try {
      scanner.off();
      const id = await add(here.attachments, { content: EICAR });
      const copyOf = async (): Promise<number> =>
        (
          await app.graphql(
            'mutation ($ids: [ID!]!, $to: ID!) { copyAttachments(input: { ids: $ids, to: $to }) { attachments { databaseId } } }',
            { ids: [String(id)], to: there.globalId },
            author,
          )
        ).data.copyAttachments.attachments[0].databaseId;
      const copy = await copyOf();
      const trashed = await copyOf();
      expect((await trashing.delete(`${unclaimed}/${trashed}`, author)).status).toBe(204);
      scanner.on();
      await withStatus(id, 'quarantined', author);
      expect(await statusOf(copy, author)).toBe('quarantined');
      await refusedToAll(copy, [author, admin], quarantinedBody);
      const left = () => app.running.services.db.write('attachments').where({ id: trashed });
      await eventually(left, (rows) => rows.length === 0);
      expect(await outbox(copy)).toEqual([
        ['attachment:created', undefined],
        ['attachment:quarantined', EICAR_SIGNATURE],
      ]);
      await app.graphql(RELEASE, { id: String(copy) }, admin);
      expect([await statusOf(id, author), await statusOf(copy, author)]).toEqual([
        'scanned',
        'scanned',
      ]);
      expect((await history(here, author)).at(-1).details[0].raw).toBe(
        'File a.txt released from quarantine',
      );
    } finally {
      scanner.on();
      await trashing.stop();
    }
  });

  describe.each(kinds)('of a file of a %s', (kind) => {
    const make = () => app.given.container(kind, project, author);
    const described = (
      id: number,
      container: ContainerHandle,
      status: string,
      content: string | Uint8Array,
    ) =>
      attachmentElement({
        id,
        fileName: 'a.txt',
        fileSize: content.length,
        status,
        contentType: 'text/plain',
        digest: sha256(content),
        author,
        container,
        deletable: false,
      });

    test('finds nothing: the file is scanned, all readers get it, and one event is sent', async () => {
      const container = await make();
      const id = await add(container.attachments);
      await withStatus(id, 'scanned', author);
      expect((await app.get(container.attachments, viewer)).body).toEqual(
        collectionOf(container.attachments, [described(id, container, 'scanned', 'harmless')]),
      );
      expect((await app.get(contentOf(id), viewer)).text).toBe('harmless');
      expect(await outbox(id)).toEqual([
        ['attachment:created', undefined],
        ['attachment:scanned', undefined],
      ]);
    });

    test('finds a virus: the file is quarantined, all users get 403, and the history says so', async () => {
      const container = await make();
      const id = await add(container.attachments, { content: EICAR });
      await withStatus(id, 'quarantined', author);
      expect((await app.get(container.attachments, viewer)).body).toEqual(
        collectionOf(container.attachments, [described(id, container, 'quarantined', EICAR)]),
      );
      await refusedToAll(id, [viewer, author, admin], quarantinedBody);
      expect((await app.get(contentOf(id), stranger)).body).toEqual(notFound);
      expect(await outbox(id)).toEqual([
        ['attachment:created', undefined],
        ['attachment:quarantined', EICAR_SIGNATURE],
      ]);
      expect(
        logged('the virus scan found something').filter(({ attachment }) => attachment === id),
      ).toMatchObject([{ level: 40, signature: EICAR_SIGNATURE, action: 'quarantine' }]);
      if (kind !== 'WorkPackage') return;
      const changes = await history(container, viewer);
      expect(changes).toEqual([
        changeBody(changes[0]?.id, container, project, author, 'File a.txt added'),
        changeBody(
          changes[1]?.id,
          container,
          project,
          await systemUser(),
          `File a.txt quarantined: the virus scan found ${EICAR_SIGNATURE}`,
        ),
      ]);
    });
  });

  test('the history links to the user System, which is shown and cannot sign in', async () => {
    const { id } = await systemUser();
    const { status, body } = await app.get(`/api/v3/users/${id}`, viewer);
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        _type: 'User',
        id,
        login: 'moorage-system',
        name: 'System',
        firstName: 'System',
        lastName: '',
        admin: false,
        avatar: '',
        email: null,
        identityUrl: null,
        status: 'locked',
        createdAt: TIME,
        updatedAt: TIME,
        _links: { self: { href: `/api/v3/users/${id}`, title: 'System' } },
      },
    });
  });

  test('a file without container is scanned too, and its author sees the quarantine', async () => {
    const [clean, infected] = [await add(unclaimed), await add(unclaimed, { content: EICAR })];
    await withStatus(clean, 'scanned', author);
    await withStatus(infected, 'quarantined', author);
    expect((await app.get(contentOf(clean), author)).text).toBe('harmless');
    await refusedToAll(infected, [author, admin], quarantinedBody);
    for (const person of [viewer, stranger])
      expect((await app.get(contentOf(infected), person)).body).toEqual(notFound);
  });

  test('two processes that scan the same file make one event and one activity', async () => {
    const container = await app.given.workPackage(project, author);
    const ids = await work.paused(async () => {
      const made = [
        await add(container.attachments, { content: EICAR }),
        await add(container.attachments),
        await add(container.attachments, { content: EICAR }),
      ];
      work.start();
      return made;
    });
    for (const id of ids)
      await until(app, `${unclaimed}/${id}`, author, ({ body }) => body.status !== 'uploaded');
    expect(await Promise.all(ids.map((id) => outbox(id)))).toEqual([
      [
        ['attachment:created', undefined],
        ['attachment:quarantined', EICAR_SIGNATURE],
      ],
      [
        ['attachment:created', undefined],
        ['attachment:scanned', undefined],
      ],
      [
        ['attachment:created', undefined],
        ['attachment:quarantined', EICAR_SIGNATURE],
      ],
    ]);
    expect(
      (await history(container, viewer))
        .map(({ details }) => details[0].raw)
        .filter((raw) => raw.includes('quarantined')),
    ).toHaveLength(2);
  });

  describe('while the scanner is down', () => {
    test('the state stays, only the author reads the file, and it is scanned when the scanner is back', async () => {
      const container = await app.given.wikiPage(project, author);
      scanner.off();
      const before = logged('the virus scanner does not answer').length;
      const [clean, infected] = [
        await add(container.attachments, { fileName: 'clean.txt' }),
        await add(container.attachments, { fileName: 'infected.txt', content: EICAR }),
      ];
      try {
        await eventually(
          () => logged('the virus scanner does not answer').length,
          (count) => count > before,
        );
        expect([await statusOf(clean, viewer), await statusOf(infected, viewer)]).toEqual([
          'uploaded',
          'uploaded',
        ]);
        await refusedToAll(clean, [viewer, admin], waitingBody);
        expect((await app.get(contentOf(clean), author)).text).toBe('harmless');
        expect((await app.get(contentOf(infected), author)).status).toBe(200);
        expect((await app.get(contentOf(clean), stranger)).body).toEqual(notFound);
      } finally {
        scanner.on();
      }
      await withStatus(clean, 'scanned', viewer);
      await withStatus(infected, 'quarantined', viewer);
      expect((await app.get(contentOf(clean), viewer)).text).toBe('harmless');
      await refusedToAll(infected, [viewer, author, admin], quarantinedBody);
      expect(await outbox(clean)).toEqual([
        ['attachment:created', undefined],
        ['attachment:scanned', undefined],
      ]);
    });

    test('a file that waits for its first scan is not readable after a restart either', async () => {
      const container = await app.given.wikiPage(project, author);
      scanner.off();
      try {
        const id = await add(container.attachments);
        await work.paused(async () => undefined);
        const before = logged('the virus scanner does not answer').length;
        await eventually(
          () => logged('the virus scanner does not answer').length,
          (count) => count > before,
        );
        expect(await statusOf(id, viewer)).toBe('uploaded');
        await refusedToAll(id, [viewer], waitingBody);
        scanner.on();
        await withStatus(id, 'scanned', viewer);
      } finally {
        scanner.on();
      }
    });
  });

  describe('and during a scan', () => {
    /** The scanner of the service. It waits before its verdict. */
    async function duringScan(
      action: (id: number) => Promise<unknown>,
      upload: () => Promise<number>,
    ): Promise<number> {
      const real = app.running.services.scanner!;
      let reached!: () => void;
      let goOn!: () => void;
      const [scanning, held] = [
        new Promise<void>((resolve) => {
          reached = resolve;
        }),
        new Promise<void>((resolve) => {
          goOn = resolve;
        }),
      ];
      const slow: Scanner = {
        ...real,
        async scan(content, signal) {
          const verdict = await real.scan(content, signal);
          reached();
          await held;
          return verdict;
        },
      };
      await work.stop();
      try {
        work.start({ scanner: slow });
        const id = await upload();
        await scanning;
        await action(id);
        return id;
      } finally {
        goOn();
        await work.stop();
        work.start();
      }
    }

    test('a deleted file and its bytes are gone at once', async () => {
      const container = await app.given.wikiPage(project, author);
      const before = storedFiles(app).sort();
      const id = await duringScan(
        async (scanned) => {
          expect((await app.delete(`${unclaimed}/${scanned}`, author)).status).toBe(204);
          expect((await app.get(`${unclaimed}/${scanned}`, author)).body).toEqual(notFound);
        },
        () => add(container.attachments, { content: EICAR }),
      );
      await eventually(
        () => app.running.services.db.write('attachments').where({ id }),
        (rows) => rows.length === 0,
      );
      expect(storedFiles(app).sort()).toEqual(before);
      expect(await outbox(id)).toEqual([
        ['attachment:created', undefined],
        ['attachment:deleted', undefined],
      ]);
    });

    test('a claimed file is quarantined in its container', async () => {
      const container = await app.given.workPackage(project, author);
      const id = await duringScan(
        async (scanned) => {
          expect(
            (
              await app.patch(container.path, author, {
                lockVersion: 0,
                _links: { attachments: [{ href: `${unclaimed}/${scanned}` }] },
              })
            ).status,
          ).toBe(200);
        },
        () => add(unclaimed, { content: EICAR }),
      );
      await withStatus(id, 'quarantined', viewer);
      const changes = await history(container, viewer);
      expect(changes).toEqual([
        changeBody(changes[0]?.id, container, project, author, 'File a.txt added'),
        changeBody(
          changes[1]?.id,
          container,
          project,
          await systemUser(),
          `File a.txt quarantined: the virus scan found ${EICAR_SIGNATURE}`,
        ),
      ]);
    });
  });

  describe('quarantine', () => {
    async function quarantined(to: string, as = author): Promise<number> {
      const id = await add(to, { content: EICAR, as });
      await withStatus(id, 'quarantined', as);
      return id;
    }
    const clear = async () => {
      const { data } = await app.graphql(QUARANTINE, {}, admin);
      for (const { databaseId } of data.quarantinedAttachments.nodes)
        expect((await app.delete(`${unclaimed}/${databaseId}`, admin)).status).toBe(204);
      expect((await app.graphql(QUARANTINE, {}, admin)).data.quarantinedAttachments).toMatchObject({
        totalCount: 0,
        nodes: [],
      });
    };

    test('only administrators list the quarantine, oldest first, page by page, and delete from it', async () => {
      await clear();
      const ids: number[] = [];
      for (const kind of kinds)
        ids.push(await quarantined((await app.given.container(kind, project, author)).attachments));
      ids.push(await quarantined(unclaimed));
      const { data, errors } = await app.graphql(QUARANTINE, {}, admin);
      expect(errors).toBeUndefined();
      expect(data.quarantinedAttachments).toEqual({
        totalCount: 6,
        pageInfo: { hasNextPage: false, endCursor: expect.any(String) },
        nodes: ids.map((databaseId, index) => ({
          databaseId,
          fileName: 'a.txt',
          status: 'QUARANTINED',
          downloadLocation: null,
          author: { databaseId: author.id },
          container: index < 5 ? { databaseId: expect.any(Number) } : null,
          viewerCanDelete: true,
        })),
      });
      const seen: number[] = [];
      for (let after: string | null = null, more = true; more;) {
        const page: any = (await app.graphql(QUARANTINE, { first: 4, after }, admin)).data
          .quarantinedAttachments;
        seen.push(...page.nodes.map(({ databaseId }: { databaseId: number }) => databaseId));
        ({ hasNextPage: more, endCursor: after } = page.pageInfo);
      }
      expect(seen).toEqual(ids);
      for (const person of [author, viewer, stranger, undefined]) {
        const refused = await app.graphql(QUARANTINE, {}, person);
        expect({ data: refused.data, errors: refused.errors }).toMatchObject({
          data: null,
          errors: [
            {
              message: missingPermission.message,
              extensions: { code: 'MISSING_PERMISSION', status: 403 },
            },
          ],
        });
      }
      await clear();
      for (const id of ids)
        expect((await app.get(`${unclaimed}/${id}`, author)).body).toEqual(notFound);
    });

    test('an administrator sees and deletes a quarantined file without container too', async () => {
      const id = await quarantined(unclaimed);
      const { status, body } = await app.get(`${unclaimed}/${id}`, admin);
      expect({ status, body }).toEqual({
        status: 200,
        body: {
          ...attachmentElement({
            id,
            fileName: 'a.txt',
            fileSize: EICAR.length,
            status: 'quarantined',
            contentType: 'text/plain',
            digest: sha256(EICAR),
            author,
            deletable: true,
          }),
          _embedded: { author: userBody(author) },
        },
      });
      expect((await app.delete(`${unclaimed}/${id}`, admin)).status).toBe(204);
      expect(await app.get(`${unclaimed}/${id}`, author)).toMatchObject({
        status: 404,
        body: notFound,
      });
    });

    test('an administrator releases a file: it is scanned, all readers get it, and the history names the administrator', async () => {
      const container = await app.given.workPackage(project, author);
      const id = await quarantined(container.attachments);
      const { data, errors } = await app.graphql(RELEASE, { id: String(id) }, admin);
      expect({ data, errors }).toEqual({
        errors: undefined,
        data: {
          releaseAttachment: {
            attachment: { databaseId: id, status: 'SCANNED', fileName: 'a.txt' },
          },
        },
      });
      for (const person of [viewer, author, admin])
        expect((await app.get(contentOf(id), person)).bytes.equals(EICAR)).toBe(true);
      const changes = await history(container, viewer);
      expect(changes.at(-1)).toEqual(
        changeBody(
          changes.at(-1)?.id,
          container,
          project,
          admin,
          'File a.txt released from quarantine',
        ),
      );
      expect(await outbox(id)).toEqual([
        ['attachment:created', undefined],
        ['attachment:quarantined', EICAR_SIGNATURE],
        ['attachment:scanned', undefined],
      ]);
      await work.paused(async () => undefined);
      const again = await app.graphql(RELEASE, { id: String(id) }, admin);
      expect(again.errors).toMatchObject([
        {
          message: 'The file is not in quarantine.',
          extensions: { code: 'PROPERTY_CONSTRAINT_VIOLATION', status: 422, attribute: 'status' },
        },
      ]);
      expect(await statusOf(id, viewer)).toBe('scanned');
    });

    test('other users cannot release a file: 403 if they see it, else 404', async () => {
      const container = await app.given.wikiPage(project, author);
      const [id, loose] = [await quarantined(container.attachments), await quarantined(unclaimed)];
      const code = async (target: number, person: Person | undefined) =>
        (await app.graphql(RELEASE, { id: String(target) }, person)).errors?.map(
          ({ extensions }) => extensions.code,
        );
      expect([
        await code(id, author),
        await code(id, viewer),
        await code(loose, author),
        await code(id, stranger),
        await code(id, undefined),
        await code(loose, viewer),
        await code(99_999, admin),
      ]).toEqual([
        ['MISSING_PERMISSION'],
        ['MISSING_PERMISSION'],
        ['MISSING_PERMISSION'],
        ['NOT_FOUND'],
        ['NOT_FOUND'],
        ['NOT_FOUND'],
        ['NOT_FOUND'],
      ]);
      await refusedToAll(id, [viewer, author, admin], quarantinedBody);
    });

    test('the author can delete a quarantined file, and it stays quarantined if it is claimed', async () => {
      const [thrown, claimed] = [await quarantined(unclaimed), await quarantined(unclaimed)];
      expect((await app.delete(`${unclaimed}/${thrown}`, author)).status).toBe(204);
      const made = await app.post('/api/v3/work_packages', author, {
        subject: 'Claims',
        _links: {
          project: { href: `/api/v3/projects/${project.id}` },
          attachments: [{ href: `${unclaimed}/${claimed}` }],
        },
      });
      expect(made.status).toBe(201);
      expect(await statusOf(claimed, viewer)).toBe('quarantined');
      await refusedToAll(claimed, [viewer, author, admin], quarantinedBody);
    });
  });

  describe('with SCAN_POLICY=open and SCAN_ACTION=delete', () => {
    let loose: App;
    let away: Switch;
    let place: { id: number; name: string };
    let person: Person;
    let reader: Person;
    beforeAll(async () => {
      away = new Switch();
      away.on();
      loose = await startApp({
        ...away.environment,
        SCAN_POLICY: 'open',
        SCAN_ACTION: 'delete',
        BACKGROUND_WORK: 'true',
      });
      place = await loose.given.project();
      person = await loose.given.member(place, everything);
      reader = await loose.given.member(place, ['view_work_packages']);
    });
    afterAll(async () => {
      await loose?.stop();
      away?.remove();
    });

    test('an infected file is deleted with its bytes, and the history and the outbox say why', async () => {
      const container = await loose.given.workPackage(place, person);
      const id = await add(container.attachments, {
        content: EICAR,
        fileName: 'virus.txt',
        as: person,
        on: loose,
      });
      await until(loose, `${unclaimed}/${id}`, person, ({ status }) => status === 404);
      expect((await loose.get(container.attachments, reader)).body).toEqual(
        collectionOf(container.attachments, []),
      );
      const changes = await history(container, reader, loose);
      expect(changes).toEqual([
        changeBody(changes[0]?.id, container, place, person, 'File virus.txt added'),
        changeBody(
          changes[1]?.id,
          container,
          place,
          await systemUser(loose),
          `File virus.txt deleted: the virus scan found ${EICAR_SIGNATURE}`,
        ),
      ]);
      expect(await outbox(id, loose)).toEqual([
        ['attachment:created', undefined],
        ['attachment:deleted', EICAR_SIGNATURE],
      ]);
      await eventually(
        () => storedFiles(loose),
        (names) => names.length === 0,
      );
    });

    test('all readers get a file while it waits for its scan', async () => {
      const container = await loose.given.workPackage(place, person);
      away.off();
      try {
        const id = await add(container.attachments, { as: person, on: loose });
        await eventually(
          () => logged('the virus scanner does not answer', loose).length,
          (count) => count > 0,
        );
        expect([
          await statusOf(id, reader, loose),
          (await loose.get(contentOf(id), reader)).text,
        ]).toEqual(['uploaded', 'harmless']);
        away.on();
        await withStatus(id, 'scanned', reader, loose);
      } finally {
        away.on();
      }
    });
  });

  test('after the scanner is switched on, older files are marked rescan, stay readable and are scanned; verdicts stay', async () => {
    const before = await startApp({ BACKGROUND_WORK: 'true' });
    const away = new Switch();
    try {
      const place = await before.given.project();
      const person = await before.given.member(place, everything);
      const reader = await before.given.member(place, ['view_wiki_pages']);
      const container = await before.given.wikiPage(place, person);
      const [clean, infected, loose] = [
        await add(container.attachments, { as: person, on: before }),
        await add(container.attachments, { as: person, on: before, content: EICAR }),
        await add(unclaimed, { as: person, on: before }),
      ];
      const lost = await before.given.attachment({ container, author: person, blob: false });
      const decided = [
        await before.given.attachment({ container, author: person, status: 'scanned' }),
        await before.given.attachment({ container, author: person, status: 'quarantined' }),
        await before.given.attachment({
          container,
          author: person,
          status: 'prepared',
          blob: false,
        }),
      ];
      await before.running.stop();

      const unmarked = await startBeside(before, { ...away.environment, BACKGROUND_WORK: 'false' });
      expect([
        await statusOf(clean, person, unmarked),
        (await unmarked.get(contentOf(clean), reader)).text,
      ]).toEqual(['uploaded', 'harmless']);
      await unmarked.running.stop();

      const after = await startBeside(before, away.environment);
      try {
        for (const id of [clean, infected, loose, lost.id])
          await withStatus(id, 'rescan', person, after);
        expect((await after.get(contentOf(clean), reader)).text).toBe('harmless');
        expect((await after.get(contentOf(infected), reader)).bytes.equals(EICAR)).toBe(true);
        expect(await Promise.all(decided.map(({ id }) => statusOf(id, person, after)))).toEqual([
          'scanned',
          'quarantined',
          'prepared',
        ]);
        const fresh = await add(container.attachments, { as: person, on: after });
        await refusedToAll(fresh, [reader], waitingBody, after);

        away.on();
        for (const id of [fresh, clean]) await withStatus(id, 'scanned', reader, after);
        await withStatus(infected, 'quarantined', reader, after);
        await withStatus(loose, 'scanned', person, after);
        await refusedToAll(infected, [reader, person], quarantinedBody, after);
        expect(await Promise.all(decided.map(({ id }) => statusOf(id, person, after)))).toEqual([
          'scanned',
          'quarantined',
          'prepared',
        ]);
        // A file without bytes cannot be scanned.
        await eventually(
          () =>
            logged('a file cannot be scanned', after).filter(
              ({ attachment }) => attachment === lost.id,
            ).length,
          (count) => count > 0,
        );
        expect((await after.get(contentOf(lost.id), reader)).body).toEqual(notFound);
      } finally {
        await after.stop();
      }
    } finally {
      await before.stop();
      away.remove();
    }
  });

  test('a file that is too large for the daemon stays unscanned, and the log says so', async () => {
    const small = await startClamd({ streamMaxLength: 1024 });
    const limited = await startApp({
      CLAMD_URL: `tcp://${small.tcp.host}:${small.tcp.port}`,
      BACKGROUND_WORK: 'true',
    });
    try {
      const place = await limited.given.project();
      const person = await limited.given.member(place, everything);
      const reader = await limited.given.member(place, ['view_wiki_pages']);
      const container = await limited.given.wikiPage(place, person);
      const id = await add(container.attachments, {
        content: Buffer.alloc(100_000, 'x'),
        as: person,
        on: limited,
      });
      await eventually(
        () => logged('a file cannot be scanned', limited),
        (lines) => lines.some(({ attachment, level }) => attachment === id && level === 50),
      );
      expect(await statusOf(id, reader, limited)).toBe('uploaded');
      await refusedToAll(id, [reader], heldBody, limited);
      expect((await limited.get(contentOf(id), person)).status).toBe(200);
      const next = await add(container.attachments, { as: person, on: limited });
      await withStatus(next, 'scanned', reader, limited);
    } finally {
      await limited.stop();
      await small.stop();
    }
  });

  const NOTE =
    'The file is larger than the virus scanner reads. Raise StreamMaxLength, MaxFileSize and ' +
    'MaxScanSize in its clamd.conf to the largest attachment allowed, restart it and scan the ' +
    'file again.';
  const SCAN_NOTE = 'query ($id: ID!) { attachment(id: $id) { status scanNote } }';
  test.each(['hold', 'pass'])(
    'a file that the daemon calls clean without reading it to its end: SCAN_TOO_LARGE=%s',
    async (choice) => {
      const small = await startClamd({ maxFileSize: 2 * 1024 * 1024, alerts: false });
      const limited = await startApp({
        CLAMD_URL: `tcp://${small.tcp.host}:${small.tcp.port}`,
        BACKGROUND_WORK: 'true',
        SCAN_TOO_LARGE: choice,
      });
      try {
        const place = await limited.given.project();
        const person = await limited.given.member(place, everything);
        const boss = await limited.given.user({ admin: true });
        const container = await limited.given.wikiPage(place, person);
        const noteOf = async (id: number, as = boss) =>
          (await limited.graphql(SCAN_NOTE, { id: String(id) }, as)).data.attachment;
        const large = await add(container.attachments, {
          content: Buffer.concat([Buffer.alloc(3_000_000, 'x'), EICAR]),
          as: person,
          on: limited,
        });
        const within = await add(container.attachments, {
          content: Buffer.alloc(1_500_000, 'x'),
          as: person,
          on: limited,
        });
        await withStatus(within, 'scanned', boss, limited);
        if (choice === 'pass') {
          await withStatus(large, 'scanned', boss, limited);
          expect(await noteOf(large)).toEqual({ status: 'SCANNED', scanNote: null });
          expect(logged('a file passed without a whole scan', limited)).toHaveLength(1);
          return;
        }
        const held = await eventually(
          () => noteOf(large),
          ({ scanNote }) => scanNote !== null,
        );
        expect(held).toEqual({ status: 'UPLOADED', scanNote: NOTE });
        expect(await noteOf(large, person)).toEqual({ status: 'UPLOADED', scanNote: null });
        const reader = await limited.given.member(place, ['view_wiki_pages']);
        expect((await limited.get(contentOf(large), reader)).body.message).toBe(
          'The virus scan could not read the file. An administrator sees the reason.',
        );
      } finally {
        await limited.stop();
        await small.stop();
      }
    },
    60_000,
  );

  test('administrators see what was found in a quarantined file', async () => {
    const place = await app.given.project();
    const person = await app.given.member(place, everything);
    const boss = await app.given.user({ admin: true });
    const container = await app.given.wikiPage(place, person);
    const id = await add(container.attachments, { content: EICAR, as: person });
    await withStatus(id, 'quarantined', boss);
    const { data } = await app.graphql(
      '{ quarantinedAttachments(last: 1) { nodes { databaseId scanNote } } }',
      {},
      boss,
    );
    expect(data.quarantinedAttachments.nodes).toEqual([
      { databaseId: id, scanNote: EICAR_SIGNATURE },
    ]);
  });

  test('without a scanner files stay uploaded and readable, and nothing can be released', async () => {
    const plain = await startApp({ BACKGROUND_WORK: 'true' });
    try {
      const place = await plain.given.project();
      const person = await plain.given.member(place, everything);
      const boss = await plain.given.user({ admin: true });
      const container = await plain.given.wikiPage(place, person);
      const id = await add(container.attachments, { content: EICAR, as: person, on: plain });
      expect((await plain.get(contentOf(id), boss)).bytes.equals(EICAR)).toBe(true);
      expect(await statusOf(id, boss, plain)).toBe('uploaded');
      expect((await plain.graphql(RELEASE, { id: String(id) }, boss)).errors).toMatchObject([
        { message: 'The file is not in quarantine.' },
      ]);
    } finally {
      await plain.stop();
    }
  });

  describeS3('of files in an object store', () => {
    let remote: App;
    let remoteWork: Work;
    let bucket: S3Bucket;
    let place: { id: number; name: string };
    let person: Person;
    let reader: Person;
    let container: ContainerHandle;
    let away: Switch;
    beforeAll(async () => {
      bucket = await freshBucket();
      away = new Switch();
      away.on();
      remote = await startApp({ ...s3Environment(bucket), ...away.environment });
      remoteWork = new Work(remote);
      remoteWork.start();
      place = await remote.given.project();
      person = await remote.given.member(place, everything);
      reader = await remote.given.member(place, ['view_work_packages']);
      container = await remote.given.workPackage(place, person);
    });
    afterAll(async () => {
      await remoteWork?.stop();
      await remote?.stop();
      away?.remove();
    });
    const linkOf = async (id: number, as: Person) =>
      (await remote.get(`${unclaimed}/${id}`, as)).body._links.downloadLocation.href as string;
    const address = () => expect.stringContaining(`${bucket.endpoint}/${bucket.bucket}/files/`);

    test('a direct upload is scanned after its finalisation', async () => {
      const { body } = await uploadDirectly(remote, { as: person, to: container.attachments });
      await withStatus(body.id, 'scanned', reader, remote);
      expect(await linkOf(body.id, reader)).toEqual(address());
      expect((await remote.get(contentOf(body.id), reader)).status).toBe(302);
      expect(await outbox(body.id, remote)).toEqual([
        ['attachment:created', undefined],
        ['attachment:scanned', undefined],
      ]);
    });

    test('an infected direct upload is quarantined and has no download address any more', async () => {
      const own = await remote.given.workPackage(place, person);
      const { body } = await uploadDirectly(remote, {
        as: person,
        to: own.attachments,
        content: EICAR,
        fileName: 'virus.txt',
      });
      await withStatus(body.id, 'quarantined', reader, remote);
      for (const someone of [person, reader, await remote.given.user({ admin: true })]) {
        expect(await linkOf(body.id, someone)).toBe(contentOf(body.id));
        const refused = await remote.get(contentOf(body.id), someone);
        expect({
          status: refused.status,
          body: refused.body,
          location: refused.headers.get('location'),
        }).toEqual({ status: 403, body: quarantinedBody, location: null });
      }
      const changes = await history(own, reader, remote);
      expect(changes).toEqual([
        changeBody(changes[0]?.id, own, place, person, 'File virus.txt added'),
        changeBody(
          changes[1]?.id,
          own,
          place,
          await systemUser(remote),
          `File virus.txt quarantined: the virus scan found ${EICAR_SIGNATURE}`,
        ),
      ]);
      expect((await remote.delete(`${unclaimed}/${body.id}`, person)).status).toBe(204);
      expect((await objects(bucket)).filter((name) => name.startsWith('staging/'))).toEqual([]);
    });

    test('only the author gets the address of a direct upload that waits for its scan', async () => {
      away.off();
      try {
        const { body } = await uploadDirectly(remote, { as: person, to: container.attachments });
        expect([await linkOf(body.id, person), await linkOf(body.id, reader)]).toEqual([
          address(),
          contentOf(body.id),
        ]);
        const refused = await remote.get(contentOf(body.id), reader);
        expect({ status: refused.status, body: refused.body }).toEqual({
          status: 403,
          body: waitingBody,
        });
        const listed = (
          await remote.get(container.attachments, reader)
        ).body._embedded.elements.find(({ id }: { id: number }) => id === body.id);
        expect(listed._links.downloadLocation.href).toBe(contentOf(body.id));
        expect(
          (
            await remote.graphql(
              'query ($id: ID!) { attachment(id: $id) { downloadLocation } }',
              { id: String(body.id) },
              reader,
            )
          ).data,
        ).toEqual({ attachment: { downloadLocation: null } });
        away.on();
        await withStatus(body.id, 'scanned', reader, remote);
      } finally {
        away.on();
      }
    });
  });

  test('the error of a quarantined file names no signature', async () => {
    const container = await app.given.wikiPage(project, author);
    const id = await add(container.attachments, { content: EICAR });
    await withStatus(id, 'quarantined', author);
    const { text, body } = await app.get(contentOf(id), viewer);
    expect(text).not.toContain(EICAR_SIGNATURE);
    expect(body).toEqual(errorBody('MissingPermission', quarantinedBody.message));
  });
});

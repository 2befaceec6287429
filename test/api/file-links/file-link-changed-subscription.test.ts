/** The subscription fileLinkChanged over server-sent events, and the outbox rows behind it. */
import { runCleanup } from '../../../src/actions/operate/cleanup/run-cleanup.js';
import { startApp, type App } from '../../support/app.js';
import { TIME } from '../../support/expected.js';
import type { ContainerHandle, Person, StorageHandle } from '../../support/factories.js';
import { afterAll, beforeAll, describe, expect, test } from '../../support/jest.js';
import { FILE_LINK_CHANGED, listen, type Listener } from '../../support/stream.js';

const globalId = (type: string, id: number) => Buffer.from(`${type}:${id}`).toString('base64url');
const UUID = expect.stringMatching(
  /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/,
);

let app: App;
let project: { id: number };
let editor: Person;
let viewer: Person;
let admin: Person;
const open: Listener[] = [];
beforeAll(async () => {
  // No server runs at the storage addresses: changing links sends no request to a storage.
  app = await startApp({ STORAGE_TIMEOUT_MS: '200' });
  project = await app.given.project();
  editor = await app.given.member(project, [
    'view_work_packages',
    'add_work_packages',
    'edit_work_packages',
    'view_file_links',
    'manage_file_links',
    'manage_files_in_project',
  ]);
  viewer = await app.given.member(project, ['view_work_packages', 'view_file_links']);
  admin = await app.given.user({ admin: true });
});
afterAll(async () => {
  for (const listener of open) listener.leave();
  await app?.stop();
});

interface Place {
  workPackage: ContainerHandle;
  storage: StorageHandle;
}

async function place(): Promise<Place> {
  const storage = await app.given.storage();
  await app.given.projectStorage(project, storage);
  return { storage, workPackage: await app.given.workPackage(project, editor) };
}

async function subscribed(
  as: Person | undefined,
  what: ContainerHandle | number,
): Promise<Listener> {
  const listener = await listen(app, as, {
    query: FILE_LINK_CHANGED,
    variables:
      typeof what === 'number' ? { fileLinkId: String(what) } : { workPackageId: what.globalId },
  });
  open.push(listener);
  return listener;
}

interface Change {
  event: 'CREATED' | 'DELETED' | 'CLAIMED';
  id: number;
  workPackage?: ContainerHandle;
  reason?: string;
  /** Only for links that still exist and are visible. */
  name?: string;
}
const eventOf = ({ event, id, workPackage, reason, name }: Change) => ({
  data: {
    fileLinkChanged: {
      event,
      deliveryId: UUID,
      fileLinkId: globalId('FileLink', id),
      fileLinkDatabaseId: id,
      workPackageId: workPackage?.globalId ?? null,
      reason: reason ?? null,
      createdAt: TIME,
      fileLink: name === undefined ? null : { databaseId: id, originData: { name } },
    },
  },
});

/** The file server has numbers for ids. Each other name is a file of its own. */
const names: string[] = [];
const FIRST = 1_000;
const originId = (name: string): string => {
  if (/^\d+$/.test(name)) return name;
  if (!names.includes(name)) names.push(name);
  return String(FIRST + names.indexOf(name));
};
const element = ({ storage }: Place, file: string, name = `${file}.txt`) => ({
  originData: { id: originId(file), name },
  _links: { storage: { href: storage.path } },
});
async function create(path: string, ...elements: object[]): Promise<number[]> {
  const { status, body } = await app.post(path, editor, { _embedded: { elements } });
  expect(status).toBe(201);
  return body._embedded.elements.map(({ id }: { id: number }) => id);
}
const createdIn = (at: Place, ...ids: string[]) =>
  create(`${at.workPackage.path}/file_links`, ...ids.map((id) => element(at, id)));
const unclaimed = async (at: Place, id: string): Promise<number> =>
  (await create('/api/v3/file_links', element(at, id)))[0]!;
const remove = async (id: number) =>
  expect((await app.delete(`/api/v3/file_links/${id}`, editor)).status).toBe(200);
const hrefs = (...ids: number[]) => ids.map((id) => ({ href: `/api/v3/file_links/${id}` }));
const outbox = async (id: number): Promise<[string, object][]> =>
  (
    await app.running.services.db
      .read('events')
      .where({ subject_type: 'FileLink', subject_id: id })
      .orderBy('id')
  ).map(({ kind, data }) => [kind, JSON.parse(data)]);

describe('fileLinkChanged', () => {
  test('every viewer receives each creation and deletion once and in order, and no events of other work packages', async () => {
    const [here, other] = [await place(), await place()];
    const streams = [
      await subscribed(viewer, here.workPackage),
      await subscribed(editor, here.workPackage),
    ];
    await createdIn(other, 'elsewhere');
    const [first, second] = (await createdIn(here, '1', '2')) as [number, number];
    const created = [
      eventOf({ event: 'CREATED', id: first, workPackage: here.workPackage, name: '1.txt' }),
      eventOf({ event: 'CREATED', id: second, workPackage: here.workPackage, name: '2.txt' }),
    ];
    for (const stream of streams) expect(await stream.next(2)).toEqual(created);
    // Files that are already linked are not linked again.
    expect(await createdIn(here, '1', '1')).toEqual([first, first]);
    await remove(second);
    await remove(first);
    for (const stream of streams) {
      expect(await stream.next(4)).toEqual([
        ...created,
        eventOf({ event: 'DELETED', id: second, workPackage: here.workPackage }),
        eventOf({ event: 'DELETED', id: first, workPackage: here.workPackage }),
      ]);
      stream.leave();
    }
    const data = {
      storageId: here.storage.id,
      originId: '1',
      originName: '1.txt',
      originMimeType: null,
    };
    expect(await outbox(first)).toEqual([
      ['file_link:created', data],
      ['file_link:deleted', data],
    ]);
  });

  test('of one link has no events of other links, or of an attachment with the same id', async () => {
    const here = await place();
    const [wanted, other] = (await createdIn(here, '1', '2')) as [number, number];
    const stream = await subscribed(viewer, wanted);
    for (let id = 0; id < wanted;) {
      const { status, body } = await app.upload(here.workPackage.attachments, { as: editor });
      expect(status).toBe(200);
      ({ id } = body);
    }
    await remove(other);
    await remove(wanted);
    expect(await stream.next(1)).toEqual([
      eventOf({ event: 'DELETED', id: wanted, workPackage: here.workPackage }),
    ]);
    stream.leave();
  });

  test('only its creator receives the events of an unclaimed link; after a claim, the viewers of its work package do', async () => {
    const here = await place();
    const id = await unclaimed(here, '1');
    for (const person of [viewer, admin, undefined]) {
      const refused = await listen(app, person, {
        query: FILE_LINK_CHANGED,
        variables: { fileLinkId: String(id) },
      });
      await refused.end();
      expect(refused.results).toEqual([
        {
          errors: [
            expect.objectContaining({ extensions: expect.objectContaining({ code: 'NOT_FOUND' }) }),
          ],
        },
      ]);
    }
    const [own, all] = [await subscribed(editor, id), await subscribed(viewer, here.workPackage)];
    expect(
      (await app.patch(here.workPackage.path, editor, { _links: { fileLinks: hrefs(id) } })).status,
    ).toBe(200);
    for (const stream of [own, all]) {
      expect(await stream.next(1)).toEqual([
        eventOf({ event: 'CLAIMED', id, workPackage: here.workPackage, name: '1.txt' }),
      ]);
      stream.leave();
    }
    expect((await outbox(id)).map(([kind]) => kind)).toEqual([
      'file_link:created',
      'file_link:claimed',
    ]);
  });

  test('a replaced set sends events for claimed and removed links; only its creator receives those of a duplicate', async () => {
    const here = await place();
    const [kept, dropped] = (await createdIn(here, 'kept', 'dropped')) as [number, number];
    const [added, repeat] = [await unclaimed(here, 'added'), await unclaimed(here, 'kept')];
    const stream = await subscribed(viewer, here.workPackage);
    const own = await subscribed(editor, repeat);
    expect(
      (
        await app.patch(here.workPackage.path, editor, {
          _links: { fileLinks: hrefs(kept, added, repeat) },
        })
      ).status,
    ).toBe(200);
    expect(await stream.next(2)).toEqual([
      eventOf({ event: 'CLAIMED', id: added, workPackage: here.workPackage, name: 'added.txt' }),
      eventOf({ event: 'DELETED', id: dropped, workPackage: here.workPackage }),
    ]);
    expect(await own.next(1)).toEqual([eventOf({ event: 'DELETED', id: repeat })]);
    for (const one of [stream, own]) one.leave();
    const { body } = await app.get(`${here.workPackage.path}/activities`, editor);
    expect(
      body._embedded.elements.flatMap(({ details }: any) => details.map(({ raw }: any) => raw)),
    ).toEqual([
      'Link to file kept.txt added',
      'Link to file dropped.txt added',
      'Link to file added.txt added',
      'Link to file dropped.txt removed',
    ]);
  });

  test('a project that drops a storage sends an event for each of its links and records them in the histories', async () => {
    const here = await place();
    const second = { ...here, workPackage: await app.given.workPackage(project, editor) };
    const ids = [...(await createdIn(here, '1', '2')), ...(await createdIn(second, '1'))] as [
      number,
      number,
      number,
    ];
    const streams = [
      await subscribed(viewer, here.workPackage),
      await subscribed(viewer, second.workPackage),
    ];
    const { id } = (
      await app.running.services.db.read('project_storages').where('storage_id', here.storage.id)
    )[0];
    expect(
      (
        await app.graphql(
          'mutation ($id: ID!) { deleteProjectStorage(input: { id: $id }) { deletedProjectStorageId } }',
          { id },
          editor,
        )
      ).errors,
    ).toBeUndefined();
    expect(await streams[0]!.next(2)).toEqual(
      ids
        .slice(0, 2)
        .map((link) => eventOf({ event: 'DELETED', id: link, workPackage: here.workPackage })),
    );
    expect(await streams[1]!.next(1)).toEqual([
      eventOf({ event: 'DELETED', id: ids[2], workPackage: second.workPackage }),
    ]);
    for (const stream of streams) stream.leave();
    const history = async ({ workPackage }: Place) =>
      (await app.get(`${workPackage.path}/activities`, editor)).body._embedded.elements
        .at(-1)
        .details.map(({ raw }: any) => raw);
    expect([await history(here), await history(second)]).toEqual([
      ['Link to file 1.txt removed', 'Link to file 2.txt removed'],
      ['Link to file 1.txt removed'],
    ]);
  });

  test('a deleted storage sends an event for each of its links; those of unclaimed links go to their creators', async () => {
    const here = await place();
    const [link] = (await createdIn(here, '1')) as [number];
    const own = await unclaimed(here, '2');
    const streams = [await subscribed(viewer, here.workPackage), await subscribed(editor, own)];
    expect((await app.delete(here.storage.path, admin)).status).toBe(204);
    expect(await streams[0]!.next(1)).toEqual([
      eventOf({ event: 'DELETED', id: link, workPackage: here.workPackage }),
    ]);
    expect(await streams[1]!.next(1)).toEqual([eventOf({ event: 'DELETED', id: own })]);
    for (const stream of streams) stream.leave();
    expect(
      (await app.get(`${here.workPackage.path}/activities`, editor)).body._embedded.elements
        .at(-1)
        .details.map(({ raw }: any) => raw),
    ).toEqual(['Link to file 1.txt removed']);
  });

  test('a deleted work package sends an event for each of its links', async () => {
    const here = await place();
    const [link] = (await createdIn(here, '1')) as [number];
    const stream = await subscribed(viewer, here.workPackage);
    expect(
      (
        await app.graphql(
          'mutation ($id: ID!) { deleteWorkPackage(input: { id: $id }) { deletedWorkPackageId } }',
          { id: here.workPackage.globalId },
          editor,
        )
      ).errors,
    ).toBeUndefined();
    const rows = await outbox(link);
    expect(rows.map(([kind]) => kind)).toEqual(['file_link:created', 'file_link:deleted']);
    expect(await stream.next(1)).toEqual([
      eventOf({ event: 'DELETED', id: link, workPackage: here.workPackage }),
    ]);
    stream.leave();
  });

  test('its expiry is an event with a reason', async () => {
    const id = await unclaimed(await place(), '1');
    const stream = await subscribed(editor, id);
    const later = { ...app.running.services, clock: () => new Date(Date.now() + 181 * 60_000) };
    expect((await runCleanup(later)).fileLinks).toBeGreaterThan(0);
    expect(await stream.next(1)).toEqual([eventOf({ event: 'DELETED', id, reason: 'expired' })]);
    stream.leave();
  });

  test('a user who loses the permission to view file links receives no more events', async () => {
    const here = await place();
    const person = await app.given.member(project, ['view_work_packages', 'view_file_links']);
    const [stream, control] = [
      await subscribed(person, here.workPackage),
      await subscribed(viewer, here.workPackage),
    ];
    const [seen] = (await createdIn(here, '1')) as [number];
    await stream.next(1);
    await app.given.membership(person, project, ['view_work_packages']);
    await createdIn(here, 'hidden');
    await control.next(2);
    for (
      const end = Date.now() + 10_000;
      (await app.get(`${here.workPackage.path}/file_links`, person)).status !== 403 &&
      Date.now() < end;
    )
      await new Promise((resolve) => setTimeout(resolve, 50));
    await app.given.membership(person, project, ['view_work_packages', 'view_file_links']);
    await remove(seen);
    expect(await stream.next(2)).toEqual([
      eventOf({ event: 'CREATED', id: seen, workPackage: here.workPackage, name: '1.txt' }),
      eventOf({ event: 'DELETED', id: seen, workPackage: here.workPackage }),
    ]);
    for (const one of [stream, control]) one.leave();
  });

  test.each([
    ['a missing work package', 'viewer', { workPackageId: '99999' }, 'NOT_FOUND'],
    ['an impossible id', 'viewer', { fileLinkId: 'nonsense' }, 'NOT_FOUND'],
    [
      'a work package without the permission to view its file links',
      'blind',
      {},
      'MISSING_PERMISSION',
    ],
    ['a hidden work package', 'stranger', {}, 'NOT_FOUND'],
    ['both arguments', 'viewer', { workPackageId: '1', fileLinkId: '1' }, 'INVALID_QUERY'],
    ['no argument', 'viewer', { workPackageId: null }, 'INVALID_QUERY'],
  ])('%s is refused', async (_what, who, variables: object, code) => {
    const { workPackage } = await place();
    const people: { [name: string]: () => Person | Promise<Person> } = {
      viewer: () => viewer,
      blind: () => app.given.member(project, ['view_work_packages']),
      stranger: () => app.given.user(),
    };
    const stream = await listen(app, await people[who]!(), {
      query: FILE_LINK_CHANGED,
      variables: {
        workPackageId: 'fileLinkId' in variables ? undefined : workPackage.globalId,
        ...variables,
      },
    });
    await stream.end();
    expect(stream.results).toEqual([
      {
        errors: [
          expect.objectContaining({
            path: ['fileLinkChanged'],
            extensions: expect.objectContaining({ code }),
          }),
        ],
      },
    ]);
  });
});

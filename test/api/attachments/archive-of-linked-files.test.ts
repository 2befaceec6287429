/** The archive of a work package takes the files along to which it links. */
import { startApp, type App } from '../../support/app.js';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '../../support/jest.js';
import { unzipped } from '../../support/zip.js';
import {
  linkIn,
  placeIn,
  stockedCloudDrive,
  stockedFileServer,
  type Place,
  type Stocked,
} from '../../storages/storages-with-files.js';

const MISSING = 'Missing files.txt';
const missing = (...lines: string[]) => [
  MISSING,
  `These files are not in the archive:\n\n${lines.map((line) => `${line}\n`).join('')}`,
];
const FAILED = 'An outbound request to another resource has failed';
const GONE = 'It is not in the storage any more, or you may not see it there.';
/** A drive does not tell a hidden file from a missing one. */
const HIDDEN = ['The storage does not let you read it.', GONE];
const isDownload = ({ method, path }: { method: string; path: string }) =>
  method === 'GET' && /direct\/|content\/|download/.test(path);

let app: App;
const remotes: Stocked[] = [];
beforeAll(async () => {
  remotes.push(await stockedFileServer(), await stockedCloudDrive());
  app = await startApp({
    ...remotes[1]!.environment,
    STORAGE_TIMEOUT_MS: '1000',
  });
});
afterEach(() => {
  for (const { server } of remotes) {
    server.repair();
    server.forget();
  }
});
afterAll(async () => {
  await app.stop();
  await Promise.all(remotes.map(({ server }) => server.close()));
});

const archive = async ({ workPackage, person }: Place, query = '') =>
  app.get(`${workPackage.attachments}/archive${query}`, person);
const filesOf = async (place: Place, query = '') => {
  const { status, bytes } = await archive(place, query);
  return [status, await unzipped(bytes)];
};
const attached = ({ workPackage, person }: Place, fileName: string, content: string) =>
  app.given.attachment({ container: workPackage, author: person, fileName, content });

describe.each([
  ['a file server', 0],
  ['a cloud drive', 1],
] as const)('linked files of %s', (_name, index) => {
  const remote = () => remotes[index]!;
  const linked = (place: Place, originId: string, originName: string) =>
    linkIn(app, place, place.storages[0]!, originId, { originName });

  test('are in the archive of their work package, with the names that are known last', async () => {
    const place = await placeIn(app, [remote()]);
    await attached(place, 'plan.txt', 'attached');
    await linked(place, remote().file('archive/plan.txt', { content: 'linked' }), 'plan.txt');
    const large = 'x'.repeat(3_000_000);
    await linked(place, remote().file('archive/large.bin', { content: large }), 'Größe.bin');
    expect(await filesOf(place)).toEqual([
      200,
      [
        ['plan.txt', 'attached'],
        ['plan (2).txt', 'linked'],
        ['Größe.bin', large],
      ],
    ]);
  });

  test('are listed with the reason if the storage does not give them to this person', async () => {
    const place = await placeIn(app, [remote()]);
    const hidden = remote().file('archive/hidden.txt');
    const removed = remote().file('archive/removed.txt');
    await linked(place, hidden, 'hidden.txt');
    await linked(place, removed, 'removed.txt');
    await linked(place, remote().folder('archive/folder'), 'folder');
    await linked(place, remote().file('archive/good.txt', { content: 'good' }), 'good.txt');
    remote().hide(hidden);
    remote().remove(removed);
    const [status, files] = (await filesOf(place)) as [number, [string, string][]];
    expect([status, files.map(([name]) => name)]).toEqual([200, ['good.txt', MISSING]]);
    expect(files[1]![1].split('\n').slice(2)).toEqual([
      `hidden.txt: ${HIDDEN[index]}`,
      `removed.txt: ${GONE}`,
      'folder: This is a folder. Only files can be downloaded: open the folder in the storage instead.',
      '',
    ]);
  });

  test('are listed without a request if the person is not connected', async () => {
    const place = await placeIn(app, [remote()], { tokens: false });
    await linked(place, remote().file('archive/plan.txt'), 'plan.txt');
    expect(await filesOf(place)).toEqual([
      200,
      [missing(`plan.txt: ${FAILED}: The storage does not know you. Connect to it first.`)],
    ]);
    expect(remote().server.requests).toEqual([]);
  });

  test('are not mentioned for a person who may not see file links', async () => {
    const place = await placeIn(app, [remote()], { permissions: ['view_work_packages'] });
    await linked(place, remote().file('archive/plan.txt'), 'plan.txt');
    expect(await filesOf(place)).toEqual([200, []]);
    expect(remote().server.requests).toEqual([]);
  });

  test('are left out when attachments are chosen', async () => {
    const place = await placeIn(app, [remote()]);
    await linked(place, remote().file('archive/plan.txt'), 'plan.txt');
    const { id } = await attached(place, 'a.txt', 'a');
    expect(await filesOf(place, `?ids=${id}`)).toEqual([200, [['a.txt', 'a']]]);
    expect(remote().server.requests).toEqual([]);
  });

  test('are listed if their storage fails before it gives the first byte', async () => {
    const place = await placeIn(app, [remote()]);
    await linked(place, remote().file('archive/one.txt'), 'one.txt');
    remote().server.fault({ status: 503 }, isDownload);
    const [status, files] = (await filesOf(place)) as [number, [string, string][]];
    expect([status, files.map(([name]) => name)]).toEqual([200, [MISSING]]);
    expect(files[0]![1]).toContain(`one.txt: ${FAILED}`);
  });

  test('that are larger than an archive takes are listed', async () => {
    const place = await placeIn(app, [remote()]);
    await linked(place, remote().file('archive/huge.bin'), 'huge.bin');
    remote().server.fault({ bytes: 64 * 1024 ** 3 + 1 }, isDownload);
    const [, files] = (await filesOf(place)) as [number, [string, string][]];
    expect(files.map(([name]) => name)).toEqual([MISSING]);
    expect(files[0]![1]).toContain('with more than 68719476736 bytes.');
  });

  test('break the download off if their storage stops in the middle', async () => {
    const place = await placeIn(app, [remote()]);
    const content = 'x'.repeat(3_000_000);
    await linked(place, remote().file('archive/half.bin', { content }), 'half.bin');
    remote().server.fault('half', isDownload);
    await expect(archive(place)).rejects.toThrow('terminated');
  });

  test('break the download off if their storage is silent in the middle', async () => {
    const place = await placeIn(app, [remote()]);
    await linked(place, remote().file('archive/slow.bin'), 'slow.bin');
    remote().server.fault('stalled', isDownload);
    await expect(archive(place)).rejects.toThrow('terminated');
  });

  test('go on as long as their storage sends something', async () => {
    const place = await placeIn(app, [remote()]);
    await linked(place, remote().file('archive/slow.bin'), 'slow.bin');
    remote().server.fault({ trickleMs: 400, count: 4 }, isDownload);
    expect(await filesOf(place)).toEqual([200, [['slow.bin', '    ']]]);
  });
});

/** Uploads to storages with the package moorage-client, and the file links made of them. */
import type { StorageUploadOptions } from 'moorage-client';
import {
  placeIn,
  stockedCloudDrive,
  stockedFileServer,
  type Place,
  type Stocked,
} from '../storages/storages-with-files.js';
import { startApp, type App } from '../support/app.js';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '../support/jest.js';
import { clientOf, failureOf, Files, MIB, reached, statesOf } from './files.js';

const types = { SelfHostedFileServer: stockedFileServer, CloudDrive: stockedCloudDrive };

describe.each(Object.entries(types))('%s', (type, start) => {
  let remote: Stocked;
  let app: App;
  let place: Place;
  let files: Files;
  const isDrive = type === 'CloudDrive';
  const takesFile = ({ method, path }: { method: string; path: string }) =>
    isDrive ? method === 'PUT' : method === 'POST' && path.includes('/direct-upload/');
  beforeAll(async () => {
    remote = await start();
    app = await startApp({ ...remote.environment });
    files = new Files();
  });
  beforeEach(async () => {
    remote.server.repair();
    remote.server.forget();
    place = await placeIn(app, [remote]);
  });
  afterAll(async () => {
    await app?.stop();
    await remote?.close();
    files?.remove();
  });

  let folders = 0;
  const options = (): StorageUploadOptions => ({
    workPackageId: place.workPackage.globalId,
    storageId: place.storages[0]?.globalId ?? '',
    locationId: remote.folder(`/uploads ${(folders += 1)}`),
  });

  /** Names and sizes of the files in the folder. */
  async function stored({ storageId, locationId }: StorageUploadOptions): Promise<unknown[]> {
    const { data } = await app.graphql(
      'query ($storage: ID!, $in: String!) { storage(id: $storage) { files(parent: $in) { files { name size } } } }',
      { storage: storageId, in: locationId },
      place.person,
    );
    return data.storage.files.files.map((file: any) => [file.name, file.size]);
  }

  async function links(): Promise<[string, number][]> {
    const { body } = await app.get(place.list, place.person);
    return body._embedded.elements.map(({ originData }: any) => [originData.name, originData.size]);
  }

  const begin = async (name: string, content: string | Uint8Array, to = options()) => ({
    to,
    upload: clientOf(app.url, place.person).storageUpload(await files.file(name, content), to),
  });

  test('a file is sent to the storage and linked', async () => {
    const { upload, to } = await begin('Größe & Maß.txt', 'hello');
    const states = statesOf(upload);
    const link = await upload.done;
    expect(link).toMatchObject({
      id: expect.any(String),
      originData: { name: 'Größe & Maß.txt', size: 5, mimeType: 'text/plain' },
    });
    expect(states).toEqual(['queued', 'preparing', 'sending', 'finalising', 'done']);
    expect(await stored(to)).toEqual([['Größe & Maß.txt', 5]]);
    expect(await links()).toEqual([['Größe & Maß.txt', 5]]);
    const sent = remote.server.requests.filter(takesFile);
    expect(sent.map(({ headers }) => headers.authorization)).toEqual([undefined]);
  });

  test('a lost connection is made good, and no file is there twice', async () => {
    remote.server.fault('reset', takesFile, 1);
    const { upload, to } = await begin('cut.bin', new Uint8Array(12 * MIB));
    await reached(upload, 'offline');
    await upload.done;
    expect(await stored(to)).toEqual([['cut.bin', 12 * MIB]]);
    expect(await links()).toEqual([['cut.bin', 12 * MIB]]);
  }, 30_000);

  test('a lost answer does not make the file twice', async () => {
    // The storage carries out the request, and its answer is cut.
    remote.server.fault('half', takesFile, 1);
    const { upload, to } = await begin('once.txt', 'once');
    await upload.done;
    expect(await stored(to)).toEqual([['once.txt', 4]]);
    expect(await links()).toEqual([['once.txt', 4]]);
  }, 30_000);

  test.each([
    [403, 'You may not add files to this folder of the storage. Choose another one.'],
    [413, 'The storage takes no file of this size. Its administrator can raise the limit.'],
    [
      415,
      'The storage refuses this file, perhaps because of a virus. Its administrator can say why.',
    ],
    [423, 'The file or folder is locked in the storage. Unlock it there, then try again.'],
    [
      507,
      'The storage is full. Free space there, or ask its administrator for more, then try again.',
    ],
  ])(
    'a storage that answers %i gets the file once, and a sentence says what to do',
    async (status, sentence) => {
      remote.server.fault({ status, body: '{}' }, takesFile);
      const { upload, to } = await begin('refused.txt', 'refused');
      expect(await failureOf(upload)).toEqual(['STORAGE_REFUSED', status, sentence]);
      expect(remote.server.requests.filter(takesFile)).toHaveLength(1);
      expect(await stored(to)).toEqual([]);
      remote.server.repair();
      upload.retry();
      await upload.done;
      expect(await stored(to)).toEqual([['refused.txt', 7]]);
    },
  );

  test('a refusal of the service ends it', async () => {
    const to = { ...options(), locationId: 'nowhere' };
    const { upload } = await begin('refused.txt', 'refused', to);
    expect((await failureOf(upload)).slice(0, 2)).toEqual(['OUTBOUND_REQUEST_NOT_FOUND', 500]);
    expect([upload.state, await links()]).toEqual(['failed', []]);
  });

  if (isDrive) {
    test('a large file goes in ranges, and on after a pause where it was', async () => {
      const { upload, to } = await begin('large.bin', new Uint8Array(25 * MIB));
      const sizes: number[] = [];
      const paused = new Promise<void>((resolve) => {
        upload.on('progress', ({ sent }) => {
          sizes.push(sent);
          if (sent < 10 * MIB || upload.state !== 'sending' || sizes.includes(-1)) return;
          sizes.push(-1);
          upload.pause();
          resolve();
        });
      });
      await paused;
      expect([upload.state, upload.continues]).toEqual(['paused', true]);
      upload.resume();
      await upload.done;
      expect(await stored(to)).toEqual([['large.bin', 25 * MIB]]);
      const ranges = remote.server.requests
        .filter((request) => takesFile(request) && request.status < 300)
        .map(({ headers }) => headers['content-range']);
      expect(ranges).toEqual([
        'bytes 0-10485759/26214400',
        'bytes 10485760-20971519/26214400',
        'bytes 20971520-26214399/26214400',
      ]);
    }, 30_000);

    test('a session that has ended is opened anew', async () => {
      remote.server.fault({ status: 404, body: '{}' }, takesFile, 1);
      const { upload, to } = await begin('again.txt', 'again');
      await upload.done;
      expect(await stored(to)).toEqual([['again.txt', 5]]);
    });

    test('an empty file is refused with a reason', async () => {
      const { upload } = await begin('empty.txt', '');
      expect(await failureOf(upload)).toEqual([
        'STORAGE_REFUSED',
        0,
        'empty.txt is empty. The storage takes no empty files.',
      ]);
    });
  } else
    test('a name that is taken is refused', async () => {
      const { to, upload } = await begin('taken.txt', 'first');
      await upload.done;
      const second = await begin('taken.txt', 'second', to);
      expect(await failureOf(second.upload)).toEqual([
        'NAME_TAKEN',
        409,
        'The folder has a file taken.txt already. Choose another name, or delete that file first.',
      ]);
    });
});

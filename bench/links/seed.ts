/** Work packages with links to files in four storages, and users who are connected to all of them. */
import type { Services } from '../../src/context.js';
import { factories, type Person, type StorageHandle } from '../../test/support/factories.js';
import type { Addresses } from './origin.js';

const READERS = 50;
const PERMISSIONS = ['view_work_packages', 'view_file_links', 'manage_file_links'];
/** Rows in one statement. */
const BATCH = 500;
const TIME = '2026-01-02T03:04:05.678Z';

export interface World {
  readers: Person[];
  /** Work packages, by the number of their links and the storage. */
  server200: number;
  drive200: number;
  server5000: number;
  drive5000: number;
  /** 50 links each to a working file server, a working drive, a silent file server and a dead one. */
  faulty: number;
}

export async function seed(
  services: Services,
  { healthy, silent, dead }: Addresses,
): Promise<World> {
  const given = factories(services);
  const client = { id: 'bench', secret: 'bench-secret' };
  const [server, quiet, gone] = [
    await given.storage({ origin: healthy, client }),
    await given.storage({ origin: silent, client }),
    await given.storage({ origin: dead, client }),
  ];
  const drive = await given.storage({
    type: 'CloudDrive',
    tenantId: 'consumers',
    driveId: 'b!0123456789abcdef0123',
    client,
  });
  const storages = [server, drive, quiet, gone];
  const project = await given.project();
  for (const storage of storages) await given.projectStorage(project, storage);
  const readers: Person[] = [];
  for (let n = 0; n < READERS; n += 1) {
    const reader = await given.member(project, PERMISSIONS);
    for (const storage of storages)
      await given.storageTokens(reader, storage, {
        accessToken: `token-${n}`,
        expiresInSeconds: 24 * 3600,
        originUserId: `reader-${n}`,
      });
    readers.push(reader);
  }
  const linked = async (...links: [StorageHandle, number][]): Promise<number> => {
    const { id } = await given.workPackage(project, readers[0]!);
    for (const [storage, count] of links)
      await insertLinks(services, id, storage.id, readers[0]!.id, count);
    return id;
  };
  return {
    readers,
    server200: await linked([server, 200]),
    drive200: await linked([drive, 200]),
    server5000: await linked([server, 5000]),
    drive5000: await linked([drive, 5000]),
    faulty: await linked([server, 50], [drive, 50], [quiet, 50], [gone, 50]),
  };
}

/** Links of a work package to this number of files of a storage. The files have been renamed since. */
export async function insertLinks(
  { db }: Services,
  workPackageId: number,
  storageId: number,
  creatorId: number,
  count: number,
): Promise<void> {
  const rows = Array.from({ length: count }, (_, n) => ({
    work_package_id: workPackageId,
    storage_id: storageId,
    creator_id: creatorId,
    origin_id: String(1_000_000 + n),
    origin_name: `old name ${n}.pdf`,
    created_at: TIME,
    updated_at: TIME,
  }));
  for (let start = 0; start < count; start += BATCH)
    await db.write('file_links').insert(rows.slice(start, start + BATCH));
}

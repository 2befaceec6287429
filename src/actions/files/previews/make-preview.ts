/** Makes the preview of a file, in a folder of its own, and stores it beside the file. */
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Services } from '../../../context.js';
import { SOURCE, type Drawn, type DrawnFile } from '../../../drawing/draw.js';
import { Attachment } from '../../../models/attachment.js';
import { Preview, previewKey, type PreviewObject } from '../../../models/preview.js';
import { User } from '../../../models/user.js';
import { leased } from '../../base/leases/queue.js';
import { hasPassed, holdPreview, pictureOf, type Drawable } from './preview-queue.js';
import { makeFolder } from './folders.js';
import { AVATAR_KEYS } from '../purge/orphaned-objects.js';
import { removeObjects } from '../purge/remove-preview.js';

/**
 * @param row leased to the caller
 * @throws ProgramFailed if the file cannot be drawn, and errors of the store and of the system
 */
export async function makePreview(
  services: Services,
  row: Preview,
  stopping: AbortSignal,
): Promise<void> {
  const file = await fileOf(services, row);
  if (!file) return void (await leased(Preview, services.db.write, row).delete());
  const lease = holdPreview(services, row, stopping);
  const folder = await makeFolder();
  try {
    const { blobs, drawer } = services;
    await pipeline(
      await blobs.read(row.blobKey),
      createWriteStream(join(folder, SOURCE), { mode: 0o600 }),
      { signal: lease.signal },
    );
    const drawn = await drawer.draw(folder, file.contentType, lease.signal);
    await keep(services, row, drawn, await storeAll(services, row, folder, drawn.files));
  } catch (error) {
    // The file was deleted meanwhile, or another process has taken over.
    if (!lease.lost()) throw error;
    await removeUnlessKnown(services, row);
  } finally {
    lease.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** What is to be drawn, if there is a file or a picture of a person that may be read. */
async function fileOf(services: Services, { blobKey }: Preview): Promise<Drawable | undefined> {
  const { db, drawer } = services;
  if (blobKey.startsWith(AVATAR_KEYS)) {
    const person = await User.query(db.write).findOne({ avatar_key: blobKey });
    return person && pictureOf(person);
  }
  const rows = await Attachment.query(db.write).where({ blob_key: blobKey, phase: 'kept' });
  return rows.find((one) => hasPassed(services, one) && drawer.draws(one));
}

async function storeAll(
  { blobs }: Services,
  { blobKey }: Preview,
  folder: string,
  files: readonly DrawnFile[],
): Promise<PreviewObject[]> {
  const objects: PreviewObject[] = [];
  for (const { name, file, contentType, width, height } of files) {
    const hash = createHash('sha256');
    const { size } = await blobs.put(
      previewKey(blobKey, name),
      hashed(createReadStream(join(folder, file)), hash),
    );
    objects.push({ name, contentType, width, height, size, digest: hash.digest('hex') });
  }
  return objects;
}

async function* hashed(
  body: AsyncIterable<unknown>,
  hash: ReturnType<typeof createHash>,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    hash.update(chunk as Uint8Array);
    yield chunk as Uint8Array;
  }
}

async function keep(
  services: Services,
  row: Preview,
  { width, height, pageCount, durationMs }: Drawn,
  objects: PreviewObject[],
): Promise<void> {
  const kept = await leased(Preview, services.db.write, row).patch({
    state: 'ready',
    width,
    height,
    pageCount,
    durationMs,
    objects,
    leaseUntil: null,
    leaseToken: null,
    updatedAt: services.clock().toISOString(),
  });
  if (kept === 0) await removeUnlessKnown(services, row);
}

/** The file is not tried again. */
export async function giveUp({ db, clock }: Services, row: Preview): Promise<void> {
  await leased(Preview, db.write, row).patch({
    state: 'failed',
    leaseUntil: null,
    leaseToken: null,
    updatedAt: clock().toISOString(),
  });
}

/** Removes what was stored for a file that is deleted. */
async function removeUnlessKnown(services: Services, { id, blobKey }: Preview): Promise<void> {
  if (!(await Preview.query(services.db.write).findById(id)))
    await removeObjects(services, blobKey);
}

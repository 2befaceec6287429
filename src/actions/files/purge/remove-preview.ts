/** Knows which objects belong to previews, and removes them with their files. */
import type { Knex } from 'knex';
import type { Services } from '../../../context.js';
import { fileKeyOf, Preview, previewKey, previewNames } from '../../../models/preview.js';
import { scheduleOrphanRemoval } from './orphaned-objects.js';

type RemovalNeeds = Pick<Services, 'blobs' | 'db' | 'clock'>;

/** Call it before the row of the object is deleted. */
export async function removePreview(services: RemovalNeeds, blobKey: string): Promise<void> {
  const { db } = services;
  const row = await Preview.query(db.write).findOne({ blob_key: blobKey });
  if (!row) return;
  await removeObjects(services, blobKey);
  await db.write.transaction(async (trx) => {
    await Preview.query(trx).deleteById(row.id);
    // A process may be making it, and end before it finds that the row is gone.
    if (row.state === 'pending')
      for (const name of previewNames)
        await scheduleOrphanRemoval(trx, previewKey(blobKey, name), services);
  });
}

export async function removeObjects(
  { blobs }: Pick<Services, 'blobs'>,
  blobKey: string,
): Promise<void> {
  for (const name of previewNames) await blobs.remove(previewKey(blobKey, name));
}

/** Which of the keys belong to previews that are there, or are being made. */
export async function keysOfPreviews(knex: Knex, keys: readonly string[]): Promise<string[]> {
  const files = new Map(keys.map((key) => [key, fileKeyOf(key)]));
  const wanted = [...new Set(files.values())].filter((key) => key !== undefined);
  if (wanted.length === 0) return [];
  const rows = await Preview.query(knex).select('blob_key').whereIn('blob_key', wanted);
  const known = new Set<string | undefined>(rows.map(({ blobKey }) => blobKey));
  return keys.filter((key) => known.has(files.get(key)));
}

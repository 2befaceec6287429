/** Finds the storages that a filter names by address or id. */
import type { Context } from '../../../context.js';
import { storageUrlKey } from '../../../outbound/address.js';
import { Storage } from '../../../models/storage.js';

export interface StorageNames {
  storageUrl?: string | null | undefined;
  /** `undefined` for a value that cannot be an id, null for none. */
  storageId?: { id: number | undefined } | null | undefined;
}

/**
 * An unknown storage is no error: then no row matches. So a filter does not tell which storages
 * exist.
 * @returns undefined if the filter names no storage
 * @throws InvalidQuery for a text that is no address
 */
export async function storagesNamed(
  { db }: Pick<Context, 'db'>,
  { storageUrl, storageId }: StorageNames,
): Promise<number[] | undefined> {
  if (typeof storageUrl !== 'string' && !storageId) return undefined;
  const rows = Storage.query(db.read).select('id');
  if (typeof storageUrl === 'string') rows.where('origin_key', storageUrlKey(storageUrl));
  if (storageId) rows.where('id', storageId.id ?? 0);
  return (await rows).map(({ id }) => id);
}

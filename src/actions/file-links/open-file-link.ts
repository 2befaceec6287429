/** Finds the URL where a browser opens the file of a link, or its folder. */
import type { Context } from '../../context.js';
import { NotFound } from '../../contract/errors.js';
import type { MaybePromise } from '../../concurrency/maybe-promise.js';
import type { FileLink } from '../../models/file-link.js';
import type { Storage } from '../../models/storage.js';
import { adapterFor } from '../../storages/index.js';
import { askStorage } from '../storage-access/ask-storage.js';
import { targetOf } from '../storage-access/storage-target.js';

/**
 * @returns an absolute URL
 * @throws OutboundRequestFailed if only the storage knows the URL, and the request to it fails
 */
export const openFileLink = async (
  context: Context,
  link: FileLink,
  at: 'file' | 'location',
): Promise<string> => addressOf(context, await storageOf(context, link), link, at);

/** Like `openFileLink`, with a known storage. It returns no promise if no request is needed. */
export function addressOf(
  context: Context,
  storage: Storage,
  link: FileLink,
  at: 'file' | 'location',
): MaybePromise<string> {
  const address = adapterFor(storage.type).fileLink(targetOf(context, storage), link.originId, at);
  return typeof address === 'string'
    ? address
    : askStorage(context, storage, (_adapter, access) => address(access));
}

/**
 * Loads the storage of a row.
 * @throws NotFound if it was deleted after the row was read
 */
export async function storageOf(
  { loaders }: Context,
  { storageId }: { storageId: number },
): Promise<Storage> {
  const storage = await loaders.storages.load(storageId);
  if (!storage) throw new NotFound();
  return storage;
}

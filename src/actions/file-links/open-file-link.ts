/** Where a browser opens the file of a link, or the folder that it is in. */
import type { Context } from '../../context.js';
import { NotFound } from '../../contract/errors.js';
import type { MaybePromise } from '../../concurrency/maybe-promise.js';
import type { FileLink } from '../../models/file-link.js';
import type { Storage } from '../../models/storage.js';
import { adapterFor } from '../../storages/index.js';
import { askStorage } from '../storage-access/ask-storage.js';
import { targetOf } from '../storage-access/storage-target.js';

/** @returns an absolute address. @throws OutboundRequestFailed where only the storage knows it and does not say */
export const openFileLink = async (
  context: Context,
  link: FileLink,
  at: 'file' | 'location',
): Promise<string> => addressOf(context, await storageOf(context, link), link, at);

/** The same of a link whose storage is known, at once where nobody needs to be asked. */
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

/** The storage that a row names. @throws NotFound where it was deleted since that was read */
export async function storageOf(
  { loaders }: Context,
  { storageId }: { storageId: number },
): Promise<Storage> {
  const storage = await loaders.storages.load(storageId);
  if (!storage) throw new NotFound();
  return storage;
}

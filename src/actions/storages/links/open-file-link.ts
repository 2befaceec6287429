/** Finds the URL where a browser opens the file of a link, or its folder. */
import type { Context } from '../../../context.js';
import { NotFound } from '../../../contract/errors.js';
import type { FileLink } from '../../../models/file-link.js';
import type { Storage } from '../../../models/storage.js';
import type { Adapter } from '../../../storages/adapter.js';
import { adapterFor } from '../../../storages/index.js';
import { askStorage } from '../access/ask-storage.js';
import { targetOf } from '../access/storage-target.js';
import { demandTypeEnabled, isSwitchedOff } from '../access/switched-off.js';

/**
 * @returns an absolute URL
 * @throws MissingEnterpriseToken
 * @throws OutboundRequestFailed if only the storage knows the URL, and the request to it fails
 */
export async function openFileLink(
  context: Context,
  link: FileLink,
  at: 'file' | 'location',
): Promise<string> {
  const storage = await storageOf(context, link);
  demandTypeEnabled(context, storage.type);
  const address = addressOf(context, storage, link, at);
  return typeof address === 'string'
    ? address
    : askStorage(context, storage, (_adapter, access) => address(access));
}

/** The same URL for a known storage. Undefined if the storage must be asked for it. */
export function knownAddress(
  context: Context,
  storage: Storage,
  link: FileLink,
  at: 'file' | 'location',
): string | undefined {
  const address = isSwitchedOff(context, storage.type)
    ? undefined
    : addressOf(context, storage, link, at);
  return typeof address === 'string' ? address : undefined;
}

const addressOf = (
  context: Context,
  storage: Storage,
  link: FileLink,
  at: 'file' | 'location',
): ReturnType<Adapter['fileLink']> =>
  adapterFor(storage.type).fileLink(targetOf(context, storage), link.originId, at);

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

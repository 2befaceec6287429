/** Reads one file's details from a storage. */
import type { Context } from '../../../context.js';
import { OutboundRequestFailed } from '../../../contract/errors.js';
import type { Storage } from '../../../models/storage.js';
import type { StorageFile } from '../../../models/storage-file.js';
import { can, demand } from '../../../policies/can.js';
import { askForFiles } from '../access/ask-storage.js';
import { fileOf } from './list-files.js';
import { isTooLong } from './validate-location.js';

/**
 * @throws MissingPermission
 * @throws OutboundRequestFailed also if the file does not exist for the caller, not NotFound
 */
export async function viewFile(
  context: Context,
  storage: Storage,
  id: string,
): Promise<StorageFile> {
  await demand(storage, (row) => can.browse(context, row));
  if (isTooLong(id)) throw new OutboundRequestFailed(404, 'notFound');
  return fileOf(await askForFiles(context, storage, (adapter, access) => adapter.file(access, id)));
}

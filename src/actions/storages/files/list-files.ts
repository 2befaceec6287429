/** Lists the files in a folder of a storage. */
import { mapInSlices } from '../../../concurrency/slices.js';
import type { Context } from '../../../context.js';
import type { Storage } from '../../../models/storage.js';
import { StorageFile, StorageFiles, type FilePermission } from '../../../models/storage-file.js';
import { can, demand } from '../../../policies/can.js';
import type { FileInfo } from '../../../storages/adapter.js';
import { askForFiles, isRoot, refusesFolder } from '../access/ask-storage.js';
import { demandShort, isTooLong } from './validate-location.js';

/** The same text for all paths of one folder. A path that is too long is returned as it is. */
export function nameOfFolder(parent: string | null | undefined): string {
  if (!parent) return '/';
  if (!parent.startsWith('/') || isTooLong(parent)) return parent;
  return `${parent}/`.replace(/\/+/g, '/');
}

/**
 * @param storage one that is visible to the caller
 * @param parent a path that begins with `/`, or an id; the root if absent
 * @throws MissingPermission, OutboundRequestFailed
 * @throws NotFound if the document root is missing
 * @throws InvalidQuery for a file, and for a path with `.` or `..` in it
 */
export async function listFiles(
  context: Context,
  storage: Storage,
  parent: string | null | undefined,
): Promise<StorageFiles> {
  await demand(storage, (row) => can.browse(context, row));
  demandShort(parent);
  const folder = parent || '/';
  await context.largeAnswer();
  const found = await askForFiles(
    context,
    storage,
    (adapter, access) => adapter.files(access, isRoot(folder) ? undefined : folder),
    refusesFolder(folder),
  );
  return Object.assign(new StorageFiles(), {
    parent: fileOf(found.parent),
    ancestors: found.ancestors.map(fileOf),
    files: await mapInSlices(found.files, fileOf),
    truncated: found.truncated,
  });
}

/** The file as the API shows it: without the web addresses, which only adapters use. */
export const fileOf = ({
  permissions,
  webUrl: _webUrl,
  folderWebUrl: _folderWebUrl,
  ...own
}: FileInfo): StorageFile =>
  Object.assign(new StorageFile(), own, {
    // Cast: the words of adapters are those of the enum.
    permissions: permissions as readonly FilePermission[] as FilePermission[],
  });

/** Creates a folder in a storage, as the caller. */
import type { Context } from '../../../context.js';
import { PropertyConstraintViolation } from '../../../contract/errors.js';
import type { StorageFile } from '../../../models/storage-file.js';
import { can, demand } from '../../../policies/can.js';
import { find } from '../../../policies/find.js';
import { askForFiles, refusesNew } from '../access/ask-storage.js';
import { demandValid } from '../../base/validation/demand-valid.js';
import { fileOf } from './list-files.js';
import { validateLocation, type NewLocation } from './validate-location.js';

interface NewFolder extends NewLocation {
  storageId: number | undefined;
}

/**
 * @throws NotFound, MissingPermission, PropertyConstraintViolation, InvalidQuery
 * @throws OutboundRequestFailed
 */
export async function createStorageFolder(
  context: Context,
  { storageId, ...place }: NewFolder,
): Promise<StorageFile> {
  const storage = await demand(await find.storage(context, storageId), (row) =>
    can.manageFilesIn(context, row),
  );
  const { name, parent, violations } = validateLocation(place, 'name', 'Name');
  demandValid(context, violations);
  return fileOf(
    await askForFiles(
      context,
      storage,
      (adapter, access) => adapter.createFolder(access, parent, name),
      (failure) =>
        failure.kind === 'conflict'
          ? new PropertyConstraintViolation('Name has already been taken.', 'name')
          : refusesNew(parent, 'name')(failure),
    ),
  );
}

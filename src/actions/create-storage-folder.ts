/** Makes a folder in a storage, as the caller. */
import type { Context } from '../context.js';
import { PropertyConstraintViolation } from '../errors.js';
import type { Storage } from '../models/storage.js';
import type { StorageFile } from '../models/storage-file.js';
import { demand } from '../policies/can.js';
import { find } from '../policies/find.js';
import { storages } from '../policies/permissions.js';
import { bind, grantedAny } from '../policies/visible.js';
import { askStorage, refusesNew } from './ask-storage.js';
import { demandValid } from './demand-valid.js';
import { fileOf } from './list-files.js';
import { requiredParent, validateFileName } from './validate-file-name.js';

export interface NewFolder {
  storageId: number | undefined;
  name: string | null | undefined;
  /** An id, or a path that begins with a slash. */
  parent: string | null | undefined;
}

/** @throws NotFound, MissingPermission, PropertyConstraintViolation, InvalidQuery, OutboundRequestFailed */
export async function createStorageFolder(context: Context, { storageId, name, parent }: NewFolder): Promise<StorageFile> {
  const storage = await demand(await find.storage(context, storageId), (row) => managesIn(context, row));
  demandValid(context);
  const folderName = validateFileName(name, 'name', 'Name');
  const folder = requiredParent(parent);
  return fileOf(await askStorage(context, storage, (adapter, access) => adapter.createFolder(access, folder, folderName), (failure) =>
    failure.kind === 'conflict' ? new PropertyConstraintViolation('Name has already been taken.', 'name') : refusesNew(folder, 'name')(failure)));
}

/** Whether the caller manages file links in a project of the storage. */
async function managesIn({ user, db }: Context, { id }: Storage): Promise<boolean> {
  const condition = grantedAny(user, [storages.manage], 'project_storages.project_id');
  return (await db.read('project_storages').where('storage_id', id).whereRaw(condition.sql, bind(condition, user)).limit(1)).length > 0;
}

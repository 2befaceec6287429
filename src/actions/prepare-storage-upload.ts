/** Gets an address at which a client uploads a file into a storage, past us (interface 4.5). */
import type { Context } from '../context.js';
import { NotFound, PropertyConstraintViolation } from '../errors.js';
import { UploadLink } from '../models/storage-file.js';
import { can, demand } from '../policies/can.js';
import { find } from '../policies/find.js';
import { askStorage, refusesNew } from './ask-storage.js';
import { demandValid } from './demand-valid.js';
import { requiredParent, validateFileName } from './validate-file-name.js';

export interface NewUpload {
  storageId: number | undefined;
  /** Null where it is not said. */
  projectId: number | null | undefined;
  fileName: string | null | undefined;
  /** An id, or a path that begins with a slash. */
  parent: string | null | undefined;
}

/** @throws NotFound for storage or project, MissingPermission, PropertyConstraintViolation, InvalidQuery, OutboundRequestFailed */
export async function prepareStorageUpload(context: Context, { storageId, projectId, fileName, parent }: NewUpload): Promise<UploadLink> {
  const storage = await find.storage(context, storageId);
  if (!storage) throw new NotFound();
  demandValid(context);
  if (projectId === null) throw new PropertyConstraintViolation("Project can't be blank.", 'projectId');
  const project = await demand(await find.project(context, projectId), ({ id }) => can.manageFileLinks(context, id));
  const [link] = await context.db.read('project_storages').select('id').where({ project_id: project.id, storage_id: storage.id });
  if (!link) throw new PropertyConstraintViolation('Storage is not linked to project.', 'projectId');
  const name = validateFileName(fileName, 'fileName', 'File name');
  const folder = requiredParent(parent);
  return Object.assign(new UploadLink(), await askStorage(context, storage, (adapter, access) => adapter.uploadLink(access, folder, name), refusesNew(folder, 'fileName')));
}

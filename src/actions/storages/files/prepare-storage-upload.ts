/** Gets an address at which a client uploads a file directly to a storage. */
import type { Context } from '../../../context.js';
import { refusalOf, type Violation } from '../../../contract/errors.js';
import { UploadLink } from '../../../models/storage-file.js';
import { can, demand } from '../../../policies/can.js';
import { find } from '../../../policies/find.js';
import { askForFiles, refusesNew } from '../access/ask-storage.js';
import { NOT_LINKED } from '../access/messages.js';
import { demandValid } from '../../base/validation/demand-valid.js';
import { validateLocation, type NewLocation } from './validate-location.js';

interface NewUpload extends NewLocation {
  storageId: number | undefined;
  /** Null if the request names none; undefined for a value that is no id. */
  projectId: number | null | undefined;
}

const NO_PROJECT: Violation = { attribute: 'projectId', message: "Project can't be blank." };
const WRONG_STORAGE: Violation = { attribute: 'projectId', message: NOT_LINKED };

/**
 * @throws NotFound for the storage or the project
 * @throws MissingPermission, PropertyConstraintViolation, InvalidQuery, OutboundRequestFailed
 */
export async function prepareStorageUpload(
  context: Context,
  { storageId, projectId, ...place }: NewUpload,
): Promise<UploadLink> {
  const storage = await find.storage(context, storageId);
  const { name, parent, violations } = validateLocation(place, 'fileName', 'File name');
  if (!storage || projectId === null) {
    // Without a project, a caller who may upload in no project gets the 403 before the 422.
    await demand(storage, (row) => can.manageFilesIn(context, row));
    throw refusalOf(context.inputErrors, [NO_PROJECT, ...violations]);
  }
  const project = await demand(await find.project(context, projectId), ({ id }) =>
    can.manageFileLinks(context, id),
  );
  const [link] = await context.db
    .read('project_storages')
    .select('id')
    .where({ project_id: project.id, storage_id: storage.id });
  demandValid(context, [...(link ? [] : [WRONG_STORAGE]), ...violations]);
  return Object.assign(
    new UploadLink(),
    await askForFiles(
      context,
      storage,
      (adapter, access) => adapter.uploadLink(access, parent, name),
      refusesNew(parent, 'fileName'),
    ),
  );
}

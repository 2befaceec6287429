/** Gives a project a storage. */
import { ForeignKeyViolationError, UniqueViolationError } from 'objection';
import type { Context } from '../../context.js';
import { violated, type Violation } from '../../contract/errors.js';
import { ProjectFolderMode, ProjectStorage } from '../../models/project-storage.js';
import { timestamps } from '../../models/record.js';
import { can, demand } from '../../policies/can.js';
import { find } from '../../policies/find.js';
import { validateProjectFolder } from './validate-project-folder.js';
import { demandType } from '../storage-access/switched-off.js';

export interface NewProjectStorage {
  projectId: number | undefined;
  storageId: number | undefined;
  projectFolderMode?: ProjectFolderMode | null | undefined;
  projectFolderId?: string | null | undefined;
}

const TAKEN: Violation = { attribute: 'storage', message: 'Storage has already been taken.' };
const MISSING: Violation = { attribute: 'storage', message: 'Storage does not exist.' };

/** @throws NotFound for the project, MissingPermission, MissingEnterpriseToken, PropertyConstraintViolation */
export async function createProjectStorage(
  context: Context,
  { projectId, storageId, projectFolderMode, projectFolderId }: NewProjectStorage,
): Promise<ProjectStorage> {
  const project = await demand(await find.project(context, projectId), ({ id }) =>
    can.administerStorages(context, id),
  );
  const storage = await find.storage(context, storageId);
  if (!storage) throw violated([MISSING]);
  demandType(context, storage.type);
  const { columns, violations } = validateProjectFolder(
    { mode: projectFolderMode ?? ProjectFolderMode.inactive, id: projectFolderId },
    storage,
  );
  if (violations.length > 0) throw violated(violations);
  try {
    return await ProjectStorage.query(context.db.write)
      .insert({
        projectId: project.id,
        storageId: storage.id,
        creatorId: context.user.id,
        ...columns,
        ...timestamps(context.clock().toISOString()),
      })
      .returning('*');
  } catch (error) {
    if (error instanceof UniqueViolationError) throw violated([TAKEN]);
    // Somebody deleted it meanwhile.
    throw error instanceof ForeignKeyViolationError ? violated([MISSING]) : error;
  }
}

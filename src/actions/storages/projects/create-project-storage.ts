/** Adds a storage to a project. */
import { ForeignKeyViolationError, UniqueViolationError } from 'objection';
import type { Context } from '../../../context.js';
import { violated, type Violation } from '../../../contract/errors.js';
import { ProjectFolderMode, ProjectStorage } from '../../../models/project-storage.js';
import { timestamps } from '../../../models/record.js';
import { can, demand } from '../../../policies/can.js';
import { find } from '../../../policies/find.js';
import { auditProjectStorage } from './audit-project-storage.js';
import { validateProjectFolder } from './validate-project-folder.js';
import { requestSync } from '../../base/project-folder-queue/request-sync.js';
import { NO_STORAGE } from '../access/messages.js';
import { demandTypeEnabled } from '../access/switched-off.js';

interface NewProjectStorage {
  projectId: number | undefined;
  storageId: number | undefined;
  projectFolderMode?: ProjectFolderMode | null | undefined;
  projectFolderId?: string | null | undefined;
}

const TAKEN: Violation = { attribute: 'storage', message: 'Storage has already been taken.' };
const MISSING: Violation = { attribute: 'storage', message: NO_STORAGE };

/**
 * @throws NotFound for the project
 * @throws MissingPermission, MissingEnterpriseToken, PropertyConstraintViolation
 */
export async function createProjectStorage(
  context: Context,
  { projectId, storageId, projectFolderMode, projectFolderId }: NewProjectStorage,
): Promise<ProjectStorage> {
  const project = await demand(await find.project(context, projectId), ({ id }) =>
    can.administerStorages(context, id),
  );
  const storage = await find.storage(context, storageId);
  if (!storage) throw violated([MISSING]);
  demandTypeEnabled(context, storage.type);
  const { columns, violations } = validateProjectFolder(
    { mode: projectFolderMode ?? ProjectFolderMode.INACTIVE, id: projectFolderId },
    storage,
  );
  if (violations.length > 0) throw violated(violations);
  try {
    return await context.db.write.transaction(async (trx) => {
      const now = context.clock();
      const created = await ProjectStorage.query(trx)
        .insert({
          projectId: project.id,
          storageId: storage.id,
          creatorId: context.user.id,
          ...columns,
          ...timestamps(now.toISOString()),
        })
        .returning('*');
      await auditProjectStorage(context, trx, 'PROJECT_STORAGE_CREATED', { after: created });
      if (created.projectFolderMode === ProjectFolderMode.AUTOMATIC)
        await requestSync(trx, { storageId: storage.id }, now);
      return created;
    });
  } catch (error) {
    if (error instanceof UniqueViolationError) throw violated([TAKEN]);
    // Another request deleted the storage after it was read.
    throw error instanceof ForeignKeyViolationError ? violated([MISSING]) : error;
  }
}

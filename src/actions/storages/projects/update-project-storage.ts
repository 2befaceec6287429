/** Changes the folder that a project has in a storage. */
import type { Context } from '../../../context.js';
import { NotFound, violated } from '../../../contract/errors.js';
import { ProjectFolderMode, ProjectStorage } from '../../../models/project-storage.js';
import { Storage } from '../../../models/storage.js';
import { can, demand } from '../../../policies/can.js';
import { find } from '../../../policies/find.js';
import { requestSync } from '../../base/project-folder-queue/request-sync.js';
import { auditProjectStorage } from './audit-project-storage.js';
import { validateProjectFolder } from './validate-project-folder.js';

/** Absent members keep their value. */
interface ProjectStorageChanges {
  projectFolderMode?: ProjectFolderMode | null | undefined;
  projectFolderId?: string | null | undefined;
}

/** @throws NotFound, MissingPermission, PropertyConstraintViolation */
export async function updateProjectStorage(
  context: Context,
  id: number | undefined,
  { projectFolderMode, projectFolderId }: ProjectStorageChanges,
): Promise<ProjectStorage> {
  const found = await demand(await find.projectStorage(context, id), ({ projectId }) =>
    can.administerStorages(context, projectId),
  );
  return context.db.write.transaction(async (trx) => {
    const current = await context.db.lockRows(ProjectStorage.query(trx).findById(found.id));
    if (!current) throw new NotFound();
    const storage = await Storage.query(trx).findById(current.storageId).throwIfNotFound();
    const { columns, violations } = validateProjectFolder(
      {
        mode:
          projectFolderMode === undefined
            ? current.projectFolderMode
            : (projectFolderMode ?? ProjectFolderMode.INACTIVE),
        id: projectFolderId === undefined ? current.projectFolderId : projectFolderId,
        managedId: current.managedFolderId,
      },
      storage,
    );
    if (violations.length > 0) throw violated(violations);
    const now = context.clock();
    const changesMode = columns.projectFolderMode !== current.projectFolderMode;
    const [changed] = await ProjectStorage.query(trx)
      .patch({
        ...columns,
        ...(changesMode && { folderState: null, folderMessage: null }),
        updatedAt: now.toISOString(),
      })
      .where('id', current.id)
      .returning('*');
    if (!changed) throw new NotFound();
    await auditProjectStorage(context, trx, 'PROJECT_STORAGE_UPDATED', {
      before: current,
      after: changed,
    });
    const modes = [current.projectFolderMode, changed.projectFolderMode];
    if (modes.includes(ProjectFolderMode.AUTOMATIC))
      await requestSync(trx, { storageId: storage.id }, now);
    return changed;
  });
}

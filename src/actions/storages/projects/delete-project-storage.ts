/** Removes a storage from a project. */
import type { Context } from '../../../context.js';
import { NotFound } from '../../../contract/errors.js';
import { FileLink } from '../../../models/file-link.js';
import { FolderDeletion } from '../../../models/folder-sync.js';
import { ProjectStorage } from '../../../models/project-storage.js';
import { timestamps } from '../../../models/record.js';
import { WorkPackage } from '../../../models/work-package.js';
import { can, demand } from '../../../policies/can.js';
import { find } from '../../../policies/find.js';
import { auditProjectStorage } from './audit-project-storage.js';
import { requestSync } from '../../base/project-folder-queue/request-sync.js';
import { lockFileLinks, removeFileLinks } from '../links/remove-file-links.js';

/**
 * Also deletes the file links from the project's work packages to the storage. A folder that the
 * service made stays and is hidden.
 * @param deleteFolder deletes that folder instead, a few seconds later. Only administrators may
 * @throws NotFound, MissingPermission
 */
export async function deleteProjectStorage(
  context: Context,
  id: number | undefined,
  { deleteFolder = false } = {},
): Promise<ProjectStorage> {
  const found = await demand(
    await find.projectStorage(context, id),
    async ({ projectId }) =>
      (!deleteFolder || can.administer(context)) &&
      (await can.administerStorages(context, projectId)),
  );
  const { projectId, storageId } = found;
  await context.db.write.transaction(async (trx) => {
    const now = context.clock();
    // First, because requests that create a link lock this row: none can start after the delete.
    // Read again, because a synchronisation may have made the folder since the row was found.
    const [row] = await context.db.lockRows(ProjectStorage.query(trx).where('id', found.id));
    if (!row || (await ProjectStorage.query(trx).deleteById(row.id)) === 0) throw new NotFound();
    const links = await lockFileLinks(
      context,
      FileLink.query(trx)
        .where('storage_id', storageId)
        .whereIn(
          'work_package_id',
          WorkPackage.query(trx).select('id').where('project_id', projectId),
        ),
    );
    await removeFileLinks(context, trx, links, {
      authorId: context.user.id,
      now: now.toISOString(),
    });
    if (deleteFolder && row.managedFolderId !== null)
      await FolderDeletion.query(trx)
        .insert({ storageId, folderId: row.managedFolderId, ...timestamps(now.toISOString()) })
        .onConflict(['storage_id', 'folder_id'])
        .ignore();
    await auditProjectStorage(context, trx, 'PROJECT_STORAGE_DELETED', { before: row });
    await requestSync(trx, { storageId }, now);
  });
  return found;
}

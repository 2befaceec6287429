/** Removes a storage from a project. */
import type { Context } from '../../context.js';
import { NotFound } from '../../contract/errors.js';
import { FileLink } from '../../models/file-link.js';
import { ProjectStorage } from '../../models/project-storage.js';
import { WorkPackage } from '../../models/work-package.js';
import { can, demand } from '../../policies/can.js';
import { find } from '../../policies/find.js';
import { lockFileLinks, removeFileLinks } from '../file-links/remove-file-links.js';

/**
 * Also deletes the file links from the project's work packages to the storage.
 * @throws NotFound, MissingPermission
 */
export async function deleteProjectStorage(
  context: Context,
  id: number | undefined,
): Promise<ProjectStorage> {
  const found = await demand(await find.projectStorage(context, id), ({ projectId }) =>
    can.administerStorages(context, projectId),
  );
  const { projectId, storageId } = found;
  await context.db.write.transaction(async (trx) => {
    // First, because requests that create a link lock this row: none can start after the delete.
    if ((await ProjectStorage.query(trx).deleteById(found.id)) === 0) throw new NotFound();
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
      now: context.clock().toISOString(),
    });
  });
  return found;
}

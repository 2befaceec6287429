/** Deletes a file link. The file stays in the storage. */
import type { Context } from '../../../context.js';
import { NotFound } from '../../../contract/errors.js';
import { FileLink } from '../../../models/file-link.js';
import { can, demand } from '../../../policies/can.js';
import { find } from '../../../policies/find.js';
import { lockFileLinks, removeFileLinks } from './remove-file-links.js';

/**
 * @param workPackageId the work package of the link; null means any, or none
 * @throws NotFound, MissingPermission
 */
export async function deleteFileLink(
  context: Context,
  id: number | undefined,
  { workPackageId }: { workPackageId: number | null | undefined },
): Promise<FileLink> {
  const found = await find.fileLinkToDelete(context, id);
  const isOther = workPackageId !== null && found?.workPackageId !== workPackageId;
  const link = await demand(isOther ? undefined : found, (row) => can.deleteFileLink(context, row));
  const deleted = await context.db.write.transaction(async (trx) => {
    const [row] = await lockFileLinks(context, FileLink.query(trx).where('id', link.id));
    if (!row) throw new NotFound();
    // It was claimed after the permission check: check again.
    if (row.workPackageId !== link.workPackageId) return false;
    await removeFileLinks(context, trx, [row], {
      authorId: context.user.id,
      now: context.clock().toISOString(),
    });
    return true;
  });
  return deleted ? link : deleteFileLink(context, id, { workPackageId });
}

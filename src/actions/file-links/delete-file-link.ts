/** Removes a link; the file stays where it is. */
import type { Context } from '../../context.js';
import { NotFound } from '../../contract/errors.js';
import { FileLink } from '../../models/file-link.js';
import { can, demand } from '../../policies/can.js';
import { find } from '../../policies/find.js';
import { lockFileLinks, removeFileLinks } from './remove-file-links.js';

/** @throws NotFound, MissingPermission */
export async function deleteFileLink(context: Context, id: number | undefined): Promise<FileLink> {
  const link = await demand(await find.fileLink(context, id), (row) =>
    can.deleteFileLink(context, row),
  );
  const checked = await context.db.write.transaction(async (trx) => {
    const rows = await lockFileLinks(context, FileLink.query(trx).where('id', link.id));
    if (rows.length === 0) throw new NotFound();
    // Claimed since it was looked at: it is judged again.
    if (rows[0]!.workPackageId !== link.workPackageId) return false;
    await removeFileLinks(context, trx, rows, {
      authorId: context.user.id,
      now: context.clock().toISOString(),
    });
    return true;
  });
  return checked ? link : deleteFileLink(context, id);
}

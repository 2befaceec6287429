/** Removes a link; the file stays where it is. */
import type { Context } from '../context.js';
import { NotFound } from '../errors.js';
import { FileLink } from '../models/file-link.js';
import { can, demand } from '../policies/can.js';
import { find } from '../policies/find.js';
import { recordChange } from './record-change.js';

/** @throws NotFound, MissingPermission */
export async function deleteFileLink(context: Context, id: number | undefined): Promise<FileLink> {
  const link = await demand(await find.fileLink(context, id), (row) => can.deleteFileLink(context, row));
  const now = context.clock().toISOString();
  await context.db.write.transaction(async (trx) => {
    if ((await FileLink.query(trx).deleteById(link.id)) === 0) throw new NotFound();
    if (link.workPackageId !== null) await recordChange(trx, { type: 'WorkPackage', id: link.workPackageId }, context.user.id, [{ action: 'fileLinkRemoved', fileName: link.originName }], now);
  });
  return link;
}

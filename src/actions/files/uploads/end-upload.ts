/** Gives up a resumable upload. */
import type { Context } from '../../../context.js';
import { demandWrites } from '../../../policies/can.js';
import { deleteAttachment } from '../attachments/delete-attachments.js';

/** @throws NotFound, MissingPermission */
export async function endUpload(context: Context, id: number | undefined): Promise<void> {
  demandWrites(context);
  await deleteAttachment(context, id);
}

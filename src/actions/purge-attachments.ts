/** The second half of every removal: rows marked `deleting` lose their bytes, then themselves (decisions 5). */
import type { Services } from '../context.js';
import { Attachment } from '../models/attachment.js';

/** A failure leaves a hidden, marked row; the removal itself has already happened. */
export async function purgeAttachments({ blobs, db, log }: Pick<Services, 'blobs' | 'db' | 'log'>, marked: readonly Pick<Attachment, 'id' | 'blobKey'>[]): Promise<void> {
  for (const { id, blobKey } of marked) {
    try {
      await blobs.remove(blobKey);
      await Attachment.query(db.write).delete().where({ id, phase: 'deleting' });
    } catch (error) {
      log.error({ err: error, attachment: id }, 'a removed file is still stored');
    }
  }
}

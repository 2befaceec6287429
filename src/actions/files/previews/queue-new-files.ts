/** Lets previews be made of new files, as soon as their events are dispatched. */
import type { Knex } from 'knex';
import type { Services } from '../../../context.js';
import { chunks } from '../../../database/batches.js';
import { Attachment } from '../../../models/attachment.js';
import type { Event } from '../../../models/event.js';
import { hasPassed, queuePreviews } from './preview-queue.js';

/** @param trx the transaction that dispatches the events */
export async function queuePreviewsOf(
  services: Pick<Services, 'clock' | 'drawer' | 'scanner'>,
  trx: Knex,
  events: readonly Event[],
): Promise<void> {
  const ids = events
    .filter(({ subjectType }) => subjectType === 'Attachment')
    .map(({ subjectId }) => subjectId);
  for (const batch of chunks([...new Set(ids)])) {
    const rows = await Attachment.query(trx).whereIn('id', batch).where('phase', 'kept');
    const drawn = rows.filter((row) => hasPassed(services, row) && services.drawer.draws(row));
    await queuePreviews(
      trx,
      drawn.map(({ blobKey }) => blobKey),
      services,
    );
  }
}

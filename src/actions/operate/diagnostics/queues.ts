/** The queues of background work. Each statement reads an index only. */
import type { Services } from '../../../context.js';
import { Attachment } from '../../../models/attachment.js';
import { Event } from '../../../models/event.js';
import { FolderSync } from '../../../models/folder-sync.js';
import { ProjectStorage } from '../../../models/project-storage.js';
import { attachmentQueues } from '../../base/leases/attachment-queues.js';
import { waitingCount, waitingSince, type Waiting } from '../../base/leases/queue.js';
import { mailQueue } from '../../base/mails/mail-queue.js';
import { downloads } from '../../files/avatars/directory-avatars.js';
import { previewQueue } from '../../files/previews/preview-queue.js';
import { deliveries } from '../webhooks/acquire-delivery.js';

/** By their names in the metrics. */
const queues: { [name: string]: Waiting } = {
  finalization: attachmentQueues.finalization,
  removal: attachmentQueues.removal,
  new_scan: attachmentQueues.newScan,
  old_scan: attachmentQueues.oldScan,
  webhook_delivery: deliveries,
  avatar_download: downloads,
  preview: previewQueue,
  mail: mailQueue,
  // A storage that asked to wait counts too.
  folder_sync: { model: FolderSync, waiting: 'due_at <= ?', since: 'due_at' },
  project_folder: {
    model: ProjectStorage,
    waiting: "project_folder_mode = 'automatic' and folder_state is null",
    since: 'updated_at',
  },
  event_dispatch: { model: Event, waiting: 'not dispatched', since: 'created_at', order: 'id' },
};

type QueueNeeds = Pick<Services, 'db' | 'clock'>;

/** @returns seconds that the oldest row of each queue waits; 0 for an empty queue */
export async function oldestWaiting(services: QueueNeeds): Promise<{ [queue: string]: number }> {
  const ages: { [queue: string]: number } = {};
  for (const [name, queue] of Object.entries(queues)) {
    const since = await waitingSince(services, queue);
    ages[name] = since === undefined ? 0 : (services.clock().getTime() - Date.parse(since)) / 1000;
  }
  return ages;
}

/** Rows that wait, by the name of the queue. It counts no further than the limit. */
export async function countWaiting(
  services: QueueNeeds,
  limit: number,
): Promise<{ [queue: string]: number }> {
  const counts: { [queue: string]: number } = {};
  for (const [name, queue] of Object.entries(queues))
    counts[name] = await waitingCount(services, queue, limit);
  return counts;
}

export const pendingUploads = ({ db }: Pick<Services, 'db'>): Promise<number> =>
  Attachment.query(db.read).whereRaw("status = 'prepared'").where('phase', 'kept').resultSize();

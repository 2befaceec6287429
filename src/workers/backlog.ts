/** Reads how much background work waits and for how long. Each statement reads an index only. */
import { downloads } from '../actions/files/avatars/directory-avatars.js';
import { previewQueue } from '../actions/files/previews/preview-queue.js';
import { attachmentQueues } from '../actions/base/leases/attachment-queues.js';
import { waitingSince, type Waiting } from '../actions/base/leases/queue.js';
import { deliveries } from '../actions/operate/webhooks/acquire-delivery.js';
import type { Services } from '../context.js';
import type { Backlog } from '../observability/metrics.js';
import { Attachment } from '../models/attachment.js';
import { Event } from '../models/event.js';
import { FolderSync } from '../models/folder-sync.js';
import { ProjectStorage } from '../models/project-storage.js';

/** By their names in the metrics. */
const queues: { [name: string]: Waiting } = {
  finalization: attachmentQueues.finalization,
  removal: attachmentQueues.removal,
  new_scan: attachmentQueues.newScan,
  old_scan: attachmentQueues.oldScan,
  webhook_delivery: deliveries,
  avatar_download: downloads,
  preview: previewQueue,
  // A storage that asked to wait counts too.
  folder_sync: { model: FolderSync, waiting: 'due_at <= ?', since: 'due_at' },
  project_folder: {
    model: ProjectStorage,
    waiting: "project_folder_mode = 'automatic' and folder_state is null",
    since: 'updated_at',
  },
  event_dispatch: { model: Event, waiting: 'not dispatched', since: 'created_at', order: 'id' },
};

export const backlogOf = (services: Pick<Services, 'db' | 'clock'>): Backlog => ({
  pendingUploads: () =>
    Attachment.query(services.db.read)
      .whereRaw("status = 'prepared'")
      .where('phase', 'kept')
      .resultSize(),
  oldest: async () => {
    const ages: { [queue: string]: number } = {};
    for (const [name, queue] of Object.entries(queues)) {
      const since = await waitingSince(services, queue);
      ages[name] =
        since === undefined ? 0 : (services.clock().getTime() - Date.parse(since)) / 1000;
    }
    return ages;
  },
});

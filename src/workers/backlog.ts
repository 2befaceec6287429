/** Reads how much background work waits and for how long. Each statement reads an index only. */
import { DOWNLOAD_WAITING } from '../actions/avatars/directory-avatars.js';
import { DELIVERY_WAITING } from '../actions/webhooks/acquire-delivery.js';
import { waitingIn, type Queue } from '../actions/leases/acquire-attachment.js';
import type { Services } from '../context.js';
import type { Backlog } from '../observability/metrics.js';
import { Attachment } from '../models/attachment.js';
import { DirectoryAvatar } from '../models/directory-avatar.js';
import { Event } from '../models/event.js';
import { FolderSync } from '../models/folder-sync.js';
import { ProjectStorage } from '../models/project-storage.js';
import { WebhookDelivery } from '../models/webhook.js';

/** Queues of attachments, by their names in the metrics. */
const queues = {
  finalization: 'finalization',
  removal: 'removal',
  new_scan: 'newScan',
  old_scan: 'oldScan',
} as const satisfies { [name: string]: Queue };

export const backlogOf = (services: Pick<Services, 'db' | 'clock'>): Backlog => ({
  pendingUploads: () =>
    Attachment.query(services.db.read)
      .whereRaw("status = 'prepared'")
      .where('phase', 'kept')
      .resultSize(),
  oldest: () => ages(services),
});

async function ages({
  db: { read },
  clock,
}: Pick<Services, 'db' | 'clock'>): Promise<{ [queue: string]: number }> {
  const now = clock();
  const bindings = [now.toISOString()];
  const secondsSince = (time: string | null | undefined) =>
    time ? (now.getTime() - Date.parse(time)) / 1000 : 0;
  const found: { [queue: string]: number } = {};
  for (const [name, queue] of Object.entries(queues)) {
    found[name] = secondsSince(
      (
        await Attachment.query(read)
          .select('lease_until')
          .whereRaw(waitingIn(queue), bindings)
          .orderBy('lease_until')
          .first()
      )?.leaseUntil,
    );
  }
  found['webhook_delivery'] = secondsSince(
    (
      await WebhookDelivery.query(read)
        .select('due_at')
        .whereRaw(DELIVERY_WAITING, bindings)
        .orderBy('due_at')
        .first()
    )?.dueAt,
  );
  found['avatar_download'] = secondsSince(
    (
      await DirectoryAvatar.query(read)
        .select('due_at')
        .whereRaw(DOWNLOAD_WAITING, bindings)
        .orderBy('due_at')
        .first()
    )?.dueAt,
  );
  found['folder_sync'] = secondsSince(
    (
      await FolderSync.query(read)
        .select('due_at')
        .where('due_at', '<=', now.toISOString())
        .orderBy('due_at')
        .limit(1)
        .first()
    )?.dueAt,
  );
  found['project_folder'] = secondsSince(
    (
      await ProjectStorage.query(read)
        .select('updated_at')
        .whereRaw("project_folder_mode = 'automatic'")
        .whereNull('folder_state')
        .orderBy('updated_at')
        .limit(1)
        .first()
    )?.updatedAt,
  );
  found['event_dispatch'] = secondsSince(
    (await Event.query(read).select('created_at').whereRaw('not dispatched').orderBy('id').first())
      ?.createdAt,
  );
  return found;
}

/** What is wrong now, as far as administrators should be told. */
import { statfs } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import type { Services } from '../../../context.js';
import type { Alert } from '../../../models/alert.js';
import { Storage } from '../../../models/storage.js';
import { DeliveryState, Webhook, WebhookDelivery } from '../../../models/webhook.js';

export type Problem = Pick<Alert, 'subject' | 'facts' | 'since'>;

/** A disk is nearly full when less than both is free. */
const FREE_SHARE = 0.05;
const FREE_BYTES = 20 * 1024 ** 3;

export const subjectOf = {
  storage: (id: number) => `storage:${id}`,
  webhook: (id: number) => `webhook:${id}`,
  disk: (host: string) => `disk:${host}`,
};

export async function failingStorages({ db }: Services): Promise<Problem[]> {
  const storages = await Storage.query(db.read).whereNotNull('failing_since');
  return storages.flatMap(({ id, failingSince }) =>
    failingSince === null
      ? []
      : [{ subject: subjectOf.storage(id), facts: {}, since: failingSince }],
  );
}

/** Webhooks with an event that they did not take, and none that they took after it. */
export async function failingWebhooks({ db }: Services): Promise<Problem[]> {
  const problems: Problem[] = [];
  for (const { id } of await Webhook.query(db.read).select('id').where('enabled', true)) {
    const deliveries = () => WebhookDelivery.query(db.read).where('webhook_id', id);
    const failed = await deliveries()
      .where('state', DeliveryState.PENDING)
      .whereNotNull('last_error')
      .orderBy('updated_at')
      .first();
    if (!failed) continue;
    const since = failed.updatedAt;
    const taken = await deliveries()
      .where('state', DeliveryState.DELIVERED)
      .where('updated_at', '>', since)
      .first();
    if (!taken) problems.push({ subject: subjectOf.webhook(id), facts: {}, since });
  }
  return problems;
}

/** The disk of this process, with the files or the database. */
export async function fullDisk({ settings, clock }: Services): Promise<Problem | undefined> {
  const { blobs, database } = settings;
  const folders = [
    ...(blobs.kind === 'disk' ? [blobs.root] : []),
    ...(database.client === 'sqlite' ? [dirname(database.file)] : []),
  ];
  for (const folder of folders) {
    const { bavail, blocks, bsize } = await statfs(folder);
    const [free, size] = [bavail * bsize, blocks * bsize];
    if (free < FREE_BYTES && free < size * FREE_SHARE)
      return {
        subject: subjectOf.disk(hostname()),
        facts: { folder, free, size },
        since: clock().toISOString(),
      };
  }
  return undefined;
}

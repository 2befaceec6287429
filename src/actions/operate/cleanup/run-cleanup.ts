/** Removes everything that has expired or that a dead process left. Safe to run at any time. */
import type { Knex } from 'knex';
import type { ModelClass } from 'objection';
import type { Services } from '../../../context.js';
import { Attachment, AttachmentStatus } from '../../../models/attachment.js';
import { AuditEvent } from '../../../models/audit-event.js';
import { ConnectionAttempt } from '../../../models/connection-attempt.js';
import { Event } from '../../../models/event.js';
import { Notification } from '../../../models/notification.js';
import { OneTimeLink } from '../../../models/one-time-link.js';
import { OAuthArtifact } from '../../../models/oauth-artifact.js';
import type { Record } from '../../../models/record.js';
import { ResumableUpload } from '../../../models/resumable-upload.js';
import { Session } from '../../../models/session.js';
import { SignInFailure } from '../../../models/sign-in-failure.js';
import { DeliveryState, WebhookDelivery } from '../../../models/webhook.js';
import { acquireAttachment, attachmentQueues } from '../../base/leases/attachment-queues.js';
import { expireAttachments } from './expire-attachments.js';
import { expireFileLinks } from './expire-file-links.js';
import { sumUsage } from './sum-usage.js';
import { REMOVED_AT_ONCE, type CleanupOptions, type CleanupReport, type Step } from './options.js';
import { AVATAR_KEYS, scheduledKeys } from '../../files/purge/orphaned-objects.js';
import { removeOrphanedObjects } from '../../files/purge/remove-orphaned-objects.js';
import { keysOfPreviews } from '../../files/purge/remove-preview.js';
import { emptyOldTrash } from '../../files/purge/empty-trash.js';
import { isAbandoned, markedRow, purgeAttachments } from '../../files/purge/purge-attachments.js';

/** Events are stored this long for readers of the outbox. */
const EVENT_DAYS = 7;
/** Deliveries are stored this long for administrators, who look up their outcome. */
const DELIVERED_DAYS = 7;
const DEAD_DAYS = 30;
const DAY_MS = 86_400_000;

const steps: {
  step: Step;
  run: (services: Services, options: CleanupOptions) => Promise<number>;
}[] = [
  { step: 'events', run: removeEvents },
  { step: 'notifications', run: removeNotifications },
  { step: 'audit', run: removeAudit },
  { step: 'fileLinks', run: expireFileLinks },
  { step: 'credentials', run: removeCredentials },
  { step: 'deliveries', run: removeDeliveries },
  { step: 'usage', run: sumUsage },
  { step: 'expired', run: expireAttachments },
  { step: 'trash', run: emptyOldTrash },
  { step: 'abandoned', run: removeAbandoned },
  { step: 'staged', run: removeStaged },
  { step: 'unfinished', run: removeUnfinished },
];

/**
 * Runs every step, even after one that failed.
 * @throws the first error of a step
 */
export async function runCleanup(
  services: Services,
  options: CleanupOptions = {},
): Promise<CleanupReport> {
  const report = {
    expired: 0,
    trash: 0,
    abandoned: 0,
    staged: 0,
    unfinished: 0,
    events: 0,
    notifications: 0,
    audit: 0,
    fileLinks: 0,
    credentials: 0,
    deliveries: 0,
    usage: 0,
  };
  const failures: unknown[] = [];
  for (const { step, run } of steps) {
    options.begins?.(step);
    try {
      report[step] = await run(services, options);
      options.removed?.({ [step]: report[step] });
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return report;
}

/** Purges hidden rows whose lease ran out, and orphaned objects. */
async function removeAbandoned(
  services: Services,
  { dryRun, signal }: CleanupOptions,
): Promise<number> {
  const { db, clock } = services;
  if (dryRun)
    return (
      (await Attachment.query(db.read)
        .whereRaw(attachmentQueues.removal.waiting, [clock().toISOString()])
        .whereRaw("(phase = 'storing' or attempts > 0)")
        .resultSize()) + (await removeOrphanedObjects(services, { dryRun }))
    );
  let purged = 0;
  // It ends: a row whose purge fails stays leased, so it is not acquired twice.
  for (;;) {
    const row = signal?.aborted ? undefined : await acquireAttachment(services, 'removal');
    if (!row) return purged + (await removeOrphanedObjects(services, { signal }));
    const abandoned = isAbandoned(row);
    // Other rows are the rest of a large deletion, which was already counted.
    if (abandoned) purged += 1;
    await purgeAttachments(services, [markedRow(row, abandoned)]);
  }
}

async function removeStaged(services: Services, options: CleanupOptions): Promise<number> {
  const { blobs, db, clock, settings } = services;
  if (!options.dryRun) await forgetOldUploads(services);
  // A form is signed before its object is stored. An object older than the lifetime of a form
  // cannot be stored again, because its form has expired.
  const before = clock().getTime() - settings.uploadUrlSeconds * 1000;
  return removeUnnamed(blobs.list('staging'), options, {
    isOld: ({ modifiedAt }) => modifiedAt.getTime() <= before,
    namedKeys: (keys) => stagedKeys(db.write, keys),
    remove: ({ key }) => blobs.remove(key),
  });
}

/** Until then, their clients can ask whether the last byte has arrived. */
async function forgetOldUploads({ db, clock, settings }: Services): Promise<void> {
  const before = new Date(clock().getTime() - settings.uploadDays * DAY_MS).toISOString();
  await ResumableUpload.query(db.write).delete().where('updated_at', '<=', before);
}

/**
 * Which of the keys pending uploads name. Bytes that wait for more have the name of their upload,
 * and the number of bytes before their end.
 */
async function stagedKeys(knex: Knex, keys: readonly string[]): Promise<string[]> {
  const waiting = keys.map((key) => /^(.+)-(\d+)$/.exec(key));
  const rows = await Attachment.query(knex)
    .leftJoin('resumable_uploads as upload', 'upload.attachment_id', 'attachments.id')
    .select('attachments.staging_key', 'upload.received_bytes')
    .whereIn('attachments.staging_key', [...keys, ...waiting.flatMap((match) => match?.[1] ?? [])])
    .castTo<{ stagingKey: string; receivedBytes: number | null }[]>();
  return rows.flatMap(({ stagingKey, receivedBytes }) => [
    stagingKey,
    `${stagingKey}-${receivedBytes}`,
  ]);
}

async function removeUnfinished({ blobs, db }: Services, options: CleanupOptions): Promise<number> {
  return removeUnnamed(blobs.unfinished(), options, {
    // Age does not matter: the row that names a key is committed before the first byte.
    isOld: () => true,
    namedKeys: async (keys) => {
      const rows = await Attachment.query(db.write)
        .select('blob_key')
        .whereIn('blob_key', keys)
        .where(
          (row) => void row.where('phase', 'storing').orWhere('status', AttachmentStatus.PREPARED),
        );
      const staged = await stagedKeys(db.write, keys);
      // A picture is being stored under a key that is scheduled for removal.
      const pictures = keys.filter((key) => key.startsWith(AVATAR_KEYS));
      return [
        ...rows.map(({ blobKey }) => blobKey),
        ...staged,
        ...(await scheduledKeys(db.write, pictures)),
        ...(await keysOfPreviews(db.write, keys)),
      ];
    },
    remove: (object) => object.remove(),
  });
}

interface Removal<T> {
  isOld(object: T): boolean;
  /** Which of the keys rows name. */
  namedKeys(keys: string[]): Promise<(string | null)[]>;
  remove(object: T): Promise<void>;
}

/** Removes the old objects whose keys no row names. */
async function removeUnnamed<T extends { key: string }>(
  objects: AsyncIterable<T>,
  { dryRun, signal }: CleanupOptions,
  { isOld, namedKeys, remove }: Removal<T>,
): Promise<number> {
  let removed = 0;
  let batch: T[] = [];
  const flush = async () => {
    const named = new Set(await namedKeys(batch.map(({ key }) => key)));
    for (const object of batch.filter(({ key }) => !named.has(key))) {
      if (!dryRun) await remove(object);
      removed += 1;
    }
    batch = [];
  };
  for await (const object of objects) {
    if (signal?.aborted) return removed;
    if (isOld(object)) batch.push(object);
    if (batch.length >= REMOVED_AT_ONCE) await flush();
  }
  if (batch.length > 0) await flush();
  return removed;
}

async function removeEvents({ db, clock }: Services, { dryRun }: CleanupOptions): Promise<number> {
  // Events not yet dispatched to webhooks stay, even if no process dispatched any for days.
  const old = (knex: Knex) =>
    Event.query(knex)
      .whereRaw('dispatched')
      .where('created_at', '<', new Date(clock().getTime() - EVENT_DAYS * DAY_MS).toISOString());
  return dryRun ? old(db.read).resultSize() : old(db.write).delete();
}

async function removeNotifications(
  { db, clock, settings }: Services,
  { dryRun }: CleanupOptions,
): Promise<number> {
  const before = clock().getTime() - settings.notificationDays * DAY_MS;
  const old = (knex: Knex) =>
    Notification.query(knex).where('created_at', '<', new Date(before).toISOString());
  return dryRun ? old(db.read).resultSize() : old(db.write).delete();
}

async function removeAudit(
  { db, clock, settings }: Services,
  { dryRun }: CleanupOptions,
): Promise<number> {
  const since = new Date(clock().getTime() - settings.auditDays * DAY_MS).toISOString();
  const old = (knex: Knex) => AuditEvent.query(knex).where('created_at', '<', since);
  if (dryRun) return old(db.read).resultSize();
  return db.write.transaction(async (trx) => {
    // A trigger keeps newer entries.
    await trx('audit_retention').insert({ id: 1, kept_since: since }).onConflict('id').merge();
    return old(trx).delete();
  });
}

async function removeDeliveries(
  { db, clock }: Services,
  { dryRun }: CleanupOptions,
): Promise<number> {
  let removed = 0;
  for (const [state, days] of [
    [DeliveryState.DELIVERED, DELIVERED_DAYS],
    [DeliveryState.DEAD, DEAD_DAYS],
  ] as const) {
    const old = (knex: Knex) =>
      WebhookDelivery.query(knex)
        // The text of the partial index: SQLite does not recognise equivalent conditions.
        .whereRaw("state <> 'pending'")
        .where('state', state)
        .where('updated_at', '<', new Date(clock().getTime() - days * DAY_MS).toISOString());
    removed += dryRun ? await old(db.read).resultSize() : await old(db.write).delete();
  }
  return removed;
}

const credentials: ModelClass<Record>[] = [
  OAuthArtifact,
  ConnectionAttempt,
  OneTimeLink,
  Session,
  SignInFailure,
];

async function removeCredentials(
  { db, clock }: Services,
  { dryRun }: CleanupOptions,
): Promise<number> {
  let removed = 0;
  for (const model of credentials) {
    const expired = (knex: Knex) =>
      model.query(knex).where('expires_at', '<=', clock().toISOString());
    removed += dryRun ? await expired(db.read).resultSize() : await expired(db.write).delete();
  }
  return removed;
}

/** Removes what nobody will finish or claim any more (decisions 5). Safe to run at any time, in any number of processes. */
import type { Knex } from 'knex';
import type { Services } from '../../context.js';
import { recordEvents } from '../../events/record.js';
import { Attachment, AttachmentStatus } from '../../models/attachment.js';
import { ConnectionAttempt } from '../../models/connection-attempt.js';
import { AttachmentEvent, Event } from '../../models/event.js';
import { FileLink } from '../../models/file-link.js';
import { OAuthArtifact } from '../../models/oauth-artifact.js';
import { Session } from '../../models/session.js';
import { SignInFailure } from '../../models/sign-in-failure.js';
import { DeliveryState, WebhookDelivery } from '../../models/webhook.js';
import { isAbandoned, markDeleting, purgeAttachments } from './purge-attachments.js';
import { removeFileLinks } from '../file-links/remove-file-links.js';
import { removeOrphanedObjects } from './orphaned-objects.js';
import { acquireAttachment, waitingIn } from '../leases/acquire-attachment.js';

export interface CleanupReport {
  /** Prepared uploads and unclaimed attachments whose time is over. */
  expired: number;
  /** Uploads whose process died, and removals that one began. */
  abandoned: number;
  /** Staged objects that no prepared upload names. */
  staged: number;
  /** Half written blobs, and multipart uploads of ours, of processes that died. */
  unfinished: number;
  /** Old rows of the outbox. */
  events: number;
  /** File links that nobody claimed in time. */
  fileLinks: number;
  /** Codes, tokens, sessions and counts of wrong passwords whose time is over. */
  credentials: number;
  /** Old deliveries to webhooks, done or given up. */
  deliveries: number;
}

/** As many rows as one transaction marks. */
const BATCH = 200;
/** Events stay so long for those who read the outbox. */
const EVENT_DAYS = 7;
/** Deliveries stay so long for those who look what became of them. */
const DELIVERED_DAYS = 7;
const DEAD_DAYS = 30;
const DAY_MS = 86_400_000;

export interface CleanupOptions {
  /** Counts only. */
  dryRun?: boolean;
  /** Ends it at the next row. */
  signal?: AbortSignal;
  /** Told which step begins. */
  begins?: (step: keyof CleanupReport) => void;
  /** Told what each step removed, also where another one failed. */
  removed?: (counts: Partial<CleanupReport>) => void;
}

/** What the database alone answers first, what the store must list and remove afterwards. */
const steps: {
  [kind in keyof CleanupReport]: (services: Services, options: CleanupOptions) => Promise<number>;
} = {
  events: forgetEvents,
  fileLinks: expireFileLinks,
  credentials: forgetCredentials,
  deliveries: forgetDeliveries,
  expired: expire,
  abandoned: takeOver,
  staged: clearStaging,
  unfinished: clearUnfinished,
};

/** Each step is taken, also after one that failed. @throws what the first of them threw */
export async function runCleanup(
  services: Services,
  options: CleanupOptions = {},
): Promise<CleanupReport> {
  const report = {
    expired: 0,
    abandoned: 0,
    staged: 0,
    unfinished: 0,
    events: 0,
    fileLinks: 0,
    credentials: 0,
    deliveries: 0,
  };
  const failures: unknown[] = [];
  for (const [kind, step] of Object.entries(steps) as [
    keyof CleanupReport,
    (typeof steps)[keyof CleanupReport],
  ][]) {
    options.begins?.(kind);
    try {
      report[kind] = await step(services, options);
      options.removed?.({ [kind]: report[kind] });
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return report;
}

/** Prepared uploads and unclaimed attachments past `expires_at`. A completed upload has no expiry. */
export async function expire(
  services: Services,
  { dryRun, signal }: CleanupOptions = {},
): Promise<number> {
  const { db, clock } = services;
  const due = (knex: Knex) =>
    Attachment.query(knex)
      .where('phase', 'kept')
      .whereNotNull('expires_at')
      .where('expires_at', '<=', clock().toISOString());
  if (dryRun) return due(db.read).resultSize();
  let expired = 0;
  for (;;) {
    const some = await due(db.read).select('id').orderBy('expires_at').limit(BATCH);
    if (some.length === 0 || signal?.aborted) return expired;
    const marked = await db.write.transaction(async (trx) => {
      const rows = await db.lockRows(
        due(trx)
          .whereIn(
            'id',
            some.map(({ id }) => id),
          )
          .orderBy('id'),
      );
      const finished = rows.filter(({ status }) => status !== AttachmentStatus.prepared);
      await recordEvents(
        db,
        trx,
        finished.map((attachment) => ({
          kind: AttachmentEvent.deleted,
          attachment,
          reason: 'expired',
        })),
        clock().toISOString(),
      );
      expired += rows.length;
      return markDeleting(services, trx, rows);
    });
    await purgeAttachments(services, marked);
  }
}

/** Hidden rows whose lease ran out, and what their processes wrote after all. */
async function takeOver(services: Services, { dryRun, signal }: CleanupOptions): Promise<number> {
  const { db, clock } = services;
  if (dryRun)
    return (
      (await Attachment.query(db.read)
        .whereRaw(waitingIn('removal'), [clock().toISOString()])
        .whereRaw("(phase = 'storing' or attempts > 0)")
        .resultSize()) + (await removeOrphanedObjects(services, { dryRun }))
    );
  let taken = 0;
  // A row that cannot be purged now has a lease again, so it is not met twice.
  for (;;) {
    const row = signal?.aborted ? undefined : await acquireAttachment(services, 'removal');
    if (!row) return taken + (await removeOrphanedObjects(services, { signal }));
    const abandoned = isAbandoned(row);
    // The rest of a large removal was counted by whoever began it.
    if (abandoned) taken += 1;
    await purgeAttachments(services, [{ ...row, abandoned }]);
  }
}

async function clearStaging(
  { blobs, db, clock, settings }: Services,
  options: CleanupOptions,
): Promise<number> {
  // A form is signed before it is used: a life after an object was stored, no form can store it again.
  const before = clock().getTime() - settings.uploadUrlSeconds * 1000;
  return removeUnless(blobs.list('staging'), options, {
    old: ({ modifiedAt }) => modifiedAt.getTime() <= before,
    named: async (keys) =>
      (await Attachment.query(db.write).select('staging_key').whereIn('staging_key', keys)).map(
        ({ stagingKey }) => stagingKey!,
      ),
    remove: ({ key }) => blobs.remove(key),
  });
}

async function clearUnfinished({ blobs, db }: Services, options: CleanupOptions): Promise<number> {
  // The row that names a key is there before the first byte.
  return removeUnless(blobs.unfinished(), options, {
    old: () => true,
    named: async (keys) =>
      (
        await Attachment.query(db.write)
          .select('blob_key')
          .whereIn('blob_key', keys)
          .where(
            (row) =>
              void row.where('phase', 'storing').orWhere('status', AttachmentStatus.prepared),
          )
      ).map(({ blobKey }) => blobKey),
    remove: (one) => one.remove(),
  });
}

interface Rules<T> {
  old(one: T): boolean;
  /** Those of the keys that rows name. */
  named(keys: string[]): Promise<string[]>;
  remove(one: T): Promise<void>;
}

async function removeUnless<T extends { key: string }>(
  stored: AsyncIterable<T>,
  { dryRun, signal }: CleanupOptions,
  { old, named, remove }: Rules<T>,
): Promise<number> {
  let removed = 0;
  let batch: T[] = [];
  const flush = async () => {
    const known = new Set(await named(batch.map(({ key }) => key)));
    for (const one of batch.filter(({ key }) => !known.has(key))) {
      if (!dryRun) await remove(one);
      removed += 1;
    }
    batch = [];
  };
  for await (const one of stored) {
    if (signal?.aborted) return removed;
    if (old(one)) batch.push(one);
    if (batch.length >= BATCH) await flush();
  }
  if (batch.length > 0) await flush();
  return removed;
}

async function forgetEvents({ db, clock }: Services, { dryRun }: CleanupOptions): Promise<number> {
  // What no webhook was told of yet stays, however long nobody was there to tell.
  const old = (knex: Knex) =>
    Event.query(knex)
      .whereRaw('dispatched')
      .where('created_at', '<', new Date(clock().getTime() - EVENT_DAYS * DAY_MS).toISOString());
  return dryRun ? old(db.read).resultSize() : old(db.write).delete();
}

async function forgetDeliveries(
  { db, clock }: Services,
  { dryRun }: CleanupOptions,
): Promise<number> {
  let forgotten = 0;
  // The first condition is spelled like that of the partial index.
  for (const [state, days] of [
    [DeliveryState.delivered, DELIVERED_DAYS],
    [DeliveryState.dead, DEAD_DAYS],
  ] as const) {
    const old = (knex: Knex) =>
      WebhookDelivery.query(knex)
        .whereRaw("state <> 'pending'")
        .where('state', state)
        .where('updated_at', '<', new Date(clock().getTime() - days * DAY_MS).toISOString());
    forgotten += dryRun ? await old(db.read).resultSize() : await old(db.write).delete();
  }
  return forgotten;
}

/** File links that were not claimed by `expires_at`. */
export async function expireFileLinks(
  { db, clock }: Services,
  { dryRun, signal }: CleanupOptions = {},
): Promise<number> {
  const due = (knex: Knex) =>
    FileLink.query(knex)
      .whereNull('work_package_id')
      .whereNotNull('expires_at')
      .where('expires_at', '<=', clock().toISOString());
  if (dryRun) return due(db.read).resultSize();
  let expired = 0;
  for (;;) {
    const some = await due(db.read).select('id').orderBy('expires_at').limit(BATCH);
    if (some.length === 0 || signal?.aborted) return expired;
    expired += await db.write.transaction(async (trx) => {
      const links = await db.lockRows(
        due(trx)
          .whereIn(
            'id',
            some.map(({ id }) => id),
          )
          .orderBy('id'),
      );
      await removeFileLinks({ db }, trx, links, { reason: 'expired', now: clock().toISOString() });
      return links.length;
    });
  }
}

async function forgetCredentials(
  { db, clock }: Services,
  { dryRun }: CleanupOptions,
): Promise<number> {
  let forgotten = 0;
  for (const { tableName } of [OAuthArtifact, ConnectionAttempt, Session, SignInFailure]) {
    const over = (knex: Knex) => knex(tableName).where('expires_at', '<=', clock().toISOString());
    forgotten += dryRun
      ? Number((await over(db.read).count({ count: '*' }))[0]!['count'])
      : await over(db.write).delete();
  }
  return forgotten;
}

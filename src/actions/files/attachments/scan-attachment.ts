/** Scans a file for viruses: marks it scanned, or quarantines or deletes it with its copies. */
import type { Knex } from 'knex';
import type { Database } from '../../../database/index.js';
import { BlobMissing } from '../../../blobs/store.js';
import type { Services } from '../../../context.js';
import { recordEvents } from '../../../events/record.js';
import type { Change } from '../../../models/activity.js';
import { Attachment, AttachmentStatus } from '../../../models/attachment.js';
import { AttachmentEvent } from '../../../models/event.js';
import {
  FileNotScannable,
  FileTooLarge,
  type Scanner,
  type Verdict,
} from '../../../scanning/scanner.js';
import {
  markDeleting,
  purgeAttachments,
  type MarkedAttachment,
} from '../purge/purge-attachments.js';
import { lockRowsOf } from '../purge/shared-objects.js';
import { systemUserId } from '../../base/history/record-change.js';
import { holdAttachment } from '../../base/leases/attachment-queues.js';
import { leased } from '../../base/leases/queue.js';
import { recordChanges } from './record-changes.js';

/**
 * Scans the file of a row that the caller has leased. After an error the row is unchanged.
 * @throws ScannerUnavailable, FileNotScannable
 */
export async function scanAttachment(
  services: Services & { scanner: Scanner },
  row: Attachment,
  signal: AbortSignal,
): Promise<void> {
  const lease = holdAttachment(services, row, signal);
  try {
    await applyVerdict(services, row, await verdictOf(services, row, lease.signal));
  } catch (error) {
    // The row was deleted during the scan.
    if (lease.lost()) return purgeIfDeleted(services, row);
    if (error instanceof FileNotScannable) await note(services, row, error.message);
    if (error instanceof BlobMissing) {
      // A store that is unavailable as a whole throws its own error here.
      await services.blobs.check();
      // The scan is retried, because a restored back-up may bring the object back.
      throw new FileNotScannable('The file is missing from the blob store.');
    }
    throw error;
  } finally {
    lease.stop();
  }
}

/** @throws FileTooLarge unless `SCAN_TOO_LARGE` lets such files pass */
async function verdictOf(
  { scanner, blobs, settings, log }: Services & { scanner: Scanner },
  { id, blobKey, fileSize }: Attachment,
  signal: AbortSignal,
): Promise<Verdict> {
  try {
    const verdict = await scanner.scan(await blobs.read(blobKey), signal);
    // The scanner calls a file clean although it has read only its beginning.
    if (verdict.clean && !(await scanner.reads(fileSize))) throw new FileTooLarge();
    return verdict;
  } catch (error) {
    if (!(error instanceof FileTooLarge) || settings.scanTooLarge === 'hold') throw error;
    log.warn({ attachment: id, reason: error.message }, 'a file passed without a whole scan');
    return { clean: true };
  }
}

/** Tells administrators why the file waits. */
const note = async ({ db }: Services, row: Attachment, scanNote: string) =>
  void (await leased(Attachment, db.write, row).patch({ scanNote }));

async function applyVerdict(services: Services, row: Attachment, verdict: Verdict): Promise<void> {
  const { db, clock, settings, log } = services;
  const now = clock().toISOString();
  const marked = await db.write.transaction(
    async (trx): Promise<MarkedAttachment[] | undefined> => {
      // All rows with these bytes are locked if something was found in them.
      const rows = verdict.clean
        ? await db.lockRows(leased(Attachment, trx, row))
        : await lockRowsOf(db, trx, row.blobKey);
      const current = rows.find(
        ({ id, leaseToken }) => id === row.id && leaseToken === row.leaseToken,
      );
      if (current?.phase !== 'kept') return undefined;
      if (verdict.clean) {
        await setStatus(services, trx, { row: current, status: AttachmentStatus.SCANNED, now });
        return [];
      }
      current.$set({ leaseToken: null });
      const infected = rows.filter(
        ({ phase, status }) => phase === 'kept' && status !== AttachmentStatus.QUARANTINED,
      );
      const deleted = rows.filter(({ phase }) => phase === 'deleted');
      const reason = verdict.signature;
      if (settings.scanAction === 'delete') {
        await recordScan(db, trx, infected, { action: 'attachmentInfected', reason, now });
        await recordEvents(
          db,
          trx,
          infected.map((attachment) => ({ kind: AttachmentEvent.DELETED, attachment, reason })),
          now,
        );
        return markDeleting(services, trx, [...infected, ...deleted]);
      }
      const status = AttachmentStatus.QUARANTINED;
      await recordScan(db, trx, infected, { action: 'attachmentQuarantined', reason, now });
      for (const one of infected) await setStatus(services, trx, { row: one, status, reason, now });
      // Files in quarantine are never kept in the trash.
      return markDeleting(services, trx, deleted);
    },
  );
  if (!marked) return purgeIfDeleted(services, row);
  if (!verdict.clean)
    log.warn(
      { attachment: row.id, signature: verdict.signature, action: settings.scanAction },
      'the virus scan found something',
    );
  await purgeAttachments(services, marked);
}

const events = {
  [AttachmentStatus.SCANNED]: AttachmentEvent.SCANNED,
  [AttachmentStatus.QUARANTINED]: AttachmentEvent.QUARANTINED,
};

/** Sets the status, releases the lease and records the event. */
async function setStatus(
  { db }: Services,
  trx: Knex,
  {
    row,
    status,
    reason,
    now,
  }: {
    row: Attachment;
    status: keyof typeof events;
    reason?: string;
    now: string;
  },
): Promise<void> {
  await Attachment.query(trx)
    .findById(row.id)
    .patch({
      status,
      scanNote: reason ?? null,
      leaseUntil: null,
      leaseToken: null,
      attempts: 0,
      updatedAt: now,
    });
  const attachment = row.$set({ status });
  await recordEvents(db, trx, [{ kind: events[status], attachment, reason }], now);
}

/** Records what the scan found in the histories of the containers. */
const recordScan = async (
  db: Database,
  trx: Knex,
  rows: readonly Attachment[],
  { action, reason, now }: Pick<Change, 'action'> & { reason: string; now: string },
): Promise<void> =>
  recordChanges(
    { db },
    trx,
    rows.flatMap(({ id, containerRef: container, fileName }) =>
      container
        ? [{ container, change: { action, fileName, reason, attachmentDatabaseId: id } }]
        : [],
    ),
    { authorId: await systemUserId(trx), now },
  );

/** Purges a row that was deleted under our lease: its deletion leaves the object to us. */
async function purgeIfDeleted(services: Services, row: Attachment): Promise<void> {
  const current = await Attachment.query(services.db.write).findById(row.id);
  if (current?.phase === 'deleting' && current.leaseToken === row.leaseToken)
    await purgeAttachments(services, [current]);
}

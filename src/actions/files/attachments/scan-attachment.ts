/** Scans a file for viruses: marks it scanned, or quarantines or deletes an infected file. */
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
import { recordChange, systemUserId } from '../../base/history/record-change.js';
import { holdAttachment } from '../../base/leases/attachment-queues.js';
import { leased } from '../../base/leases/queue.js';

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
      const [current] = await db.lockRows(leased(Attachment, trx, row).where('phase', 'kept'));
      if (!current) return undefined;
      if (verdict.clean) {
        await setStatus(services, trx, { row: current, status: AttachmentStatus.SCANNED, now });
        return [];
      }
      const reason = verdict.signature;
      if (settings.scanAction === 'delete') {
        await recordScan(db, trx, current, { action: 'attachmentInfected', reason, now });
        await recordEvents(
          db,
          trx,
          [{ kind: AttachmentEvent.DELETED, attachment: current, reason }],
          now,
        );
        return markDeleting(services, trx, [current.$set({ leaseToken: null })]);
      }
      const status = AttachmentStatus.QUARANTINED;
      await recordScan(db, trx, current, { action: 'attachmentQuarantined', reason, now });
      await setStatus(services, trx, { row: current, status, reason, now });
      return [];
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

/** Records what the scan found in the history of the container, if there is one. */
async function recordScan(
  db: Database,
  trx: Knex,
  { containerRef, fileName }: Attachment,
  { action, reason, now }: Pick<Change, 'action'> & { reason: string; now: string },
): Promise<void> {
  if (!containerRef) return;
  const author = await systemUserId(trx);
  await recordChange(db, trx, containerRef, {
    authorId: author,
    changes: [{ action, fileName, reason }],
    now,
  });
}

/** Purges a row that was deleted under our lease: its deletion leaves the object to us. */
async function purgeIfDeleted(services: Services, row: Attachment): Promise<void> {
  const current = await Attachment.query(services.db.write).findById(row.id);
  if (current?.phase === 'deleting' && current.leaseToken === row.leaseToken)
    await purgeAttachments(services, [current]);
}

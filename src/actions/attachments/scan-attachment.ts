/** Has the virus scanner look at a file, and acts on what it says (decisions 5). */
import { BlobMissing } from '../../blobs/store.js';
import type { Services } from '../../context.js';
import { recordEvents } from '../../events/record.js';
import type { Change } from '../../models/activity.js';
import { Attachment, AttachmentStatus } from '../../models/attachment.js';
import { AttachmentEvent } from '../../models/event.js';
import { FileNotScannable, type Scanner, type Verdict } from '../../scanning/scanner.js';
import { holdLease } from '../leases/lease.js';
import { markDeleting, purgeAttachments, type Marked } from '../cleanup/purge-attachments.js';
import { recordChange, systemUserId } from '../history/record-change.js';

/**
 * Scans a row whose lease the caller has taken. A scanner that cannot be reached, or refuses the file, is thrown and leaves the
 * state as it is.
 */
export async function scanAttachment(
  services: Services & { scanner: Scanner },
  row: Attachment,
  signal: AbortSignal,
): Promise<void> {
  const lease = holdLease(services, row.id, row.leaseToken!, signal);
  try {
    const verdict = await services.scanner.scan(
      await services.blobs.read(row.blobKey),
      lease.signal,
    );
    await act(services, row, verdict);
  } catch (error) {
    // Deleted meanwhile.
    if (lease.lost()) return leave(services, row);
    // Tried again later, and not forgotten: the bytes may come back with a back-up.
    if (error instanceof BlobMissing) await services.blobs.check();
    if (error instanceof BlobMissing)
      throw new FileNotScannable('The file is missing from the blob store.');
    throw error;
  } finally {
    lease.stop();
  }
}

async function act(services: Services, row: Attachment, verdict: Verdict): Promise<void> {
  const { db, clock, settings, log } = services;
  const now = clock().toISOString();
  const marked = await db.write.transaction(async (trx): Promise<Marked[] | undefined> => {
    const [current] = await db.lockRows(
      Attachment.query(trx).where({ id: row.id, phase: 'kept', lease_token: row.leaseToken }),
    );
    if (!current) return undefined;
    const done = { leaseUntil: null, leaseToken: null, attempts: 0, updatedAt: now };
    const record = async (action: Change['action'], reason: string) => {
      if (!current.containerRef) return;
      await recordChange(
        trx,
        current.containerRef,
        await systemUserId(trx),
        [{ action, fileName: current.fileName, reason }],
        now,
      );
    };
    if (verdict.clean) {
      await Attachment.query(trx)
        .findById(row.id)
        .patch({ ...done, status: AttachmentStatus.scanned });
      await recordEvents(
        db,
        trx,
        [
          {
            kind: AttachmentEvent.scanned,
            attachment: current.$set({ status: AttachmentStatus.scanned }),
          },
        ],
        now,
      );
      return [];
    }
    const reason = verdict.signature;
    if (settings.scanAction === 'delete') {
      await record('attachmentInfected', reason);
      await recordEvents(
        db,
        trx,
        [{ kind: AttachmentEvent.deleted, attachment: current, reason }],
        now,
      );
      return markDeleting(services, trx, [current.$set({ leaseToken: null })]);
    }
    await Attachment.query(trx)
      .findById(row.id)
      .patch({ ...done, status: AttachmentStatus.quarantined });
    await record('attachmentQuarantined', reason);
    await recordEvents(
      db,
      trx,
      [
        {
          kind: AttachmentEvent.quarantined,
          attachment: current.$set({ status: AttachmentStatus.quarantined }),
          reason,
        },
      ],
      now,
    );
    return [];
  });
  if (!marked) return leave(services, row);
  if (!verdict.clean)
    log.warn(
      { attachment: row.id, signature: verdict.signature, action: settings.scanAction },
      'the virus scan found something',
    );
  await purgeAttachments(services, marked);
}

/** Deleted under our lease, the row was left to us. */
async function leave(services: Services, row: Attachment): Promise<void> {
  const current = await Attachment.query(services.db.write).findById(row.id);
  if (current?.phase === 'deleting' && current.leaseToken === row.leaseToken)
    await purgeAttachments(services, [current]);
}

/** Puts deleted attachments into the trash, or marks them for their removal. */
import type { Knex } from 'knex';
import type { Services } from '../../../context.js';
import { chunks } from '../../../database/batches.js';
import { Attachment, AttachmentStatus } from '../../../models/attachment.js';
import { markDeleting, type MarkedAttachment } from './purge-attachments.js';

const DAY_MS = 86_400_000;

type TrashNeeds = Pick<Services, 'blobs' | 'db' | 'log' | 'clock' | 'settings'>;

/**
 * Prepared uploads, files without a container and files in quarantine are never kept.
 * @param trx the transaction that deletes the rows, which it has locked
 * @returns rows for `purgeAttachments`, to be called after the transaction
 */
export async function discardAttachments(
  dependencies: TrashNeeds,
  trx: Knex,
  rows: readonly Attachment[],
  deletedBy: { id: number },
): Promise<MarkedAttachment[]> {
  const isKept = (row: Attachment) =>
    dependencies.settings.trashDays > 0 && row.containerRef !== undefined && canBeKept(row);
  await keepInTrash(dependencies, trx, rows.filter(isKept), deletedBy);
  return markDeleting(
    dependencies,
    trx,
    rows.filter((row) => !isKept(row)),
  );
}

const canBeKept = ({ status }: Attachment): boolean =>
  status !== AttachmentStatus.PREPARED && status !== AttachmentStatus.QUARANTINED;

async function keepInTrash(
  { clock, settings }: TrashNeeds,
  trx: Knex,
  rows: readonly Attachment[],
  { id }: { id: number },
): Promise<void> {
  const now = clock();
  for (const batch of chunks(rows))
    await Attachment.query(trx)
      .patch({
        phase: 'deleted',
        deletedAt: now.toISOString(),
        deletedById: id,
        purgeAt: new Date(now.getTime() + settings.trashDays * DAY_MS).toISOString(),
        deletedProjectId: Attachment.raw('project_id') as never,
        updatedAt: now.toISOString(),
        // Its bytes wait for no scan, and its key can be used again.
        leaseUntil: null,
        leaseToken: null,
        attempts: 0,
        uploadKey: null,
      })
      .whereIn(
        'id',
        batch.map((row) => row.id),
      );
}

/** What a row has that is not in the trash. */
export const NOT_DELETED = {
  deletedAt: null,
  deletedById: null,
  purgeAt: null,
  deletedProjectId: null,
  replacedById: null,
} as const;

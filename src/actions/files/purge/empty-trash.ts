/** Removes what is in the trash: of a project at once, or what has been there long enough. */
import type { Knex } from 'knex';
import type { QueryBuilder } from 'objection';
import type { Services } from '../../../context.js';
import { Attachment } from '../../../models/attachment.js';
import { markDeleting, purgeAttachments } from './purge-attachments.js';

type EmptyNeeds = Pick<Services, 'blobs' | 'db' | 'log' | 'clock' | 'settings'>;

/** Rows per transaction. */
const EMPTIED_AT_ONCE = 200;

/**
 * All that a project's trash has now. What is deleted meanwhile stays there.
 * The background work removes most of the bytes. @returns the number of files
 */
export function emptyTrashOf(dependencies: EmptyNeeds, projectId: number): Promise<number> {
  const now = dependencies.clock().toISOString();
  return removeAll(dependencies, (knex) =>
    inTrash(knex)
      .where('deleted_project_id', projectId)
      .where('deleted_at', '<=', now)
      .orderBy('deleted_project_id'),
  );
}

/** Files whose time in the trash is over. */
export async function emptyOldTrash(
  dependencies: EmptyNeeds,
  { dryRun = false, signal }: { dryRun?: boolean; signal?: AbortSignal } = {},
): Promise<number> {
  const due = (knex: Knex) =>
    inTrash(knex)
      .whereNotNull('purge_at')
      .where('purge_at', '<=', dependencies.clock().toISOString());
  return dryRun
    ? due(dependencies.db.read).resultSize()
    : removeAll(dependencies, (knex) => due(knex).orderBy('purge_at'), signal);
}

const inTrash = (knex: Knex) => Attachment.query(knex).where('phase', 'deleted');

async function removeAll(
  dependencies: EmptyNeeds,
  rowsOf: (knex: Knex) => QueryBuilder<Attachment>,
  signal?: AbortSignal,
): Promise<number> {
  const { db } = dependencies;
  let removed = 0;
  for (;;) {
    const found = await rowsOf(db.write).select('id').limit(EMPTIED_AT_ONCE);
    if (found.length === 0 || signal?.aborted) return removed;
    const ids = found.map(({ id }) => id);
    const marked = await db.write.transaction(async (trx) => {
      // Others may have restored some of them.
      const rows = await db.lockRows(inTrash(trx).whereIn('id', ids).orderBy('id'));
      removed += rows.length;
      return markDeleting(dependencies, trx, rows);
    });
    await purgeAttachments(dependencies, marked);
  }
}

/** Reads and locks the attachments that a request names: all of them, or none. */
import { isDeepStrictEqual } from 'node:util';
import type { Knex } from 'knex';
import type { Context } from '../../../context.js';
import { InvalidQuery, MissingPermission, NotFound } from '../../../contract/errors.js';
import { MAX_CHANGED_ATTACHMENTS } from '../../../contract/limits.js';
import type { MaybePromise } from '../../../concurrency/maybe-promise.js';
import { Attachment, AttachmentStatus } from '../../../models/attachment.js';
import { can } from '../../../policies/can.js';
import { find } from '../../../policies/find.js';
import { whyRefused } from './open-content.js';

/** Ids from the request. `undefined` means an id that no row can have. */
export type RequestedIds = readonly (number | undefined)[];

/** @throws InvalidQuery */
export function demandFew(ids: RequestedIds): RequestedIds {
  if (ids.length === 0 || ids.length > MAX_CHANGED_ATTACHMENTS)
    throw new InvalidQuery(`Give 1 to ${MAX_CHANGED_ATTACHMENTS} ids of attachments.`, 'ids');
  return ids;
}

/**
 * The attachments in the order of the request, each once.
 * @throws NotFound if one is missing or not visible
 * @throws MissingPermission if all are visible, and one is not allowed
 */
export async function chosenAttachments(
  context: Context,
  ids: RequestedIds,
  allowed: (row: Attachment) => MaybePromise<boolean>,
): Promise<Attachment[]> {
  const known = ids.filter((id) => id !== undefined);
  const rows = await find.attachment.many(context, known);
  const byId = new Map(rows.map((row) => [row.id, row]));
  if (ids.some((id) => id === undefined || !byId.has(id))) throw new NotFound();
  const chosen = [...new Set(known)].flatMap((id) => byId.get(id) ?? []);
  for (const row of chosen) if (!(await allowed(row))) throw new MissingPermission();
  return chosen;
}

/** Whether the caller may delete an attachment where it is. */
export const mayDelete = (context: Context, row: Attachment) =>
  can.deleteAttachment(context, row, row.containerRef?.type, row.knownContainer);

/**
 * Locks what `chosenAttachments` has read, in the order of the ids.
 * @returns the rows in the order of the request; undefined if one was changed: read them again
 * @throws NotFound if one is gone
 */
export async function lockChosen(
  { db }: Context,
  trx: Knex,
  chosen: readonly Attachment[],
): Promise<Attachment[] | undefined> {
  const ids = chosen.map(({ id }) => id);
  const rows = await db.lockRows(
    Attachment.query(trx).whereIn('id', ids).where('phase', 'kept').orderBy('id'),
  );
  const locked = new Map(rows.map((row) => [row.id, row]));
  if (locked.size < chosen.length) throw new NotFound();
  return chosen.every((row) => isDeepStrictEqual(readOf(row), readOf(locked.get(row.id))))
    ? chosen.flatMap(({ id }) => locked.get(id) ?? [])
    : undefined;
}

/** What the permission was decided by, and which bytes it was decided for. */
const readOf = (row: Attachment | undefined) =>
  row && { status: row.status, container: row.containerRef, blobKey: row.blobKey };

/**
 * @throws NotFound for a prepared upload, which has no content yet
 * @throws MissingPermission for a file in quarantine
 */
export function demandFinished(chosen: readonly Attachment[]): void {
  for (const row of chosen) {
    if (row.status === AttachmentStatus.PREPARED) throw new NotFound();
    if (row.status === AttachmentStatus.QUARANTINED) throw new MissingPermission(whyRefused(row));
  }
}

/** Claims unclaimed attachments for a container. */
import type { Knex } from 'knex';
import { columnOf, containerKinds } from '../../../contract/container-kinds.js';
import type { Context } from '../../../context.js';
import type { Violation } from '../../../contract/errors.js';
import { recordEvents } from '../../../events/record.js';
import { Attachment, AttachmentStatus } from '../../../models/attachment.js';
import type { Change } from '../../../models/activity.js';
import type { ContainerType } from '../../../models/container.js';
import { AttachmentEvent } from '../../../models/event.js';
import { visible } from '../../../policies/visible.js';
import { chunks } from '../../../database/batches.js';
import { checkContainerRoom } from './check-container-room.js';
import { bytesOf, checkProjectRoom } from './check-project-room.js';
import type { MarkedAttachment } from '../purge/purge-attachments.js';
import { discardAttachments } from '../purge/trash.js';
import { placedIn, type Place } from './placed-in.js';

interface Claim {
  type: ContainerType;
  /** Id of the container. Absent while the container is being created. */
  id?: number;
  /** Ids from the request. `undefined` means an id that no row can have. */
  requestedIds: readonly (number | undefined)[];
}

/** The result of `checkClaim`; valid as long as its transaction holds the locks. */
interface CheckedClaim {
  violations: Violation[];
  /** The requested attachments that have no container yet. */
  unclaimed: Attachment[];
  /** Ids of all requested attachments. */
  requested: ReadonlySet<number>;
}

export const emptyClaim: CheckedClaim = {
  violations: [],
  unclaimed: [],
  requested: new Set(),
};

interface ClaimResult {
  changes: Change[];
  /** Attachments to purge after the transaction. */
  removed: MarkedAttachment[];
}

/**
 * Checks whether the caller may claim the requested attachments, and locks them.
 * It writes nothing. Call it in the transaction that claims them.
 */
export async function checkClaim(
  context: Context,
  trx: Knex,
  { type, id, requestedIds }: Claim,
): Promise<CheckedClaim> {
  const key = containerKinds[type].foreignKey;
  const requested = new Set<number>();
  const unclaimed: Attachment[] = [];
  for (const batch of chunks([...new Set(requestedIds)])) {
    const rows = await lockAttachments(
      context,
      trx,
      batch.filter((one) => one !== undefined),
    );
    for (const one of batch) {
      const row = one === undefined ? undefined : rows.get(one);
      const problem = await problemOf(context, trx, row, row?.[key] === id);
      if (problem !== undefined)
        return { ...emptyClaim, violations: [{ attribute: 'attachments', message: problem }] };
    }
    for (const row of rows.values()) {
      requested.add(row.id);
      if (!row.containerRef) unclaimed.push(row);
    }
  }
  return { violations: [], unclaimed, requested };
}

/**
 * Claims the attachments that `checkClaim` found in the same transaction.
 * @throws PropertyConstraintViolation if the container would have too many
 * @param replace whether to remove all other attachments of the container
 */
export async function claimAttachments(
  context: Context,
  trx: Knex,
  {
    type,
    id,
    projectId,
    checked: { unclaimed, requested },
    replace,
  }: Place & { checked: CheckedClaim; replace: boolean },
): Promise<ClaimResult> {
  const place = placedIn({ type, id, projectId });
  const now = context.clock().toISOString();
  for (const row of unclaimed) {
    // A prepared upload keeps its expiry until it is complete.
    const expiresAt = row.status === AttachmentStatus.PREPARED ? row.expiresAt : null;
    await Attachment.query(trx)
      .findById(row.id)
      .patch({ ...place, expiresAt, updatedAt: now });
  }
  const claimed = unclaimed.filter(({ status }) => status !== AttachmentStatus.PREPARED);
  await recordEvents(
    context.db,
    trx,
    claimed.map((row) => ({
      kind: AttachmentEvent.CLAIMED,
      attachment: row.$set(place),
    })),
    now,
  );
  const removed = replace ? await lockOthers(context, trx, { type, id }, requested) : [];
  await recordEvents(
    context.db,
    trx,
    removed.map((attachment) => ({ kind: AttachmentEvent.DELETED, attachment })),
    now,
  );
  const marked = await discardAttachments(context, trx, removed, context.user);
  // They are in the database already. A container that is too full can keep or lose attachments.
  if (unclaimed.length > 0) await checkContainerRoom(context, trx, { type, id, adding: 0 });
  await checkProjectRoom(context, trx, projectId, bytesOf(unclaimed));
  return {
    removed: marked,
    changes: [
      ...claimed.map((row) => changeOf(row, 'attachmentAdded')),
      ...removed.map((row) => changeOf(row, 'attachmentRemoved')),
    ],
  };
}

/**
 * Locks the attachments that a claim will change.
 * Call it before the container row changes: every transaction locks attachments first.
 * Two transactions that lock in different orders would deadlock.
 */
export async function lockForClaim(
  context: Context,
  trx: Knex,
  { type, id, requestedIds }: Claim & { id: number },
): Promise<void> {
  const current = await Attachment.query(trx).select('id').where(columnOf(type), id);
  await lockRequested(context, trx, [...requestedIds, ...current.map((row) => row.id)]);
}

/** Locks requested attachments in the order of their ids, as every transaction does. */
export async function lockRequested(
  context: Context,
  trx: Knex,
  requestedIds: Claim['requestedIds'],
): Promise<void> {
  const ids = [...new Set(requestedIds)].filter((id) => id !== undefined).sort((a, b) => a - b);
  for (const batch of chunks(ids)) await lockAttachments(context, trx, batch);
}

async function lockAttachments(
  { db }: Context,
  trx: Knex,
  ids: readonly number[],
): Promise<Map<number, Attachment>> {
  if (ids.length === 0) return new Map();
  const rows = await db.lockRows(
    Attachment.query(trx)
      .whereIn('id', [...ids])
      .where('phase', 'kept')
      .orderBy('id'),
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** @returns the violation message; undefined if the caller may claim or keep the attachment */
async function problemOf(
  { user }: Context,
  trx: Knex,
  row: Attachment | undefined,
  inThisContainer: boolean,
): Promise<string | undefined> {
  if (!row) return 'Attachments does not exist.';
  if (inThisContainer && (row.status !== AttachmentStatus.PREPARED || row.authorId === user.id))
    return undefined;
  // A content that replaces another one never becomes a file of its own.
  const isFree = !row.containerRef && row.replacesId === null;
  if (isFree && !user.anonymous && row.authorId === user.id) return undefined;
  // Only users who can see it learn that the attachment belongs to another container.
  if (row.containerRef && (await visible.attachments(user, trx).findOne('attachments.id', row.id)))
    return 'Attachments cannot be changed.';
  return 'Attachments does not exist.';
}

async function lockOthers(
  { db }: Context,
  trx: Knex,
  { type, id }: { type: ContainerType; id: number },
  requested: ReadonlySet<number>,
): Promise<Attachment[]> {
  const all = await db.lockRows(
    Attachment.query(trx)
      .where({ [columnOf(type)]: id, phase: 'kept' })
      .whereNot('status', AttachmentStatus.PREPARED)
      .orderBy('id'),
  );
  return all.filter((row) => !requested.has(row.id));
}

const changeOf = ({ id, fileName }: Attachment, action: Change['action']): Change => ({
  action,
  fileName,
  attachmentDatabaseId: id,
});

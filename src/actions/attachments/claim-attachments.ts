/** Unclaimed attachments become a container's own (interface 1, facts 4.2). */
import { columnOf, containerKinds } from '../../contract/container-kinds.js';
import type { Knex } from 'knex';
import type { Context } from '../../context.js';
import type { Violation } from '../../contract/errors.js';
import { recordEvents } from '../../events/record.js';
import { Attachment, AttachmentStatus } from '../../models/attachment.js';
import type { Change } from '../../models/activity.js';
import type { ContainerType } from '../../models/container.js';
import { AttachmentEvent } from '../../models/event.js';
import { visible } from '../../policies/visible.js';
import { chunks } from '../../database/batches.js';
import { markDeleting, type Marked } from '../cleanup/purge-attachments.js';

export interface Claim {
  type: ContainerType;
  /** The container; absent where it is only made. */
  id?: number;
  /** The attachments that the request names; undefined ones never existed. */
  named: readonly (number | undefined)[];
}

/** What a claim comes to, as the rows were when they were locked. */
export interface CheckedClaim {
  violations: Violation[];
  /** Those of the named ones that have no container yet. */
  unclaimed: Attachment[];
  /** The named ones that may stay or come. */
  kept: ReadonlySet<number>;
}

export const noClaim: CheckedClaim = { violations: [], unclaimed: [], kept: new Set() };

export interface Claimed {
  changes: Change[];
  /** To be purged after the transaction. */
  removed: Marked[];
}

/** Whether the caller may claim what a request names, within the transaction that will: it writes nothing. */
export async function checkClaim(
  context: Context,
  trx: Knex,
  { type, id, named }: Claim,
): Promise<CheckedClaim> {
  const key = containerKinds[type].foreignKey;
  const kept = new Set<number>();
  const unclaimed: Attachment[] = [];
  for (const some of chunks([...new Set(named)])) {
    const rows = await locked(
      context,
      trx,
      some.filter((one) => one !== undefined),
    );
    for (const one of some) {
      const problem = await problemOf(context, trx, rows.get(one ?? 0), (row) => row[key] === id);
      if (problem !== undefined)
        return { ...noClaim, violations: [{ attribute: 'attachments', message: problem }] };
    }
    for (const row of rows.values()) {
      kept.add(row.id);
      if (!row.containerRef) unclaimed.push(row);
    }
  }
  return { violations: [], unclaimed, kept };
}

/**
 * Claims what was judged in the same transaction.
 * @param replace what is kept is the complete new set: the others of the container are removed
 */
export async function claimAttachments(
  context: Context,
  trx: Knex,
  {
    type,
    id,
    checked: { unclaimed, kept },
    replace,
  }: { type: ContainerType; id: number; checked: CheckedClaim; replace: boolean },
): Promise<Claimed> {
  const key = containerKinds[type].foreignKey;
  const now = context.clock().toISOString();
  for (const row of unclaimed) {
    // A prepared upload keeps its expiry until it is complete.
    const expiresAt = row.status === AttachmentStatus.prepared ? row.expiresAt : null;
    await Attachment.query(trx)
      .findById(row.id)
      .patch({ [key]: id, expiresAt, updatedAt: now });
  }
  const claimed = unclaimed.filter(({ status }) => status !== AttachmentStatus.prepared);
  await recordEvents(
    context.db,
    trx,
    claimed.map((row) => ({
      kind: AttachmentEvent.claimed,
      attachment: row.$set({ [key]: id }),
    })),
    now,
  );
  const others = replace ? await othersOf(context, trx, type, id, kept) : [];
  await recordEvents(
    context.db,
    trx,
    others.map((attachment) => ({ kind: AttachmentEvent.deleted, attachment })),
    now,
  );
  return {
    removed: await markDeleting(context, trx, others),
    changes: [
      ...claimed.map(({ fileName }): Change => ({ action: 'attachmentAdded', fileName })),
      ...others.map(({ fileName }): Change => ({ action: 'attachmentRemoved', fileName })),
    ],
  };
}

/**
 * Locks what a claim will touch. To be called before the container itself is changed: everybody else locks attachments first, and
 * two who lock in different orders wait for each other.
 */
export async function lockForClaim(
  context: Context,
  trx: Knex,
  { type, id, named }: Claim & { id: number },
): Promise<void> {
  const here = await Attachment.query(trx).select('id').where(columnOf(type), id);
  await lockNamed(context, trx, [...named, ...here.map((row) => row.id)]);
}

/** The same of what a new container will claim: in the order of ids, like everybody. */
export async function lockNamed(context: Context, trx: Knex, named: Claim['named']): Promise<void> {
  for (const some of chunks(
    [...new Set(named)].filter((one) => one !== undefined).sort((a, b) => a - b),
  ))
    await locked(context, trx, some);
}

async function locked(
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

async function problemOf(
  { user }: Context,
  trx: Knex,
  row: Attachment | undefined,
  isHere: (row: Attachment) => boolean,
): Promise<string | undefined> {
  if (row && isHere(row) && (row.status !== AttachmentStatus.prepared || row.authorId === user.id))
    return undefined;
  if (row && !row.containerRef && !user.anonymous && row.authorId === user.id) return undefined;
  // Another container's attachment may be named as such only to people who see it.
  if (row?.containerRef && (await visible.attachments(user, trx).findOne('attachments.id', row.id)))
    return 'Attachments cannot be changed.';
  return 'Attachments does not exist.';
}

async function othersOf(
  { db }: Context,
  trx: Knex,
  type: ContainerType,
  id: number,
  keep: ReadonlySet<number>,
): Promise<Attachment[]> {
  const all = await db.lockRows(
    Attachment.query(trx)
      .where({ [columnOf(type)]: id, phase: 'kept' })
      .whereNot('status', AttachmentStatus.prepared)
      .orderBy('id'),
  );
  return all.filter((row) => !keep.has(row.id));
}

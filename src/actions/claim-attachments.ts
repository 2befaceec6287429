/** Unclaimed attachments become a container's own (interface 1, facts 4.2). */
import type { Knex } from 'knex';
import type { Context } from '../context.js';
import { PropertyConstraintViolation } from '../errors.js';
import { Attachment, AttachmentStatus, containerKeys } from '../models/attachment.js';
import type { Change } from '../models/activity.js';
import type { ContainerType } from '../models/container.js';
import { columnOf, visible } from '../policies/visible.js';

export interface Claim {
  type: ContainerType;
  id: number;
  /** The attachments that the request names; undefined ones never existed. */
  named: readonly (number | undefined)[];
  /** The named ones are the complete new set: the others of the container are removed. */
  replace: boolean;
}

export interface Claimed {
  changes: Change[];
  /** Marked `deleting`; to be purged after the transaction. */
  removed: Attachment[];
}

/**
 * Claims within the transaction that creates or changes the container.
 * @throws PropertyConstraintViolation on `attachments`, before anything is written
 */
export async function claimAttachments(context: Context, trx: Knex, { type, id, named, replace }: Claim): Promise<Claimed> {
  const key = containerKeys[type];
  const now = context.clock().toISOString();
  const wanted = [...new Set(named)];
  const rows = await locked(context, trx, wanted.filter((one) => one !== undefined));
  for (const one of wanted) await judge(context, trx, rows.get(one ?? 0), (row) => row[key] === id);

  const unclaimed = [...rows.values()].filter((row) => !row.containerRef);
  for (const row of unclaimed) {
    // A prepared upload keeps its expiry until it is complete.
    const expiresAt = row.status === AttachmentStatus.prepared ? row.expiresAt : null;
    await Attachment.query(trx).findById(row.id).patch({ [key]: id, expiresAt, updatedAt: now });
  }
  const removed = replace ? await removeOthers(trx, type, id, [...rows.keys()], now) : [];
  return {
    removed,
    changes: [
      ...unclaimed.filter(({ status }) => status !== AttachmentStatus.prepared).map(({ fileName }): Change => ({ action: 'attachmentAdded', fileName })),
      ...removed.map(({ fileName }): Change => ({ action: 'attachmentRemoved', fileName })),
    ],
  };
}

async function locked({ db }: Context, trx: Knex, ids: readonly number[]): Promise<Map<number, Attachment>> {
  if (ids.length === 0) return new Map();
  const rows = await db.lockRows(Attachment.query(trx).whereIn('id', [...ids]).where('phase', 'kept').orderBy('id'));
  return new Map(rows.map((row) => [row.id, row]));
}

async function judge({ user }: Context, trx: Knex, row: Attachment | undefined, isHere: (row: Attachment) => boolean): Promise<void> {
  if (row && isHere(row)) return;
  if (row && !row.containerRef && !user.anonymous && row.authorId === user.id) return;
  // Another container's attachment may be named as such only to people who see it.
  if (row?.containerRef && (await visible.attachments(user, trx).findOne('attachments.id', row.id))) throw new PropertyConstraintViolation('Attachments cannot be changed.', 'attachments');
  throw new PropertyConstraintViolation('Attachments does not exist.', 'attachments');
}

async function removeOthers(trx: Knex, type: ContainerType, id: number, keep: number[], now: string): Promise<Attachment[]> {
  const others = await Attachment.query(trx).where({ [columnOf(type)]: id, phase: 'kept' }).whereNot('status', AttachmentStatus.prepared).whereNotIn('id', keep);
  if (others.length > 0) await Attachment.query(trx).whereIn('id', others.map((row) => row.id)).patch({ phase: 'deleting', updatedAt: now });
  return others;
}

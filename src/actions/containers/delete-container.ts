/** Deletes a container with everything that belongs to it. */
import type { Knex } from 'knex';
import type { Context } from '../../context.js';
import { columnOf } from '../../contract/container-kinds.js';
import { NotFound } from '../../contract/errors.js';
import { chunks } from '../../database/batches.js';
import { recordEvents } from '../../events/record.js';
import { Activity } from '../../models/activity.js';
import { Attachment, AttachmentStatus } from '../../models/attachment.js';
import type { ContainerRecord, ContainerType } from '../../models/container.js';
import { AttachmentEvent } from '../../models/event.js';
import { FileLink } from '../../models/file-link.js';
import { can, demand } from '../../policies/can.js';
import { find } from '../../policies/find.js';
import { containers } from '../../policies/permissions.js';
import {
  markDeleting,
  purgeAttachments,
  type MarkedAttachment,
} from '../cleanup/purge-attachments.js';
import { lockFileLinks, removeFileLinks } from '../file-links/remove-file-links.js';

/** @throws NotFound, MissingPermission */
export async function deleteContainer(
  context: Context,
  type: ContainerType,
  id: number | undefined,
): Promise<ContainerRecord> {
  const container = await demand(await find.container(context, type, id), (row) =>
    can.edit(context, type, row),
  );
  const now = context.clock().toISOString();
  const removed = await context.db.write.transaction(async (trx) => {
    const lockLinks = () =>
      type === 'WorkPackage'
        ? lockFileLinks(context, FileLink.query(trx).where('work_package_id', container.id))
        : [];
    await lockLinks();
    const marked = await detachAttachments(context, trx, { type, id: container.id }, now);
    // Read again: links may have been added before the container was locked.
    await removeFileLinks(context, trx, await lockLinks(), { now });
    if ((await containers[type].model.query(trx).deleteById(container.id)) === 0)
      throw new NotFound();
    return marked;
  });
  await purgeAttachments(context, removed);
  return container;
}

interface ContainerRef {
  type: ContainerType;
  id: number;
}

/**
 * Marks all attachments of the container `deleting` and clears their container, including uploads
 * in progress. Like every transaction it locks the attachments before the container. It then
 * reads them again, because some may have been added in between.
 */
async function detachAttachments(
  context: Context,
  trx: Knex,
  { type, id }: ContainerRef,
  now: string,
): Promise<MarkedAttachment[]> {
  const rows = await lockAttachments(context, trx, { type, id });
  await context.db.lockRows(containers[type].model.query(trx).select('id').findById(id), {
    keys: true,
  });
  // Comments are deleted with their work package. The lock keeps new attachments away.
  if (type === 'WorkPackage')
    await context.db.lockRows(
      Activity.query(trx).select('id').where('work_package_id', id).orderBy('id'),
      { keys: true },
    );
  const known = new Set(rows.map((row) => row.id));
  const current = await lockAttachments(context, trx, { type, id });
  rows.push(...current.filter((row) => !known.has(row.id)));
  const visible = rows.filter(
    ({ phase, status }) => phase === 'kept' && status !== AttachmentStatus.prepared,
  );
  await recordEvents(
    context.db,
    trx,
    visible.map((attachment) => ({ kind: AttachmentEvent.deleted, attachment })),
    now,
  );
  return markDeleting(context, trx, rows, { detach: true });
}

/** Locks the attachments of a container, and of the comments of a work package. */
async function lockAttachments(
  { db }: Context,
  trx: Knex,
  { type, id }: ContainerRef,
): Promise<Attachment[]> {
  const rows = await db.lockRows(Attachment.query(trx).where(columnOf(type), id).orderBy('id'));
  if (type !== 'WorkPackage') return rows;
  const activities = await Activity.query(trx).select('id').where('work_package_id', id);
  for (const batch of chunks(activities.map((activity) => activity.id)))
    rows.push(
      ...(await db.lockRows(Attachment.query(trx).whereIn('activity_id', batch).orderBy('id'))),
    );
  return rows;
}

/** Removes a container with everything that belongs to it. */
import type { Knex } from 'knex';
import type { Context } from '../context.js';
import { NotFound } from '../errors.js';
import { Activity } from '../models/activity.js';
import { recordEvents } from '../events/record.js';
import { Attachment, AttachmentStatus } from '../models/attachment.js';
import type { ContainerRecord, ContainerType } from '../models/container.js';
import { EventKind } from '../models/event.js';
import { can, demand } from '../policies/can.js';
import { find } from '../policies/find.js';
import { containers } from '../policies/permissions.js';
import { columnOf } from '../policies/visible.js';
import { markDeleting, purgeAttachments, type Marked } from './purge-attachments.js';

/** @throws NotFound, MissingPermission */
export async function deleteContainer(context: Context, type: ContainerType, id: number | undefined): Promise<ContainerRecord> {
  const container = await demand(await find.container(context, type, id), (row) => can.edit(context, type, row));
  const now = context.clock().toISOString();
  const removed = await context.db.write.transaction(async (trx) => {
    const marked = await orphan(context, trx, type, container.id, now);
    if ((await containers[type].model.query(trx).deleteById(container.id)) === 0) throw new NotFound();
    return marked;
  });
  await purgeAttachments(context, removed);
  return container;
}

/** Marks every attachment of the container `deleting`, uploads in progress included, and takes it off the container. */
async function orphan(context: Context, trx: Knex, type: ContainerType, id: number, now: string): Promise<Marked[]> {
  const belonging = Attachment.query(trx).where(columnOf(type), id).orderBy('id');
  if (type === 'WorkPackage') belonging.orWhereIn('activity_id', Activity.query(trx).select('id').where('work_package_id', id));
  const rows = await context.db.lockRows(belonging);
  const visible = rows.filter(({ phase, status }) => phase === 'kept' && status !== AttachmentStatus.prepared);
  await recordEvents(context.db, trx, visible.map((attachment) => ({ kind: EventKind.deleted, attachment })), now);
  return markDeleting(context, trx, rows, { detach: true });
}

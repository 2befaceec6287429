/** Removes a container with everything that belongs to it. */
import { columnOf } from '../../contract/container-kinds.js';
import type { Knex } from 'knex';
import type { Context } from '../../context.js';
import { NotFound } from '../../contract/errors.js';
import { Activity } from '../../models/activity.js';
import { recordEvents } from '../../events/record.js';
import { Attachment, AttachmentStatus } from '../../models/attachment.js';
import type { ContainerRecord, ContainerType } from '../../models/container.js';
import { AttachmentEvent } from '../../models/event.js';
import { FileLink } from '../../models/file-link.js';
import { can, demand } from '../../policies/can.js';
import { find } from '../../policies/find.js';
import { containers } from '../../policies/permissions.js';
import { chunks } from '../../database/batches.js';
import { markDeleting, purgeAttachments, type Marked } from '../cleanup/purge-attachments.js';
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
    const links = () =>
      type === 'WorkPackage'
        ? lockFileLinks(context, FileLink.query(trx).where('work_package_id', container.id))
        : [];
    await links();
    const marked = await orphan(context, trx, type, container.id, now);
    // Those that were added before the container was locked as well.
    await removeFileLinks(context, trx, await links(), { now });
    if ((await containers[type].model.query(trx).deleteById(container.id)) === 0)
      throw new NotFound();
    return marked;
  });
  await purgeAttachments(context, removed);
  return container;
}

/**
 * Marks every attachment of the container `deleting`, uploads in progress included, and takes it off the container. The attachments
 * are locked before the container, as everywhere; those that were added in between are looked for again.
 */
async function orphan(
  context: Context,
  trx: Knex,
  type: ContainerType,
  id: number,
  now: string,
): Promise<Marked[]> {
  const rows = await belonging(context, trx, type, id);
  await context.db.lockRows(containers[type].model.query(trx).select('id').findById(id), {
    keys: true,
  });
  // Comments go with their work package: nothing may be attached to one from now on.
  if (type === 'WorkPackage')
    await context.db.lockRows(
      Activity.query(trx).select('id').where('work_package_id', id).orderBy('id'),
      { keys: true },
    );
  const known = new Set(rows.map((row) => row.id));
  rows.push(...(await belonging(context, trx, type, id)).filter((row) => !known.has(row.id)));
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

async function belonging(
  { db }: Context,
  trx: Knex,
  type: ContainerType,
  id: number,
): Promise<Attachment[]> {
  const rows = await db.lockRows(Attachment.query(trx).where(columnOf(type), id).orderBy('id'));
  if (type !== 'WorkPackage') return rows;
  const activities = await Activity.query(trx).select('id').where('work_package_id', id);
  for (const some of chunks(activities.map((activity) => activity.id)))
    rows.push(
      ...(await db.lockRows(Attachment.query(trx).whereIn('activity_id', some).orderBy('id'))),
    );
  return rows;
}

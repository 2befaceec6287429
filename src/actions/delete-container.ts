/** Removes a container with everything that belongs to it. */
import type { Knex } from 'knex';
import type { Context } from '../context.js';
import { NotFound } from '../errors.js';
import { Activity } from '../models/activity.js';
import { Attachment } from '../models/attachment.js';
import type { ContainerRecord, ContainerType } from '../models/container.js';
import { can, demand } from '../policies/can.js';
import { find } from '../policies/find.js';
import { containers } from '../policies/permissions.js';
import { columnOf } from '../policies/visible.js';
import { purgeAttachments } from './purge-attachments.js';

/** @throws NotFound, MissingPermission */
export async function deleteContainer(context: Context, type: ContainerType, id: number | undefined): Promise<ContainerRecord> {
  const container = await demand(await find.container(context, type, id), (row) => can.edit(context, type, row));
  const now = context.clock().toISOString();
  const removed = await context.db.write.transaction(async (trx) => {
    const marked = await orphan(trx, type, container.id, now);
    if ((await containers[type].model.query(trx).deleteById(container.id)) === 0) throw new NotFound();
    return marked;
  });
  await purgeAttachments(context, removed);
  return container;
}

/** Marks every attachment of the container `deleting`, uploads in progress included, and takes it off the container. */
async function orphan(trx: Knex, type: ContainerType, id: number, now: string): Promise<Attachment[]> {
  const belonging = () => {
    const query = Attachment.query(trx).where(columnOf(type), id);
    return type === 'WorkPackage' ? query.orWhereIn('activity_id', Activity.query(trx).select('id').where('work_package_id', id)) : query;
  };
  const marked = await belonging();
  const detached = { phase: 'deleting' as const, leaseUntil: null, updatedAt: now, workPackageId: null, activityId: null, meetingId: null, postId: null, wikiPageId: null };
  if (marked.length > 0) await belonging().patch(detached);
  return marked.filter(({ phase }) => phase === 'kept');
}

/** Deletes a container with everything that belongs to it. */
import type { Knex } from 'knex';
import type { QueryBuilder } from 'objection';
import type { Context } from '../../../context.js';
import { columnOf } from '../../../contract/container-kinds.js';
import { NotFound } from '../../../contract/errors.js';
import { chunks } from '../../../database/batches.js';
import { recordEvents } from '../../../events/record.js';
import { Activity } from '../../../models/activity.js';
import { Attachment, AttachmentStatus } from '../../../models/attachment.js';
import type { ContainerRecord, ContainerType } from '../../../models/container.js';
import { AttachmentEvent, CommentEvent } from '../../../models/event.js';
import { FileLink } from '../../../models/file-link.js';
import { can, demand } from '../../../policies/can.js';
import { find } from '../../../policies/find.js';
import { containers } from '../../../policies/permissions.js';
import { markDeleting, purgeAttachments } from '../../files/purge/purge-attachments.js';
import { lockFileLinks, removeFileLinks } from '../../storages/links/remove-file-links.js';

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
    const locked = await lockAll(context, trx, { type, id: container.id });
    if (!locked) return undefined;
    const { links, attachments } = locked;
    const deleted = attachments
      .filter(({ phase, status }) => phase === 'kept' && status !== AttachmentStatus.PREPARED)
      .map((attachment) => ({ kind: AttachmentEvent.DELETED, attachment }));
    const comments =
      container instanceof Activity ? [{ kind: CommentEvent.DELETED, comment: container }] : [];
    await recordEvents(context.db, trx, [...deleted, ...comments], now);
    const marked = await markDeleting(context, trx, attachments, { detach: true });
    await removeFileLinks(context, trx, links, { now });
    if ((await containers[type].model.query(trx).deleteById(container.id)) === 0)
      throw new NotFound();
    return marked;
  });
  if (!removed) return deleteContainer(context, type, id);
  await purgeAttachments(context, removed);
  return container;
}

interface ContainerRef {
  type: ContainerType;
  id: number;
}

/**
 * Locks a container and what belongs to it, uploads in progress included. Links and attachments
 * come before the container, and the container before its comments, as in every transaction.
 * @returns undefined if some were added before the container was locked: they would come too late
 */
async function lockAll(
  context: Context,
  trx: Knex,
  { type, id }: ContainerRef,
): Promise<{ links: FileLink[]; attachments: Attachment[] } | undefined> {
  const linksOf = () => FileLink.query(trx).where('work_package_id', id);
  const links = type === 'WorkPackage' ? await lockFileLinks(context, linksOf()) : [];
  const attachments = await lockAttachments(context, trx, { type, id });
  const { db } = context;
  // The locks keep new links and attachments away.
  await db.lockRows(containers[type].model.query(trx).select('id').findById(id), { keys: true });
  if (type === 'WorkPackage')
    await db.lockRows(Activity.query(trx).select('id').where('work_package_id', id).orderBy('id'), {
      keys: true,
    });
  const added = [
    ...(type === 'WorkPackage' ? othersThan(links, await linksOf().select('id')) : []),
    ...othersThan(attachments, await attachmentsOf(trx, { type, id }, (rows) => rows.select('id'))),
  ];
  return added.length > 0 ? undefined : { links, attachments };
}

function othersThan<M extends { id: number }>(known: readonly M[], current: readonly M[]): M[] {
  const ids = new Set(known.map(({ id }) => id));
  return current.filter(({ id }) => !ids.has(id));
}

/** Locks the attachments of a container, and of the comments of a work package. */
const lockAttachments = ({ db }: Context, trx: Knex, container: ContainerRef) =>
  attachmentsOf(trx, container, (rows) => db.lockRows(rows.orderBy('id')));

async function attachmentsOf(
  trx: Knex,
  { type, id }: ContainerRef,
  read: (rows: QueryBuilder<Attachment>) => QueryBuilder<Attachment>,
): Promise<Attachment[]> {
  const rows = await read(Attachment.query(trx).where(columnOf(type), id));
  if (type !== 'WorkPackage') return rows;
  const activities = await Activity.query(trx).select('id').where('work_package_id', id);
  for (const batch of chunks(activities.map((activity) => activity.id)))
    rows.push(...(await read(Attachment.query(trx).whereIn('activity_id', batch))));
  return rows;
}

/** Records changes of attachments in the histories of several containers. */
import type { Knex } from 'knex';
import type { Context } from '../../../context.js';
import { containerTypes, type ContainerType } from '../../../contract/container-kinds.js';
import { NotFound } from '../../../contract/errors.js';
import { Activity, type Change } from '../../../models/activity.js';
import { containers } from '../../../policies/permissions.js';
import { recordChange } from '../../base/history/record-change.js';

export interface ContainerChange {
  container: { type: ContainerType; id: number };
  change: Change;
}

/**
 * Each container gets its changes as one entry. Attachments are locked before.
 * @throws NotFound if a container is deleted
 */
export async function recordChanges(
  { db }: Pick<Context, 'db'>,
  trx: Knex,
  changes: readonly ContainerChange[],
  { authorId, now }: { authorId: number; now: string },
): Promise<void> {
  const ofContainer = new Map<string, ContainerChange['container'] & { changes: Change[] }>();
  for (const { container, change } of changes) {
    const key = `${container.type} ${container.id}`;
    const known = ofContainer.get(key);
    if (known) known.changes.push(change);
    else ofContainer.set(key, { ...container, changes: [change] });
  }
  const all = [...ofContainer.values()];
  if (all.length > 1) await lockContainers({ db }, trx, all);
  for (const { changes: recorded, ...container } of all)
    await recordChange(db, trx, container, { authorId, changes: recorded, now });
}

/**
 * In the order of all transactions: comments are the last, and their work packages come first.
 * Call it before a row is written that refers to one of them.
 * @throws NotFound if one is deleted
 */
export async function lockContainers(
  { db }: Pick<Context, 'db'>,
  trx: Knex,
  all: readonly ContainerChange['container'][],
): Promise<void> {
  const idsOf = (type: ContainerType) => all.flatMap((one) => (one.type === type ? one.id : []));
  const comments = await Activity.query(trx).whereIn('id', idsOf('Activity'));
  const lock = async (type: ContainerType, ids: readonly number[]) => {
    if (ids.length === 0) return;
    const rows = await db.lockRows(
      containers[type].model
        .query(trx)
        .select('id')
        .whereIn('id', [...ids])
        .orderBy('id'),
    );
    if (rows.length < new Set(ids).size) throw new NotFound();
  };
  await lock('WorkPackage', [
    ...idsOf('WorkPackage'),
    ...comments.map(({ workPackageId }) => workPackageId),
  ]);
  for (const type of containerTypes)
    if (type !== 'WorkPackage' && type !== 'Activity') await lock(type, idsOf(type));
  await lock('Activity', idsOf('Activity'));
}

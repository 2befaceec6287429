/** Records changes of attachments and file links in the history of their container. */
import type { Knex } from 'knex';
import { Activity, ActivityKind, type Change } from '../../models/activity.js';
import type { ContainerType } from '../../models/container.js';
import { timestamps } from '../../models/record.js';
import { SYSTEM_LOGIN, User } from '../../models/user.js';
import { WorkPackage } from '../../models/work-package.js';
import { containers } from '../../policies/permissions.js';
import { chunks } from '../../database/batches.js';
import { insertInto } from '../../database/fixed-writes.js';

/** A work package gets one activity with all changes. Other kinds only get a new `updatedAt`. */
export async function recordChange(
  trx: Knex,
  container: { type: ContainerType; id: number },
  authorId: number,
  changes: Change[],
  now: string,
): Promise<void> {
  if (changes.length === 0) return;
  if (container.type === 'WorkPackage')
    return recordWorkPackageChanges(trx, new Map([[container.id, changes]]), authorId, now);
  await containers[container.type].model
    .query(trx)
    .findById(container.id)
    .patch({ updatedAt: now });
}

/**
 * The same as SQL for `FixedWrites`. It needs the values of `changeValues`.
 * @param condition SQL; nothing is recorded unless it holds
 */
export function changeTexts(type: ContainerType, condition: string): string[] {
  const { tableName } = containers[type].model;
  const touch = `update ${tableName} set updated_at = :now where id = :container and ${condition}`;
  if (type !== 'WorkPackage') return [touch];
  const row = {
    work_package_id: ':container',
    author_id: ':author',
    kind: `'${ActivityKind.system}'`,
    comment_text: "''",
    internal: 'false',
    changes: ':changes',
    created_at: ':now',
    updated_at: ':now',
  };
  return [insertInto(Activity.tableName, row, condition), touch];
}

export const changeValues = (
  container: { id: number } | undefined,
  author: number,
  changes: readonly Change[],
  now: string,
) => ({ container: container?.id ?? null, author, changes: JSON.stringify(changes), now });

/** @param changesById the changes of each work package, by its id */
export async function recordWorkPackageChanges(
  trx: Knex,
  changesById: ReadonlyMap<number, Change[]>,
  authorId: number,
  now: string,
): Promise<void> {
  for (const batch of chunks([...changesById])) {
    const activities = batch.map(([workPackageId, changes]) => ({
      workPackageId,
      authorId,
      kind: ActivityKind.system,
      commentText: '',
      internal: false,
      changes: JSON.stringify(changes),
      ...timestamps(now),
    }));
    await trx('activities').insert(
      activities.map((activity) => Activity.columnNameMappers.format(activity)),
    );
    const ids = batch.map(([id]) => id);
    await WorkPackage.query(trx).patch({ updatedAt: now }).whereIn('id', ids);
  }
}

/** Id of the user who authors the changes that the service makes itself. */
export const systemUserId = async (trx: Knex): Promise<number> =>
  (await User.query(trx).select('id').findOne({ login: SYSTEM_LOGIN }).throwIfNotFound()).id;

/** What happened to a container's attachments and links: an activity on a work package, a touch on every other kind (decisions 6). */
import type { Knex } from 'knex';
import { Activity, ActivityKind, type Change } from '../../models/activity.js';
import type { ContainerType } from '../../models/container.js';
import { timestamps } from '../../models/record.js';
import { SYSTEM_LOGIN, User } from '../../models/user.js';
import { WorkPackage } from '../../models/work-package.js';
import { containers } from '../../policies/permissions.js';
import { chunks } from '../../database/batches.js';

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

/** The changes of many work packages, by their ids. */
export async function recordWorkPackageChanges(
  trx: Knex,
  changes: ReadonlyMap<number, Change[]>,
  authorId: number,
  now: string,
): Promise<void> {
  for (const some of chunks([...changes])) {
    const activities = some.map(([workPackageId, itsChanges]) => ({
      workPackageId,
      authorId,
      kind: ActivityKind.system,
      commentText: '',
      internal: false,
      changes: itsChanges,
      ...timestamps(now),
    }));
    await trx('activities').insert(
      activities.map((activity) =>
        Activity.columnNameMappers.format({
          ...activity,
          changes: JSON.stringify(activity.changes),
        }),
      ),
    );
    await WorkPackage.query(trx)
      .patch({ updatedAt: now })
      .whereIn(
        'id',
        some.map(([id]) => id),
      );
  }
}

/** The author of what the service itself records. */
export const systemUserId = async (trx: Knex): Promise<number> =>
  (await User.query(trx).select('id').findOne({ login: SYSTEM_LOGIN }).throwIfNotFound()).id;

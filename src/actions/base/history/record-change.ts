/** Records changes of attachments and file links in the history of their container. */
import type { Knex } from 'knex';
import { Activity, ActivityKind, type Change } from '../../../models/activity.js';
import type { ContainerType } from '../../../models/container.js';
import { timestamps } from '../../../models/record.js';
import { SYSTEM_LOGIN, User } from '../../../models/user.js';
import { WorkPackage } from '../../../models/work-package.js';
import { containers } from '../../../policies/permissions.js';
import type { Database } from '../../../database/index.js';
import { chunks } from '../../../database/batches.js';
import { insertInto } from '../../../database/statements.js';
import { additions, notificationTexts, notificationValues, notify, turnTexts } from './notify.js';

export interface RecordedChange {
  authorId: number;
  changes: Change[];
  now: string;
  /** Whether people are notified of files that are added. Default: true. */
  notifies?: boolean | undefined;
}

/**
 * A work package gets one activity with all changes. Other kinds only get a new `updatedAt`. People
 * of the work package are notified of files that are added.
 */
export async function recordChange(
  db: Database,
  trx: Knex,
  container: { type: ContainerType; id: number },
  { authorId, changes, now, notifies = true }: RecordedChange,
): Promise<void> {
  if (changes.length === 0) return;
  if (notifies && additions(changes).length > 0)
    await db.statements.write(turnTexts(container.type), { container: container.id }, trx);
  if (container.type === 'WorkPackage')
    await recordWorkPackageChanges(db, trx, new Map([[container.id, changes]]), authorId, now);
  else
    await containers[container.type].model
      .query(trx)
      .findById(container.id)
      .patch({ updatedAt: now });
  if (notifies) await notify(db, trx, container, { authorId, changes, now });
}

/**
 * The same for a file that is added, as SQL of writes. It needs the values of
 * `changeValues`.
 * @param condition SQL; nothing is recorded unless it holds
 */
export const additionTexts = (db: Database, type: ContainerType, condition: string): string[] => [
  ...turnTexts(type),
  ...changeTexts(type, condition),
  ...notificationTexts(db, type, condition),
];

function changeTexts(type: ContainerType, condition: string): string[] {
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
) => ({
  container: container?.id ?? null,
  author,
  changes: JSON.stringify(changes),
  now,
  ...notificationValues(now),
});

/** @param changesById the changes of each work package, by its id */
export async function recordWorkPackageChanges(
  db: Database,
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
    // In the order of ids: two transactions can change the same work packages.
    if (ids.length > 1)
      await db.lockRows(WorkPackage.query(trx).select('id').whereIn('id', ids).orderBy('id'));
    await WorkPackage.query(trx).patch({ updatedAt: now }).whereIn('id', ids);
  }
}

/** Id of the user who authors the changes that the service makes itself. */
export const systemUserId = async (trx: Knex): Promise<number> =>
  (await User.query(trx).select('id').findOne({ login: SYSTEM_LOGIN }).throwIfNotFound()).id;

/** Records changes of attachments and file links in the history of their container. */
import type { Knex } from 'knex';
import { Activity, ActivityKind, type Change } from '../../../models/activity.js';
import type { ContainerType } from '../../../models/container.js';
import { SYSTEM_LOGIN, User } from '../../../models/user.js';
import { containers } from '../../../policies/permissions.js';
import type { Database } from '../../../database/index.js';
import { insertInto } from '../../../database/statements.js';
import { addedBy, notificationTexts, notificationValues, turnTexts, type Added } from './notify.js';

interface RecordedChange {
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
  { type, id }: { type: ContainerType; id: number },
  { authorId, changes, now, notifies = true }: RecordedChange,
): Promise<void> {
  if (changes.length === 0) return;
  const texts = changeTexts(db, type, notifies ? addedBy(changes) : undefined);
  await db.statements.write(texts, changeValues(id, authorId, changes, now), trx);
}

/**
 * The SQL of writes that record a change. It needs the values of `changeValues`.
 * @param added what people are notified of, if anything
 * @param condition SQL; nothing is recorded unless it holds
 */
export const changeTexts = (
  db: Database,
  type: ContainerType,
  added: Added | undefined,
  condition = 'true',
): string[] => [
  ...(added ? turnTexts(type) : []),
  ...historyTexts(type, condition),
  ...(added ? notificationTexts(db, type, added, condition) : []),
];

function historyTexts(type: ContainerType, condition = 'true'): string[] {
  const { tableName } = containers[type].model;
  const touch = `update ${tableName} set updated_at = :now where id = :container and ${condition}`;
  if (type !== 'WorkPackage') return [touch];
  const row = {
    work_package_id: ':container',
    author_id: ':author',
    kind: `'${ActivityKind.SYSTEM}'`,
    comment_text: "''",
    internal: 'false',
    changes: ':changes',
    created_at: ':now',
    updated_at: ':now',
  };
  return [insertInto(Activity.tableName, row, condition), touch];
}

export const changeValues = (
  container: number | undefined,
  author: number,
  changes: readonly Change[],
  now: string,
) => ({
  container: container ?? null,
  author,
  changes: JSON.stringify(changes),
  now,
  ...notificationValues(now),
});

/**
 * The same for many work packages, without notifications.
 * @param changesById the changes of each work package, by its id
 */
export async function recordWorkPackageChanges(
  db: Database,
  trx: Knex,
  changesById: ReadonlyMap<number, Change[]>,
  authorId: number,
  now: string,
): Promise<void> {
  const texts = historyTexts('WorkPackage');
  // In the order of ids: two transactions can change the same work packages.
  const inOrder = [...changesById].sort(([one], [other]) => one - other);
  await db.statements.writeAll(
    inOrder.flatMap(([id, changes]) => {
      const values = changeValues(id, authorId, changes, now);
      return texts.map((sql) => ({ sql, values }));
    }),
    trx,
  );
}

/** Id of the user who authors the changes that the service makes itself. */
export const systemUserId = async (trx: Knex): Promise<number> =>
  (await User.query(trx).select('id').findOne({ login: SYSTEM_LOGIN }).throwIfNotFound()).id;

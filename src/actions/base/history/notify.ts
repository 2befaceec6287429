/** Notifies people of a work package about files that somebody else adds to it. */
import { randomBytes } from 'node:crypto';
import type { Database } from '../../../database/index.js';
import { announcing } from '../../../events/record.js';
import { MAX_NOTIFIED_COMMENTERS, NOTIFICATION_MERGE_MS } from '../../../contract/limits.js';
import type { Change } from '../../../models/activity.js';
import type { ContainerType } from '../../../models/container.js';
import { NOTIFIED } from '../../../models/event.js';
import { containers, internalComments, storages } from '../../../policies/permissions.js';
import { heldBy } from '../../../policies/sql-conditions.js';

/** Where files are added, and what people need in the project to see them. */
interface Place {
  workPackage: string;
  /** The entry of the history that tells of the files. */
  activity: string;
  /** Whether the files are in an internal comment. */
  internal: string;
  needed: Parameters<typeof heldBy>[1];
}

const OF_COMMENT = '(select work_package_id from activities where id = :container)';

function placeOf(type: ContainerType, added: Added): Place | undefined {
  if (type === 'Activity')
    return {
      workPackage: OF_COMMENT,
      activity: ':container',
      internal: '(select internal from activities where id = :container)',
      needed: containers.Activity.view,
    };
  if (type !== 'WorkPackage') return undefined;
  return {
    workPackage: ':container',
    activity:
      '(select max(activities.id) from activities where activities.work_package_id = :container' +
      ' and activities.author_id = :author)',
    internal: 'false',
    needed: added === 'fileLinks' ? storages.view : containers.WorkPackage.view,
  };
}

/**
 * The SQL of writes. It needs the values of `changeValues`. It comes after `turnTexts` and the
 * entry in the history, in the same transaction.
 * @param condition SQL; nobody is notified unless it holds
 */
export function notificationTexts(
  db: Database,
  type: ContainerType,
  added: Added,
  condition: string,
): string[] {
  const place = placeOf(type, added);
  if (!place) return [];
  const { workPackage, activity, internal } = place;
  const recent = (table: string) =>
    `${table}.work_package_id = ${workPackage} and ${table}.actor_id = :author` +
    ` and ${table}.internal = ${internal} and ${table}.created_at > :mergedFrom`;
  return [
    `update notifications set read = false, activity_id = ${activity}, updated_at = :now` +
      ` where ${recent('notifications')} and exists (select 1 from users` +
      ` where users.id = notifications.user_id and ${seenBy('users', place)}) and ${condition}`,
    'insert into notifications (user_id, work_package_id, actor_id, activity_id, reason, internal,' +
      ` read, created_at, updated_at) ${peopleOf(place, recent)} and ${condition}`,
    announcing(db, eventsOf(place, condition)),
  ];
}

/**
 * Takes turns with others who add files to the work package. Otherwise both could make a
 * notification. It comes before the comment is written: work packages are locked before comments.
 */
export const turnTexts = (type: ContainerType): string[] =>
  type === 'Activity'
    ? [`update work_packages set updated_at = updated_at where id = ${OF_COMMENT}`]
    : [];

const commentsOf = (workPackage: string) =>
  `activities.work_package_id = ${workPackage} and activities.kind = 'comment'`;

/**
 * The person sees the files. The project does not depend on the person, so PostgreSQL reads only
 * memberships of this project.
 */
function seenBy(person: string, { workPackage, internal, needed }: Place): string {
  const project = `(select project_id from work_packages where id = ${workPackage})`;
  const isReader = heldBy(`${person}.id`, [internalComments], project);
  return (
    `(${person}.admin = true or (${heldBy(`${person}.id`, needed, project)}` +
    ` and (${internal} = false or ${isReader})))`
  );
}

const peopleOf = (place: Place, recent: (table: string) => string) => {
  const { workPackage, activity, internal } = place;
  return (
    `select people.id, work_packages.id, :author, ${activity},` +
    " case when people.id = work_packages.assignee_id then 'assigned'" +
    ` when exists (select 1 from activities where ${commentsOf(workPackage)}` +
    " and activities.author_id = people.id) then 'commented' else 'created' end," +
    ` ${internal}, false, :now, :now` +
    ` from (select assignee_id as user_id from work_packages where id = ${workPackage}` +
    ` union select author_id from work_packages where id = ${workPackage}` +
    ' union select author_id from (select distinct activities.author_id from activities' +
    ` where ${commentsOf(workPackage)} limit ${MAX_NOTIFIED_COMMENTERS}) as commenters)` +
    ' as involved join users as people on people.id = involved.user_id' +
    ` join work_packages on work_packages.id = ${workPackage}` +
    " where people.id <> :author and people.status = 'active' and people.anonymous = false" +
    ` and ${seenBy('people', place)} and not exists (select 1 from notifications as before` +
    ` where before.user_id = people.id and ${recent('before')})`
  );
};

/** One event for each notification that this change has made or renewed. */
const eventsOf = ({ workPackage }: Place, condition: string) =>
  'insert into events (delivery_id, kind, subject_type, subject_id, author_id, container_type,' +
  ' container_id, internal, project_id, dispatched, data, created_at, updated_at)' +
  ` select :batch || '-' || notifications.id, :notified, 'Notification', notifications.id,` +
  " notifications.user_id, 'WorkPackage', notifications.work_package_id, notifications.internal," +
  " work_packages.project_id, false, '{}', :now, :now" +
  ' from notifications join work_packages on work_packages.id = notifications.work_package_id' +
  ` where notifications.work_package_id = ${workPackage} and notifications.actor_id = :author` +
  ` and notifications.updated_at = :now and ${condition}`;

export const notificationValues = (now: string) => ({
  mergedFrom: new Date(Date.parse(now) - NOTIFICATION_MERGE_MS).toISOString(),
  notified: NOTIFIED,
  batch: randomBytes(12).toString('hex'),
});

/** What people are notified of. Fewer people see file links. */
export type Added = 'files' | 'fileLinks';

/** @returns undefined if the changes add nothing */
export function addedBy(changes: readonly Change[]): Added | undefined {
  const actions = new Set(changes.map(({ action }) => action));
  return actions.has('attachmentAdded') || actions.has('attachmentMovedHere')
    ? 'files'
    : actions.has('fileLinkAdded')
      ? 'fileLinks'
      : undefined;
}

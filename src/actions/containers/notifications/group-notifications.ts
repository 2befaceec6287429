/** Counts notifications of the caller by their reason or project. */
import type { Context } from '../../../context.js';
import { notificationConditions } from '../../../lists/notifications.js';
import { MAX_COUNTED } from '../../../contract/limits.js';
import { Notification } from '../../../models/notification.js';
import { checkedNotificationFilter, type NotificationQuery } from './list-notifications.js';

export enum NotificationColumn {
  REASON = 'reason',
  PROJECT = 'project',
}

/** The id of a project, or a reason. */
interface CountedGroup {
  value: string | number;
  count: number;
}

const columns: { [column in NotificationColumn]: string } = {
  reason: 'notifications.reason',
  project:
    '(select work_packages.project_id from work_packages' +
    ' where work_packages.id = notifications.work_package_id)',
};

/**
 * Only the newest of a large number of notifications are counted.
 * @throws MissingPermission, InvalidQuery
 */
export async function groupNotifications(
  context: Context,
  query: NotificationQuery,
  by: NotificationColumn,
): Promise<CountedGroup[]> {
  const filter = await checkedNotificationFilter(context, query);
  const { user, db } = context;
  const newest = Notification.query(db.read)
    .select(db.read.raw(`${columns[by]} as value`))
    .orderBy('notifications.id', 'desc')
    .limit(MAX_COUNTED);
  for (const { text, values } of notificationConditions(user, filter))
    newest.whereRaw(text, [...values] as string[]);
  return db.read
    .from(newest.toKnexQuery().as('newest'))
    .select('value')
    .count({ count: '*' })
    .groupBy('value')
    .orderBy('value');
}

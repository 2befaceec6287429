/** Lists the caller's notifications: filtered and sorted. */
import type { Database, Sql } from '../database/index.js';
import { Notification, type NotificationReason } from '../models/notification.js';
import type { User } from '../models/user.js';
import { bind } from '../policies/sql-conditions.js';
import { notificationScope } from '../policies/visible.js';
import { idColumn, sorted, type Column, type List } from './list.js';

export interface NotificationFilter {
  unread?: boolean | undefined;
  reasons?: readonly NotificationReason[] | undefined;
  workPackageIds?: readonly number[] | undefined;
  projectIds?: readonly number[] | undefined;
  ids?: readonly number[] | undefined;
}

export interface NotificationOrder {
  by: keyof typeof columns;
  descends: boolean;
}

const columns = {
  id: idColumn('notifications'),
  reason: { sql: 'notifications.reason', type: 'text', isIndexed: false },
  read: {
    sql: 'case when notifications.read then 1 else 0 end',
    type: 'number',
    isIndexed: false,
  },
} satisfies { [name: string]: Column };

export const notificationOrders = Object.keys(columns) as NotificationOrder['by'][];

export function notificationList(
  { user }: { db: Database; user: User },
  filter: NotificationFilter,
  orders: readonly NotificationOrder[],
): List<Notification> {
  const own = 'select notifications.id from notifications where notifications.user_id = ?';
  return {
    rows: (knex) => Notification.query(knex),
    filters: () => notificationConditions(user, filter),
    starts: [
      ...(filter.unread
        ? [[{ text: `${own} and not notifications.read`, values: [user.id] }]]
        : []),
      [{ text: own, values: [user.id] }],
    ],
    order: sorted(columns, orders, true),
  };
}

/** The conditions of the notifications that the caller sees and the filter selects. */
export function notificationConditions(
  user: User,
  { unread, reasons, workPackageIds, projectIds, ids }: NotificationFilter,
): Sql[] {
  const oneOf = (column: string, values: readonly (string | number)[] | undefined): Sql[] =>
    values
      ? [{ text: `${column} in (${values.map(() => '?').join(', ') || 'null'})`, values }]
      : [];
  return [
    bind(notificationScope(user), user),
    ...(unread === undefined
      ? []
      : [{ text: unread ? 'not notifications.read' : 'notifications.read', values: [] }]),
    ...oneOf('notifications.reason', reasons),
    ...oneOf('notifications.work_package_id', workPackageIds),
    ...oneOf('notifications.id', ids),
    ...oneOf(
      '(select work_packages.project_id from work_packages' +
        ' where work_packages.id = notifications.work_package_id)',
      projectIds,
    ),
  ];
}

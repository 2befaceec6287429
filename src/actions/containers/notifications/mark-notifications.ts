/** Marks notifications of the caller as read or unread. */
import type { Context } from '../../../context.js';
import { fieldWeights } from '../../../contract/field-weights.js';
import { notificationConditions } from '../../../lists/notifications.js';
import { Notification } from '../../../models/notification.js';
import { checkedNotificationFilter, type NotificationQuery } from './list-notifications.js';

/** Rows of one transaction. */
const MARKED_AT_ONCE = 1_000;

/**
 * @param query which ones; without filters, all
 * @returns how many have changed
 * @throws MissingPermission, InvalidQuery
 */
export async function markNotifications(
  context: Context,
  query: NotificationQuery,
  read: boolean,
): Promise<number> {
  context.budget?.takeFields(fieldWeights.marked);
  context.budget?.demand();
  const filter = await checkedNotificationFilter(context, query);
  if (filter.unread === !read) return 0;
  const { user, db, clock } = context;
  const conditions = notificationConditions(user, { ...filter, unread: read });
  const updatedAt = clock().toISOString();
  let changed = 0;
  for (;;) {
    const chosen = Notification.query(db.write).select('notifications.id').limit(MARKED_AT_ONCE);
    for (const { text, values } of conditions) chosen.whereRaw(text, [...values] as string[]);
    const marked = await Notification.query(db.write)
      .patch({ read, updatedAt })
      .whereIn('id', chosen);
    changed += marked;
    if (marked < MARKED_AT_ONCE) return changed;
  }
}

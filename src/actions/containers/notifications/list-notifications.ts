/** Checks the filters of the caller's notifications. */
import type { Context } from '../../../context.js';
import { MissingPermission } from '../../../contract/errors.js';
import type { NotificationFilter } from '../../../lists/notifications.js';
import type { NotificationReason } from '../../../models/notification.js';
import { visible } from '../../../policies/visible.js';
import { knownKeys, type Ids } from '../lists/known-keys.js';

export interface NotificationQuery {
  unread?: boolean | null | undefined;
  reasons?: readonly NotificationReason[] | null | undefined;
  workPackageIds?: Ids;
  projectIds?: Ids;
  ids?: Ids;
}

/**
 * @throws MissingPermission for anonymous callers
 * @throws InvalidQuery for ids that do not exist or are not visible
 */
export async function checkedNotificationFilter(
  context: Context,
  { unread, reasons, workPackageIds, projectIds, ids }: NotificationQuery,
): Promise<NotificationFilter> {
  const { user, db } = context;
  if (user.anonymous) throw new MissingPermission();
  return {
    unread: unread ?? undefined,
    reasons: reasons ?? undefined,
    ids: await knownKeys('Id', visible.notifications(user, db.read), ids),
    workPackageIds: await knownKeys(
      'Resource',
      visible.workPackages(user, db.read),
      workPackageIds,
    ),
    projectIds: await knownKeys('Project', visible.projects(user, db.read), projectIds),
  };
}

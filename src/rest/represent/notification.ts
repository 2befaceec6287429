/** Notifications as HAL documents. */
import type {
  GroupNotificationsQuery,
  NotificationHalFragment,
  ViewNotificationQuery,
} from '../generated/documents.js';
import { notificationMembers } from '../generated/members.js';
import { representContainer } from './container.js';
import { words } from '../documents/words.js';
import { paths } from './paths.js';
import { representProject } from './project.js';
import { representUser, type Reader } from './user.js';

export function representNotification(notification: NotificationHalFragment) {
  const { id, readIAN, actor, activity, workPackage } = notification;
  const { project } = workPackage;
  return {
    ...notificationMembers(notification),
    _embedded: { details: [] },
    _links: {
      self: { href: paths.notification(id) },
      ...(readIAN
        ? { unreadIAN: { href: paths.notificationUnread(id), method: 'post' } }
        : { readIAN: { href: paths.notificationRead(id), method: 'post' } }),
      actor: { href: paths.user(actor.id), title: actor.name },
      ...(activity && { activity: { href: paths.container('Activity', activity.id) } }),
      resource: {
        href: paths.container('WorkPackage', workPackage.id),
        title: workPackage.subject,
      },
      project: { href: paths.project(project.id), title: project.name },
    },
  };
}

/** One notification, with all that it is about. */
export function representNotificationWithEmbeds(
  reader: Reader,
  notification: NonNullable<ViewNotificationQuery['notification']>,
) {
  const { actor, activity, workPackage } = notification;
  const { _embedded, ...own } = representNotification(notification);
  return {
    ...own,
    _embedded: {
      ..._embedded,
      actor: representUser(reader, actor),
      project: representProject(reader.profile, workPackage.project),
      ...(activity && { activity: representContainer(activity) }),
      resource: representContainer(workPackage),
    },
  };
}

type Group = GroupNotificationsQuery['viewer']['notificationGroups'][number];

/** @param by the column of the groups, which has its own address for each value */
export const representGroup = ({ count, reason, project }: Group) => ({
  value: project?.name ?? (reason && words.notificationReason[reason]),
  count,
  _links: { valueLink: project ? [{ href: paths.project(project.id) }] : [] },
});

/** The e-mail about notifications. */
import type { Context } from '../../../context.js';
import type { Paragraph } from '../../../mail/letter.js';
import type { Say } from '../../../mail/words/index.js';
import type { Notification } from '../../../models/notification.js';
import { visible } from '../../../policies/visible.js';
import { addedFilesOf } from '../../containers/notifications/added-files.js';
import { unsubscribeAddress } from '../../people/mails/unsubscribe.js';
import type { Writer } from './writer.js';

/** Notifications of one e-mail, the newest ones. */
const MAX_TOLD = 20;
/** Names of files of one notification. */
const MAX_NAMES = 3;

/** Tells what the person has not read, and still sees. */
export const notificationLetter: Writer = async (context, { since }, say) => {
  const { user, db, base } = context;
  if (user.mailPreference === 'never') return undefined;
  const unread = await visible
    .notifications(user, db.read)
    .where('notifications.read', false)
    .where('notifications.updated_at', '>=', since)
    .orderBy('notifications.id', 'desc')
    .limit(MAX_TOLD + 1);
  const entries = await Promise.all(
    unread.slice(0, MAX_TOLD).map((notification) => entryOf(context, notification, say)),
  );
  const told = entries.filter((entry) => entry !== undefined);
  const [first] = told;
  if (!first) return undefined;
  const unsubscribe = unsubscribeAddress(context, user.id);
  return {
    subject: told.length === 1 ? first.subject : say('notifications.subjects'),
    paragraphs: [
      ...told.map(({ paragraph }) => paragraph),
      ...(unread.length > MAX_TOLD
        ? [{ text: say('notifications.others'), address: `${base.url}/notifications` }]
        : []),
      { text: say('notifications.why'), address: `${base.url}/account` },
      { text: say('notifications.stop'), address: unsubscribe },
    ],
    unsubscribe,
  };
};

async function entryOf(
  context: Context,
  notification: Notification,
  say: Say,
): Promise<{ subject: string; paragraph: Paragraph } | undefined> {
  const { loaders, base } = context;
  const { workPackageId, actorId } = notification;
  const [workPackage, actor, { totalCount, names }] = await Promise.all([
    loaders.containers.load({ type: 'WorkPackage', id: workPackageId }),
    loaders.users.load(actorId),
    addedFilesOf(context, notification),
  ]);
  // Files that were deleted since, or links that the person may not see.
  if (!workPackage || !('subject' in workPackage) || totalCount === 0) return undefined;
  const project = await loaders.projects.load(workPackage.projectId);
  const told = names.slice(0, MAX_NAMES);
  const files = told.join(', ');
  const work = String(workPackage.subject);
  return {
    subject: say('notifications.subject', { actor: actor.name, work }),
    paragraph: {
      text: say('notifications.entry', {
        actor: actor.name,
        files:
          totalCount > told.length
            ? say('notifications.and', { files, count: totalCount - told.length })
            : files,
        work,
        project: project.name,
      }),
      address: `${base.url}/work_packages/${workPackageId}`,
    },
  };
}

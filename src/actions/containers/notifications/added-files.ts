/** The files of which a notification tells. */
import type { Context } from '../../../context.js';
import type { AddedFiles } from '../../../models/added-files.js';
import type { Notification } from '../../../models/notification.js';
import { can } from '../../../policies/can.js';

/** Names of files that one notification has. */
const MAX_ADDED_NAMES = 10;

/** File links are among them only if the caller may view file links. */
export async function addedFilesOf(
  context: Context,
  notification: Notification,
): Promise<AddedFiles> {
  const entries = await context.loaders.addedFiles.load(notification);
  const linked = entries.find(({ activity }) => activity.mentionsFileLinks);
  const withLinks =
    linked !== undefined && (await can.viewFileLinks(context, linked.activity.projectId));
  const names = entries.flatMap(({ activity, fileNames }) => [
    ...activity.addedFileNames(withLinks),
    ...fileNames,
  ]);
  return { totalCount: names.length, names: names.slice(0, MAX_ADDED_NAMES) };
}

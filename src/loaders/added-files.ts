/** Loads the entries of the history that notifications tell of, with the names of their files. */
import DataLoader from 'dataloader';
import { NOTIFICATION_MERGE_MS } from '../contract/limits.js';
import { MAX_BATCH } from '../database/batches.js';
import { ActivityKind, type Activity } from '../models/activity.js';
import { AttachmentStatus } from '../models/attachment.js';
import type { Notification } from '../models/notification.js';
import { visible } from '../policies/visible.js';
import type { LoaderNeeds } from './needs.js';

interface Entry {
  activity: Activity;
  /** Of the attachments of a comment. */
  fileNames: string[];
}

export const addedFilesLoader = ({
  db,
  user,
}: LoaderNeeds): DataLoader<Notification, Entry[], number> =>
  new DataLoader(
    async (notifications) => {
      const activities = await visible
        .activities(user, db.read)
        .where((any) => {
          for (const { activityId, createdAt, workPackageId, actorId, internal } of notifications)
            void any.orWhere('activities.id', activityId).orWhere((some) => {
              void some
                .where({
                  'activities.work_package_id': workPackageId,
                  'activities.author_id': actorId,
                  'activities.internal': internal,
                })
                .where('activities.created_at', '>=', createdAt)
                .where('activities.created_at', '<', endOf(createdAt));
            });
        })
        .orderBy('activities.id');
      const comments = activities.filter(({ kind }) => kind === ActivityKind.COMMENT);
      const files =
        comments.length === 0
          ? []
          : await visible
              .attachments(user, db.read)
              .whereIn(
                'attachments.activity_id',
                comments.map(({ id }) => id),
              )
              .whereNot('attachments.status', AttachmentStatus.PREPARED)
              .orderBy('attachments.id');
      return notifications.map((one) =>
        activities
          .filter((activity) => isToldBy(one, activity))
          .map((activity) => ({
            activity,
            fileNames: files
              .filter(({ activityId }) => activityId === activity.id)
              .map(({ fileName }) => fileName),
          })),
      );
    },
    { cacheKeyFn: ({ id }) => id, maxBatchSize: MAX_BATCH },
  );

/** What is added later is another notification. */
const endOf = (createdAt: string): string =>
  new Date(Date.parse(createdAt) + NOTIFICATION_MERGE_MS).toISOString();

const isToldBy = (
  { activityId, createdAt, workPackageId, actorId, internal }: Notification,
  activity: Activity,
): boolean =>
  activity.id === activityId ||
  (activity.workPackageId === workPackageId &&
    activity.authorId === actorId &&
    activity.internal === internal &&
    activity.createdAt >= createdAt &&
    activity.createdAt < endOf(createdAt));

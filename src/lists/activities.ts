/** The history of work packages. */
import type { Activity } from '../models/activity.js';
import { containerColumns, visible } from '../policies/visible.js';
import { byCreation } from './list.js';
import { fixed } from './statement.js';

/** The visible history of visible work packages, oldest first. */
export const activities = fixed<Activity>({
  rows: (db, user) => visible.activities(user, db),
  columns: (db) => containerColumns(db, 'Activity'),
  parent: { column: 'activities.work_package_id', of: (row) => row.workPackageId },
  order: byCreation('activities', 'asc'),
  bytes: 'octet_length(comment_text)',
});

/** Loads the lists of attachments and activities. */
import { columnOf, containerKinds, containerTypes } from '../contract/container-kinds.js';
import type DataLoader from 'dataloader';
import type { Dependencies } from './dependencies.js';
import type { Activity } from '../models/activity.js';
import { Attachment } from '../models/attachment.js';
import type { ContainerType } from '../models/container.js';
import { columnsOf } from '../policies/prepared-read.js';
import { containerColumns, visible } from '../policies/visible.js';
import { connectionLoader, list, type List, type PageOf } from './pages-by-parent.js';
import { byCreation, creationList, type Page, type PageArguments } from './page.js';

/** The order of attachments in a container: by name for some kinds, by creation for the others. */
export const attachmentOrder = (type: ContainerType): readonly ('fileName' | 'id')[] =>
  containerKinds[type].order === 'fileName' ? ['fileName', 'id'] : ['id'];

/**
 * Columns that are needed only to process one attachment, such as to finalise or scan it. Lists do
 * not read them.
 */
const WORK_COLUMNS = ['staging_key', 'declared_digest', 'lease_token', 'attempts', 'expires_at'];

const attachmentLists = Object.fromEntries(
  containerTypes.map((type) => [
    type,
    list<Attachment>({
      rows: (db) => Attachment.query(db).where('phase', 'kept').whereNot('status', 'prepared'),
      columns: (db) =>
        columnsOf(db, Attachment.tableName, [
          ...WORK_COLUMNS,
          ...containerTypes.filter((other) => other !== type).map(columnOf),
        ]),
      parent: `attachments.${columnOf(type)}`,
      parentOf: (row) => row[containerKinds[type].foreignKey],
      order: attachmentOrder(type).map(
        (name) => `attachments.${name === 'id' ? 'id' : 'file_name'}`,
      ),
    }),
  ]),
) as { [type in ContainerType]: List<Attachment> };

/** Loads the complete attachments of visible containers. */
export function attachmentsLoader(
  needs: Dependencies,
): (type: ContainerType) => DataLoader<PageOf, Page<Attachment>, string> {
  const loaders = new Map<ContainerType, DataLoader<PageOf, Page<Attachment>, string>>();
  return (type) => {
    let loader = loaders.get(type);
    if (!loader) {
      loader = connectionLoader(attachmentLists[type], needs);
      loaders.set(type, loader);
    }
    return loader;
  };
}

/** Loads the visible history of visible work packages, oldest first. */
export const activitiesLoader = (needs: Dependencies) => connectionLoader(activities, needs);
const activities = list<Activity>({
  rows: (db, user) => visible.activities(user, db),
  columns: (db) => containerColumns(db, 'Activity'),
  parent: 'activities.work_package_id',
  parentOf: (row) => row.workPackageId,
  order: ['activities.id'],
  bytes: 'octet_length(comment_text)',
});

/** Loads all quarantined files, oldest first. Only for administrators. */
export const quarantineLoader = (needs: Dependencies) => ({
  load(page: PageArguments): Promise<Page<Attachment>> {
    const all = () =>
      Attachment.query(needs.db.read).where('phase', 'kept').whereRaw("status = 'quarantined'");
    return byCreation<Attachment>(needs, creationList(all, 'asc'), page);
  },
});

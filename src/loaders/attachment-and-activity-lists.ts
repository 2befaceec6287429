/** Loads the lists of attachments and activities. */
import { columnOf, containerKinds, containerTypes } from '../contract/container-kinds.js';
import type DataLoader from 'dataloader';
import type { Database, Values } from '../database/index.js';
import type { Dependencies } from './dependencies.js';
import type { Activity } from '../models/activity.js';
import { Attachment, type AttachmentStatus } from '../models/attachment.js';
import type { ContainerType } from '../models/container.js';
import { columnsOf } from '../policies/prepared-read.js';
import { containerColumns, visible } from '../policies/visible.js';
import { connectionLoader, list, type List, type PageOf } from './pages-by-parent.js';
import {
  byCreation,
  creationList,
  positionOf,
  type Bound,
  type Page,
  type PageArguments,
} from './page.js';

/** What attachments of a container are sorted by. The id is always the last column. */
export const attachmentOrders = ['id', 'fileName', 'fileSize', 'createdAt'] as const;
export type AttachmentOrder = (typeof attachmentOrders)[number];

/** The order of attachments in a container: by name for some kinds, by creation for the others. */
export const attachmentOrder = (type: ContainerType): AttachmentOrder =>
  containerKinds[type].order === 'fileName' ? 'fileName' : 'id';

/** Absent: no limit. */
export interface AttachmentFilter {
  /** Media types, or their beginnings up to the slash. */
  contentTypes?: readonly string[] | undefined;
  authorIds?: readonly number[] | undefined;
  statuses?: readonly AttachmentStatus[] | undefined;
  /** Folded words: the name has all of them. */
  words: readonly string[];
}

/** The columns of an order. */
export const positionIn = (by: AttachmentOrder): readonly AttachmentOrder[] =>
  by === 'id' ? ['id'] : [by, 'id'];

const firstOf = (by: AttachmentOrder) => (by === 'fileSize' ? 'number' : 'text');

/** @throws InvalidQuery for a text that is no cursor of a list in this order */
export const demandCursor = (by: AttachmentOrder, cursor: string, argument: Bound): void =>
  void positionOf(cursor, positionIn(by).length, argument, firstOf(by));

const columnNames = {
  id: 'attachments.id',
  fileName: 'attachments.file_name',
  fileSize: 'attachments.file_size',
  createdAt: 'attachments.created_at',
} satisfies { [order in AttachmentOrder]: string };

/**
 * Columns that are needed only to process one attachment, such as to finalise or scan it. Lists do
 * not read them.
 */
const WORK_COLUMNS = ['staging_key', 'declared_digest', 'lease_token', 'attempts', 'expires_at'];

/** One text for all filters, so that databases prepare it. A number says whether a filter holds. */
const filter = {
  text: ({ reads }: Database): string =>
    [
      // Only whole media types end with the bar.
      reads.beginsWithOneOf("(attachments.content_type || '|')"),
      reads.isOneOf('attachments.author_id'),
      reads.isOneOf('attachments.status'),
    ]
      .map((condition) => `(cast(? as integer) = 0 or ${condition})`)
      .concat(reads.hasAll('attachments.search_text'))
      .join(' and '),
  parameters: [
    'filtersTypes',
    'contentTypes',
    'filtersAuthors',
    'authorIds',
    'filtersStatuses',
    'statuses',
    'words',
  ],
};

const filterValues = (
  { reads }: Database,
  { contentTypes, authorIds, statuses, words }: AttachmentFilter,
): Values => ({
  filtersTypes: Number(contentTypes !== undefined),
  contentTypes: reads.listOf(
    (contentTypes ?? []).map((type) => (type.endsWith('/') ? type : `${type}|`)),
  ),
  filtersAuthors: Number(authorIds !== undefined),
  authorIds: reads.listOf(authorIds ?? []),
  filtersStatuses: Number(statuses !== undefined),
  statuses: reads.listOf(statuses ?? []),
  words: reads.listOf(words),
});

const attachmentList = (type: ContainerType, by: AttachmentOrder, isFiltered: boolean) =>
  list<Attachment>({
    rows: (db) => Attachment.query(db).where('phase', 'kept').whereNot('status', 'prepared'),
    columns: (db) =>
      columnsOf(db, Attachment.tableName, [
        ...WORK_COLUMNS,
        ...containerTypes.filter((other) => other !== type).map(columnOf),
      ]),
    parent: `attachments.${columnOf(type)}`,
    parentOf: (row) => row[containerKinds[type].foreignKey],
    order: positionIn(by).map((name) => columnNames[name]),
    first: firstOf(by),
    ...(isFiltered && { filter }),
  });

/** Each is made at its first use. */
const attachmentLists = new Map<string, List<Attachment>>();
function attachmentListOf(type: ContainerType, by: AttachmentOrder, isFiltered: boolean) {
  const key = `${type} ${by} ${isFiltered}`;
  const known = attachmentLists.get(key) ?? attachmentList(type, by, isFiltered);
  attachmentLists.set(key, known);
  return known;
}

type AttachmentLoader = DataLoader<PageOf, Page<Attachment>, string>;

/** Loads the complete attachments of visible containers. Lists with the same filter are one read. */
export function attachmentsLoader(
  needs: Dependencies,
): (type: ContainerType, by: AttachmentOrder, filter?: AttachmentFilter) => AttachmentLoader {
  const loaders = new Map<string, AttachmentLoader>();
  return (type, by, wanted) => {
    const key = JSON.stringify([type, by, wanted]);
    let loader = loaders.get(key);
    if (!loader) {
      const wantedList = attachmentListOf(type, by, wanted !== undefined);
      loader = connectionLoader(wantedList, needs, wanted && filterValues(needs.db, wanted));
      loaders.set(key, loader);
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

/** The attachments of containers. */
import { columnOf, containerKinds, containerTypes } from '../contract/container-kinds.js';
import type { Database, Sql, Values } from '../database/index.js';
import { Attachment, type AttachmentStatus } from '../models/attachment.js';
import type { ContainerType } from '../models/container.js';
import { columnsOf } from '../database/columns.js';
import { idColumn, sorted, type Column, type Given, type List } from './list.js';
import { fixed } from './statement.js';

/** What attachments of a container are sorted by. The id is always the last column. */
export const attachmentOrders = ['id', 'fileName', 'fileSize', 'createdAt', 'author'] as const;
export type AttachmentOrder = (typeof attachmentOrders)[number];

interface AttachmentOrdered {
  by: AttachmentOrder;
  descends: boolean;
}

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

const column = (name: string, property: string, type: Column['type']): Column => ({
  sql: `attachments.${name}`,
  property,
  type,
  isIndexed: false,
});

/** By the name of who added the file. */
export const authorColumn: Column = {
  sql: "coalesce((select sorted.search_text from users as sorted where sorted.id = attachments.author_id), '')",
  type: 'text',
  isIndexed: false,
};

const columns = {
  id: idColumn('attachments'),
  fileName: column('file_name', 'fileName', 'text'),
  fileSize: column('file_size', 'fileSize', 'size'),
  createdAt: column('created_at', 'createdAt', 'text'),
  author: authorColumn,
} satisfies { [order in AttachmentOrder]: Column };

/**
 * Columns that are needed only to process one attachment, such as to finalise or scan it. Lists do
 * not read them.
 */
const WORK_COLUMNS = [
  'staging_key',
  'declared_digest',
  'lease_token',
  'attempts',
  'expires_at',
  'deleted_at',
  'deleted_by_id',
  'purge_at',
  'deleted_project_id',
  'replaced_by_id',
  'project_id',
];

/** One text for all filters, so that databases prepare it. A number says whether a filter holds. */
const filter = ({ phrases }: Database, given: Given): Sql => ({
  text: [
    // Only whole media types end with the bar.
    phrases.beginsWithOneOf("(attachments.content_type || '|')"),
    phrases.isOneOf('attachments.author_id'),
    phrases.isOneOf('attachments.status'),
  ]
    .map((condition) => `(cast(? as integer) = 0 or ${condition})`)
    .concat(phrases.hasAll(phrases.firstLine('attachments.search_text')))
    .join(' and '),
  values: [
    'filtersTypes',
    'contentTypes',
    'filtersAuthors',
    'authorIds',
    'filtersStatuses',
    'statuses',
    'words',
  ].map(given),
});

/** The values of the filter. */
export const filterValues = (
  { phrases }: Database,
  { contentTypes, authorIds, statuses, words }: AttachmentFilter,
): Values => ({
  filtersTypes: Number(contentTypes !== undefined),
  contentTypes: phrases.listOf(
    (contentTypes ?? []).map((type) => (type.endsWith('/') ? type : `${type}|`)),
  ),
  filtersAuthors: Number(authorIds !== undefined),
  authorIds: phrases.listOf(authorIds ?? []),
  filtersStatuses: Number(statuses !== undefined),
  statuses: phrases.listOf(statuses ?? []),
  words: phrases.listOf(words),
});

const list = (type: ContainerType, order: AttachmentOrdered, isFiltered: boolean) =>
  fixed<Attachment>({
    rows: (db) => Attachment.query(db).where('phase', 'kept').whereNot('status', 'prepared'),
    columns: (db) =>
      columnsOf(db, Attachment.tableName, [
        ...WORK_COLUMNS,
        ...containerTypes.filter((other) => other !== type).map(columnOf),
      ]),
    parent: {
      column: `attachments.${columnOf(type)}`,
      of: (row) => row[containerKinds[type].foreignKey],
    },
    order: sorted(columns, [order]),
    ...(isFiltered && { filters: (db, given) => [filter(db, given)] }),
  });

/** Each is made at its first use. */
const lists = new Map<string, List<Attachment>>();

/** The complete attachments of visible containers of one kind. */
export function attachments(
  type: ContainerType,
  order: AttachmentOrdered,
  isFiltered: boolean,
): List<Attachment> {
  const key = JSON.stringify([type, order, isFiltered]);
  const known = lists.get(key) ?? list(type, order, isFiltered);
  lists.set(key, known);
  return known;
}

/** Lists the attachments of all containers that the caller sees: filtered, searched and sorted. */
import { columnOf, containerTypes } from '../contract/container-kinds.js';
import type { Database, Sql } from '../database/index.js';
import { Attachment } from '../models/attachment.js';
import { projectOf } from '../models/attachment-project.js';
import type { ContainerType } from '../models/container.js';
import type { User } from '../models/user.js';
import { containers, internalComments, type Permission } from '../policies/permissions.js';
import { projectsGranting } from '../policies/project-sets.js';
import { authorColumn, type AttachmentOrder } from './attachments.js';
import {
  allOf,
  anyOf,
  keyConditions,
  listOf,
  never,
  sql,
  startsOf,
  timeConditions,
  type Condition,
  type TimeRange,
} from './conditions.js';
import { idColumn, sorted, type Column, type List } from './list.js';
import type { Searching } from './needs.js';
import { searchWords, wordStarts } from './search-words.js';
import { foundSet, type InSet } from './sets.js';

export interface FoundAttachmentFilter {
  /** Words of names and descriptions. */
  search?: string | null | undefined;
  containerTypes?: readonly ContainerType[] | undefined;
  projectIds?: readonly number[] | undefined;
  authorIds?: readonly number[] | undefined;
  /** Files of these work packages, and of their comments. */
  workPackageIds?: readonly number[] | undefined;
  /** Media types, or their beginnings up to the slash. A file has one type of each list. */
  contentTypes?: readonly (readonly string[])[];
  createdAt?: TimeRange | undefined;
}

interface Order {
  by: AttachmentOrder;
  descends: boolean;
}

const column = (name: string, type: Column['type']): Column => ({
  sql: `attachments.${name}`,
  type,
  isIndexed: true,
});

const columns = {
  id: idColumn('attachments'),
  fileName: column('file_name', 'text'),
  fileSize: column('file_size', 'size'),
  createdAt: column('created_at', 'text'),
  author: authorColumn,
} satisfies { [order in AttachmentOrder]: Column };

export async function foundAttachments(
  needs: Searching & { user: User },
  filter: FoundAttachmentFilter,
  order: Order,
): Promise<List<Attachment>> {
  const { db } = needs;
  const projects = await projectsSeen(needs, filter.projectIds);
  const kinds = containerTypes
    .filter((type) => filter.containerTypes?.includes(type) ?? true)
    .map((type) => seenKind(type, projects));
  const words = searchWords(filter.search);
  const searched = wordStarts(db, 'attachments', words);
  const ofWorkPackages = workPackageConditions(filter.workPackageIds);
  const conditions = [
    ...ofWorkPackages,
    ...timeConditions('attachments', 'created_at', filter.createdAt).map(({ filter: time }) => ({
      filter: time,
      start: { parts: [keysOf([time])], isFirst: true },
    })),
    ...(filter.contentTypes ?? []).flatMap((types) => typeConditions(db, types)),
    ...keyConditions('attachments', 'author_id', { oneOf: filter.authorIds }),
  ];
  const starts = kinds.flatMap(({ start }) => start ?? []);
  return {
    rows: (knex) =>
      Attachment.query(knex).whereRaw(
        "attachments.phase = 'kept' and attachments.status <> 'prepared'",
      ),
    filters: () => [
      anyOf(kinds.map(({ isSeen }) => isSeen)),
      ...words.map((word) => db.search.contains('attachments.search_text', word)),
      ...conditions.map((condition) => condition.filter),
      // Last, because it reads the container of each row.
      ...(starts.length > 0 ? [anyOf(kinds.map(({ isVisible }) => isVisible))] : []),
    ],
    starts: [
      // The caller sees these work packages.
      ...startsOf(ofWorkPackages, true),
      // Before others, so that the time of a list does not tell of hidden files.
      ...(starts.length === kinds.length && starts.length > 0 ? [starts] : []),
      ...startsOf(conditions, true),
      ...searched.starts,
      ...startsOf(conditions, false),
    ],
    slowStarts: searched.slowStarts,
    ranges: order.by === 'id' ? rangesOf(kinds) : undefined,
    order: sorted(columns, [order]),
  };
}

function typeConditions(db: Database, types: readonly string[]): Condition[] {
  if (types.length === 0) return [{ filter: never }];
  const exact = types.filter((type) => !type.endsWith('/'));
  const kinds = types.filter((type) => type.endsWith('/'));
  const among = (column: string): Sql[] => [
    ...(exact.length > 0 ? [sql(`${column} in ${listOf(exact)}`, exact)] : []),
    ...kinds.map((kind) =>
      // The character behind the slash is the zero.
      sql(`${column} >= ? and ${column} < ?`, [kind, kind.replace('/', '0')]),
    ),
  ];
  return [
    {
      // The empty text keeps databases from the index, as the `+` does for numbers.
      filter: anyOf(among(db.byCodePoint("(attachments.content_type || '')"))),
      start: {
        parts: among(db.byCodePoint('attachments.content_type')).map((one) => keysOf([one])),
        isFirst: false,
      },
    },
  ];
}

function workPackageConditions(ids: readonly number[] | undefined): Condition[] {
  if (ids === undefined) return [];
  if (ids.length === 0) return [{ filter: never }];
  const comments = `select activities.id from activities where activities.work_package_id in ${listOf(ids)}`;
  const among = (mark: string): Sql[] => [
    sql(`${mark}attachments.work_package_id in ${listOf(ids)}`, ids),
    sql(`${mark}attachments.activity_id in (${comments})`, ids),
  ];
  return [
    {
      filter: anyOf(among('+')),
      start: { parts: among('').map((one) => keysOf([one])), isFirst: true },
    },
  ];
}

/** The projects in which the caller has each permission; undefined for all projects. */
type Projects = ReadonlyMap<Permission, InSet | undefined>;

const permissions = new Set([
  ...containerTypes.flatMap((type): readonly Permission[] => containers[type].view),
  internalComments,
]);

/** @param ids of the projects that are wanted; undefined for all */
async function projectsSeen(
  needs: Searching & { user: User },
  ids: readonly number[] | undefined,
): Promise<Projects> {
  const found = async (permission: Permission) => {
    const granting = projectsGranting(needs.user, [permission]);
    const projects = ids ? among(granting, ids) : granting;
    return [permission, projects && (await foundSet(needs, projects))] as const;
  };
  return new Map(await Promise.all([...permissions].map(found)));
}

function among(projects: Sql | undefined, ids: readonly number[]): Sql {
  const { text, values } = projects ?? sql('select projects.id from projects');
  return sql(
    `select id from (${text}) as seen where id in ${ids.length > 0 ? listOf(ids) : '(null)'}`,
    [...values, ...ids],
  );
}

interface SeenKind {
  /** The row is of the kind, and the caller sees the kind in its project. */
  isSeen: Sql;
  /** The same, by the container itself. Not all comments are for everybody. */
  isVisible: Sql;
  /** Absent if the caller sees all projects. */
  start: Sql | undefined;
  /** One for each project. Absent if the caller sees all projects, or too many. */
  ranges: readonly Sql[] | undefined;
}

/** More would take longer than to read the rows between them. */
const MOST_RANGES = 50;

/** Each kind of container in each project. Their indexes are in the order of the ids. */
function rangesOf(kinds: readonly SeenKind[]): readonly Sql[] | undefined {
  const ranges = kinds.flatMap((kind) => kind.ranges ?? []);
  const areAll = kinds.every((kind) => kind.ranges);
  return areAll && ranges.length > 0 && ranges.length <= MOST_RANGES ? ranges : undefined;
}

function seenKind(type: ContainerType, projects: Projects): SeenKind {
  const key = `attachments.${columnOf(type)}`;
  const isKind = sql(`+${key} is not null`);
  const within = (permission: Permission, project: string): Sql[] => {
    const isIn = projects.get(permission);
    return isIn ? [isIn(project)] : [];
  };
  const [permission] = containers[type].view;
  const project = projectOf(type);
  const readers = type === 'Activity' ? within(internalComments, project) : [];
  const isPublic = sql(
    `(select activities.internal from activities where activities.id = ${key}) = false`,
  );
  const [start] = within(permission, 'attachments.project_id');
  return {
    isSeen: allOf([isKind, ...within(permission, '+attachments.project_id')]),
    isVisible: allOf([
      isKind,
      ...within(permission, project),
      ...(readers.length > 0 ? [anyOf([isPublic, ...readers])] : []),
    ]),
    start: start && keysOf([sql(`${key} is not null`), start]),
    ranges: projects
      .get(permission)
      ?.keys?.map((id) => keysOf([sql(`${key} is not null and attachments.project_id = ?`, [id])])),
  };
}

/** Selects the keys of the rows that lists can have. */
function keysOf(conditions: readonly Sql[]): Sql {
  const { text, values } = allOf([sql("attachments.phase = 'kept'"), ...conditions]);
  return sql(`select attachments.id from attachments where ${text}`, values);
}

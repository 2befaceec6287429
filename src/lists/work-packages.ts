/** Lists the work packages that the caller sees: filtered, searched and sorted. */
import type { Knex } from 'knex';
import type { Database, Sql } from '../database/index.js';
import type { User } from '../models/user.js';
import { WorkPackage } from '../models/work-package.js';
import { containers, storages, type Permission } from '../policies/permissions.js';
import { projectsGranting } from '../policies/project-sets.js';
import { visible } from '../policies/visible.js';
import { foldedInOneLine } from '../contract/folded-text.js';
import { parseDatabaseId } from '../contract/ids.js';
import {
  keyConditions,
  listOf,
  never,
  sql,
  startsOf,
  textConditions,
  timeConditions,
  type Condition,
  type Keys,
  type TextFilter,
  type TimeRange,
} from './conditions.js';
import { idColumn, sorted, type Column, type List } from './list.js';
import type { Searching } from './needs.js';
import { demandSearch, isIndexed } from './search-words.js';
import { foundSet, within, type InSet } from './sets.js';
import { searchedWorkPackages } from './work-package-search.js';

/** Keys of rows. Absent: no limit. */
type Ids = readonly number[] | undefined;

export interface WorkPackageFilter {
  /** Numbers of work packages, or words of subject, project, type and status. */
  search?: string | null | undefined;
  /** A text in the subject or the description. */
  text?: string | null | undefined;
  /** A text in the subject, or the number. */
  subjectOrId?: string | null | undefined;
  subject?: TextFilter | undefined;
  id?: Keys;
  project?: Keys;
  /** Projects with those below them. */
  projectTree?: Keys;
  /** A project with those below it, besides the other filters. */
  rootProject?: number | undefined;
  status?: Keys;
  type?: Keys;
  assignee?: Keys;
  responsible?: Keys;
  author?: Keys;
  createdAt?: TimeRange | undefined;
  updatedAt?: TimeRange | undefined;
  isClosed?: boolean | undefined;
  isAssigned?: boolean | undefined;
  hasResponsible?: boolean | undefined;
  /** Links to a file, or to any file, in one of these storages. */
  fileLink?: { originId?: string | undefined; storageIds?: Ids } | undefined;
  /** Projects that use one of these storages, in which the caller manages file links. */
  linkableTo?: Ids;
}

/** A list is sorted by at most three of these. Its last order is always the key. */
export interface WorkPackageOrder {
  by: keyof typeof columns;
  descends: boolean;
}

const nameOf = (table: string, key: string) =>
  `coalesce((select sorted.search_text from ${table} as sorted` +
  ` where sorted.id = work_packages.${key}), '')`;
const placeOf = (table: string, key: string) =>
  `(select sorted.position from ${table} as sorted where sorted.id = work_packages.${key})`;

const indexed = (column: string, type: 'text' | 'number') => ({
  sql: `work_packages.${column}`,
  type,
  isIndexed: true,
});

const columns = {
  id: idColumn('work_packages'),
  // Models do not have it.
  subject: indexed('search_text', 'text'),
  createdAt: indexed('created_at', 'text'),
  updatedAt: indexed('updated_at', 'text'),
  project: { sql: nameOf('projects', 'project_id'), type: 'text', isIndexed: false },
  type: { sql: placeOf('types', 'type_id'), type: 'number', isIndexed: false },
  status: { sql: placeOf('statuses', 'status_id'), type: 'number', isIndexed: false },
  assignee: { sql: nameOf('users', 'assignee_id'), type: 'text', isIndexed: false },
  responsible: { sql: nameOf('users', 'responsible_id'), type: 'text', isIndexed: false },
  author: { sql: nameOf('users', 'author_id'), type: 'text', isIndexed: false },
} satisfies { [name: string]: Column };

export const workPackageOrders = Object.keys(columns) as WorkPackageOrder['by'][];

export async function workPackageList(
  needs: Searching & { user: User },
  filter: WorkPackageFilter,
  orders: readonly WorkPackageOrder[],
): Promise<List<WorkPackage>> {
  const { db, user, client } = needs;
  const endsWithClient = (query: Knex.QueryBuilder) => void query.queryContext({ client });
  const [statuses, types, ofProjects, trees] = await Promise.all([
    visible.statuses(user, db.read).onBuildKnex(endsWithClient),
    visible.types(user, db.read).onBuildKnex(endsWithClient),
    projectsSeen(needs, filter),
    treeConditions(needs, filter),
  ]);
  const searched = await searchedWorkPackages(needs, filter.search, {
    statuses,
    types,
    ofProjects,
  });
  const closed = statuses.filter(({ isClosed }) => isClosed).map(({ id }) => id);
  const keys = (column: string, wanted: Keys | undefined) =>
    keyConditions('work_packages', column, wanted);
  const present = (column: string, is: boolean | undefined): Condition[] =>
    is === undefined ? [] : [{ filter: sql(`work_packages.${column} is ${is ? 'not ' : ''}null`) }];
  const ids = keys('id', filter.id);
  const seen = ofProjects ? [inProjects(ofProjects)] : [];
  const conditions = [
    ...fileLinkConditions(filter.fileLink),
    ...keys('assignee_id', filter.assignee),
    ...keys('responsible_id', filter.responsible),
    ...keys('author_id', filter.author),
    ...keys('project_id', filter.project),
    ...keys('type_id', filter.type),
    ...keys('status_id', filter.status),
    ...(filter.isClosed === undefined
      ? []
      : keys('status_id', filter.isClosed ? { oneOf: closed } : { noneOf: closed })),
    ...present('assignee_id', filter.isAssigned),
    ...present('responsible_id', filter.hasResponsible),
    ...timeConditions('work_packages', 'created_at', filter.createdAt),
    ...timeConditions('work_packages', 'updated_at', filter.updatedAt),
    ...textConditions(db, 'work_packages', filter.subject),
    ...wholeTextConditions(db, filter.text),
    ...subjectOrIdConditions(db, filter.subjectOrId),
    ...linkableConditions(filter.linkableTo),
    ...trees,
  ];
  return {
    rows: (knex) => WorkPackage.query(knex),
    filters: () => [
      ...searched.filters,
      ...[...ids, ...conditions, ...seen].map((condition) => condition.filter),
    ],
    starts: [
      // First, so that the time of a list does not tell of hidden rows. All `ids` are visible.
      ...startsOf([...ids, ...seen], true),
      ...startsOf(conditions, true),
      ...searched.starts,
      ...startsOf(conditions, false),
    ],
    slowStarts: searched.slowStarts,
    order: sorted(columns, orders),
  };
}

/** @throws InvalidQuery */
function wholeTextConditions(db: Database, text: string | null | undefined): Condition[] {
  if (typeof text !== 'string') return [];
  demandSearch(text);
  const phrase = foldedInOneLine(text).trim();
  const tables = ['work_packages', 'work_package_texts'] as const;
  const [subject, description] = tables.map((table) =>
    db.search.contains(`${table}.search_text`, phrase),
  ) as [Sql, Sql];
  return [
    {
      filter: {
        text:
          // Not with `exists`: PostgreSQL would read the texts of all rows first.
          `(${subject.text} or (select ${description.text} from work_package_texts` +
          ` where work_package_texts.id = work_packages.id))`,
        values: [...subject.values, ...description.values],
      },
      ...(isIndexed(phrase) && {
        start: {
          parts: tables.map((table) => db.search.keysOf(table, [phrase])),
          isFirst: false,
        },
      }),
    },
  ];
}

/** @throws InvalidQuery */
function subjectOrIdConditions(db: Database, text: string | null | undefined): Condition[] {
  if (typeof text !== 'string') return [];
  const [subject] = textConditions(db, 'work_packages', { contains: text }) as [Condition];
  const id = parseDatabaseId(text.trim());
  if (id === undefined) return [subject];
  return [
    {
      filter: {
        text: `(${subject.filter.text} or work_packages.id = ?)`,
        values: [...subject.filter.values, id],
      },
      ...(subject.start && {
        start: {
          parts: [...subject.start.parts, sql('select cast(? as integer) as id', [id])],
          isFirst: false,
        },
      }),
    },
  ];
}

function fileLinkConditions(link: WorkPackageFilter['fileLink']): Condition[] {
  if (!link) return [];
  const { originId, storageIds } = link;
  if (storageIds?.length === 0) return [{ filter: never }];
  const wanted = [
    ...(originId === undefined ? [] : [sql('file_links.origin_id = ?', [originId])]),
    ...(storageIds ? [sql(`file_links.storage_id in ${listOf(storageIds)}`, storageIds)] : []),
  ];
  const text = ['file_links.work_package_id is not null', ...wanted.map((one) => one.text)].join(
    ' and ',
  );
  const values = wanted.flatMap((one) => one.values);
  return [
    {
      filter: sql(
        `exists (select 1 from file_links where ${text}` +
          ' and file_links.work_package_id = work_packages.id' +
          ' and exists (select 1 from project_storages' +
          ' where project_storages.project_id = work_packages.project_id' +
          ' and project_storages.storage_id = file_links.storage_id))',
        values,
      ),
      start: {
        parts: [
          sql(`select file_links.work_package_id as id from file_links where ${text}`, values),
        ],
        isFirst: true,
      },
    },
  ];
}

function linkableConditions(storageIds: Ids): Condition[] {
  if (!storageIds) return [];
  if (storageIds.length === 0) return [{ filter: never }];
  const projects = sql(
    'select project_storages.project_id from project_storages' +
      ` where project_storages.storage_id in ${listOf(storageIds)}`,
    storageIds,
  );
  return [inProjects(within(projects))];
}

/**
 * The projects in which the caller has the permissions for what the filter asks about.
 * @returns undefined for all projects
 */
async function projectsSeen(
  needs: Searching & { user: User },
  { fileLink, linkableTo }: WorkPackageFilter,
): Promise<InSet | undefined> {
  const needed: readonly Permission[] = [
    ...containers.WorkPackage.view,
    ...(fileLink ? storages.view : []),
    ...(linkableTo ? [storages.manage] : []),
  ];
  const granting = projectsGranting(needs.user, [...new Set(needed)]);
  return granting && foundSet(needs, granting);
}

/** Projects, with all that are below them. */
async function treeConditions(
  needs: Searching,
  { projectTree = {}, rootProject }: WorkPackageFilter,
): Promise<Condition[]> {
  const { oneOf, noneOf = [] } = projectTree;
  const wanted = [...(oneOf ? [oneOf] : []), ...(rootProject === undefined ? [] : [[rootProject]])];
  const trees = await Promise.all(wanted.map((ids) => foundSet(needs, treeOf(ids))));
  const left = noneOf.length === 0 ? undefined : await foundSet(needs, treeOf(noneOf));
  const { text, values } = left?.('+work_packages.project_id') ?? never;
  return [...trees.map(inProjects), ...(left ? [{ filter: sql(`not (${text})`, values) }] : [])];
}

const treeOf = (ids: readonly number[]): Sql =>
  ids.length === 0
    ? sql('select projects.id from projects where 1 = 0')
    : sql(
        'select tree.id from (with recursive tree (id) as (' +
          `select projects.id from projects where projects.id in ${listOf(ids)}` +
          // Without `all`, so that it ends even if projects are above themselves.
          ' union select below.id from projects as below join tree on below.parent_id = tree.id' +
          ') select id from tree) as tree',
        ids,
      );

const inProjects = (isIn: InSet): Condition => {
  const { text, values } = isIn('work_packages.project_id');
  return {
    filter: isIn('+work_packages.project_id'),
    start: {
      parts: [sql(`select work_packages.id from work_packages where ${text}`, values)],
      isFirst: true,
    },
  };
};

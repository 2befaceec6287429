/** Lists the projects that the caller sees: filtered, searched and sorted. */
import type { Database, Sql } from '../database/index.js';
import { Project } from '../models/project.js';
import type { User } from '../models/user.js';
import type { Permission } from '../policies/permissions.js';
import { projectsGranting } from '../policies/project-sets.js';
import { reachableProjects } from '../policies/sql-conditions.js';
import {
  keyConditions,
  startsOf,
  textConditions,
  timeConditions,
  type Condition,
  type TextFilter,
  type TimeRange,
} from './conditions.js';
import { idColumn, sorted, type Column, type List } from './list.js';
import { containAll, searchWords } from './search-words.js';

type Permissions = readonly Permission[] | undefined;

interface ProjectFilter {
  /** Words of the name or the identifier. */
  search?: string | null | undefined;
  /** Names or identifiers. */
  name?: TextFilter | undefined;
  ids?: readonly number[] | undefined;
  /** None of these. */
  exceptIds?: readonly number[] | undefined;
  isActive?: boolean | undefined;
  isPublic?: boolean | undefined;
  createdAt?: TimeRange | undefined;
  /** Projects that use one of these storages. */
  storageIds?: readonly number[] | undefined;
  /** Projects in which the caller has all, at least one, or none of these permissions. */
  granting?: { all?: Permissions; any?: Permissions; none?: Permissions } | undefined;
}

export interface ProjectOrder {
  by: keyof typeof columns;
  descends: boolean;
}

const columns = {
  id: idColumn('projects'),
  name: { sql: 'projects.search_text', type: 'text', isIndexed: true },
  createdAt: { sql: 'projects.created_at', type: 'text', isIndexed: false },
} satisfies { [name: string]: Column };

export const projectOrders = Object.keys(columns) as ProjectOrder['by'][];

export function projectList(
  { db, user }: { db: Database; user: User },
  {
    search,
    name,
    ids,
    exceptIds,
    isActive,
    isPublic,
    createdAt,
    storageIds,
    granting,
  }: ProjectFilter,
  orders: readonly ProjectOrder[],
): List<Project> {
  const words = containAll(db, 'projects', searchWords(search));
  const conditions = [
    ...textConditions(db, 'projects', name, true),
    ...keyConditions('projects', 'id', { noneOf: exceptIds }),
    ...timeConditions('projects', 'created_at', createdAt),
    ...flagCondition('active', isActive),
    ...flagCondition('public', isPublic),
  ];
  const seen = [ids && keys(ids), reachableProjects(user)].flatMap((set) => set ?? []);
  const sets = [
    ...(storageIds ? [usingStorages(storageIds)] : []),
    ...[
      granting?.all && projectsGranting(user, granting.all),
      granting?.any && projectsGranting(user, granting.any, 'any'),
    ].flatMap((set) => set ?? []),
  ];
  return {
    rows: (knex) => Project.query(knex),
    filters: () => [
      ...words.filters,
      ...[...seen, ...sets].map(({ text, values }) => ({
        text: `+projects.id in (${text})`,
        values,
      })),
      ...(granting?.none ? [without(projectsGranting(user, granting.none, 'any'))] : []),
      ...conditions.map(({ filter }) => filter),
    ],
    starts: [
      // First, so that the time of a list does not tell of hidden projects.
      ...seen.map(startIn),
      ...words.starts,
      // No index has the times of projects.
      ...startsOf(conditions, false),
      ...sets.map(startIn),
    ],
    order: sorted(columns, orders),
  };
}

const startIn = ({ text, values }: Sql): Sql[] => [
  { text: `select projects.id from projects where projects.id in (${text})`, values },
];

const flagCondition = (column: string, is: boolean | undefined): Condition[] =>
  is === undefined ? [] : [{ filter: { text: `projects.${column} = ?`, values: [is] } }];

/** @param set undefined for all projects */
const without = (set: Sql | undefined): Sql =>
  set
    ? { text: `projects.id not in (${set.text})`, values: set.values }
    : { text: '1 = 0', values: [] };

const keys = (ids: readonly number[]): Sql => ({
  text: ids.map(() => '?').join(', ') || 'null',
  values: ids,
});

const usingStorages = (storageIds: readonly number[]): Sql => ({
  text:
    'select project_storages.project_id from project_storages' +
    ` where project_storages.storage_id in (${keys(storageIds).text})`,
  values: storageIds,
});

/** Lists the work packages that the caller sees: filtered, searched and sorted. */
import type { Database, Sql } from '../database/index.js';
import type { User } from '../models/user.js';
import { WorkPackage } from '../models/work-package.js';
import { containers, storages, type Permission } from '../policies/permissions.js';
import { projectsGranting } from '../policies/project-sets.js';
import { visible } from '../policies/visible.js';
import { gatheredKeys, MANY, type OrderColumn, type OrderedList } from './ordered-list.js';
import { searchedWorkPackages, type InSet } from './work-package-search.js';

/** Keys of rows. Absent: no limit. */
type Ids = readonly number[] | undefined;

/** A filter by the keys of one column. */
interface Keys {
  oneOf?: Ids;
  noneOf?: Ids;
}

export interface WorkPackageFilter {
  /** Numbers of work packages, or words of subject, project, type and status. */
  search?: string | null | undefined;
  id?: Keys;
  project?: Keys;
  status?: Keys;
  type?: Keys;
  assignee?: Keys;
  isClosed?: boolean | undefined;
  isAssigned?: boolean | undefined;
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

const indexed = (column: string, type: 'string' | 'number') => ({
  sql: `work_packages.${column}`,
  type,
  isIndexed: true,
});

const columns = {
  id: indexed('id', 'number'),
  subject: indexed('search_text', 'string'),
  createdAt: indexed('created_at', 'string'),
  updatedAt: indexed('updated_at', 'string'),
  project: { sql: nameOf('projects', 'project_id'), type: 'string', isIndexed: false },
  type: { sql: placeOf('types', 'type_id'), type: 'number', isIndexed: false },
  status: { sql: placeOf('statuses', 'status_id'), type: 'number', isIndexed: false },
  assignee: { sql: nameOf('users', 'assignee_id'), type: 'string', isIndexed: false },
  responsible: { sql: nameOf('users', 'responsible_id'), type: 'string', isIndexed: false },
  author: { sql: nameOf('users', 'author_id'), type: 'string', isIndexed: false },
} satisfies { [name: string]: Omit<OrderColumn, 'descends'> };

export const workPackageOrders = Object.keys(columns) as WorkPackageOrder['by'][];

export async function workPackageList(
  { db, user }: { db: Database; user: User },
  filter: WorkPackageFilter,
  orders: readonly WorkPackageOrder[],
): Promise<OrderedList<WorkPackage>> {
  const [statuses, types, ofProjects] = await Promise.all([
    visible.statuses(user, db.read),
    visible.types(user, db.read),
    projectsSeen(db, user, filter),
  ]);
  const searched = await searchedWorkPackages(db, filter.search, { statuses, types, ofProjects });
  const closed = statuses.filter(({ isClosed }) => isClosed).map(({ id }) => id);
  const conditions = [
    ...fileLinkConditions(filter.fileLink),
    ...keyConditions('id', filter.id),
    ...keyConditions('assignee_id', filter.assignee),
    ...keyConditions('project_id', filter.project),
    ...keyConditions('type_id', filter.type),
    ...keyConditions('status_id', filter.status),
    ...(filter.isClosed === undefined
      ? []
      : keyConditions('status_id', filter.isClosed ? { oneOf: closed } : { noneOf: closed })),
    ...(filter.isAssigned === undefined
      ? []
      : [{ filter: sql(`work_packages.assignee_id is ${filter.isAssigned ? 'not ' : ''}null`) }]),
    ...linkableConditions(filter.linkableTo),
    ...(ofProjects ? [inProjects(ofProjects)] : []),
  ];
  const order = orders.map(({ by, descends }) => ({ ...columns[by], descends }));
  if (!orders.some(({ by }) => by === 'id'))
    order.push({ ...columns.id, descends: order.at(-1)?.descends ?? false });
  return {
    model: WorkPackage,
    filters: [...searched.filters, ...conditions.map((condition) => condition.filter)],
    starts: [
      ...conditions.flatMap(({ start }) => (start?.isFirst ? [[start.sql]] : [])),
      ...searched.starts,
      ...conditions.flatMap(({ start }) => (start && !start.isFirst ? [[start.sql]] : [])),
    ],
    slowStarts: searched.slowStarts,
    order,
  };
}

interface Condition {
  filter: Sql;
  /** Selects the keys by an index. `isFirst`: that is cheap to try, so it comes before words. */
  start?: { sql: Sql; isFirst: boolean };
}

const sql = (text: string, values: Sql['values'] = []): Sql => ({ text, values });
const listOf = (values: readonly unknown[]) => `(${values.map(() => '?').join(', ')})`;
const never = sql('1 = 0');

/** The `+` keeps databases from the index of the column, because they do not know how many match. */
function keyConditions(column: string, { oneOf, noneOf }: Keys = {}): Condition[] {
  const conditions: Condition[] = [];
  if (noneOf && noneOf.length > 0)
    conditions.push({
      filter: sql(`coalesce(work_packages.${column}, 0) not in ${listOf(noneOf)}`, noneOf),
    });
  if (oneOf?.length === 0) conditions.push({ filter: never });
  else if (oneOf)
    conditions.push({
      filter: sql(`+work_packages.${column} in ${listOf(oneOf)}`, oneOf),
      start: {
        sql: sql(
          `select work_packages.id from work_packages` +
            ` where work_packages.${column} in ${listOf(oneOf)}`,
          oneOf,
        ),
        isFirst: column === 'id' || column === 'assignee_id',
      },
    });
  return conditions;
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
        sql: sql(`select file_links.work_package_id as id from file_links where ${text}`, values),
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
  db: Database,
  user: User,
  { fileLink, linkableTo }: WorkPackageFilter,
): Promise<InSet | undefined> {
  const needed: readonly Permission[] = [
    ...containers.WorkPackage.view,
    ...(fileLink ? storages.view : []),
    ...(linkableTo ? [storages.manage] : []),
  ];
  const granting = projectsGranting(user, [...new Set(needed)]);
  if (!granting) return undefined;
  // Found once here, because each statement of the list needs them.
  const keys = await gatheredKeys({ db }, [granting], MANY);
  return keys === undefined ? within(granting) : (column) => sql(db.reads.isOneOf(column), [keys]);
}

const within =
  ({ text, values }: Sql): InSet =>
  (column) =>
    sql(`${column} in (${text})`, values);

const inProjects = (isIn: InSet): Condition => {
  const { text, values } = isIn('work_packages.project_id');
  return {
    filter: isIn('+work_packages.project_id'),
    start: {
      sql: sql(`select work_packages.id from work_packages where ${text}`, values),
      isFirst: true,
    },
  };
};

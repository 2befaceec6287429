/** Checks the filters of a list of work packages. */
import type { Context } from '../../context.js';
import { InvalidQuery, MissingPermission } from '../../contract/errors.js';
import { MAX_ORDERS } from '../../contract/limits.js';
import type { OrderedList } from '../../loaders/ordered-list.js';
import {
  workPackageList,
  type WorkPackageFilter,
  type WorkPackageOrder,
} from '../../loaders/work-package-list.js';
import { Status } from '../../models/status.js';
import { Type } from '../../models/type.js';
import type { WorkPackage } from '../../models/work-package.js';
import { can } from '../../policies/can.js';
import { visible } from '../../policies/visible.js';
import { demandFew } from '../project-storages/list-project-storages.js';
import { storagesNamed, type StorageNames } from './storages-named.js';

/** `undefined` in a list of ids is a value that cannot be an id. */
type Ids = readonly (number | undefined)[] | null | undefined;

interface IdFilters {
  ids?: Ids;
  projectIds?: Ids;
  statusIds?: Ids;
  typeIds?: Ids;
  assigneeIds?: Ids;
}

export interface WorkPackageQuery extends IdFilters {
  search?: string | null | undefined;
  except?: IdFilters | undefined;
  closed?: boolean | null | undefined;
  assigned?: boolean | null | undefined;
  fileLink?: (StorageNames & { originId?: string | null | undefined }) | undefined;
  linkableTo?: StorageNames | undefined;
}

/**
 * @throws MissingPermission if the caller may view work packages in no project
 * @throws InvalidQuery for ids that do not exist or are not visible
 */
export async function listWorkPackages(
  context: Context,
  query: WorkPackageQuery,
  orders: readonly WorkPackageOrder[],
): Promise<OrderedList<WorkPackage>> {
  if (!(await can.viewWorkPackagesAnywhere(context))) throw new MissingPermission();
  if (orders.length > MAX_ORDERS)
    throw new InvalidQuery(`A list is sorted by at most ${MAX_ORDERS} columns.`, 'orderBy');
  const { fileLink, linkableTo, except = {} } = query;
  const filter: WorkPackageFilter = {
    search: query.search,
    id: await keysOf(context, 'id', query.ids, except.ids),
    project: await keysOf(context, 'project', query.projectIds, except.projectIds),
    status: await keysOf(context, 'status', query.statusIds, except.statusIds),
    type: await keysOf(context, 'type', query.typeIds, except.typeIds),
    assignee: await keysOf(context, 'assignee', query.assigneeIds, except.assigneeIds),
    isClosed: query.closed ?? undefined,
    isAssigned: query.assigned ?? undefined,
    linkableTo: linkableTo && (await storagesNamed(context, linkableTo)),
    fileLink: fileLink && {
      originId: fileLink.originId ?? undefined,
      storageIds: await storagesNamed(context, fileLink),
    },
  };
  return workPackageList(context, filter, orders);
}

/**
 * The work packages of one project. None if the caller may not view them there.
 * @throws InvalidQuery for ids that do not exist or are not visible
 */
export async function listProjectWorkPackages(
  context: Context,
  projectId: number,
  query: WorkPackageQuery,
  orders: readonly WorkPackageOrder[],
): Promise<OrderedList<WorkPackage>> {
  return (await can.viewWorkPackages(context, projectId))
    ? listWorkPackages(context, { ...query, projectIds: [projectId] }, orders)
    : workPackageList(context, { id: { oneOf: [] } }, orders);
}

type Column = 'id' | 'project' | 'status' | 'type' | 'assignee';

/** The rows that a filter may name. */
const known: { [column in Column]: (context: Context) => Rows } = {
  id: ({ user, db }) => visible.workPackages(user, db.read),
  project: ({ user, db }) => visible.projects(user, db.read),
  status: ({ db }) => Status.query(db.read),
  type: ({ db }) => Type.query(db.read),
  assignee: ({ user, db }) => visible.users(user, db.read),
};

/** A query builder of one of these models. */
interface Rows {
  whereIn(column: string, ids: readonly number[]): { resultSize(): Promise<number> };
  modelClass(): { tableName: string };
}

async function keysOf(
  context: Context,
  column: Column,
  oneOf: Ids,
  noneOf: Ids,
): Promise<{ oneOf?: number[] | undefined; noneOf?: number[] | undefined }> {
  return {
    oneOf: await checked(context, column, oneOf),
    noneOf: await checked(context, column, noneOf),
  };
}

async function checked(
  context: Context,
  column: Column,
  given: Ids,
): Promise<number[] | undefined> {
  if (given === null || given === undefined) return undefined;
  demandFew(given, 'filters');
  const ids = [...new Set(given)].filter((id) => id !== undefined);
  const rows = known[column](context);
  const found =
    ids.length === 0
      ? 0
      : await rows.whereIn(`${rows.modelClass().tableName}.id`, ids).resultSize();
  if (found !== new Set(given).size)
    throw new InvalidQuery(`${nameOf[column]} filter has invalid values.`, 'filters');
  return ids;
}

const nameOf: { [column in Column]: string } = {
  id: 'Id',
  project: 'Project',
  status: 'Status',
  type: 'Type',
  assignee: 'Assignee',
};

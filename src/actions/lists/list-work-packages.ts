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
import type { WorkPackage } from '../../models/work-package.js';
import { can } from '../../policies/can.js';
import { visible } from '../../policies/visible.js';
import { knownKeys, type Ids, type Rows } from './known-keys.js';
import { storagesNamed, type StorageNames } from './storages-named.js';

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
  status: ({ user, db }) => visible.statuses(user, db.read),
  type: ({ user, db }) => visible.types(user, db.read),
  assignee: ({ user, db }) => visible.users(user, db.read),
};

async function keysOf(
  context: Context,
  column: Column,
  oneOf: Ids,
  noneOf: Ids,
): Promise<{ oneOf?: number[] | undefined; noneOf?: number[] | undefined }> {
  return {
    oneOf: await knownKeys(nameOf[column], known[column](context), oneOf),
    noneOf: await knownKeys(nameOf[column], known[column](context), noneOf),
  };
}

const nameOf: { [column in Column]: string } = {
  id: 'Id',
  project: 'Project',
  status: 'Status',
  type: 'Type',
  assignee: 'Assignee',
};

/** Checks the filters of a list of work packages. */
import type { Context } from '../../../context.js';
import { InvalidQuery, MissingPermission } from '../../../contract/errors.js';
import { MAX_ORDERS } from '../../../contract/limits.js';
import type { TextFilter, TimeRange } from '../../../lists/conditions.js';
import type { List } from '../../../lists/list.js';
import {
  workPackageList,
  type WorkPackageFilter,
  type WorkPackageOrder,
} from '../../../lists/work-packages.js';
import type { WorkPackage } from '../../../models/work-package.js';
import { can } from '../../../policies/can.js';
import { visible } from '../../../policies/visible.js';
import { demandFewNames, knownKeys, type Ids, type Rows } from './known-keys.js';
import { storagesNamed, type StorageNames } from './storages-named.js';

interface IdFilters {
  ids?: Ids;
  projectIds?: Ids;
  /** Projects with those below them. */
  projectTreeIds?: Ids;
  statusIds?: Ids;
  typeIds?: Ids;
  assigneeIds?: Ids;
  responsibleIds?: Ids;
  authorIds?: Ids;
}

export interface WorkPackageQuery extends IdFilters {
  search?: string | null | undefined;
  text?: string | null | undefined;
  subjectOrId?: string | null | undefined;
  subject?: TextFilter | null | undefined;
  createdAt?: TimeRange | null | undefined;
  updatedAt?: TimeRange | null | undefined;
  /** A project with those below it, besides the other filters. */
  rootProjectId?: { id: number | undefined } | null | undefined;
  responsible?: boolean | null | undefined;
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
): Promise<List<WorkPackage>> {
  if (!(await can.viewWorkPackagesAnywhere(context))) throw new MissingPermission();
  if (orders.length > MAX_ORDERS)
    throw new InvalidQuery(`A list is sorted by at most ${MAX_ORDERS} columns.`, 'orderBy');
  const { fileLink, linkableTo, except = {} } = query;
  demandFewNames(query.subject);
  const { rootProjectId: root } = query;
  const keys = (column: Column, list: keyof IdFilters) =>
    keysOf(context, column, query[list], except[list]);
  const filter: WorkPackageFilter = {
    search: query.search,
    text: query.text,
    subjectOrId: query.subjectOrId,
    subject: query.subject ?? undefined,
    createdAt: query.createdAt ?? undefined,
    updatedAt: query.updatedAt ?? undefined,
    id: await keys('id', 'ids'),
    project: await keys('project', 'projectIds'),
    projectTree: await keys('project', 'projectTreeIds'),
    rootProject: root ? (await keysOf(context, 'project', [root.id], null)).oneOf?.[0] : undefined,
    status: await keys('status', 'statusIds'),
    type: await keys('type', 'typeIds'),
    assignee: await keys('assignee', 'assigneeIds'),
    responsible: await keys('responsible', 'responsibleIds'),
    author: await keys('author', 'authorIds'),
    isClosed: query.closed ?? undefined,
    isAssigned: query.assigned ?? undefined,
    hasResponsible: query.responsible ?? undefined,
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
): Promise<List<WorkPackage>> {
  return (await can.viewWorkPackages(context, projectId))
    ? listWorkPackages(context, { ...query, projectIds: [projectId] }, orders)
    : workPackageList(context, { id: { oneOf: [] } }, orders);
}

type Column = 'id' | 'project' | 'status' | 'type' | 'assignee' | 'responsible' | 'author';

/** The rows that a filter may name. */
const known: { [column in Column]: (context: Context) => Rows } = {
  id: ({ user, db }) => visible.workPackages(user, db.read),
  project: ({ user, db }) => visible.projects(user, db.read),
  status: ({ user, db }) => visible.statuses(user, db.read),
  type: ({ user, db }) => visible.types(user, db.read),
  assignee: ({ user, db }) => visible.users(user, db.read),
  responsible: ({ user, db }) => visible.users(user, db.read),
  author: ({ user, db }) => visible.users(user, db.read),
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
  responsible: 'Responsible',
  author: 'Author',
};

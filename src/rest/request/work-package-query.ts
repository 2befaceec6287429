/** Reads the filters and the order of a list of work packages. */
import type { Request } from 'express';
import { InvalidQuery } from '../../contract/errors.js';
import type { Profile } from '../../contract/profiles.js';
import { filterReader } from './filter-values.js';
import { conditionsOf, ordersOf, type Condition } from './page-and-filters.js';

/** Names of filters by their spellings. */
const filters = {
  search: 'search',
  typeahead: 'search',
  id: 'id',
  project: 'project',
  projectId: 'project',
  project_id: 'project',
  status: 'status',
  statusId: 'status',
  status_id: 'status',
  type: 'type',
  typeId: 'type',
  type_id: 'type',
  assignee: 'assignee',
  assigneeId: 'assignee',
  assignee_id: 'assignee',
  assigned_to: 'assignee',
  assigned_to_id: 'assignee',
  fileLinkOriginId: 'originId',
  file_link_origin_id: 'originId',
  storageId: 'storageId',
  storage_id: 'storageId',
  storageUrl: 'storageUrl',
  storage_url: 'storageUrl',
  linkableToStorageId: 'linkableId',
  linkable_to_storage_id: 'linkableId',
  linkableToStorageUrl: 'linkableUrl',
  linkable_to_storage_url: 'linkableUrl',
} as const;
const { only, wrongOperator } = filterReader('');

type Filter = (typeof filters)[keyof typeof filters];

const columns = {
  id: 'id',
  subject: 'subject',
  project: 'project',
  type: 'type',
  status: 'status',
  assignee: 'assignee',
  responsible: 'responsible',
  author: 'author',
  createdAt: 'createdAt',
  created_at: 'createdAt',
  updatedAt: 'updatedAt',
  updated_at: 'updatedAt',
} as const;

type Ids = 'ids' | 'projectIds' | 'statusIds' | 'typeIds' | 'assigneeIds';
const listOf = {
  id: 'ids',
  project: 'projectIds',
  status: 'statusIds',
  type: 'typeIds',
  assignee: 'assigneeIds',
} as const satisfies { [name: string]: Ids };

/** The variables of the list, besides its page. */
export interface WorkPackageVariables {
  [list: string]: unknown;
  search?: string;
  projectIds?: string[];
  except: { [list in Ids]?: string[] };
  closed?: boolean;
  assigned?: boolean;
  fileLink: { originId?: string; storageId?: string; storageUrl?: string } | null;
  linkableTo: { storageId?: string; storageUrl?: string } | null;
}

/**
 * @param me the id of the caller, whom the value `me` means
 * @throws InvalidQuery
 */
export function workPackageQuery(req: Request, profile: Profile, me: number) {
  if (req.query['groupBy'])
    throw new InvalidQuery(
      `Can't group by: ${String(req.query['groupBy']).slice(0, 100)}`,
      'groupBy',
    );
  // Any other value asks for a list without sums, which this one is.
  if (req.query['showSums'] === 'true')
    throw new InvalidQuery('Lists of work packages have no sums.', 'showSums');
  const found: WorkPackageVariables = { except: {}, fileLink: null, linkableTo: null };
  if (profile.listsOpenWorkPackages && !req.query['filters']) found.closed = false;
  for (const condition of conditionsOf(req, filters)) add(found, condition, String(me));
  const orderBy = ordersOf(req, columns);
  return { ...found, orderBy: orderBy.length > 0 ? orderBy : ['idAsc'] };
}

function add(found: WorkPackageVariables, condition: Condition<Filter>, me: string): void {
  const { name, operator, values } = condition;
  switch (name) {
    case 'search':
      found.search = `${found.search ?? ''} ${only(condition, '**')}`.trim();
      return;
    case 'originId':
      found.fileLink = { ...found.fileLink, originId: only(condition, '=') };
      return;
    case 'storageId':
    case 'storageUrl':
      found.fileLink = { ...found.fileLink, [name]: only(condition, '=') };
      return;
    case 'linkableId':
      found.linkableTo = { ...found.linkableTo, storageId: only(condition, '=') };
      return;
    case 'linkableUrl':
      found.linkableTo = { ...found.linkableTo, storageUrl: only(condition, '=') };
      return;
    case 'status':
      if (operator === 'o' || operator === 'c') found.closed = operator === 'c';
      else if (operator !== '*') addIds(found, condition);
      return;
    case 'assignee':
      if (operator === '*' || operator === '!*') found.assigned = operator === '*';
      else
        addIds(found, {
          ...condition,
          values: values.map((value) => (value === 'me' ? me : value)),
        });
      return;
    default:
      addIds(found, condition);
  }
}

function addIds(found: WorkPackageVariables, { name, operator, values }: Condition<Filter>): void {
  const list = listOf[name as keyof typeof listOf];
  if (operator !== '=' && operator !== '!') throw wrongOperator(name);
  if (values.length === 0) throw new InvalidQuery(`${name} filter can't be blank.`, 'filters');
  if (operator === '=') found[list] = values;
  else found.except[list] = values;
}

/** Reads the filters and the order of a list of work packages. */
import type { Request } from 'express';
import { InvalidQuery } from '../../contract/errors.js';
import type { Profile } from '../../contract/profiles.js';
import { filterReader, type TextFilter } from './filter-values.js';
import { conditionsOf, ordersOf, type FilterCondition } from './page-and-filters.js';
import { timeRange, type TimeRange } from './time-values.js';

/** Names of filters by their spellings. */
const filters = {
  search: 'text',
  typeahead: 'search',
  subjectOrId: 'subjectOrId',
  subject_or_id: 'subjectOrId',
  subject: 'subject',
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
  responsible: 'responsible',
  responsibleId: 'responsible',
  responsible_id: 'responsible',
  author: 'author',
  authorId: 'author',
  author_id: 'author',
  createdAt: 'createdAt',
  created_at: 'createdAt',
  updatedAt: 'updatedAt',
  updated_at: 'updatedAt',
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
const reader = filterReader('');
const { named, only, wrongOperator } = reader;

type Filter = (typeof filters)[keyof typeof filters];

const columns = {
  id: 'ID',
  subject: 'SUBJECT',
  project: 'PROJECT',
  type: 'TYPE',
  status: 'STATUS',
  assignee: 'ASSIGNEE',
  responsible: 'RESPONSIBLE',
  author: 'AUTHOR',
  createdAt: 'CREATED_AT',
  created_at: 'CREATED_AT',
  updatedAt: 'UPDATED_AT',
  updated_at: 'UPDATED_AT',
} as const;

/** Filters by ids. A project stands for all projects below it, too. */
const listOf = {
  id: 'ids',
  project: 'projectTreeIds',
  status: 'statusIds',
  type: 'typeIds',
  assignee: 'assigneeIds',
  responsible: 'responsibleIds',
  author: 'authorIds',
} as const;
type IdFilters = { [list in (typeof listOf)[keyof typeof listOf]]?: string[] };

/** Filters by people that may be absent, with the variable that says whether they are. */
const presence = { assignee: 'assigned', responsible: 'responsible' } as const;

interface WorkPackageConditions extends IdFilters {
  search?: string;
  text?: string;
  subjectOrId?: string;
  subject?: TextFilter;
  createdAt?: TimeRange;
  updatedAt?: TimeRange;
  except: IdFilters;
  rootProjectId?: string;
  closed?: boolean;
  assigned?: boolean;
  responsible?: boolean;
  fileLink: { originId?: string; storageId?: string; storageUrl?: string } | null;
  linkableTo: { storageId?: string; storageUrl?: string } | null;
}

/** @throws InvalidQuery */
export function workPackageQuery(req: Request, profile: Profile, caller: Caller) {
  if (req.query['groupBy'])
    throw new InvalidQuery(
      `Can't group by: ${String(req.query['groupBy']).slice(0, 100)}`,
      'groupBy',
    );
  // Any other value asks for a list without sums, which this one is.
  if (req.query['showSums'] === 'true')
    throw new InvalidQuery('Lists of work packages have no sums.', 'showSums');
  const found: WorkPackageConditions = { except: {}, fileLink: null, linkableTo: null };
  if (profile.listsOpenWorkPackages && !req.query['filters']) found.closed = false;
  for (const condition of conditionsOf(req, filters)) add(found, condition, caller);
  const orderBy = ordersOf(req, columns);
  return { filter: found, orderBy: orderBy.length > 0 ? orderBy : ('ID_ASC' as const) };
}

interface Caller {
  /** Whom the value `me` means. */
  me: number;
  now: Date;
}

function add(
  found: WorkPackageConditions,
  condition: FilterCondition<Filter>,
  caller: Caller,
): void {
  const { name, operator, values } = condition;
  switch (name) {
    case 'search':
      found.search = `${found.search ?? ''} ${only(condition, '**')}`.trim();
      return;
    case 'text':
    case 'subjectOrId':
      found[name] = only(condition, '**');
      return;
    case 'subject':
      found.subject = named(condition);
      return;
    case 'createdAt':
    case 'updatedAt':
      found[name] = timeRange(condition, caller.now, reader);
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
    case 'responsible':
    case 'author':
      if (name !== 'author' && (operator === '*' || operator === '!*'))
        found[presence[name]] = operator === '*';
      else
        addIds(found, {
          ...condition,
          values: values.map((value) => (value === 'me' ? String(caller.me) : value)),
        });
      return;
    default:
      addIds(found, condition);
  }
}

function addIds(
  found: WorkPackageConditions,
  { name, operator, values }: FilterCondition<Filter>,
): void {
  const list = listOf[name as keyof typeof listOf];
  if (operator !== '=' && operator !== '!') throw wrongOperator(name);
  if (values.length === 0) throw new InvalidQuery(`${name} filter can't be blank.`, 'filters');
  if (operator === '=') found[list] = values;
  else found.except[list] = values;
}

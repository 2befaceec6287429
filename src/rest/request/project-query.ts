/** Reads the filters and the order of a list of projects. */
import type { Request } from 'express';
import { InvalidQuery } from '../../contract/errors.js';
import { filterReader, type TextFilter } from './filter-values.js';
import { conditionsOf, ordersOf, type FilterCondition } from './page-and-filters.js';
import { timeRange, type TimeRange } from './time-values.js';

const filters = {
  typeahead: 'typeahead',
  nameAndIdentifier: 'name',
  name_and_identifier: 'name',
  id: 'id',
  active: 'active',
  public: 'public',
  createdAt: 'createdAt',
  created_at: 'createdAt',
  storageId: 'storageId',
  storage_id: 'storageId',
  storageUrl: 'storageUrl',
  storage_url: 'storageUrl',
  userAction: 'userAction',
  user_action: 'userAction',
} as const;
const reader = filterReader('Filters ');
const { flag, invalidValues, named, only, wrongOperator } = reader;

type Filter = (typeof filters)[keyof typeof filters];

const columns = {
  id: 'ID',
  name: 'NAME',
  typeahead: 'NAME',
  createdAt: 'CREATED_AT',
  created_at: 'CREATED_AT',
} as const;

/** Actions of the graph by the ids of the interface. */
const actions = {
  'work_packages/create': 'CREATE_WORK_PACKAGE',
  'work_packages/read': 'VIEW_WORK_PACKAGES',
  'file_links/manage': 'MANAGE_FILE_LINKS',
  'file_links/view': 'VIEW_FILE_LINKS',
} as const;
type Action = (typeof actions)[keyof typeof actions];

/** How many of the actions are needed, by operator. */
const unions = new Map<string, keyof ProjectConditions['viewerCan']>([
  ['&=', 'all'],
  ['=', 'any'],
  ['!', 'none'],
]);

interface ProjectConditions {
  search?: string;
  name?: TextFilter;
  ids?: string[];
  exceptIds?: string[];
  active?: boolean;
  public?: boolean;
  createdAt?: TimeRange;
  storage: { storageId?: string; storageUrl?: string } | null;
  viewerCan: { all?: Action[]; any?: Action[]; none?: Action[] };
}

/** @throws InvalidQuery */
export function projectQuery(req: Request, now: Date) {
  const found: ProjectConditions = { storage: null, viewerCan: {} };
  for (const condition of conditionsOf(req, filters)) add(found, condition, now);
  const [orderBy = 'NAME_ASC' as const, ...others] = ordersOf(req, columns);
  if (others.length > 0)
    throw new InvalidQuery('Lists of projects are sorted by one column.', 'sortBy');
  return { filter: found, orderBy };
}

function add(found: ProjectConditions, condition: FilterCondition<Filter>, now: Date): void {
  const { name, operator, values } = condition;
  switch (name) {
    case 'typeahead':
      found.search = `${found.search ?? ''} ${only(condition, '**')}`.trim();
      return;
    case 'name':
      found.name = named(condition);
      return;
    case 'id':
      if (operator !== '=' && operator !== '!') throw wrongOperator(name);
      if (values.length === 0) throw invalidValues(name);
      found[operator === '=' ? 'ids' : 'exceptIds'] = values;
      return;
    case 'active':
    case 'public':
      found[name] = flag(condition);
      return;
    case 'createdAt':
      found.createdAt = timeRange(condition, now, reader);
      return;
    case 'userAction': {
      const wanted = unions.get(operator);
      if (!wanted) throw wrongOperator(name);
      if (values.length === 0) throw invalidValues(name);
      found.viewerCan[wanted] = values.map(actionOf);
      return;
    }
    default:
      found.storage = { ...found.storage, [name]: only(condition, '=') };
  }
}

function actionOf(value: string): Action {
  if (!Object.hasOwn(actions, value)) throw invalidValues('userAction');
  return actions[value as keyof typeof actions];
}

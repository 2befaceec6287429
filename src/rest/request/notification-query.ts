/** Reads the filters, the order and the groups of a list of notifications. */
import type { Request } from 'express';
import { InvalidQuery } from '../../contract/errors.js';
import { names } from '../documents/words.js';
import type { NotificationColumn, NotificationFilter } from '../generated/documents.js';
import { conditionsOf, ordersOf, type FilterCondition } from './page-and-filters.js';

const filters = {
  readIAN: 'readIAN',
  read_ian: 'readIAN',
  reason: 'reason',
  resourceId: 'resource',
  resource_id: 'resource',
  resourceType: 'resourceType',
  resource_type: 'resourceType',
  project: 'project',
  projectId: 'project',
  project_id: 'project',
  id: 'id',
} as const;
type Filter = (typeof filters)[keyof typeof filters];

const columns = { id: 'ID', reason: 'REASON', readIAN: 'READ', read_ian: 'READ' } as const;

/** The values of `groupBy`. */
const groups = { reason: 'REASON', project: 'PROJECT' } as const;

const reasons = Object.keys(names.notificationReason);
/** Reasons of the interface for which this service notifies nobody. */
const otherReasons = [
  'mentioned',
  'responsible',
  'watched',
  'subscribed',
  'processed',
  'prioritized',
  'scheduled',
  'shared',
  'reminder',
  'dateAlert',
];

/** @throws InvalidQuery */
export function notificationFilter(req: Request): NotificationFilter {
  const found: NotificationFilter = {};
  for (const condition of conditionsOf(req, filters)) add(found, condition);
  return found;
}

/** @throws InvalidQuery */
export function notificationOrder(req: Request) {
  const orders = ordersOf(req, columns);
  return orders.length > 0 ? orders : (['ID_DESC'] as const);
}

/** @throws InvalidQuery */
export function notificationGroup(req: Request): NotificationColumn | undefined {
  const by = req.query['groupBy'];
  if (by === undefined || by === '') return undefined;
  const name = String(by);
  if (!Object.hasOwn(groups, name))
    throw new InvalidQuery(`Can't group by: ${name.slice(0, 100)}`, 'groupBy');
  return groups[name as keyof typeof groups];
}

function add(found: NotificationFilter, { name, operator, values }: FilterCondition<Filter>): void {
  if (operator !== '=')
    throw new InvalidQuery(
      `Filters ${name} filter: operator is not set to one of the allowed values.`,
      'filters',
    );
  if (values.length === 0) throw invalidValues(name);
  switch (name) {
    case 'readIAN': {
      const [value, ...others] = values;
      if ((value !== 't' && value !== 'f') || others.length > 0) throw invalidValues(name);
      found.unread = value === 'f';
      return;
    }
    case 'reason':
      if (!values.every((value) => [...reasons, ...otherReasons].includes(value)))
        throw invalidValues(name);
      found.reasons = reasons
        .filter((reason) => values.includes(reason))
        .map((reason) => names.notificationReason[reason]!);
      return;
    case 'resourceType':
      // Notifications are about work packages only.
      if (values.some((value) => value !== 'WorkPackage')) throw invalidValues(name);
      return;
    case 'resource':
      found.workPackageIds = values;
      return;
    case 'project':
      found.projectIds = values;
      return;
    case 'id':
      found.ids = values;
  }
}

const invalidValues = (name: string) =>
  new InvalidQuery(`Filters ${name} filter has invalid values.`, 'filters');

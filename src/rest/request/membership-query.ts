/** Reads the filters of a list of memberships. */
import type { Request } from 'express';
import { InvalidQuery } from '../../contract/errors.js';
import { conditionsOf } from './page-and-filters.js';

const filters = {
  project: 'projectIds',
  projectId: 'projectIds',
  project_id: 'projectIds',
  principal: 'userIds',
  principalId: 'userIds',
  principal_id: 'userIds',
  role: 'roleIds',
  roleId: 'roleIds',
  role_id: 'roleIds',
} as const;

type Keys = { [filter in (typeof filters)[keyof typeof filters]]?: string[] };

const names: { readonly [filter in keyof Keys]-?: string } = {
  projectIds: 'project',
  userIds: 'principal',
  roleIds: 'role',
};

/** @throws InvalidQuery */
export function membershipFilters(req: Request): Keys & { except: Keys } {
  const found: Keys = {};
  const except: Keys = {};
  for (const { name, operator, values } of conditionsOf(req, filters, true)) {
    if (operator !== '=' && operator !== '!')
      throw new InvalidQuery(`Filter ${names[name]} takes the operators "=" and "!".`, 'filters');
    if (values.length === 0)
      throw new InvalidQuery(`Filter ${names[name]} takes an array of values.`, 'filters');
    (operator === '=' ? found : except)[name] = values;
  }
  return { ...found, except };
}

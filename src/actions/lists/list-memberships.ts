/** Lists memberships by filters. */
import type { QueryBuilder } from 'objection';
import type { Context } from '../../context.js';
import { InvalidQuery } from '../../contract/errors.js';
import type { Membership } from '../../models/membership.js';
import { visible } from '../../policies/visible.js';
import { demandFew } from '../project-storages/list-project-storages.js';

/** `undefined` in a list of ids is a value that cannot be an id. */
type Ids = readonly (number | undefined)[] | undefined;

/** Each filter is a list of alternatives. An absent filter is not applied. */
export interface MembershipFilters {
  projectIds?: Ids;
  userIds?: Ids;
  roleIds?: Ids;
}

/**
 * Ids of rows that do not exist or are not visible match nothing.
 * @returns a function that makes a new query for the memberships visible to the caller
 * @throws InvalidQuery for values that cannot be ids
 */
export function membershipQuery(
  { user, db }: Context,
  filters: MembershipFilters,
): () => QueryBuilder<Membership> {
  const projectIds = keysOf(filters.projectIds, 'project');
  const userIds = keysOf(filters.userIds, 'principal');
  const roleIds = keysOf(filters.roleIds, 'role');
  return () => {
    const rows = visible.memberships(user, db.read);
    if (projectIds) rows.whereIn('memberships.project_id', projectIds);
    if (userIds) rows.whereIn('memberships.user_id', userIds);
    if (roleIds)
      rows.whereRaw(
        'exists (select 1 from membership_roles' +
          ' where membership_roles.membership_id = memberships.id' +
          ` and membership_roles.role_id in (${roleIds.map(() => '?').join(', ') || 'null'}))`,
        roleIds,
      );
    return rows;
  };
}

/** @throws InvalidQuery */
function keysOf(ids: Ids, filter: string): number[] | undefined {
  demandFew(ids, 'filters');
  const keys = ids?.filter((id) => id !== undefined);
  if (keys?.length !== ids?.length)
    throw new InvalidQuery(`Filter ${filter} has a value that is no id.`, 'filters');
  return keys;
}

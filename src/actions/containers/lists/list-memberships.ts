/** Lists memberships by filters. */
import type { QueryBuilder } from 'objection';
import type { Context } from '../../../context.js';
import { InvalidQuery } from '../../../contract/errors.js';
import type { Membership } from '../../../models/membership.js';
import { visible } from '../../../policies/visible.js';
import { demandFew } from '../../storages/projects/list-project-storages.js';

/** `undefined` in a list of ids is a value that cannot be an id. */
type Ids = readonly (number | undefined)[] | undefined;

/** Each filter is a list of alternatives. An absent filter is not applied. */
interface MembershipKeys {
  projectIds?: Ids;
  userIds?: Ids;
  roleIds?: Ids;
}

export interface MembershipFilters extends MembershipKeys {
  /** Leaves out what one of these selects. */
  except?: MembershipKeys;
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
  const conditions = [
    ...conditionsOf(filters),
    ...conditionsOf(filters.except ?? {}).map(({ text, ids }) => ({ text: `not ${text}`, ids })),
  ];
  return () => {
    const rows = visible.memberships(user, db.read);
    for (const { text, ids } of conditions) rows.whereRaw(text, ids);
    return rows;
  };
}

/** @throws InvalidQuery */
function conditionsOf({ projectIds, userIds, roleIds }: MembershipKeys) {
  const oneOf = (column: string, ids: readonly number[]) =>
    ids.length === 0 ? '1 = 0' : `${column} in (${ids.map(() => '?').join(', ')})`;
  const filter = (name: string, given: Ids, textOf: (ids: readonly number[]) => string) => {
    const ids = keysOf(given, name);
    return ids ? [{ text: `(${textOf(ids)})`, ids }] : [];
  };
  return [
    ...filter('project', projectIds, (ids) => oneOf('memberships.project_id', ids)),
    ...filter('principal', userIds, (ids) => oneOf('memberships.user_id', ids)),
    ...filter(
      'role',
      roleIds,
      (ids) =>
        'exists (select 1 from membership_roles' +
        ` where membership_roles.membership_id = memberships.id and ${oneOf('membership_roles.role_id', ids)})`,
    ),
  ];
}

/** @throws InvalidQuery */
function keysOf(ids: Ids, filter: string): number[] | undefined {
  demandFew(ids, 'filters');
  const keys = ids?.filter((id) => id !== undefined);
  if (keys?.length !== ids?.length)
    throw new InvalidQuery(`Filter ${filter} has a value that is no id.`, 'filters');
  return keys;
}

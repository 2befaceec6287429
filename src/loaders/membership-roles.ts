/** Loads the roles of visible memberships. */
import DataLoader from 'dataloader';
import type { LoaderNeeds } from './needs.js';
import type { Role } from '../models/role.js';
import { visible } from '../policies/visible.js';
import { MAX_BATCH } from '../database/batches.js';

export const membershipRolesLoader = ({ db, user }: LoaderNeeds): DataLoader<number, Role[]> =>
  new DataLoader(
    async (ids) => {
      const rows = await visible
        .roles(user, db.read)
        .select('roles.*', 'membership_roles.membership_id')
        .join('membership_roles', 'membership_roles.role_id', 'roles.id')
        .whereIn('membership_roles.membership_id', [...ids])
        .orderBy('roles.name')
        .castTo<(Role & { membershipId: number })[]>();
      return ids.map((id) => rows.filter(({ membershipId }) => membershipId === id));
    },
    { maxBatchSize: MAX_BATCH },
  );

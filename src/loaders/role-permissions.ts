/** Loads the permissions of roles. */
import DataLoader from 'dataloader';
import { MAX_BATCH } from '../database/batches.js';
import type { Permission } from '../policies/permissions.js';
import type { LoaderNeeds } from './needs.js';

export const rolePermissionsLoader = ({ db }: LoaderNeeds): DataLoader<number, Permission[]> =>
  new DataLoader(
    async (ids) => {
      const rows: { role_id: number; permission: Permission }[] = await db
        .read('role_permissions')
        .select('role_id', 'permission')
        .whereIn('role_id', [...ids])
        .orderBy('permission');
      return ids.map((id) =>
        rows.filter(({ role_id }) => role_id === id).map(({ permission }) => permission),
      );
    },
    { maxBatchSize: MAX_BATCH },
  );

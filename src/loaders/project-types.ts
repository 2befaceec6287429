/** Loads the types that work packages of projects can have, in the order of all types. */
import DataLoader from 'dataloader';
import type { LoaderNeeds } from './needs.js';
import type { Type } from '../models/type.js';
import { visible } from '../policies/visible.js';
import { MAX_BATCH } from '../database/batches.js';

/** A project that names no types has all. */
export const projectTypesLoader = ({ db, user }: LoaderNeeds): DataLoader<number, Type[]> =>
  new DataLoader(
    async (ids) => {
      const all = await visible.types(user, db.read).orderBy('position').orderBy('id');
      const rows = (await db
        .read('project_types')
        .select('project_id', 'type_id')
        .whereIn('project_id', [...ids])) as { project_id: number; type_id: number }[];
      return ids.map((id) => {
        const named = new Set(
          rows.filter((row) => row.project_id === id).map((row) => row.type_id),
        );
        return named.size > 0 ? all.filter((type) => named.has(type.id)) : all;
      });
    },
    { maxBatchSize: MAX_BATCH },
  );

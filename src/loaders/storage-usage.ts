/** Loads what the files of projects use. */
import DataLoader from 'dataloader';
import { MAX_BATCH } from '../database/batches.js';
import { usageRows, type UsageRow } from '../models/storage-usage.js';
import type { LoaderNeeds } from './needs.js';

export const storageUsageLoader = ({ db }: LoaderNeeds): DataLoader<number, UsageRow[]> =>
  new DataLoader(
    async (ids) => {
      const rows: UsageRow[] = await usageRows(db.read).whereIn('project_id', [...ids]);
      return ids.map((id) => rows.filter((row) => row.project_id === id));
    },
    { maxBatchSize: MAX_BATCH },
  );

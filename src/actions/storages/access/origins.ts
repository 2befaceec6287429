/** Batches what a request asks storages about the files of its links: one call for each storage. */
import DataLoader from 'dataloader';
import { refreshOrigins, type Origin } from './refresh-origins.js';
import type { Context } from '../../../context.js';
import type { FileLink } from '../../../models/file-link.js';

export const originLoader = (context: Context) =>
  new DataLoader<FileLink, Origin, number>((links) => refreshOrigins(context, links), {
    cacheKeyFn: ({ id }) => id,
    maxBatchSize: Infinity,
  });

/** What storages say about the files of links: one call for each storage, however many links of a request want to know. */
import DataLoader from 'dataloader';
import { refreshOrigins, type Origin } from '../actions/refresh-origins.js';
import type { Context } from '../context.js';
import type { FileLink } from '../models/file-link.js';

export const originLoader = (context: Context): DataLoader<FileLink, Origin, number> =>
  new DataLoader((links) => refreshOrigins(context, links), { cacheKeyFn: ({ id }) => id, maxBatchSize: Infinity });

/** What storages say about the files of links: one call for each storage, however many links of a request want to know. */
import DataLoader from 'dataloader';
import { refreshOrigins, type Origin } from './refresh-origins.js';
import type { Context } from '../../context.js';
import type { MaybePromise } from '../../concurrency/maybe-promise.js';
import type { FileLink } from '../../models/file-link.js';

export interface OriginLoader {
  /** Of one link; at once where it was asked for with its list. */
  load(link: FileLink): MaybePromise<Origin>;
  /** The same of a whole list ahead of its fields: one promise instead of several for each link. */
  ask(links: readonly FileLink[]): Promise<unknown>;
  /** What was answered already. */
  known(link: FileLink): Origin | undefined;
}

export function originLoader(context: Context): OriginLoader {
  const known = new Map<number, Origin>();
  const asked = new Map<number, Promise<void>>();
  const lists = new DataLoader<readonly FileLink[], void>(
    async (some) => {
      for (const origin of await refreshOrigins(context, some.flat()))
        known.set(origin.link.id, origin);
      return some.map(() => undefined);
    },
    { cache: false, maxBatchSize: Infinity },
  );
  const ask = (links: readonly FileLink[]) => {
    const unknown = links.filter(({ id }) => !asked.has(id));
    const answer = unknown.length > 0 ? lists.load(unknown) : undefined;
    for (const { id } of unknown) asked.set(id, answer!);
    return Promise.all(new Set(links.map(({ id }) => asked.get(id))));
  };
  return {
    load: (link) => known.get(link.id) ?? ask([link]).then(() => known.get(link.id)!),
    ask,
    known: ({ id }) => known.get(id),
  };
}

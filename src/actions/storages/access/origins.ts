/** Batches what a request asks storages about the files of its links: one call for each storage. */
import DataLoader from 'dataloader';
import { refreshOrigins, type Origin } from './refresh-origins.js';
import type { Context } from '../../../context.js';
import type { MaybePromise } from '../../../concurrency/maybe-promise.js';
import type { FileLink } from '../../../models/file-link.js';

interface OriginLoader {
  /** The origin of one link; not a promise if `ask` has already loaded it. */
  load(link: FileLink): MaybePromise<Origin>;
  /** Loads a whole list before its fields: one promise instead of several for each link. */
  ask(links: readonly FileLink[]): Promise<unknown>;
  /** The origin, if it is loaded already. */
  known(link: FileLink): Origin | undefined;
}

export function originLoader(context: Context): OriginLoader {
  const known = new Map<number, Origin>();
  const asked = new Map<number, Promise<void>>();
  const lists = new DataLoader<readonly FileLink[], void>(
    async (requested) => {
      for (const origin of await refreshOrigins(context, requested.flat()))
        known.set(origin.link.id, origin);
      return requested.map(() => undefined);
    },
    { cache: false, maxBatchSize: Infinity },
  );
  const ask = (links: readonly FileLink[]) => {
    const unknown = links.filter(({ id }) => !asked.has(id));
    if (unknown.length > 0) {
      const answer = lists.load(unknown);
      for (const { id } of unknown) asked.set(id, answer);
    }
    return Promise.all(new Set(links.map(({ id }) => asked.get(id))));
  };
  return {
    load: (link) =>
      known.get(link.id) ??
      ask([link]).then(() => {
        const origin = known.get(link.id);
        if (!origin) throw new Error(`No origin was loaded for file link ${link.id}.`);
        return origin;
      }),
    ask,
    known: ({ id }) => known.get(id),
  };
}

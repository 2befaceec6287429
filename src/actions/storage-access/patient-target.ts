/** Makes a target that leaves a storage alone for as long as the storage asked for. */
import type { Context } from '../../context.js';
import type { Storage } from '../../models/storage.js';
import { OutboundFailure } from '../../outbound/failure.js';
import { throttledMs } from '../../outbound/retry.js';
import type { Target } from '../../storages/adapter.js';
import { targetOf } from './storage-target.js';

/** @param person whose requests they are: the id of a user, or `SERVICE` */
export function patientTarget(context: Context, storage: Storage, person: number): Target {
  const { pauses, log } = context;
  const target = targetOf(context, storage);
  const remember = (ms: number) =>
    pauses
      .add(storage.id, person, ms)
      // The answer does not depend on it: the storage will ask again.
      .catch((error: unknown) =>
        log.warn({ err: error, storage: storage.id }, 'a pause of a storage was not stored'),
      );
  return {
    ...target,
    async send(request) {
      const left = await pauses.leftMs(storage.id, person);
      if (left > 0)
        throw new OutboundFailure(
          'throttled',
          'The storage has too many requests, and asked this service to wait. ' +
            `Try again in ${Math.ceil(left / 1000)} s.`,
        );
      const answer = await target.send(request);
      const ms = throttledMs(answer);
      if (ms !== undefined) await remember(ms);
      return answer;
    },
    postpone(ms) {
      void context.finishing(remember(ms));
    },
  };
}

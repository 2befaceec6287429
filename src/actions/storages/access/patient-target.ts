/** Makes a target that leaves a storage alone for as long as the storage asked for. */
import type { Context } from '../../../context.js';
import type { Storage } from '../../../models/storage.js';
import type { Target } from '../../../storages/adapter.js';
import { targetOf } from './storage-target.js';

/** @param person whose requests they are: the id of a user, or `SERVICE` */
export function patientTarget(context: Context, storage: Storage, person: number): Target {
  const { pauses, finishing } = context;
  const target = targetOf(context, storage);
  return {
    ...target,
    send: (request) => pauses.patiently(storage.id, person, () => target.send(request)),
    postpone(ms) {
      void finishing(pauses.remember(storage.id, person, ms));
    },
  };
}

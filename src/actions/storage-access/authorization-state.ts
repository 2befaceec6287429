/** Whether a storage accepts the caller, asked of it (interface 4.5 rule 3). */
import { bulkhead } from 'cockatiel';
import type { Context } from '../../context.js';
import { AuthorizationState, type Storage } from '../../models/storage.js';
import { adapterFor } from '../../storages/index.js';
import { isOutbound, NotConnected } from './outbound-error.js';
import { isSwitchedOff } from './switched-off.js';
import { reachStorage } from './reach-storage.js';

export async function authorizationState(
  context: Context,
  storage: Storage,
): Promise<AuthorizationState> {
  // Switched off, it is not asked.
  if (isSwitchedOff(context, storage.type)) return AuthorizationState.Error;
  try {
    await reachStorage(context, storage, (access) => adapterFor(storage.type).user(access));
    return AuthorizationState.Connected;
  } catch (error) {
    if (error instanceof NotConnected) return AuthorizationState.FailedAuthorization;
    if (isOutbound(error))
      context.log.warn(
        { reason: error.message, storage: storage.id },
        'a storage could not be asked',
      );
    else context.log.error({ err: error, storage: storage.id }, 'a storage could not be asked');
    return AuthorizationState.Error;
  }
}

/** A request asks so many storages at once for their state; the others have their turn. */
const STATES_AT_ONCE = 50;

/** By the storage, asked of each once in a request. */
export const authorizationStates = (
  context: Context,
): {
  load(storage: Storage): Promise<AuthorizationState>;
  answer(storageId: number, how: () => Promise<AuthorizationState>): void;
} => {
  const asked = new Map<number, Promise<AuthorizationState>>();
  const answers = new Map<number, () => Promise<AuthorizationState>>();
  const turns = bulkhead(STATES_AT_ONCE, Infinity);
  const ask = async (storage: Storage) => {
    // For all of them in one statement each, before the first has its turn.
    await Promise.all([
      context.loaders.clientCredentials.load(storage.id),
      context.loaders.storageTokens.load(storage.id),
    ]);
    return turns.execute(() => authorizationState(context, storage));
  };
  return {
    load(storage) {
      let state = asked.get(storage.id);
      if (!state) asked.set(storage.id, (state = answers.get(storage.id)?.() ?? ask(storage)));
      return state;
    },
    /** Something else that asks the storage anyway will tell its state. */
    answer: (storageId, how) => void (answers.has(storageId) || answers.set(storageId, how)),
  };
};

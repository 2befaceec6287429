/** Asks storages whether they accept the caller. */
import { bulkhead } from 'cockatiel';
import type { Context } from '../../context.js';
import { AuthenticationMethod, AuthorizationState, type Storage } from '../../models/storage.js';
import { adapterFor } from '../../storages/index.js';
import { isOutbound, NotConnected } from './outbound-error.js';
import { isSwitchedOff } from './switched-off.js';
import { reachStorage } from './reach-storage.js';
import { askSignOnUser } from './sign-on-user.js';

export const authorizationState = async (
  context: Context,
  storage: Storage,
): Promise<AuthorizationState> => (await connectionTo(context, storage)).state;

/** The state, with a sentence for the caller if the storage does not accept the caller. */
export async function connectionTo(
  context: Context,
  storage: Storage,
): Promise<{ state: AuthorizationState; reason?: string }> {
  if (isSwitchedOff(context, storage.type)) return { state: AuthorizationState.Error };
  try {
    await askWho(context, storage);
    return { state: AuthorizationState.Connected };
  } catch (error) {
    if (error instanceof NotConnected)
      return { state: AuthorizationState.FailedAuthorization, reason: error.message };
    if (isOutbound(error))
      context.log.warn(
        { reason: error.message, storage: storage.id },
        'a storage could not be asked',
      );
    else context.log.error({ err: error, storage: storage.id }, 'a storage could not be asked');
    return { state: AuthorizationState.Error };
  }
}

/** Asks the storage even if the answer is known. @throws as `reachStorage` does */
const askWho = (context: Context, storage: Storage): Promise<unknown> =>
  storage.authenticationMethod === AuthenticationMethod.OAuth2SSO
    ? reachStorage(context, storage, async () => undefined, askSignOnUser)
    : reachStorage(context, storage, (access) => adapterFor(storage.type).user(access));

/** Storages that one request asks at the same time. */
const MAX_CONCURRENT = 50;

export interface AuthorizationStates {
  load(storage: Storage): Promise<AuthorizationState>;
  /** Registers another call to the storage that also finds its state; `load` then uses that. */
  answer(storageId: number, how: () => Promise<AuthorizationState>): void;
}

/** The states of one request. Each storage is asked once. */
export const authorizationStates = (context: Context): AuthorizationStates => {
  const asked = new Map<number, Promise<AuthorizationState>>();
  const answers = new Map<number, () => Promise<AuthorizationState>>();
  const slots = bulkhead(MAX_CONCURRENT, Infinity);
  const ask = async (storage: Storage) => {
    // Before the slot is taken, so that the loaders read the rows of all storages in one batch.
    await Promise.all([
      context.loaders.clientCredentials.load(storage.id),
      context.loaders.storageTokens.load(storage.id),
    ]);
    return slots.execute(() => authorizationState(context, storage));
  };
  return {
    load(storage) {
      let state = asked.get(storage.id);
      if (!state) asked.set(storage.id, (state = answers.get(storage.id)?.() ?? ask(storage)));
      return state;
    },
    answer(storageId, how) {
      if (!answers.has(storageId)) answers.set(storageId, how);
    },
  };
};

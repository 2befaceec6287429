/** Asks storages whether they accept the caller. */
import { bulkhead } from 'cockatiel';
import type { Context } from '../../../context.js';
import {
  AuthenticationMethod,
  AuthorizationProblem,
  AuthorizationState,
  type Storage,
} from '../../../models/storage.js';
import { StorageClientRefused } from '../../../auth/connections/grants.js';
import { OutboundFailure } from '../../../outbound/failure.js';
import { StorageFailure } from '../../../storages/failure.js';
import { adapterFor } from '../../../storages/index.js';
import { isOutbound, NotConnected } from './outbound-error.js';
import { isSwitchedOff } from './switched-off.js';
import { reachStorage } from './reach-storage.js';
import { askSignOnUser } from './sign-on-user.js';

/** Whether a storage accepts the caller. */
export interface Connection {
  state: AuthorizationState;
  problem?: AuthorizationProblem;
  /** A sentence for the caller, if the storage does not accept the caller. */
  reason?: string;
}

export async function connectionTo(context: Context, storage: Storage): Promise<Connection> {
  if (isSwitchedOff(context, storage.type)) return { state: AuthorizationState.ERROR };
  try {
    await askWho(context, storage);
    return { state: AuthorizationState.CONNECTED };
  } catch (error) {
    if (isOutbound(error) && !(error instanceof NotConnected))
      context.log.warn(
        { reason: error.message, storage: storage.id },
        'a storage could not be asked',
      );
    else if (!(error instanceof NotConnected))
      context.log.error({ err: error, storage: storage.id }, 'a storage could not be asked');
    return failedConnection(error);
  }
}

/** What a failed call to a storage says about the connection of the caller. */
export function failedConnection(error: unknown): Connection {
  if (error instanceof NotConnected)
    return { state: AuthorizationState.FAILED_AUTHORIZATION, reason: error.message };
  return {
    state: AuthorizationState.ERROR,
    ...(isOutbound(error) && { reason: error.message }),
    ...problemOf(error),
  };
}

/** Asks the storage even if the answer is known. @throws as `reachStorage` does */
const askWho = (context: Context, storage: Storage): Promise<unknown> =>
  storage.authenticationMethod === AuthenticationMethod.OAUTH2_SSO
    ? reachStorage(context, storage, async () => undefined, askSignOnUser)
    : reachStorage(context, storage, (access) => adapterFor(storage.type).user(access));

function problemOf(error: unknown): Pick<Connection, 'problem'> {
  if (error instanceof StorageClientRefused)
    return { problem: AuthorizationProblem.CLIENT_REFUSED };
  const mustWait =
    (error instanceof OutboundFailure && error.reason === 'throttled') ||
    (error instanceof StorageFailure && error.status === THROTTLED);
  return mustWait ? { problem: AuthorizationProblem.ASKED_TO_WAIT } : {};
}

const THROTTLED = 429;

/** Storages that one request asks at the same time. */
const MAX_CONCURRENT = 50;

interface AuthorizationStates {
  load(storage: Storage): Promise<Connection>;
  /** Registers another call to the storage that also finds its state; `load` then uses that. */
  answer(storageId: number, how: () => Promise<Connection>): void;
}

/** The states of one request. Each storage is asked once. */
export const authorizationStates = (context: Context): AuthorizationStates => {
  const asked = new Map<number, Promise<Connection>>();
  const answers = new Map<number, () => Promise<Connection>>();
  const slots = bulkhead(MAX_CONCURRENT, Infinity);
  const ask = async (storage: Storage) => {
    // Before the slot is taken, so that the loaders read the rows of all storages in one batch.
    await Promise.all([
      context.loaders.clientCredentials.load(storage.id),
      context.loaders.storageTokens.load(storage.id),
    ]);
    return slots.execute(() => connectionTo(context, storage));
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

/** Gives a synchronisation its access to the storage. It has all the time that it needs. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../../context.js';
import type { Storage } from '../../../models/storage.js';
import type { HttpRequest, HttpAnswer } from '../../../outbound/http.js';
import { retryAfterMs } from '../../../outbound/retry.js';
import type { Access, Target } from '../../../storages/adapter.js';
import { FoldersUnavailable, type ManagedFolders } from '../../../storages/managed-folders.js';
import { applicationAccess } from '../access/application-access.js';
import { NotConnected } from '../access/outbound-error.js';
import { APPLICATION_PASSWORD } from '../access/reach-storage.js';
import { targetName, targetOf } from '../access/storage-target.js';
import { NEEDS } from './failure-message.js';
import { Postponed } from './postponed.js';

/** How long one call waits altogether when the storage asks for it. The plan gets old meanwhile. */
const PATIENCE_MS = 60_000;
/** A date in the past asks for no wait at all. */
const SHORTEST_WAIT_MS = 1_000;
/** The longest `Retry-After` after which it begins again by itself. A longer one is a failure. */
const LONGEST_WAIT_MS = 3_600_000;

interface FolderAccessOptions {
  signal: AbortSignal;
  /** Whether the synchronisation can begin again later. */
  canPostpone: boolean;
}

/** @throws FoldersUnavailable, Postponed, SealBroken, StorageFailure, OutboundFailure */
export async function folderAccess(
  context: Context,
  storage: Storage,
  folders: ManagedFolders,
  { signal, canPostpone }: FolderAccessOptions,
): Promise<Access> {
  const postpone = (ms: number): void => {
    if (canPostpone && ms <= LONGEST_WAIT_MS) throw new Postponed(ms);
  };
  const target: Target = {
    ...targetOf(context, storage),
    send: (request) => patientSend(context, storage, request, { signal, postpone }),
    leftMs: () => PATIENCE_MS,
    postpone,
    signal,
  };
  if (folders.access) {
    if (storage.applicationPassword === null)
      throw new FoldersUnavailable(NEEDS.applicationPassword);
    return folders.access(
      target,
      context.keyring.open(storage.applicationPassword, APPLICATION_PASSWORD),
    );
  }
  try {
    return renewing(await applicationAccess(context, storage, target), () =>
      applicationAccess(context, storage, target),
    );
  } catch (error) {
    if (error instanceof NotConnected)
      throw new FoldersUnavailable('The storage has no client credentials. Set them.');
    throw error;
  }
}

/** A synchronisation may last longer than its token: a refused call is repeated with a new one. */
function renewing(first: Access, renew: () => Promise<Access>): Access {
  let current = first;
  const send = (request: HttpRequest) =>
    current.send({
      ...request,
      headers: { ...request.headers, authorization: current.authorization },
    });
  return {
    ...first,
    async refused() {
      await current.refused?.();
      current = await renew();
    },
    async send(request) {
      const answer = await send(request);
      if (answer.status !== 401) return answer;
      current = await renew();
      return send(request);
    },
  };
}

/**
 * Each call has its own deadline. A circuit breaker of its own keeps failures here away from the
 * requests of people.
 */
async function patientSend(
  { outbound }: Context,
  storage: Storage,
  request: HttpRequest,
  { signal, postpone }: { signal: AbortSignal; postpone: (ms: number) => void },
): Promise<HttpAnswer> {
  for (let waited = 0; ;) {
    signal.throwIfAborted();
    const answer = await outbound.send(`${targetName(storage)} folders`, request);
    const isThrottled = answer.status === 429 || answer.status === 503;
    const asked = isThrottled ? retryAfterMs(answer.headers['retry-after']) : undefined;
    if (asked === undefined) return answer;
    const pause = Math.max(SHORTEST_WAIT_MS, asked);
    waited += pause;
    if (waited > PATIENCE_MS) {
      postpone(pause);
      return answer;
    }
    await sleep(pause, undefined, { signal });
  }
}

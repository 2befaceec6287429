/** Asks a storage something as the service itself: with a remembered token, and once more with a new one where that is refused. */
import type { Context } from '../context.js';
import type { Storage } from '../models/storage.js';
import type { Access } from '../storages/adapter.js';
import { failureOf, StorageFailure } from '../storages/failure.js';
import { adapterFor } from '../storages/index.js';
import { NotConnected } from './outbound-error.js';
import { credentialsOf, partnerOf } from './reach-storage.js';
import { targetOf } from './storage-target.js';

const refusals = new Set([failureOf(401), failureOf(403)].map(({ status }) => status));

/** @throws NotConnected where the type has no such tokens or no credentials are set; StorageFailure, OutboundFailure */
export async function reachAsApplication<T>(context: Context, storage: Storage, ask: (access: Access) => Promise<T>): Promise<T> {
  const first = await applicationAccess(context, storage);
  try {
    return await ask(first);
  } catch (error) {
    if (!(error instanceof StorageFailure) || (error.kind !== 'unauthorized' && error.kind !== 'forbidden')) throw error;
    await forget(context, storage, first);
    // What is forbidden is not allowed by another token of the same kind, but the next request begins with a new one.
    if (error.kind === 'forbidden') throw error;
    return ask(await applicationAccess(context, storage));
  }
}

/** The service's own access, with a remembered token where there is one. @throws as above */
export async function applicationAccess(context: Context, storage: Storage): Promise<Access> {
  const { applicationToken } = adapterFor(storage.type);
  const credentials = await credentialsOf(context, storage);
  if (!applicationToken || !credentials) throw new NotConnected();
  const target = targetOf(context, storage);
  const { client } = partnerOf(context, storage, credentials);
  const token = await context.applicationTokens.get(credentials.id, () => applicationToken(target, client));
  return {
    ...target, authorization: `Bearer ${token}`,
    async send(request) {
      const answer = await target.send(request);
      // The next request begins with a new one: with what was granted meanwhile, where something is forbidden.
      if (refusals.has(answer.status)) await context.applicationTokens.forget(credentials.id, token);
      return answer;
    },
  };
}

async function forget({ loaders, applicationTokens }: Context, storage: Storage, { authorization }: Access): Promise<void> {
  const credentials = await loaders.clientCredentials.load(storage.id);
  if (credentials) await applicationTokens.forget(credentials.id, authorization.replace(/^Bearer /, ''));
}

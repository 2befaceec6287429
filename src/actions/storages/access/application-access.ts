/** Gives the service its own access to a storage, with a cached token. */
import { SERVICE } from '../../../auth/connections/pauses.js';
import type { Context } from '../../../context.js';
import type { Storage } from '../../../models/storage.js';
import type { Access, Target } from '../../../storages/adapter.js';
import { isRefusal } from '../../../storages/failure.js';
import { adapterFor } from '../../../storages/index.js';
import { NotConnected } from './outbound-error.js';
import { credentialsOf, oauthClientOf } from './reach-storage.js';
import { patientTarget } from './patient-target.js';

/**
 * @throws NotConnected if the type has no such tokens or no credentials are set
 * @throws StorageFailure, OutboundFailure
 */
export async function applicationAccess(
  context: Context,
  storage: Storage,
  target: Target = patientTarget(context, storage, SERVICE),
): Promise<Access> {
  const { applicationToken } = adapterFor(storage.type);
  const credentials = await credentialsOf(context, storage);
  if (!applicationToken || !credentials) throw new NotConnected();
  const { client } = oauthClientOf(context, storage, credentials);
  const version = `${credentials.id} ${credentials.updatedAt}`;
  const token = await context.applicationTokens.get(version, () =>
    applicationToken(target, client),
  );
  // The next request gets a new token. For a 403, that token has permissions granted since.
  const refused = () => context.applicationTokens.forget(version, token);
  return {
    ...target,
    authorization: `Bearer ${token}`,
    applicationId: client.id,
    refused,
    async send(request) {
      const answer = await target.send(request);
      if (isRefusal(answer.status)) await refused();
      return answer;
    },
  };
}

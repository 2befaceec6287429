/** Says whether a storage has all the settings that it needs. */
import type { Context } from '../../../context.js';
import { AuthenticationMethod, type Storage } from '../../../models/storage.js';
import { storageTypes, type OwnMemberName } from '../../../storages/types.js';

export async function isConfigured(
  { loaders }: Pick<Context, 'loaders'>,
  storage: Storage,
): Promise<boolean> {
  if (storage.authenticationMethod === AuthenticationMethod.OAUTH2_SSO)
    return storage.storageAudience !== null;
  return hasAddress(storage) && (await loaders.clientCredentials.load(storage.id)) !== undefined;
}

/** Whether all members of its type are set. Without them its address is unknown. */
export const hasAddress = (storage: Storage): boolean =>
  Object.keys(storageTypes[storage.type].members).every(
    (name) => storage[name as OwnMemberName] !== null,
  );

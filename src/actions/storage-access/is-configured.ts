/** Whether everything is set that a storage needs to be used. */
import type { Context } from '../../context.js';
import { AuthenticationMethod, type Storage } from '../../models/storage.js';
import { storageTypes, type OwnMemberName } from '../../storages/types.js';

export async function isConfigured(
  { loaders }: Pick<Context, 'loaders'>,
  storage: Storage,
): Promise<boolean> {
  if (storage.authenticationMethod === AuthenticationMethod.OAuth2SSO)
    return storage.storageAudience !== null;
  return isAddressed(storage) && (await loaders.clientCredentials.load(storage.id)) !== undefined;
}

/** Without all members of its type nobody knows where it is. */
export const isAddressed = (storage: Storage): boolean =>
  Object.keys(storageTypes[storage.type].members).every(
    (name) => storage[name as OwnMemberName] !== null,
  );

/** Whether everything is set that a storage needs to be used. */
import type { Context } from '../../context.js';
import { AuthenticationMethod, StorageType, type Storage } from '../../models/storage.js';

export async function isConfigured({ loaders }: Pick<Context, 'loaders'>, storage: Storage): Promise<boolean> {
  if (storage.authenticationMethod === AuthenticationMethod.OAuth2SSO) return storage.storageAudience !== null;
  return isAddressed(storage) && (await loaders.clientCredentials.load(storage.id)) !== undefined;
}

/** A cloud drive is one of a tenant. */
export const isAddressed = ({ type, tenantId, driveId }: Storage): boolean => type !== StorageType.CloudDrive || (tenantId !== null && driveId !== null);

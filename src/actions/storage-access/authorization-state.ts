/** Whether a storage accepts the caller, asked of it (interface 4.5 rule 3). */
import type { Context } from '../../context.js';
import { AuthorizationState, StorageType, type Storage } from '../../models/storage.js';
import { adapterFor } from '../../storages/index.js';
import { isOutbound, NotConnected } from './outbound-error.js';
import { reachStorage } from './reach-storage.js';

export async function authorizationState(context: Context, storage: Storage): Promise<AuthorizationState> {
  // Switched off, it is not asked.
  if (storage.type === StorageType.CloudDrive && !context.settings.cloudDriveEnabled) return AuthorizationState.Error;
  try {
    await reachStorage(context, storage, (access) => adapterFor(storage.type).user(access));
    return AuthorizationState.Connected;
  } catch (error) {
    if (error instanceof NotConnected) return AuthorizationState.FailedAuthorization;
    if (isOutbound(error)) context.log.warn({ reason: error.message, storage: storage.id }, 'a storage could not be asked');
    else context.log.error({ err: error, storage: storage.id }, 'a storage could not be asked');
    return AuthorizationState.Error;
  }
}

/** Says what to do when a storage cannot keep a folder in step. */
import { OutboundFailure } from '../../../outbound/failure.js';
import { SealBroken } from '../../../secrets/keyring.js';
import { StorageFailure } from '../../../storages/failure.js';
import { FoldersUnavailable, GroupRefused } from '../../../storages/managed-folders.js';
import { Postponed } from './postponed.js';

/** What a storage misses, by the member that is to be set. */
export const NEEDS = {
  applicationPassword: 'The storage has no application password. Set one.',
  automaticallyManagedFolders:
    'The storage does not allow managed folders. Set automaticallyManagedFolders.',
} as const;

const CHANGED = 'The folder changed at the same time. Run the synchronisation again.';

const byStatus: { readonly [status: number]: string } = {
  401:
    'The storage refuses the sign-in of the service. ' +
    'Set a new application password, or check the client credentials.',
  403:
    'The storage does not allow the service to change this. ' +
    'Check the rights of the service there.',
  404: 'The storage did not find the folder. Run the synchronisation again.',
  405: 'The storage refuses the change. Check that the integration app is up to date.',
  409: CHANGED,
  412: CHANGED,
  423: 'The folder is locked in the storage. Unlock it there.',
  429: 'The storage had too many requests. The service tries again later.',
  507: 'The storage has no space left. Make space there.',
};

/** @returns undefined if the failure is the service's own, so that it is logged and not shown */
export function failureMessage(error: unknown): string | undefined {
  if (error instanceof FoldersUnavailable || error instanceof GroupRefused) return error.message;
  if (error instanceof Postponed)
    return 'The storage asks the service to wait. The service tries again later.';
  if (error instanceof SealBroken)
    return `${error.message} Set the right key, or set the secrets of the storage again.`;
  if (error instanceof OutboundFailure)
    return `${error.message} Check that the storage runs. The service tries again later.`;
  if (!(error instanceof StorageFailure)) return undefined;
  if (error.kind === 'nameRefused')
    return error.status === 400 ? `${error.message} Give the project another name.` : error.message;
  return (
    byStatus[error.status] ??
    `${error.message} Check the log of the storage. The service tries again later.`
  );
}

/** Whether every further call to the storage would fail too. */
export const endsSync = (error: unknown): boolean =>
  failureMessage(error) === undefined ||
  error instanceof FoldersUnavailable ||
  error instanceof Postponed ||
  (error instanceof OutboundFailure && error.reason === 'circuit') ||
  (error instanceof StorageFailure && error.kind === 'unauthorized');

/** Whether the storage surely did not do what it was asked for. Other failures leave that open. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof StorageFailure && (error.kind === 'nameRefused' || error.status in byStatus);

/** What a caller is told when a storage failed (decisions 1, C20): the one place where such failures become errors of the interface. */
import { GrantFailed } from '../../auth/connections/grants.js';
import { GrantRefused, ProviderUnavailable } from '../../auth/openid/client.js';
import { OutboundRequestFailed } from '../../contract/errors.js';
import { OutboundFailure } from '../../outbound/client.js';
import { StorageFailure } from '../../storages/failure.js';

/** The user has no leave at the storage: no token, or one that it refuses. */
export class NotConnected extends Error {
  constructor() {
    super('The storage does not know you. Connect to it first.');
    this.name = 'NotConnected';
  }
}

/** Anything that is not a storage's failure stays what it is. */
export function outboundError(error: unknown): unknown {
  if (error instanceof StorageFailure)
    return new OutboundRequestFailed(
      error.status,
      error.kind === 'forbidden' || error.kind === 'notFound' ? error.kind : 'other',
    );
  if (
    error instanceof OutboundFailure ||
    error instanceof NotConnected ||
    error instanceof GrantFailed ||
    error instanceof ProviderUnavailable ||
    error instanceof GrantRefused
  )
    return new OutboundRequestFailed(error.message);
  return error;
}

/** Whether it is the storage's or the connection's failure, not ours. */
export const isOutbound = (error: unknown): error is Error => outboundError(error) !== error;

/** Turns failures of storages and identity providers into API errors. */
import { GrantFailed, StorageClientRefused } from '../../../auth/connections/grants.js';
import { ProviderRefused, ProviderUnavailable } from '../../../auth/openid/client.js';
import { OutboundRequestFailed } from '../../../contract/errors.js';
import { OutboundFailure } from '../../../outbound/failure.js';
import { StorageFailure } from '../../../storages/failure.js';

const CONNECT_FIRST = 'The storage does not know you. Connect to it first.';

/** The user has no token for the storage, or the storage refuses it. */
export class NotConnected extends Error {
  /** @param message for the user */
  constructor(message = CONNECT_FIRST) {
    super(message);
    this.name = 'NotConnected';
  }
}

/** @returns an OutboundRequestFailed; any other error unchanged */
export function outboundError(error: unknown): unknown {
  if (error instanceof StorageFailure)
    return new OutboundRequestFailed(
      error.status,
      error.kind === 'forbidden' || error.kind === 'notFound' ? error.kind : 'other',
      error.advice,
    );
  if (
    error instanceof OutboundFailure ||
    error instanceof NotConnected ||
    error instanceof GrantFailed ||
    error instanceof StorageClientRefused ||
    error instanceof ProviderUnavailable ||
    error instanceof ProviderRefused
  )
    return new OutboundRequestFailed(error.message);
  return error;
}

/** Whether the failure is the storage's or the connection's, not this service's. */
export const isOutbound = (error: unknown): error is Error => outboundError(error) !== error;

/** The text of an error for the operator. */
import { ApiError } from './errors.js';

/** The text of an `ApiError` is for clients, so that of its cause is used instead, if it has one. */
export function errorText(error: unknown): string {
  // A failed connection to a name with several addresses has several errors and no message.
  if (error instanceof AggregateError && error.message === '')
    return error.errors.map(errorText).join('; ');
  if (error instanceof ApiError && error.cause instanceof Error) return errorText(error.cause);
  return error instanceof Error ? error.message || error.name : String(error);
}

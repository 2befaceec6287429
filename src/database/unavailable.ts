/** The error while the database cannot be used. */
import { ServiceUnavailable } from '../contract/errors.js';

/**
 * The database cannot be reached, or another process holds its lock.
 * The request is not at fault, so a later try can succeed. `cause` is for the log.
 */
export class DatabaseUnavailable extends ServiceUnavailable {
  constructor(cause: unknown) {
    super();
    this.cause = cause;
    // knex puts the query with its bindings before the message of every error.
    Object.defineProperty(this, 'message', {
      get: () => 'The database cannot be used at the moment. Try again shortly.',
      set() {},
    });
  }
}

/** Makes a handler for `catch`: replaces the errors for which `matches` is true. */
export const unavailable =
  (matches: (error: unknown) => boolean) =>
  (error: unknown): never => {
    throw matches(error) ? new DatabaseUnavailable(error) : error;
  };

/** For `acquireConnection`: it fails if the server refuses, or if no connection is free in time. */
export const notAcquired = unavailable(() => true);

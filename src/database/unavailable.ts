/** The answer while the database cannot be used. */
import { ServiceUnavailable } from '../contract/errors.js';

/** The database cannot be reached, or somebody holds its lock: nobody's fault who asked, and worth another try. The cause is for the operator. */
export class DatabaseUnavailable extends ServiceUnavailable {
  constructor(cause: unknown) {
    super();
    this.cause = cause;
    // knex puts the text of the query, bindings included, in front of the message of every error that passes.
    Object.defineProperty(this, 'message', {
      get: () => 'The database cannot be used at the moment. Try again shortly.',
      set() {},
    });
  }
}

export const unavailable =
  (isSo: (error: unknown) => boolean) =>
  (error: unknown): never => {
    throw isSo(error) ? new DatabaseUnavailable(error) : error;
  };

/** knex reports here what failed to connect, and a pool in which no connection became free in time. */
export const notAcquired = unavailable(() => true);

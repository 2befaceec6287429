import { GraphQLError } from 'graphql';
import type { Logger } from 'pino';
import { ApiError } from '../contract/errors.js';

const signals = ['SIGINT', 'SIGTERM'] as const;

/** The first signal stops, the second one at once. */
export function onSignals(stop: () => void, stopNow: () => void) {
  let stopping = false;
  for (const signal of signals) {
    process.on(signal, () => {
      if (stopping) return stopNow();
      stopping = true;
      stop();
    });
  }
}

/** For a process whose parent says when to stop: Ctrl-C and service managers signal both. */
export function ignoreSignals() {
  for (const signal of signals) process.on(signal, () => undefined);
}

/** For a server that has stopped and said so: a copy inside the store cannot be cut short, and would keep the process for its time-out. */
export function endSoon() {
  setTimeout(() => process.exit(), 1_000).unref();
}

/**
 * graphql-js leaves the promises of a list to nobody where another row of it fails at once: that must not end a server. The same error
 * has been told to the client; anything else that nobody waited for is ours.
 */
export function outliveRejections(log: Logger) {
  process.on('unhandledRejection', (error) => {
    const cause = error instanceof GraphQLError ? (error.originalError ?? error) : error;
    const isTold = cause instanceof GraphQLError || (cause instanceof ApiError && !cause.isFault);
    log[isTold ? 'debug' : 'error']({ err: cause }, 'a failure that nobody waited for');
  });
}

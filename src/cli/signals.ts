/** Handles signals, the end of the process, and unhandled rejections. */
import { GraphQLError } from 'graphql';
import type { Logger } from 'pino';
import { ApiError } from '../contract/errors.js';

const signals = ['SIGINT', 'SIGTERM'] as const;

/** The first signal calls `stop`, the second one `stopNow`. */
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

/**
 * For a worker process, which its parent stops. Ctrl-C and service managers send signals to both.
 */
export function ignoreSignals() {
  for (const signal of signals) process.on(signal, () => undefined);
}

/**
 * Ends a stopped server after a second. A copy inside the blob store cannot be cancelled and would
 * keep the process alive until its time-out.
 */
export function exitSoon() {
  setTimeout(() => process.exit(), 1_000).unref();
}

/**
 * Logs unhandled rejections instead of ending the server. When one item of a list fails, graphql-js
 * does not wait for the promises of the others. The client gets their errors as part of the answer,
 * so these are logged as `debug`. Every other unhandled rejection is a bug.
 */
export function logUnhandledRejections(log: Logger) {
  process.on('unhandledRejection', (error) => {
    const cause = error instanceof GraphQLError ? (error.originalError ?? error) : error;
    const isReported =
      cause instanceof GraphQLError || (cause instanceof ApiError && !cause.isFault);
    log[isReported ? 'debug' : 'error']({ err: cause }, 'a failure that nobody waited for');
  });
}

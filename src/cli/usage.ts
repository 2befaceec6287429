import { ApiError } from '../contract/errors.js';

/** Exit statuses other than 0; the last is EX_CONFIG of sysexits.h. */
export const EXIT = { failure: 1, usage: 2, configuration: 78 };

/** A command line that makes no sense; exit status 2. */
export class UsageError extends Error {}

/** What the operator is told of an error: where it was worded for clients, its cause. */
export function describe(error: unknown): string {
  // A name that resolves to several addresses fails with several errors and no message.
  if (error instanceof AggregateError && error.message === '')
    return error.errors.map(describe).join('; ');
  if (error instanceof ApiError && error.cause instanceof Error) return describe(error.cause);
  return error instanceof Error ? error.message || error.name : String(error);
}

/** Prints an answer: text for people, or one JSON document. */
export function print(json: boolean | undefined, value: unknown, text: () => string): void {
  process.stdout.write(json ? `${JSON.stringify(value, null, 2)}\n` : `${text()}\n`);
}

/** @throws UsageError, ConfigError, or an error whose message is for the operator */
export type Run = (args: string[]) => Promise<void>;

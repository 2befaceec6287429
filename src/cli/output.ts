/** The output of the commands: results and texts of errors. */
import { ApiError } from '../contract/errors.js';
import { DatabaseUnavailable } from '../database/unavailable.js';

/**
 * The text of an error for the operator. The text of an `ApiError` is for clients, so the text of
 * its cause is used instead, if it has one.
 */
export function describe(error: unknown): string {
  // A failed connection to a name with several addresses has several errors and no message.
  if (error instanceof AggregateError && error.message === '')
    return error.errors.map(describe).join('; ');
  if (error instanceof DatabaseUnavailable)
    return `The database of DATABASE_URL cannot be used: ${describe(error.cause)}`;
  if (error instanceof ApiError && error.cause instanceof Error) return describe(error.cause);
  return error instanceof Error ? error.message || error.name : String(error);
}

export const printJson = (value: unknown): void =>
  void process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);

/** Prints a result: text for people, or one JSON document. */
export function print(json: boolean | undefined, value: unknown, text: () => string): void {
  if (json) printJson(value);
  else process.stdout.write(`${text()}\n`);
}

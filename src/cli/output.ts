/** The output of the commands: results and texts of errors. */
import { errorText } from '../contract/error-text.js';
import { DatabaseUnavailable } from '../database/unavailable.js';

/** The text of an error for the operator. */
export const describe = (error: unknown): string =>
  error instanceof DatabaseUnavailable
    ? `The database of DATABASE_URL cannot be used: ${errorText(error.cause)}`
    : errorText(error);

export const printJson = (value: unknown): void =>
  void process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);

/** Prints a result: text for people, or one JSON document. */
export function print(json: boolean | undefined, value: unknown, text: () => string): void {
  if (json) printJson(value);
  else process.stdout.write(`${text()}\n`);
}

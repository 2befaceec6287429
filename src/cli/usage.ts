/** A command line that makes no sense; exit status 2. */
export class UsageError extends Error {}

/** Prints an answer: text for people, or one JSON document. */
export function print(json: boolean | undefined, value: unknown, text: () => string): void {
  process.stdout.write(json ? `${JSON.stringify(value, null, 2)}\n` : `${text()}\n`);
}

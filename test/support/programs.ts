/** Programs of the system that tests use. Where one is missing, its tests are skipped or fail. */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { describe as Describe } from '@jest/globals';

/** The path of the first program that is installed. Servers are often not in the path of users. */
export const findProgram = (...names: string[]): string | undefined =>
  [...(process.env['PATH'] ?? '').split(delimiter), '/usr/local/sbin', '/usr/sbin']
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find((path) => existsSync(path));

// The global function: the crash test loads this file, and `jest.ts` works only inside Jest.
declare const describe: typeof Describe;

/**
 * `describe` for tests with one of these programs. Without it they are reported as skipped, or fail
 * if the variable is 1.
 */
export function describeWith(
  names: string[],
  variable: string,
  title: string,
  body: () => void,
): void {
  if (findProgram(...names) !== undefined || process.env[variable] === '1') describe(title, body);
  else describe.skip(`${title} (skipped: ${names.join(' or ')} is not installed)`, body);
}

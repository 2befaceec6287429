/** The real storages of the contract, by environment variables. Without them, fakes in another process. */
import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll } from '../support/jest.js';
import type { Environment } from './live-remotes.js';

let fakes: ChildProcess | undefined;
let variables: Promise<Environment> | undefined;

/** Ends the fakes after the tests of a file. Another file of the same process starts its own. */
export const endFakesAfterAll = (): void =>
  afterAll(() => {
    fakes?.stdin?.end();
    fakes = variables = undefined;
  });

/** The variables of a real storage, or those of a fake. @param url the variable with its address */
export const environmentOf = async (url: string): Promise<Environment> =>
  process.env[url] ? process.env : (variables ??= startFakes());

export const wordFor = (url: string): string => (process.env[url] ? 'real' : 'separately running');

async function startFakes(): Promise<Environment> {
  fakes = spawn(
    process.execPath,
    ['--import', 'tsx', fileURLToPath(new URL('live-fakes.ts', import.meta.url))],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  for await (const line of createInterface({ input: fakes.stdout! }))
    return JSON.parse(line) as Environment;
  throw new Error('The fakes did not start.');
}

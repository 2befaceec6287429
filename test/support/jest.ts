/**
 * Jest's functions. The runner loads files as Node.js does, several in one process.
 * It has no time-outs, so every test and hook gets one here.
 */
import type * as Jest from '@jest/globals';

declare const DATABASE: 'sqlite' | 'postgres' | 'none';

type Test = typeof Jest.test;
type Describe = typeof Jest.describe;
type Hook = typeof Jest.beforeAll;
type Run = (...given: never[]) => unknown;

/** For slow servers outside, see `docs/how-to/test-against-real-servers.md`. */
const LIMIT_MS = Number(process.env['CONTRACT_STEP_SECONDS'] ?? 90) * 1_000;
/** How long a test may wait for the answers to one request: 15 seconds by default. */
export const ANSWER_MS = LIMIT_MS / 6;

/** The runner defines them as globals. `@jest/globals` cannot be loaded here. */
const own = globalThis as unknown as typeof Jest;
const missing = process.env['MOORAGE_TEST_POSTGRES_MISSING'];
/** Whether the tests of the current file are reported as skipped. */
const skipsAll = () => DATABASE === 'postgres' && missing !== undefined;
const chosen = <F extends Test | Describe>(define: F): F =>
  skipsAll() ? (define.skip as F) : define;

function limited<T extends Run>(run: T, ms = LIMIT_MS): T {
  return (async (...given: never[]) => {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`It took longer than ${ms} ms.`)), ms);
    });
    try {
      await Promise.race([run(...given), late]);
    } finally {
      clearTimeout(timer);
    }
  }) as unknown as T;
}

type Each = (...table: unknown[]) => (name: string, run: Run) => void;

/** A function like the given one that chooses, for each call, whether to skip. It may wrap what is run. */
const choosing = <F extends Test | Describe>(
  define: F,
  wrap: (run: Run, ms?: number) => Run = (run) => run,
): F =>
  Object.assign(
    (name: string, run: Run, ms?: number) => chosen(define)(name, wrap(run, ms) as never),
    define,
    {
      each:
        (...table: unknown[]) =>
        (name: string, run: Run, ms?: number) =>
          (chosen(define).each as unknown as Each)(...table)(name, wrap(run, ms)),
    },
  );

const limitedHook =
  (hook: Hook): Hook =>
  (run: Run, ms?: number) =>
    skipsAll() ? undefined : hook(limited(run, ms) as never);

export const { expect, jest } = own;
export const describe: Describe = choosing(own.describe);
export const test: Test = choosing(own.test, limited);
export const beforeAll = limitedHook(own.beforeAll);
export const beforeEach = limitedHook(own.beforeEach);
export const afterAll = limitedHook(own.afterAll);
export const afterEach = limitedHook(own.afterEach);

if (missing !== undefined) console.warn(`PostgreSQL tests are skipped: ${missing}`);

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
/** If true, all tests are reported as skipped. */
const skipsAll = DATABASE === 'postgres' && missing !== undefined;

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

const limitedTest = (): Test =>
  Object.assign(
    (name: string, run: Run, ms?: number) => own.test(name, limited(run, ms) as never),
    own.test,
    {
      each:
        (...table: unknown[]) =>
        (name: string, run: Run, ms?: number) =>
          (own.test.each as unknown as (...rows: unknown[]) => Test)(...table)(
            name,
            limited(run, ms) as never,
          ),
    },
  );

const limitedHook =
  (hook: Hook): Hook =>
  (run: Run, ms?: number) =>
    hook(limited(run, ms) as never);

/** The same function, but it reports the tests as skipped. */
const skipped = <T extends Test | Describe>({ skip }: { skip: unknown }): T =>
  Object.assign((...given: never[]) => (skip as (...all: never[]) => unknown)(...given), skip, {
    skip,
  }) as unknown as T;

export const { expect, jest } = own;
export const describe: Describe = skipsAll ? skipped(own.describe) : own.describe;
export const test: Test = skipsAll ? skipped(own.test) : limitedTest();
const hooks = [own.beforeAll, own.beforeEach, own.afterAll, own.afterEach].map((hook) =>
  skipsAll ? () => undefined : limitedHook(hook),
);
export const [beforeAll, beforeEach, afterAll, afterEach] = hooks as [
  Hook,
  typeof Jest.beforeEach,
  typeof Jest.afterAll,
  typeof Jest.afterEach,
];

if (skipsAll) console.warn(`PostgreSQL tests are skipped: ${missing}`);

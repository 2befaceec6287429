/** Ends a process that computes without a pause. A separate thread watches the main thread. */
import { Worker } from 'node:worker_threads';

/** Plain JavaScript, because a thread has no TypeScript loader. */
const guard = `
  const { workerData: { shared, seconds, script } } = require('node:worker_threads');
  const { writeSync } = require('node:fs');
  const [beat, number, seed] = [0, 1, 2];
  const state = new Int32Array(shared);
  let [last, still] = [-1, 0];
  setInterval(() => {
    still = state[beat] === last ? still + 1 : 0;
    last = state[beat];
    if (still < seconds) return;
    writeSync(1, 'FOUND case ' + state[number] + ': it computes for more than ' + seconds + ' seconds\\nreplay with: npm run ' + script + ' -- --seed ' + state[seed] + ' --case ' + state[number] + '\\n\\n0 passed, 1 failed, 0 skipped\\n');
    process.kill(process.pid, 'SIGKILL');
  }, 1000);
`;

/**
 * @param seconds without progress
 * @param script that repeats a case
 */
export function watch(
  seed: number,
  seconds: number,
  script = 'test:fuzz',
): { alive(caseNumber: number): void; end(): Promise<unknown> } {
  const shared = new SharedArrayBuffer(3 * Int32Array.BYTES_PER_ELEMENT);
  const state = new Int32Array(shared);
  const [beat, number, begun] = [0, 1, 2] as const;
  state[begun] = seed;
  const worker = new Worker(guard, { eval: true, workerData: { shared, seconds, script } });
  const timer = setInterval(() => Atomics.add(state, beat, 1), 500);
  return {
    alive(caseNumber) {
      Atomics.add(state, beat, 1);
      state[number] = caseNumber;
    },
    end() {
      clearInterval(timer);
      return worker.terminate();
    },
  };
}

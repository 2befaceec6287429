/**
 * Loaded into the server beside its own program: on SIGUSR2 it collects garbage, and writes what is left to the file that SOAK_STATE names,
 * with how many seconds one after the other the event loop was always at work since the last time.
 */
import { renameSync, writeFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { getHeapCodeStatistics } from 'node:v8';

const file = process.env.SOAK_STATE;
/** Waiting for nothing, but for what reading the clocks takes. */
const BUSY = 0.99;
let before = performance.eventLoopUtilization();
let seconds = 0;
let longest = 0;
setInterval(() => {
  const present = performance.eventLoopUtilization();
  seconds = performance.eventLoopUtilization(present, before).utilization >= BUSY ? seconds + 1 : 0;
  longest = Math.max(longest, seconds);
  before = present;
}, 1_000).unref();

process.on('SIGUSR2', async () => {
  const busySeconds = longest;
  // What a finalizer frees, the next collection finds.
  for (let n = 0; n < 3; n += 1) {
    globalThis.gc();
    await sleep(50);
  }
  const { rss, heapUsed, external } = process.memoryUsage();
  const { code_and_metadata_size: code, bytecode_and_metadata_size: bytecode } =
    getHeapCodeStatistics();
  writeFileSync(
    `${file}.new`,
    JSON.stringify({ rss, heapUsed, external, compiled: code + bytecode, busySeconds }),
  );
  renameSync(`${file}.new`, file);
  longest = 0;
});

/**
 * Loaded into the server. On SIGUSR2 it collects garbage, and writes the remaining memory to the file named by SOAK_STATE,
 * with the number of consecutive seconds in which the event loop was always busy since the last signal.
 */
import { renameSync, writeFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { getHeapCodeStatistics } from 'node:v8';

const file = process.env.SOAK_STATE;
/** The loop was busy all the time, except for reading the clocks. */
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
  // Memory that a finalizer releases is found by the next collection.
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

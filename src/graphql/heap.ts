/**
 * How far the heap grows before old garbage is collected. The engine's own rule lets it grow to a multiple of what lives in it, and lists
 * of thousands of rows would leave a hundred MiB behind. A closer one at all times would collect for every 20 MiB of the buffers of
 * files that pass: it takes half of the throughput of an upload and two thirds of that of a download.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const SPARING_PERCENT = 30;
/** So long after the last long list the engine's own rule holds again. */
const AFTERWARDS_MS = 10_000;

let timer: NodeJS.Timeout | undefined;

/** Many rows were read, and more is made of them. */
export function growSparingly(): void {
  if (timer) return void timer.refresh();
  setFlagsFromString(`--heap-growing-percent=${SPARING_PERCENT}`);
  // The flag counts from the next collection on, which may be far away: so there is one now.
  collect();
  timer = setTimeout(() => {
    timer = undefined;
    setFlagsFromString('--heap-growing-percent=0');
  }, AFTERWARDS_MS).unref();
}

/** Node hands out the collector by this flag alone. */
function collect(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}

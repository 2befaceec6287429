/**
 * How far the heap grows before old garbage is collected. Left alone it grows to a multiple of what lives in it, and lists of thousands
 * of rows would keep hundreds of MiB. Where files pass through, the same rule would collect for every 20 MiB of their buffers: it
 * doubles the processor time of an upload and takes two thirds of the throughput of a download. So it rests meanwhile.
 */
import { setFlagsFromString } from 'node:v8';

const SPARING_PERCENT = 30;

let sparing = false;
let passing = 0;

/** For the program, once, at its start. */
export function growSparingly(): void {
  sparing = true;
  apply();
}

/** Bytes of a file begin to pass through. @returns what says that they ended; to be called once */
export function filePasses(): () => void {
  passing += 1;
  if (passing === 1) apply();
  return () => {
    passing -= 1;
    if (passing === 0) apply();
  };
}

function apply(): void {
  // V8 reads the flag at each collection, not only at the start; 0 is its own rule.
  if (sparing) setFlagsFromString(`--heap-growing-percent=${passing > 0 ? 0 : SPARING_PERCENT}`);
}

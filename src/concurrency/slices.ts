/** Splits long computations into slices, so that other requests are answered in between. */

const SLICE_MS = 10;

const waiting: (() => void)[] = [];

/** Only one computation continues in each turn of the event loop, however many there are. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(continueOne);
  });
}

function continueOne(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(continueOne);
}

/** One long computation. Its first slice begins with the first `pause`. */
export class Slices {
  #end = 0;

  /** Call it between steps of about a millisecond. It waits if the slice is over. */
  async pause(): Promise<void> {
    if (performance.now() < this.#end) return;
    await nextTurn();
    this.#end = performance.now() + SLICE_MS;
  }
}

/** The number of items that are converted before the time is checked again. */
const AT_ONCE = 100;

/** Converts a list. If it is long, other requests are answered in between. */
export async function mapInSlices<T, R>(
  items: readonly T[],
  convert: (item: T) => R,
  slices = new Slices(),
): Promise<R[]> {
  const converted: R[] = [];
  for (const [index, item] of items.entries()) {
    if (index % AT_ONCE === 0 && items.length > AT_ONCE) await slices.pause();
    converted.push(convert(item));
  }
  return converted;
}

/** Runs work for many items, a few at the same time. */

/** Starts no more items after the first that throws, waits for those that run, and throws it. */
export async function fewAtOnce<T>(
  most: number,
  items: readonly T[],
  run: (item: T) => Promise<void>,
): Promise<void> {
  const waiting = items.values();
  const failures: unknown[] = [];
  const work = async () => {
    for (const item of waiting) {
      if (failures.length > 0) return;
      try {
        await run(item);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, work));
  if (failures.length > 0) throw failures[0];
}

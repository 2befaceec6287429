/** Async iterators that can be left at once: a generator that waits for its next value hears of `return` only afterwards. */

/** Leaves a value out. */
export const SKIP = Symbol('skip');

/** The values of a source, each made into another or left out; an error ends it, and leaving it leaves the source. */
export function mapIterator<T, U>(
  source: AsyncIterator<T>,
  make: (value: T) => Promise<U | typeof SKIP>,
): AsyncGenerator<U, void> {
  const leave = async (): Promise<IteratorReturnResult<void>> => {
    await source.return?.();
    return { done: true, value: undefined };
  };
  const iterator = {
    async next(): Promise<IteratorResult<U, void>> {
      for (;;) {
        const result = await source.next();
        if (result.done) return { done: true, value: undefined };
        try {
          const made = await make(result.value);
          if (made !== SKIP) return { done: false, value: made };
        } catch (error) {
          await leave();
          throw error;
        }
      }
    },
    return: leave,
    async throw(error: unknown): Promise<never> {
      await leave();
      throw error;
    },
    [Symbol.asyncIterator]: (): AsyncGenerator<U, void> =>
      iterator as unknown as AsyncGenerator<U, void>,
  };
  return iterator[Symbol.asyncIterator]();
}

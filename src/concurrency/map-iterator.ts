/** Maps async iterators that a caller can leave while the next value is still awaited. */

/** `mapIterator` leaves out a value for which `make` returns this. */
export const SKIP = Symbol('skip');

/**
 * Maps each value of a source. An error in `make` ends the iterator and closes the source.
 *
 * This is no generator function: a generator that awaits its next value handles `return` only
 * after that value arrives.
 */
export function mapIterator<T, U>(
  source: AsyncIterator<T>,
  make: (value: T) => Promise<U | typeof SKIP>,
): AsyncGenerator<U, void> {
  const close = async (): Promise<IteratorReturnResult<void>> => {
    await source.return?.();
    return { done: true, value: undefined };
  };
  const iterator: AsyncGenerator<U, void> = {
    async next() {
      for (;;) {
        const result = await source.next();
        if (result.done) return { done: true, value: undefined };
        try {
          const made = await make(result.value);
          if (made !== SKIP) return { done: false, value: made };
        } catch (error) {
          await close();
          throw error;
        }
      }
    },
    return: close,
    async throw(error: unknown) {
      await close();
      throw error;
    },
    [Symbol.asyncIterator]: () => iterator,
    async [Symbol.asyncDispose]() {
      await close();
    },
  };
  return iterator;
}

/** The results of a subscription, with an end that can be observed and can be an error. */
import type { ExecutionResult } from 'graphql';

type Results = AsyncGenerator<ExecutionResult, void>;

interface End {
  /** Called at the end. It can be called more than once. */
  onEnd(): void;
  /** The error that ended the source; undefined if it ended normally. */
  error(): unknown;
  /** Makes the last result from an error. */
  errorResult(error: unknown): ExecutionResult;
}

/** Observes the end of an iterator. An error becomes its last result. */
export function endWithError(results: Results, { onEnd, error, errorResult }: End): Results {
  let ended = false;
  const end = (cause: unknown): IteratorResult<ExecutionResult, void> => {
    ended = true;
    onEnd();
    return cause === undefined
      ? { done: true, value: undefined }
      : { done: false, value: errorResult(cause) };
  };
  const iterator: Results = {
    async next() {
      if (ended) return { done: true, value: undefined };
      try {
        const result = await results.next();
        return result.done ? end(error()) : result;
      } catch (cause) {
        return end(cause);
      }
    },
    return() {
      onEnd();
      return results.return();
    },
    throw(cause: unknown) {
      onEnd();
      return results.throw(cause);
    },
    [Symbol.asyncIterator]: () => iterator,
    async [Symbol.asyncDispose]() {
      await iterator.return();
    },
  };
  return iterator;
}

/** Values that are often known at once: lists of thousands must not make a promise for each of their fields. */
export type MaybePromise<T> = T | Promise<T>;

/** Goes on at once where the value is known. */
export const after = <T, R>(
  value: MaybePromise<T>,
  use: (value: T) => MaybePromise<R>,
): MaybePromise<R> => (value instanceof Promise ? value.then(use) : use(value));

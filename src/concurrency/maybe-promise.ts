/** Values that are often known at once. Long lists must not make a promise for each field. */
export type MaybePromise<T> = T | Promise<T>;

/** Calls `use` at once if the value is known, else when the promise resolves. */
export const thenMaybe = <T, R>(
  value: MaybePromise<T>,
  use: (value: T) => MaybePromise<R>,
): MaybePromise<R> => (value instanceof Promise ? value.then(use) : use(value));

/** A promise that is settled from outside. */

interface Deferred<T> {
  promise: Promise<T>;
  // Methods: so an upload of attachments is also one of attachments or file links.
  resolve(value: T): void;
  reject(error: Error): void;
}

export function deferred<T>(): Deferred<T> {
  let resolve: (value: T) => void = () => undefined;
  let reject: (error: Error) => void = () => undefined;
  const promise = new Promise<T>((...functions) => {
    [resolve, reject] = functions;
  });
  // Nobody has to wait for the end: the state says it too.
  promise.catch(() => undefined);
  return { promise, resolve, reject };
}

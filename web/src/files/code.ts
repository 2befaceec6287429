/** Colours for code. */

/** Code that takes longer stays plain, in milliseconds. */
const LONGEST = 3_000;

/**
 * @returns HTML of the same words, in which nothing acts; undefined if they stay plain
 */
export function coloured(
  words: string,
  name: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const worker = new Worker(new URL('./code-worker.ts', import.meta.url), { type: 'module' });
  return new Promise<string | undefined>((resolve) => {
    setTimeout(resolve, LONGEST);
    signal.addEventListener('abort', () => resolve(undefined));
    worker.addEventListener('message', ({ data }: MessageEvent<string | undefined>) =>
      resolve(data),
    );
    worker.addEventListener('error', () => resolve(undefined));
    worker.postMessage({ words, name });
  }).finally(() => worker.terminate());
}

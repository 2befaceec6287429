/** A progress line on a terminal; no output elsewhere. */
export interface Progress {
  /** Replaces the line, at most ten times a second. */
  show(text: string): void;
  /** Replaces the line in any case: for long steps that report no progress. */
  begin(text: string): void;
  /** Removes the line. Call it before other output and at the end. */
  clear(): void;
}

const INTERVAL_MS = 100;

export function progressOn(stream: NodeJS.WriteStream): Progress {
  if (!stream.isTTY)
    return { show: () => undefined, begin: () => undefined, clear: () => undefined };
  let shownAt = 0;
  const clear = () => void stream.write('\r\x1b[K');
  // When a command fails, nobody calls `clear`.
  process.once('exit', clear);
  const begin = (text: string) => {
    shownAt = Date.now();
    stream.write(`\r\x1b[K${text}`);
  };
  const show = (text: string) => (Date.now() - shownAt < INTERVAL_MS ? undefined : begin(text));
  return { show, begin, clear };
}

/** One line on a terminal that says how far long work is; nothing elsewhere. */
export interface Progress {
  /** Replaces the line, at most ten times a second. */
  show(text: string): void;
  /** Replaces the line in any case: for what may take long and says nothing meanwhile. */
  begin(text: string): void;
  /** Takes the line away, before something else is printed and at the end. */
  clear(): void;
}

const INTERVAL_MS = 100;

export function progressOn(stream: NodeJS.WriteStream): Progress {
  if (!stream.isTTY)
    return { show: () => undefined, begin: () => undefined, clear: () => undefined };
  let shownAt = 0;
  const clear = () => void stream.write('\r\x1b[K');
  // A failure is printed after the work.
  process.once('exit', clear);
  const begin = (text: string) => {
    shownAt = Date.now();
    stream.write(`\r\x1b[K${text}`);
  };
  const show = (text: string) => (Date.now() - shownAt < INTERVAL_MS ? undefined : begin(text));
  return { show, begin, clear };
}

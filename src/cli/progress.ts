/** One line on a terminal that says how far long work is; nothing elsewhere. */
export interface Progress {
  /** Replaces the line, at most ten times a second. */
  show(text: string): void;
  /** Takes the line away, before something else is printed and at the end. */
  clear(): void;
}

const INTERVAL_MS = 100;

export function progressOn(stream: NodeJS.WriteStream): Progress {
  if (!stream.isTTY) return { show: () => undefined, clear: () => undefined };
  let shownAt = 0;
  const clear = () => void stream.write('\r\x1b[K');
  // A failure is printed after the work.
  process.once('exit', clear);
  return {
    show(text) {
      if (Date.now() - shownAt < INTERVAL_MS) return;
      shownAt = Date.now();
      stream.write(`\r\x1b[K${text}`);
    },
    clear,
  };
}

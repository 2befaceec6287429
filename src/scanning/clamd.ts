/** The protocol of ClamAV's daemon: a connection for each command, the content in frames behind `INSTREAM`. */
import { Readable } from 'node:stream';
import {
  FileNotScannable,
  ScannerUnavailable,
  type Scanner,
  type ScannerAddress,
  type Timeouts,
  type Verdict,
} from './scanner.js';
import { ClamdConnection } from './clamd-connection.js';

/** The daemon itself gives a file up after two minutes (`MaxScanTime`), and says so. */
const PATIENCE: Timeouts = { connect: 5_000, progress: 60_000, verdict: 180_000 };

/** Most content in one frame, in bytes. */
const FRAME = 256 * 1024;

/** Length of the number in front of a frame; a zero there ends the content. */
const PREFIX = 4;

export function openClamd(address: ScannerAddress, timeouts: Partial<Timeouts>): Scanner {
  const patience = { ...PATIENCE, ...timeouts };

  return {
    async scan(content, signal) {
      const pieces = content[Symbol.asyncIterator]();
      // Asked for before the daemon is reached: a stream that nobody reads yet would not be closed, and its error would be nobody's.
      const first = pieces.next();
      first.catch(() => undefined);
      const line = new ClamdConnection(address);
      const abort = () => line.fail(signal?.reason);
      if (signal?.aborted) abort();
      signal?.addEventListener('abort', abort);
      try {
        await line.connect(patience.connect);
        await line.send(command('INSTREAM'), patience.progress);
        const complete = await sendContent(line, first, pieces, patience.progress);
        return verdictOf(await line.answer(patience.verdict), complete);
      } finally {
        signal?.removeEventListener('abort', abort);
        line.close();
        release(content, pieces);
      }
    },

    async check() {
      const pong = await ask(address, 'PING', patience.connect);
      if (pong !== 'PONG') throw notUnderstood(pong);
      return { version: printable(await ask(address, 'VERSION', patience.connect)) };
    },
  };
}

/** With the prefix `z` a zero byte ends the command as well as its answer. */
const command = (name: string): Buffer => Buffer.from(`z${name}\0`);

/**
 * Sends the content and its end; all that is held of it is one piece and one frame.
 * @returns whether the daemon got the end; false when it answered before
 */
async function sendContent(
  line: ClamdConnection,
  first: Promise<IteratorResult<Uint8Array>>,
  pieces: AsyncIterator<Uint8Array>,
  patience: number,
): Promise<boolean> {
  const frame = Buffer.allocUnsafe(PREFIX + FRAME);
  let held = 0;
  const flush = async () => {
    frame.writeUInt32BE(held);
    const taken = await line.send(frame.subarray(0, PREFIX + held), patience);
    held = 0;
    return taken;
  };
  for (let next = first; ; next = pieces.next()) {
    const piece = await line.wait(next, patience, 'The content to be scanned gave nothing');
    if (piece === undefined) return false;
    if (piece.done) break;
    for (let rest = piece.value; rest.byteLength !== 0;) {
      const part = rest.subarray(0, FRAME - held);
      frame.set(part, PREFIX + held);
      held += part.byteLength;
      rest = rest.subarray(part.byteLength);
      if (held === FRAME && !(await flush())) return false;
    }
  }
  if (held > 0 && !(await flush())) return false;
  await flush();
  return true;
}

/** @param complete whether the daemon saw everything, without which it cannot call it clean */
function verdictOf(answer: string, complete: boolean): Verdict {
  if (answer === 'stream: OK' && complete) return { clean: true };
  const found = /^stream: (.*) FOUND$/s.exec(answer);
  // With AlertExceedsMax the daemon says so; it has not looked at all of it.
  if (found?.[1]!.startsWith('Heuristics.Limits.Exceeded')) throw tooLarge();
  if (found) return { clean: false, signature: printable(found[1]!) || 'unnamed' };
  if (answer.startsWith('INSTREAM size limit exceeded')) {
    throw tooLarge();
  }
  throw notUnderstood(answer);
}

const tooLarge = () =>
  new FileNotScannable(
    'The file is larger than the virus scanner accepts. Raise StreamMaxLength, MaxFileSize and MaxScanSize in its clamd.conf to the largest attachment allowed, restart it and scan the file again.',
  );

const notUnderstood = (answer: string) =>
  new ScannerUnavailable(
    `The virus scanner gave no verdict but said ${JSON.stringify(printable(answer))}.`,
  );

/** Letters, marks, numbers, punctuation, symbols and the space, at most 200 of them. */
const printable = (text: string): string =>
  [...text.replaceAll(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, '')].slice(0, 200).join('');

/** Closes content that may not have been read to its end. Nobody waits for it: a source that hangs would hang the scan. */
function release(content: AsyncIterable<Uint8Array>, pieces: AsyncIterator<Uint8Array>): void {
  pieces.return?.().catch(() => undefined);
  if (content instanceof Readable) content.destroy();
}

async function ask(address: ScannerAddress, name: string, patience: number): Promise<string> {
  const line = new ClamdConnection(address);
  try {
    await line.connect(patience);
    await line.send(command(name), patience);
    return await line.answer(patience);
  } finally {
    line.close();
  }
}

/**
 * The protocol of ClamAV's daemon `clamd`. Files are sent with the command `INSTREAM`. Each command
 * has its own connection.
 */
import { Readable } from 'node:stream';
import { firstCharacters } from '../contract/text-rules.js';
import {
  FileTooLarge,
  ScannerUnavailable,
  type Scanner,
  type ScannerAddress,
  type Timeouts,
  type Verdict,
} from './scanner.js';
import { ClamdConnection } from './clamd-connection.js';
import { ScanLimits } from './scan-limits.js';
import { testVirusBehind } from './test-virus.js';

/**
 * In milliseconds. The daemon stops a scan after two minutes (`MaxScanTime`), so the verdict may
 * take three.
 */
const DEFAULT_TIMEOUTS: Timeouts = { connect: 5_000, progress: 60_000, verdict: 180_000 };

/** Most content in one frame, in bytes. */
const FRAME = 256 * 1024;

/** Each frame begins with its length in four bytes. A length of zero ends the content. */
const PREFIX = 4;

export function openClamd(address: ScannerAddress, overrides: Partial<Timeouts>): Scanner {
  const timeouts = { ...DEFAULT_TIMEOUTS, ...overrides };

  const scan: Scanner['scan'] = async (content, signal) => {
    const pieces = content[Symbol.asyncIterator]();
    // Start to read before the connection exists. A stream that was never read is not closed,
    // and its errors are unhandled.
    const first = pieces.next();
    first.catch(() => undefined);
    const connection = new ClamdConnection(address);
    const abort = () => connection.fail(signal?.reason);
    if (signal?.aborted) abort();
    signal?.addEventListener('abort', abort);
    try {
      await connection.connect(timeouts.connect);
      await connection.send(command('INSTREAM'), timeouts.progress);
      const complete = await sendContent(connection, first, pieces, timeouts.progress);
      return verdictOf(await connection.answer(timeouts.verdict), complete);
    } finally {
      signal?.removeEventListener('abort', abort);
      connection.close();
      release(content, pieces);
    }
  };
  const limits = new ScanLimits(async (bytes) => {
    try {
      return !(await scan(testVirusBehind(bytes))).clean;
    } catch (error) {
      if (error instanceof FileTooLarge) return false;
      throw error;
    }
  });

  return {
    scan,
    reads: (bytes) => limits.allow(bytes),

    async check() {
      const pong = await ask(address, 'PING', timeouts.connect);
      if (pong !== 'PONG') throw notUnderstood(pong);
      return { version: printable(await ask(address, 'VERSION', timeouts.connect)) };
    },
  };
}

/** With the prefix `z`, a zero byte ends the command and its answer. */
const command = (name: string): Buffer => Buffer.from(`z${name}\0`);

/**
 * Sends the content and its end. It holds one piece and one frame in memory.
 * @returns false when the daemon answered before the end of the content
 */
async function sendContent(
  connection: ClamdConnection,
  first: Promise<IteratorResult<Uint8Array>>,
  pieces: AsyncIterator<Uint8Array>,
  timeout: number,
): Promise<boolean> {
  const frame = Buffer.allocUnsafe(PREFIX + FRAME);
  let held = 0;
  const flush = async () => {
    frame.writeUInt32BE(held);
    const accepted = await connection.send(frame.subarray(0, PREFIX + held), timeout);
    held = 0;
    return accepted;
  };
  for (let next = first; ; next = pieces.next()) {
    const piece = await connection.wait(next, timeout, 'The content to be scanned gave nothing');
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

/** @param complete whether the daemon got all content; without it the file cannot count as clean */
function verdictOf(answer: string, complete: boolean): Verdict {
  if (answer === 'stream: OK' && complete) return { clean: true };
  const signature = /^stream: (.*) FOUND$/s.exec(answer)?.[1];
  // With the option AlertExceedsMax the daemon answers this for a file that it scanned in part.
  if (signature?.startsWith('Heuristics.Limits.Exceeded')) throw new FileTooLarge();
  if (signature !== undefined)
    return { clean: false, signature: printable(signature) || 'unnamed' };
  if (answer.startsWith('INSTREAM size limit exceeded')) {
    throw new FileTooLarge();
  }
  throw notUnderstood(answer);
}

const notUnderstood = (answer: string) =>
  new ScannerUnavailable(
    `The virus scanner gave no verdict but said ${JSON.stringify(printable(answer))}.`,
  );

/** Keeps letters, marks, numbers, punctuation, symbols and spaces, at most 200 characters. */
const printable = (text: string): string =>
  firstCharacters(text.replaceAll(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, ''), 200);

/** Closes content that was perhaps not read to its end, without a wait: the source may hang. */
function release(content: AsyncIterable<Uint8Array>, pieces: AsyncIterator<Uint8Array>): void {
  pieces.return?.().catch(() => undefined);
  if (content instanceof Readable) content.destroy();
}

async function ask(address: ScannerAddress, name: string, timeout: number): Promise<string> {
  const connection = new ClamdConnection(address);
  try {
    await connection.connect(timeout);
    await connection.send(command(name), timeout);
    return await connection.answer(timeout);
  } finally {
    connection.close();
  }
}

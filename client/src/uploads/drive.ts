/** Sends a file to a drive in ranges, and goes on where the drive expects the next one. */
import { answered, type Connection } from '../connection.js';
import { MoorageError } from '../errors.js';
import { storageRefusal } from './file-server.js';
import { sendFile } from './send.js';
import type { StorageMemory, StoredFile } from './stored-file.js';
import type { Attempt } from './way.js';

/** Drives take multiples of 320 KiB, below 60 MiB. */
const RANGE = 32 * 320 * 1024;

/**
 * Our own credentials are never sent there: the address contains a token.
 * @throws MoorageError `SESSION_GONE` if the address has ended, `STORAGE_REFUSED`, one without an
 *   answer, or the reason of the signal
 */
export async function sendRanges(
  fetch: Connection['fetch'],
  url: string,
  fileName: string,
  { file, signal, setState, setSent, continueAt }: Attempt,
  memory: StorageMemory,
): Promise<StoredFile> {
  const source = file();
  if (source.size === 0)
    throw new MoorageError(
      'STORAGE_REFUSED',
      `${fileName} is empty. The storage takes no empty files.`,
    );
  setState('sending');
  let start = await nextStart(fetch, url, signal);
  continueAt(start);
  for (;;) {
    const from = start;
    const end = Math.min(from + RANGE, source.size);
    setSent(from);
    memory.isLastSent = end === source.size;
    const answer = await sendFile(fetch, {
      method: 'PUT',
      url,
      headers: { 'content-range': `bytes ${from}-${end - 1}/${source.size}` },
      body: source.slice(from, end),
      size: end - from,
      signal,
      onProgress: (sent) => setSent(from + sent),
    });
    setSent(end);
    if (answer.status === 200 || answer.status === 201) {
      const { id, name } = JSON.parse(answer.text) as StoredFile;
      return { id, name };
    }
    if (answer.status === 202) start = startOf(answer.text);
    // The drive has the range already: its answer was lost.
    else if (answer.status === 416) start = await nextStart(fetch, url, signal);
    else throw answer.status === 404 ? sessionGone() : storageRefusal(answer);
  }
}

/** Asks the drive which byte it expects. */
async function nextStart(
  fetch: Connection['fetch'],
  url: string,
  signal: AbortSignal,
): Promise<number> {
  const answer = await fetch(url, { signal });
  if (answer.status === 404) throw sessionGone();
  if (answer.status !== 200) throw storageRefusal(answer);
  return startOf(await answered(answer.text(), signal));
}

function startOf(text: string): number {
  const { nextExpectedRanges = [] } = JSON.parse(text) as { nextExpectedRanges?: string[] };
  return Number.parseInt(nextExpectedRanges[0] ?? '0', 10);
}

const sessionGone = () =>
  new MoorageError('SESSION_GONE', 'The storage waits no more for this file. Try again.', {
    status: 404,
  });

/** Writes answers piece by piece, and gives up clients that do not take them. */
import type { ServerResponse } from 'node:http';

/** A client that takes longer for a piece does not keep up. */
const LATE_MS = 50;

/** The client has left, or it was given up because it took too little. */
export class ClientGone extends Error {
  constructor(readonly tooSlow: boolean) {
    super(tooSlow ? 'The client takes too little.' : 'The client has left.');
    this.name = 'ClientGone';
  }
}

/** The line of the log for an answer that is no file. */
export const ANSWER_ENDED = 'an answer was ended because its client takes too little';

interface Patience {
  /** After this time the connection is closed. */
  stallMs: number;
  /** Called once when the client is late. It frees what the client does not need until it reads. */
  late?: () => void;
}

/**
 * Resolves when the operating system has taken the piece, which it does when the client reads.
 * @throws ClientGone
 */
export function written(
  res: ServerResponse,
  piece: Buffer | string,
  { stallMs, late }: Patience,
): Promise<void> {
  return new Promise((resolve, reject) => {
    if (res.closed || res.destroyed || res.writableEnded) return reject(new ClientGone(false));
    const settle = (error?: ClientGone) => {
      clearTimeout(timer);
      res.off('close', leave);
      if (error) reject(error);
      else resolve();
    };
    const leave = () => settle(new ClientGone(false));
    const giveUp = () => {
      settle(new ClientGone(true));
      res.destroy();
    };
    let timer = setTimeout(() => {
      timer = setTimeout(giveUp, stallMs);
      late?.();
    }, LATE_MS);
    res.once('close', leave);
    res.write(piece, (error) => settle(error ? new ClientGone(false) : undefined));
  });
}

/** The bytes of a file, slice by slice. */
interface Slices {
  next(): Promise<Buffer | undefined>;
  recycle(slice: Buffer): void;
  slowDown(): void;
  close(): Promise<void>;
}

/** Ends the answer with these bytes, and closes them. @throws ClientGone */
export async function sendSlices(
  res: ServerResponse,
  slices: Slices,
  stallMs: number,
): Promise<void> {
  const patience = { stallMs, late: () => slices.slowDown() };
  try {
    for (let slice = await slices.next(); slice; slice = await slices.next()) {
      await written(res, slice, patience);
      slices.recycle(slice);
    }
    res.end();
  } catch (error) {
    res.destroy();
    throw error;
  } finally {
    await slices.close();
  }
}

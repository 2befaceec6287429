/** The body of a request while it arrives: its memory, its time, and its rest after the answer. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Slots } from '../concurrency/slots.js';
import { RequestTimeout, type ApiError } from '../contract/errors.js';
import { FILE_BEGINS } from './read-form.js';

/** Memory is counted in these steps, in bytes. A smaller body costs no more than its connection. */
const STEP = 16 * 1024;
/** What a chunk takes in memory besides its bytes. A client chooses how small chunks are. */
const CHUNK_COST = 256;

/** The least that must arrive in `fileMs`, and in `drainMs` after the answer, in bytes. */
const LEAST = 64 * 1024;
/** How often the time of a file is looked at, in parts of it. */
const LOOKS = 16;

/** How much is read of a request that is already answered. Then its connection is closed, even if the client still sends. In bytes. */
const MOST_DRAINED = 256 * 1024 * 1024;

interface BodyLimits {
  /** Counts the memory of all bodies without a file. Its callers are networks. */
  memory: Slots;
  /** How long a client may take to send a body without a file. */
  bodyMs: number;
  /** How long a client may take to send 64 KiB of a file. */
  fileMs: number;
  /** The same, when the request is already answered. */
  drainMs: number;
  /** Answers with an error, and closes the connection. */
  refuse(error: ApiError): void;
}

export class ArrivingBody {
  /** Bytes that have arrived. */
  #bytes = 0;
  /** Memory of the body until its file begins. */
  #memory = 0;
  #isCounted = true;
  readonly #releases: (() => void)[] = [];
  #timer: NodeJS.Timeout | undefined;

  /** Call it when the headers have arrived. */
  constructor(
    private readonly req: IncomingMessage,
    private readonly res: ServerResponse,
    private readonly network: string,
    private readonly limits: BodyLimits,
  ) {
    req.once(FILE_BEGINS, () => {
      this.#free();
      this.#expectFile();
    });
    // Must run before Node's own listener, which may close the connection.
    res.prependOnceListener('finish', () => this.#drain());
    res.once('close', () => this.#free());
  }

  /** The request is begun: from now on its body has a time limit, because it fills memory. */
  begin(): void {
    const late = () => this.#giveUp(new RequestTimeout());
    this.#timer = setTimeout(late, this.limits.bodyMs).unref();
  }

  /** Bytes have arrived. If too much is in memory, the request is refused. */
  add(bytes: number): void {
    this.#bytes += bytes;
    // After the end of the connection, nothing would release the memory.
    if (!this.#isCounted || this.req.socket.destroyed) return;
    this.#memory += bytes + CHUNK_COST;
    try {
      while ((this.#releases.length + 1) * STEP <= this.#memory)
        this.#releases.push(this.limits.memory.acquire(this.network, STEP));
    } catch (error) {
      this.#giveUp(error as ApiError);
    }
  }

  #free(): void {
    this.#isCounted = false;
    clearInterval(this.#timer);
    for (const release of this.#releases.splice(0)) release();
  }

  /**
   * A file is stored as it arrives, so it has no time limit. But its client must not keep a slot
   * for ever. The time in which the service itself does not read does not count.
   */
  #expectFile(): void {
    let before = this.#bytes;
    let waited = 0;
    const look = () => {
      if (this.req.complete) return clearInterval(this.#timer);
      if (this.#bytes - before >= LEAST) {
        before = this.#bytes;
        waited = 0;
      } else if (this.req.readableLength === 0) waited += 1;
      if (waited >= LOOKS) this.#giveUp(new RequestTimeout());
    };
    this.#timer = setInterval(look, this.limits.fileMs / LOOKS).unref();
  }

  #giveUp(error: ApiError): void {
    const { req, res } = this;
    clearInterval(this.#timer);
    this.#isCounted = false;
    if (req.complete || res.headersSent || !req.socket.readable) return;
    // Readers of the body must give up: the request must not be executed, even if the rest of it
    // arrives.
    req.emit('aborted');
    // Some readers answer that event at once.
    if (!res.headersSent) this.limits.refuse(error);
  }

  /**
   * Reads the rest of a request that is already answered. A client that still sends would otherwise
   * get a connection reset instead of the answer.
   */
  #drain(): void {
    const { req } = this;
    if (req.complete) return;
    const { socket } = req;
    req.unpipe();
    req.resume();
    // With `Connection: close` Node would destroy the socket in the middle of the request. Instead
    // the socket half-closes: the client reads the answer, then closes.
    socket.destroySoon = () => socket.end();
    const first = this.#bytes;
    let before = first;
    const timer = setInterval(() => {
      const isSlow = this.#bytes - before < LEAST;
      if (isSlow || this.#bytes - first > MOST_DRAINED) socket.destroy();
      before = this.#bytes;
    }, this.limits.drainMs).unref();
    req.once('close', () => clearInterval(timer));
  }
}

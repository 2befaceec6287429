/** The answers of a connection that are not complete: one request is begun at a time. */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';

/** More requests without an answer than clients ever send. Each costs some kilobytes. */
const MOST_OPEN = 10;

/**
 * A client can send many requests in one packet (pipelining). Each would read and hold its answer,
 * although the answers are sent one after the other.
 */
export class OpenAnswers {
  readonly #open = new WeakMap<Socket, ServerResponse[]>();

  /** @param begin handles a request, when the answers before it are complete */
  constructor(private readonly begin: (res: ServerResponse) => void) {}

  /** The last request of a connection that has no complete answer. */
  latest(socket: Socket): ServerResponse | undefined {
    return this.#open.get(socket)?.at(-1);
  }

  /** Begins the request now or later. With too many requests, the connection is closed. */
  add(res: ServerResponse): void {
    const { socket } = res.req;
    if (socket.destroyed) return;
    const open = this.#open.get(socket) ?? this.#watch(socket);
    if (open.length === MOST_OPEN) {
      logOf(open[0]!)?.info('a connection was closed because of too many requests at once');
      socket.destroy();
      return;
    }
    open.push(res);
    res.once('close', () => {
      open.splice(open.indexOf(res), 1);
      if (open[0] && !socket.destroyed) this.begin(open[0]);
    });
    if (open.length === 1) this.begin(res);
  }

  // A listener that is made in `add` would keep the first answer of its connection, with its rows.
  #watch(socket: Socket): ServerResponse[] {
    const open: ServerResponse[] = [];
    this.#open.set(socket, open);
    // A copy, because each leaves the list.
    socket.once('close', () => open.slice().forEach(abandon));
    return open;
  }
}

const logOf = (res: ServerResponse) => (res as { locals?: { log?: Logger } }).locals?.log;

/**
 * Closes an answer whose connection has closed. With pipelined requests, Node 20 reports that only
 * to the first one. Work for the others would never end.
 */
function abandon(res: ServerResponse): void {
  if (res.closed) return;
  // `closed` reads this private member of Node.
  Object.assign(res, { destroyed: true, _closed: true });
  res.emit('close');
}

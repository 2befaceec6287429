/** Asks a PostgreSQL server to end the running statement of a connection. */
import { connect } from 'node:net';

/** What the server told at the begin of the connection, and where the server is. */
export interface Cancellable {
  host: string;
  port: number;
  processID: number | null;
  secretKey: number | null;
}

/** The number of the request in the protocol (PostgreSQL manual, "Message Formats"). */
const CANCEL_REQUEST = 80_877_102;
const MOST_MS = 2_000;

/**
 * The request has a connection of its own, as the protocol wants it. It fails silently: then the
 * statement ends by itself, or at its time limit.
 */
export const cancelStatement = ({ host, port, processID, secretKey }: Cancellable): Promise<void> =>
  new Promise((resolve) => {
    if (processID === null || typeof secretKey !== 'number') return resolve();
    const request = Buffer.alloc(16);
    request.writeInt32BE(16, 0);
    request.writeInt32BE(CANCEL_REQUEST, 4);
    request.writeInt32BE(processID, 8);
    request.writeInt32BE(secretKey, 12);
    const socket = host.startsWith('/')
      ? connect(`${host}/.s.PGSQL.${port}`)
      : connect({ host, port });
    socket
      .setTimeout(MOST_MS, () => socket.destroy())
      .on('error', () => undefined)
      // The server closes the connection when it has told the process of the statement.
      .on('close', () => resolve())
      .resume()
      .end(request);
  });

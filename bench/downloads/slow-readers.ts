/** Downloads whose clients stop reading. */
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const TOGETHER = 100;
const TRICKLE_MS = 5_000;

interface SlowReaders {
  /** Those that the server still serves. */
  open(): number;
  close(): void;
}

/**
 * Opens downloads. Each client reads some bytes at full speed, then one piece every five seconds.
 * @param eager bytes read at full speed, for each client in turn
 */
export async function openSlowReaders(
  { address, path, key }: { address: string; path: string; key: string },
  count: number,
  eager: readonly number[],
): Promise<SlowReaders> {
  const sockets: Socket[] = [];
  const { hostname, port } = new URL(address);
  for (let first = 0; first < count; first += TOGETHER) {
    await Promise.all(
      Array.from({ length: Math.min(TOGETHER, count - first) }, async (_, n) => {
        const socket = connect(Number(port), hostname).on('error', () => undefined);
        sockets.push(socket);
        socket.write(
          `GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${key}\r\n\r\n`,
        );
        await readAtLeast(socket, Math.max(1, eager[(first + n) % eager.length]!));
      }),
    );
    // The server's timers see that the clients are late.
    await sleep(TOGETHER);
  }
  const timer = setInterval(() => {
    for (const socket of sockets) socket.once('data', () => socket.pause()).resume();
  }, TRICKLE_MS);
  return {
    open: () =>
      sockets.filter(({ destroyed, readableEnded }) => !destroyed && !readableEnded).length,
    close: () => {
      clearInterval(timer);
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Reads so many bytes, then pauses the socket. @throws if the answer is not the file */
function readAtLeast(socket: Socket, bytes: number): Promise<void> {
  return new Promise((resolve, reject) => {
    let read = 0;
    const take = (piece: Buffer) => {
      if (read === 0 && !piece.subarray(0, 12).equals(Buffer.from('HTTP/1.1 200')))
        reject(new Error(piece.subarray(0, 300).toString()));
      read += piece.byteLength;
      if (read < bytes) return;
      socket.off('data', take).pause();
      resolve();
    };
    socket.on('data', take).once('close', () => reject(new Error('A download was cut off.')));
  });
}

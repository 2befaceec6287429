/** A proxy before a store that can close connections or stop sending. */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface Proxy {
  endpoint: string;
  /** Closes a connection after this number of bytes to the store, as often as `cuts` says. */
  cutUpAfter: number;
  cuts: number;
  /** Closes a connection, or stops sending, after this number of bytes from the store. */
  cutDownAfter: number;
  silentAfter: number;
  /** The number of connections so far. */
  connections: number;
  close(): Promise<void>;
}

/** @param target address of the store. Without it the proxy accepts connections and sends nothing. */
export async function startProxy(target?: string): Promise<Proxy> {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    proxy.connections += 1;
    sockets.add(client);
    client.on('error', () => undefined);
    if (!target) return void client.resume();
    const { hostname, port } = new URL(target);
    const store = connect(Number(port), hostname).on('error', () => undefined);
    sockets.add(store);
    const cut = () => [client, store].forEach((socket) => socket.destroy());
    let [up, down] = [0, 0];
    client
      .on('data', (chunk) => {
        up += chunk.byteLength;
        if (up > proxy.cutUpAfter && proxy.cuts > 0) {
          proxy.cuts -= 1;
          return cut();
        }
        pass(chunk, client, store);
      })
      .on('close', cut);
    store
      .on('data', (chunk) => {
        down += chunk.byteLength;
        if (down > proxy.silentAfter) return;
        if (down > proxy.cutDownAfter) return cut();
        pass(chunk, store, client);
      })
      .on('close', cut);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const proxy: Proxy = {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cutUpAfter: Infinity,
    cuts: Infinity,
    cutDownAfter: Infinity,
    silentAfter: Infinity,
    connections: 0,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
  return proxy;
}

function pass(chunk: Buffer, from: Socket, to: Socket): void {
  if (to.write(chunk)) return;
  from.pause();
  to.once('drain', () => from.resume());
}

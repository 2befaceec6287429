/** Makes a server listen, and closes it. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** @returns the address, such as `http://127.0.0.1:8080` */
export function listen(
  server: Server,
  { host, port }: { host: string; port: number },
): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      const { address, family, port: chosen } = server.address() as AddressInfo;
      resolve(`http://${family === 'IPv6' ? `[${address}]` : address}:${chosen}`);
    });
  });
}

/** Closes a server. Requests in flight may finish within `ms`, then their connections are cut. */
export function closeWithin(server: Server, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), ms);
    // A busy keep-alive connection becomes idle after its last answer.
    const closeIdle = setInterval(() => server.closeIdleConnections(), 100);
    server.close(() => {
      clearTimeout(timer);
      clearInterval(closeIdle);
      resolve();
    });
    server.closeIdleConnections();
  });
}

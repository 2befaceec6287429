/** Starts and ends listening. */
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

/** Requests in flight may finish within the bound; afterwards their connections are cut. */
export function closeWithin(server: Server, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), ms);
    // Busy keep-alive connections become idle with their last answer.
    const sweep = setInterval(() => server.closeIdleConnections(), 100);
    server.close(() => {
      clearTimeout(timer);
      clearInterval(sweep);
      resolve();
    });
    server.closeIdleConnections();
  });
}

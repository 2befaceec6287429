/** The address of the service, for commands, which do not run it. */
import type { Config } from '../config.js';

/** @returns undefined with `PORT=0` and without `BASE_URL`: the server chooses a port */
export function ownAddress({ baseUrl, host, port }: Config): string | undefined {
  const hostname = host.includes(':') ? `[${host}]` : host;
  return baseUrl ?? (port === 0 ? undefined : `http://${hostname}:${port}`);
}

/** @throws Error if the address is not known */
export function addressOf(config: Config, path: string): string {
  const own = ownAddress(config);
  if (own === undefined) throw new Error('Set BASE_URL or PORT: they are in the link.');
  return own + path;
}

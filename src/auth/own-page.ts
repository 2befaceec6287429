/** Checks that requests come from our own pages, and that redirects stay on our own host. */
import type { IncomingMessage } from 'node:http';

/**
 * Whether a page of our own origin sent the request. Browsers send `Sec-Fetch-Site` to https and
 * localhost only. Elsewhere `Origin` counts. `X-Requested-With` is accepted too: a page of another
 * origin can set it only when CORS permits that.
 */
export function fromOwnPage(
  { headers }: Pick<IncomingMessage, 'headers'>,
  baseUrl: string,
): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  return (
    headers.origin === new URL(baseUrl).origin || headers['x-requested-with'] === 'XMLHttpRequest'
  );
}

/**
 * Accepts only what no browser can read as an address of another host.
 * @returns the value, if it is a path in printable ASCII without a backslash; otherwise undefined
 */
export function ownPath(value: unknown, baseUrl: string): string | undefined {
  if (typeof value !== 'string' || value.length > 4096 || !/^\/(?![/\\])[!-[\]-~]*$/.test(value))
    return undefined;
  return URL.canParse(value, baseUrl) && new URL(value, baseUrl).origin === new URL(baseUrl).origin
    ? value
    : undefined;
}

/** Whether a request comes from a page of ours, and where a page of ours may send a browser. */
import type { IncomingMessage } from 'node:http';

/**
 * Whether a browser says that a page of our own origin sent a request. Browsers that do not say it (`Sec-Fetch-Site` is sent to
 * trustworthy addresses only) name the origin; a header of one's own needs our permission (CORS) on other origins.
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

/** A path on our own host, as it was given: printable ASCII without a backslash; undefined for anything that a browser could take for another host. */
export function ownPath(value: unknown, baseUrl: string): string | undefined {
  if (typeof value !== 'string' || value.length > 4096 || !/^\/(?![/\\])[!-[\]-~]*$/.test(value))
    return undefined;
  return URL.canParse(value, baseUrl) && new URL(value, baseUrl).origin === new URL(baseUrl).origin
    ? value
    : undefined;
}

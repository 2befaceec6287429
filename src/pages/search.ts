/** Reads the raw query of a request. */
import type { Request } from 'express';

/**
 * The query of a request with its question mark. `new URL` cannot be used: a request may have a
 * complete address with an invalid host or port.
 */
export function searchOf({ originalUrl }: Pick<Request, 'originalUrl'>): string {
  const start = originalUrl.indexOf('?');
  return start === -1 ? '' : originalUrl.slice(start);
}

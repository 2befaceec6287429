import type { Request } from 'express';

/** The query of a request, with its question mark. The rest of an address may be anything: a request may name a host and a port that nobody has. */
export function searchOf({ originalUrl }: Pick<Request, 'originalUrl'>): string {
  const start = originalUrl.indexOf('?');
  return start === -1 ? '' : originalUrl.slice(start);
}

/** Writes HAL documents and redirects. */
import type { Response } from 'express';
import { InternalServerError } from '../../contract/errors.js';

const HAL = 'application/hal+json; charset=utf-8';

export function hal(
  res: Response,
  body: object,
  status = 200,
  headers: { readonly [name: string]: string } = {},
): void {
  const bytes = Buffer.from(JSON.stringify(body));
  res.writeHead(status, {
    'Content-Type': HAL,
    'Content-Length': bytes.byteLength,
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'private, no-cache',
    ...headers,
  });
  res.end(bytes);
}

/**
 * Redirects the client to another service. No cache may store the address: it may give access.
 * A null address would be a bug: the graph answers null only together with an error.
 */
export function seeOther(res: Response, location: string | null): void {
  if (location === null) throw new InternalServerError();
  res.writeHead(303, {
    Location: location,
    'Cache-Control': 'private, no-store',
    'Content-Length': 0,
  });
  res.end();
}

export interface Link {
  href: string | null;
  title?: string;
  method?: string;
  templated?: boolean;
  payload?: object;
}

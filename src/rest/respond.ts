/** Writes HAL documents. */
import type { Response } from 'express';

const HAL = 'application/hal+json; charset=utf-8';

export function hal(res: Response, body: object, status = 200, headers: { readonly [name: string]: string } = {}): void {
  const bytes = Buffer.from(JSON.stringify(body));
  res.writeHead(status, { 'Content-Type': HAL, 'Content-Length': bytes.byteLength, 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'private, no-cache', ...headers });
  res.end(bytes);
}

export interface Link {
  href: string | null;
  title?: string;
  method?: string;
  templated?: boolean;
}

/** Sends a text as the whole body of an answer. */
import type { ServerResponse } from 'node:http';

/**
 * Node writes a short text together with the headers. A long one becomes bytes: while the client
 * takes a text, garbage collections copy it again and again.
 */
const SHORT = 8 * 1024;

export function sendText(
  res: ServerResponse,
  status: number,
  headers: { readonly [name: string]: string },
  text: string,
): void {
  const body = text.length < SHORT ? text : Buffer.from(text);
  res.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body) });
  res.end(body);
}

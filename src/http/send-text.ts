/** Sends a text as the whole body of an answer. */
import type { ServerResponse } from 'node:http';

export function sendText(
  res: ServerResponse,
  status: number,
  headers: { readonly [name: string]: string },
  text: string,
): void {
  const length = Buffer.byteLength(text);
  res.writeHead(status, { ...headers, 'Content-Length': length });
  // Node writes ASCII together with the headers. It writes other long texts slowly as text.
  res.end(length === text.length ? text : Buffer.from(text));
}

/** What the file server answers, before it is written. */
import type { ServerResponse } from 'node:http';
import type { FakeRequest } from '../http-server.js';

export interface Answer {
  status: number;
  headers?: { [name: string]: string };
  body?: string | Buffer;
}

/** A request below the server's prefix. */
export interface Call {
  request: FakeRequest;
  /** Percent-encoded as sent, without the prefix. */
  path: string;
  prefix: string;
  /** The address that the client used, with the prefix. */
  base: string;
}

export const HTML = 'text/html; charset=UTF-8';
export const UNCACHED = { 'cache-control': 'no-cache, no-store, must-revalidate' };
export const IN_MAINTENANCE = { 'x-nextcloud-maintenance-mode': '1' };

/** Set, not written: a fault may still replace the length. */
export function send(
  response: ServerResponse,
  { status, headers = {}, body = '' }: Answer,
  method: string,
): void {
  response.statusCode = status;
  // Clients of Node.js refuse the bytes of UTF-8 that PHP sends as they are.
  for (const [name, value] of Object.entries(headers))
    response.setHeader(
      name,
      typeof value === 'string' ? value.replace(/[^\x20-\x7e]/g, '?') : value,
    );
  const bytes = Buffer.from(body);
  if (method === 'HEAD') response.setHeader('content-length', bytes.length);
  response.end(method === 'HEAD' || status === 204 ? undefined : bytes);
}

/** Slashes and angle brackets are escaped, as PHP does. */
export const json = (status: number, value: unknown, headers: Answer['headers'] = {}): Answer => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8', ...UNCACHED, ...headers },
  body: JSON.stringify(value)
    .replaceAll('/', '\\/')
    .replaceAll('<', '\\u003C')
    .replaceAll('>', '\\u003E'),
});

export const empty = (status: number, headers: Answer['headers'] = {}): Answer => ({
  status,
  headers: { 'content-type': HTML, ...headers },
});

export const seeOther = (location: string, headers: Answer['headers'] = {}): Answer =>
  empty(303, { ...UNCACHED, location, ...headers });

export const page = (
  status: number,
  title: string,
  content = '',
  headers: Answer['headers'] = {},
): Answer => ({
  status,
  headers: { 'content-type': HTML, ...headers },
  body: `<!DOCTYPE html><html lang="en"><head><title>${title}</title></head><body><h1>${title}</h1>${content}</body></html>`,
});

export const unavailable = (): Answer =>
  page(503, 'Maintenance', '', { ...IN_MAINTENANCE, 'retry-after': '120' });

/** Clients that do not want HTML get no page. */
export const noRoute = ({ request }: Call): Answer =>
  request.headers.accept?.includes('json') ? empty(404) : page(404, 'Not found');

/** Members of a JSON or form body with those of the query; what is neither has none. */
export function fields({ request: { headers, body, query } }: Call): { [name: string]: unknown } {
  const text = body.toString('utf8');
  if (/json/.test(headers['content-type'] ?? '')) {
    try {
      // PHP's `json_decode` refuses a whole document because of one lone surrogate.
      const value = JSON.parse(text, (_name, part: unknown) => {
        if (typeof part === 'string' && !part.isWellFormed()) throw new SyntaxError('UTF-16');
        return part;
      }) as object;
      return { ...Object.fromEntries(query), ...value };
    } catch {
      return Object.fromEntries(query);
    }
  }
  const found: { [name: string]: unknown } = {};
  for (const [name, value] of [...query, ...new URLSearchParams(text)]) {
    const [, list] = /^(.+)\[\d*\]$/.exec(name) ?? [];
    if (list === undefined) found[name] = value;
    else found[list] = [...((found[list] as string[] | undefined) ?? []), value];
  }
  return found;
}

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/** A query value in which slashes and question marks stay readable. */
export const queryValue = (text: string): string =>
  encodeURIComponent(text).replaceAll('%2F', '/').replaceAll('%3F', '?');

/** A file, or the part of it that a `Range` of the request asks for. */
export function content({ request }: Call, bytes: Buffer, headers: Answer['headers']): Answer {
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(request.headers.range ?? '') ?? [];
  if (from === '' && to === '') return { status: 200, headers: headers ?? {}, body: bytes };
  const start = from === '' ? Math.max(0, bytes.length - Number(to)) : Number(from);
  const end = from === '' || to === '' ? bytes.length : Math.min(Number(to) + 1, bytes.length);
  if (start >= end) return empty(416, { 'content-range': `bytes */${bytes.length}` });
  return {
    status: 206,
    headers: { ...headers, 'content-range': `bytes ${start}-${end - 1}/${bytes.length}` },
    body: bytes.subarray(start, end),
  };
}

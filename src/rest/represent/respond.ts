/** Writes HAL documents and redirects. */
import type { Response } from 'express';
import { Slices } from '../../concurrency/slices.js';
import { InternalServerError } from '../../contract/errors.js';
import { sendText } from '../../http/send-text.js';
import { ANSWER_ENDED, ClientGone, written } from '../../http/slow-clients.js';
import { locals } from '../request/locals.js';

const headers = {
  'Content-Type': 'application/hal+json; charset=utf-8',
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'private, no-cache',
};

export function hal(
  res: Response,
  body: object,
  status = 200,
  more: { readonly [name: string]: string } = {},
): void {
  halText(res, JSON.stringify(body), status, more);
}

/** The same for a document that is text already. */
export const halText = (
  res: Response,
  text: string,
  status = 200,
  more: { readonly [name: string]: string } = {},
): void => sendText(res, status, { ...headers, ...more }, text);

/** Writes a collection that has no pages. @param more further elements, read as they are written */
export const halList = <E>(
  res: Response,
  list: { _embedded: { elements: readonly E[] } },
  represent: (element: E) => object,
  more?: AsyncIterable<readonly E[]>,
): Promise<void> => {
  const body = { ...list, _embedded: { elements: [] } };
  return halWithList(res, body, 'elements', list._embedded.elements, represent, more);
};

/** Characters of one piece. Shorter lists are written at once. */
const PIECE = 256 * 1024;

/**
 * Writes a body with a list. A long list is written in pieces, as the client takes them: its text
 * would be several times as large as its rows, and other requests are answered in between. It
 * counts as a download.
 * @param body has an empty list under `name`
 * @throws Overloaded
 */
export async function halWithList<E>(
  res: Response,
  body: object,
  name: string,
  list: readonly E[],
  represent: (element: E) => object,
  more?: AsyncIterable<readonly E[]>,
): Promise<void> {
  const text = JSON.stringify(body);
  const place = text.indexOf(`"${name}":[]`) + `"${name}":[`.length;
  const end = text.slice(place);
  const pieces = piecesOf(text.slice(0, place), list, represent, more);
  const first = await pieces.next();
  if (first.done) return sendText(res, 200, headers, first.value + end);
  const { context, log } = locals(res);
  const { caller, downloads, settings } = context;
  const release = downloads.acquire(caller);
  const patience = {
    stallMs: settings.downloadStallSeconds * 1000,
    late: () => context.waits(true),
  };
  const slices = new Slices();
  try {
    res.writeHead(200, headers);
    let piece: IteratorResult<string, string> = first;
    for (; !piece.done; piece = await pieces.next()) {
      await written(res, piece.value, patience);
      await slices.pause();
    }
    res.end(piece.value + end);
  } catch (error) {
    // After a disconnect there is no client to answer.
    if (!(error instanceof ClientGone)) throw error;
    if (error.tooSlow) log.info(ANSWER_ENDED);
  } finally {
    release();
  }
}

/** @returns the last piece, which may be short */
async function* piecesOf<E>(
  begin: string,
  list: readonly E[],
  represent: (element: E) => object,
  more?: AsyncIterable<readonly E[]>,
): AsyncGenerator<string, string> {
  // A growing string, or parts that a finished generator still holds, would stay in memory until
  // the next full garbage collection.
  let parts = [begin];
  let length = begin.length;
  let separator = '';
  const taken = () => {
    const piece = parts.join('');
    parts = [];
    length = 0;
    return piece;
  };
  const elements = function* (some: readonly E[]) {
    for (const element of some) {
      const text = JSON.stringify(represent(element));
      parts.push(separator, text);
      length += text.length;
      separator = ',';
      if (length >= PIECE) yield taken();
    }
  };
  yield* elements(list);
  for await (const some of more ?? []) yield* elements(some);
  return taken();
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

/**
 * Load shedding: refuses requests while the processor is overloaded, so that the others are fast.
 */
import { performance, type EventLoopUtilization } from 'node:perf_hooks';
import type { NextFunction, Request, RequestHandler } from 'express';
import { Overloaded } from '../contract/errors.js';

/** The process is busy when its event loop was active for this share of a window. */
const BUSY = 0.95;
const WINDOW_MS = 1_000;

/**
 * Limit for all requests, as a multiple of the limit for those that compute. It includes requests
 * that wait for a storage, because its answer must still be read and written.
 */
const WAITING = 4;

/**
 * While the process is busy, it accepts `limit` computing requests and `WAITING * limit` requests
 * in total; more get 503. It is not busy while it waits for a database, nor in a burst of less than
 * a second. A request calls `res.locals.waits()` when it begins to wait for a storage: it no longer
 * counts as computing. With `waits(true)` it waits for its client and no longer counts at all.
 */
export function loadShedding(limit: number): RequestHandler {
  let computing = 0;
  let total = 0;
  const isBusy = watchLoop();
  return (req, res, next) => {
    if (waitsForClient(req)) return next();
    let computes = !isAboutStorages(req);
    let entered = false;
    let counted = false;
    const waits = (forClient = false) => {
      if (entered) computing -= Number(computes);
      computes = false;
      if (!forClient || !counted) return;
      total -= 1;
      counted = false;
    };
    const enter = (next: NextFunction) => {
      // After `close`, which may have come while the body was read, nothing would release the slot.
      if (res.closed) return;
      if (isBusy() && ((computes && computing >= limit) || total >= WAITING * limit))
        return next(new Overloaded());
      entered = true;
      computing += Number(computes);
      total += 1;
      counted = true;
      // A finished answer waits for its client only.
      res.once('prefinish', () => waits(true)).once('close', () => waits(true));
      next();
    };
    res.locals['waits'] = waits;
    if (!isArriving(req)) return enter(next);
    res.locals['enter'] = enter;
    next();
  };
}

/** Middleware after the body reader: the request counts from here on. */
export const countFromHere: RequestHandler = (_req, res, next) => {
  const { enter } = res.locals as { enter?: (next: NextFunction) => void };
  if (enter) enter(next);
  else next();
};

/**
 * An upload to this path counts, because its form contains a GraphQL document. It stops counting
 * when the service waits for the file.
 */
const GRAPH = '/graphql';

/**
 * Uploads and downloads: their duration depends on the client, and they have other limits.
 * Subscriptions have other limits too, and do not use this middleware.
 */
const waitsForClient = (req: Request): boolean =>
  (req.method === 'POST' &&
    req.baseUrl.toLowerCase() !== GRAPH &&
    Boolean(req.is('multipart/*'))) ||
  (req.method === 'GET' &&
    /^\/api\/v3\/attachments\/[^/]+\/content\/?$/i.test(req.baseUrl + req.path));

/**
 * Whether a body is still arriving. Such a request counts only when `countFromHere` runs after the
 * body reader, so slow clients take no slots.
 */
const isArriving = ({ method, headers, complete }: Request): boolean =>
  /^(POST|PATCH)$/.test(method) &&
  !complete &&
  (Number(headers['content-length'] ?? 0) > 0 || headers['transfer-encoding'] !== undefined);

/**
 * Whether a request will probably wait for a storage, by its address. In a burst all requests are
 * checked here before the first one calls `waits`.
 */
const isAboutStorages = ({ baseUrl, path }: Request): boolean =>
  /^\/api\/v3\/(.*\/)?(file_links|storages)(\/|$)/i.test(baseUrl + path);

/** Measures the event loop when it is called, not with a timer, so an idle process does nothing. */
function watchLoop(): () => boolean {
  let since = performance.now();
  let before: EventLoopUtilization = performance.eventLoopUtilization();
  let busy = false;
  return () => {
    const now = performance.now();
    if (now - since < WINDOW_MS) return busy;
    const present = performance.eventLoopUtilization();
    busy = performance.eventLoopUtilization(present, before).utilization >= BUSY;
    [since, before] = [now, present];
    return busy;
  };
}

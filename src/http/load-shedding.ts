/** Refuses some requests while there are more than the processor can keep up with, so that the others are answered soon. */
import { performance, type EventLoopUtilization } from 'node:perf_hooks';
import type { NextFunction, Request, RequestHandler } from 'express';
import { Overloaded } from '../contract/errors.js';

/** The share of a whole window that the event loop was at work from which on the process counts as busy. */
const BUSY = 0.95;
const WINDOW_MS = 1_000;

/** So many times the limit, those that wait for a storage included: what it answers is still to be read and written. */
const WAITING = 4;

/**
 * While the process is busy, so many requests are worked on at the same time; more answer 503. Waiting for a database is not being busy, a burst
 * that is over within a second is none either, and a request that says by `res.locals.waits` that it waits for a storage makes room for another one; one that waits for its client is not counted any more.
 */
export function loadShedding(limit: number): RequestHandler {
  let working = 0;
  let inHand = 0;
  const isBusy = watchLoop();
  return (req, res, next) => {
    if (waitsForClient(req)) return next();
    let works = !isAboutStorages(req);
    let entered = false;
    let held = false;
    const waits = (forClient = false) => {
      if (entered) working -= Number(works);
      works = false;
      if (!forClient || !held) return;
      inHand -= 1;
      held = false;
    };
    const enter = (next: NextFunction) => {
      // Whoever left while the body was read takes no place, for nothing would give it back.
      if (res.closed) return;
      if (isBusy() && ((works && working >= limit) || inHand >= WAITING * limit))
        return next(new Overloaded());
      entered = true;
      working += Number(works);
      inHand += 1;
      held = true;
      res.once('close', () => waits(true));
      next();
    };
    res.locals['waits'] = waits;
    if (!isArriving(req)) return enter(next);
    res.locals['enter'] = enter;
    next();
  };
}

/** Behind the reading of a body: the request counts as work from here on. */
export const startWork: RequestHandler = (_req, res, next) => {
  const { enter } = res.locals as { enter?: (next: NextFunction) => void };
  if (enter) enter(next);
  else next();
};

/** Where the form of an upload is a document, too: that is work, until the file is waited for. */
const GRAPH = '/graphql';

/** Uploads and downloads last as long as their clients want, as do subscriptions, which do not come here; they have limits of their own. */
const waitsForClient = (req: Request): boolean =>
  (req.method === 'POST' &&
    req.baseUrl.toLowerCase() !== GRAPH &&
    Boolean(req.is('multipart/*'))) ||
  (req.method === 'GET' &&
    /^\/api\/v3\/attachments\/[^/]+\/content\/?$/i.test(req.baseUrl + req.path));

/** Whoever reads the body has it enter afterwards, by `startWork`: a client that sends slowly keeps nobody out. */
const isArriving = ({ method, headers, complete }: Request): boolean =>
  /^(POST|PATCH)$/.test(method) &&
  !complete &&
  (Number(headers['content-length'] ?? 0) > 0 || headers['transfer-encoding'] !== undefined);

/** What the address says before the request does: many that came at one moment would all still be read while the last of them is looked at. */
const isAboutStorages = ({ baseUrl, path }: Request): boolean =>
  /^\/api\/v3\/(.*\/)?(file_links|storages)(\/|$)/i.test(baseUrl + path);

/** Looks at the event loop when it is asked to, so that an idle process does nothing. */
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

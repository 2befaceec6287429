/** Refuses some requests while there are more than the processor can keep up with, so that the others are answered soon. */
import { performance, type EventLoopUtilization } from 'node:perf_hooks';
import type { Request, RequestHandler } from 'express';
import { Overloaded } from './errors.js';

/** The share of a whole window that the event loop was at work from which on the process counts as busy. */
const BUSY = 0.95;
const WINDOW_MS = 1_000;

/** So many times the limit, those that wait for a storage included: what it answers is still to be read and written. */
const WAITING = 2;

/**
 * While the process is busy, so many requests are worked on at the same time; more answer 503. Waiting for a database is not being busy, a burst
 * that is over within a second is none either, and a request that says by `res.locals.waits` that it waits for a storage makes room for another one.
 */
export function admission(limit: number): RequestHandler {
  let working = 0;
  let inHand = 0;
  const isBusy = watchLoop();
  return (req, res, next) => {
    if (waitsForClient(req)) return next();
    // Whoever left while the body was unpacked takes no place, for nothing would give it back.
    if (res.closed) return;
    let works = !isAboutStorages(req);
    if (isBusy() && ((works && working >= limit) || inHand >= WAITING * limit)) return next(new Overloaded());
    working += Number(works);
    inHand += 1;
    const waits = () => {
      working -= Number(works);
      works = false;
    };
    res.locals['waits'] = waits;
    res.once('close', () => {
      waits();
      inHand -= 1;
    });
    next();
  };
}

/** Uploads and downloads last as long as their clients want, as do subscriptions, which do not come here; they have limits of their own. */
const waitsForClient = (req: Request): boolean => Boolean(req.is('multipart/*')) || req.path.endsWith('/content');

/** What the address says before the request does: many that came at one moment would all still be read while the last of them is looked at. */
const isAboutStorages = ({ path }: Request): boolean => /\/(file_links|storages)(\/|$)/.test(path);

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

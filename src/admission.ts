/** Refuses some requests while there are more than the processor can keep up with, so that the others are answered soon. */
import { performance, type EventLoopUtilization } from 'node:perf_hooks';
import type { Request, RequestHandler } from 'express';
import { Overloaded } from './errors.js';

/** The share of a whole window that the event loop was at work from which on the process counts as busy. */
const BUSY = 0.95;
const WINDOW_MS = 1_000;

/**
 * While the process is busy, so many requests are worked on at the same time; more answer 503. Waiting for a database or a storage
 * is not being busy, and a burst that is over within a second is none either.
 */
export function admission(limit: number): RequestHandler {
  let inHand = 0;
  const isBusy = watchLoop();
  return (req, res, next) => {
    if (waitsForClient(req)) return next();
    if (isBusy() && inHand >= limit) return next(new Overloaded());
    inHand += 1;
    res.once('close', () => { inHand -= 1; });
    next();
  };
}

/** Uploads, downloads and subscriptions last as long as their clients want; they have limits of their own. */
const waitsForClient = (req: Request): boolean => Boolean(req.is('multipart/*')) || req.path.endsWith('/content') || req.headers.accept === 'text/event-stream';

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

/** The log: JSON lines with a request id, without secrets. */
import { randomUUID } from 'node:crypto';
import type { RequestHandler } from 'express';
import { pino, type Logger } from 'pino';

export const openLog = (level: string): Logger =>
  pino(
    { level, base: undefined, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination({ fd: 2, sync: false }),
  );

/**
 * Gives every request an id, and logs one line at its end. Queries and headers may hold secrets, so
 * they are never logged.
 */
export const logRequests =
  (log: Logger): RequestHandler =>
  (req, res, next) => {
    const given = req.headers['x-request-id'];
    const id = typeof given === 'string' && /^[\w-]{1,64}$/.test(given) ? given : randomUUID();
    res.setHeader('X-Request-Id', id);
    const child = log.child({ requestId: id });
    res.locals['log'] = child;
    const started = process.hrtime.bigint();
    const path = req.path;
    res.once('close', () => {
      const ms = Number((process.hrtime.bigint() - started) / 10_000n) / 100;
      child.info(
        {
          method: req.method,
          path,
          status: res.statusCode,
          ms,
          ...(!res.writableFinished && { aborted: true }),
        },
        'request',
      );
    });
    next();
  };

/** `/health/live`: the process answers. `/health/ready`: everything that it needs answers. */
import { Router } from 'express';
import type { Logger } from 'pino';
import { Cache } from '../concurrency/cache.js';
import { ServiceUnavailable } from '../contract/errors.js';

type Results = { [check: string]: 'ok' | 'failed' };

export interface HealthOptions {
  /** What must answer, by name. A check that rejects has failed. */
  checks: { [name: string]: () => Promise<void> };
  /** A server that is about to stop is not ready. */
  isStopping: () => boolean;
  log: Logger;
}

export function healthEndpoints({ checks, isStopping, log }: HealthOptions): Router {
  // Anybody may ask, so all share the results of the last second.
  const recent = new Cache<'all', Results>();
  return Router()
    .get('/health/live', (_req, res) => void res.json({ status: 'ok' }))
    .get('/health/ready', async (_req, res) => {
      const results = await recent.get('all', () => runAll(checks, log));
      // A failure is checked again at once, so that its end is seen at once.
      if (Object.values(results).includes('failed')) recent.clear();
      const status = isStopping()
        ? 'stopping'
        : Object.values(results).every((result) => result === 'ok')
          ? 'ok'
          : 'unavailable';
      res
        .status(status === 'ok' ? 200 : new ServiceUnavailable().status)
        .json({ status, checks: results });
    });
}

async function runAll(checks: HealthOptions['checks'], log: Logger): Promise<Results> {
  return Object.fromEntries(
    await Promise.all(
      Object.entries(checks).map(async ([name, check]) => {
        try {
          await check();
          return [name, 'ok'] as const;
        } catch (error) {
          log.error({ err: error, check: name }, 'not ready');
          return [name, 'failed'] as const;
        }
      }),
    ),
  );
}

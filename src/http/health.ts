/** Health endpoints: `/health/live` (the process runs), `/health/ready` (its dependencies too). */
import { Router } from 'express';
import type { Logger } from 'pino';
import { Cache } from '../concurrency/cache.js';
import { ServiceUnavailable } from '../contract/errors.js';

type Results = { [check: string]: 'ok' | 'failed' };

export interface HealthOptions {
  /** The dependencies by name. A check that rejects has failed. */
  checks: { [name: string]: () => Promise<void> };
  /** A stopping server is not ready. */
  isStopping: () => boolean;
  log: Logger;
}

export function healthEndpoints({ checks, isStopping, log }: HealthOptions): Router {
  // No authentication is needed, so all callers share the results of one second.
  const recent = new Cache<'all', Results>();
  return Router()
    .get('/health/live', (_req, res) => void res.json({ status: 'ok' }))
    .get('/health/ready', async (_req, res) => {
      const results = await recent.get('all', () => runAll(checks, log));
      // Failures are not cached, so the next request sees a recovery at once.
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

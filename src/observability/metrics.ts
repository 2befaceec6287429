/** Numbers for operators, in the Prometheus text format. */
import type { Request, RequestHandler } from 'express';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** A request that is over. */
export interface Answered {
  method: string;
  /** The template of the path, e.g. `/api/v3/attachments/:id`; `unknown` where none fits. Never what a client made up. */
  route: string;
  status: number;
  seconds: number;
}

/**
 * Counts every request when its answer is over.
 * @param mounts the addresses of the routers; one that answers without a route is known by its own
 */
export const countRequests =
  (metrics: Metrics, mounts: readonly string[]): RequestHandler =>
  (req, res, next) => {
    const began = performance.now();
    res.once('close', () =>
      metrics.answered({
        method: req.method,
        route: templateOf(req, res.statusCode, mounts),
        status: res.statusCode,
        seconds: (performance.now() - began) / 1000,
      }),
    );
    next();
  };

/** Where a router is mounted is matched in any case, and kept as it was sent, parameters included. */
function templateOf(
  { route, baseUrl }: Request,
  status: number,
  mounts: readonly string[],
): string {
  const mounted = mounts.find((path) => path === baseUrl.toLowerCase());
  const path = (route as { path: string } | undefined)?.path;
  if (mounted === undefined) return (baseUrl === '' && path) || 'unknown';
  // The whole path is a route of a router without an address of its own, whose failure another one answered.
  if (path !== undefined)
    return path.startsWith(`${mounted}/`) || path === mounted
      ? path
      : mounted + (path === '/' ? '' : path);
  return status === 404 ? 'unknown' : mounted;
}

/** Answers with all numbers in the Prometheus text format. */
export const metricsEndpoint =
  ({ registry }: Metrics): RequestHandler =>
  async (_req, res) => {
    res.type(registry.contentType).send(await registry.metrics());
  };

/** Looks at what waits in the database, at each scrape. */
export interface Backlog {
  /** Prepared uploads that are not finalised yet. */
  pendingUploads(): Promise<number>;
  /** Seconds for which the row of each queue that waits longest could have been taken; zero where none waits. */
  oldest(): Promise<{ [queue: string]: number }>;
}

export interface Metrics {
  registry: Registry;
  answered(request: Answered): void;
  /** A request to a storage, a receiver of webhooks or the OpenID provider: an HTTP status, or why there was none. */
  outbound(target: string, outcome: string, seconds: number): void;
  /** A user's token of a storage could not be refreshed. */
  refreshFailed(storage: string, reason: string): void;
  /** What a sweep removed, by kind. */
  swept(counts: { [kind: string]: number }): void;
  /** Has what waits and what the process takes asked for at each scrape. What cannot be read is left out, and `failed` is told. */
  watch(backlog: Backlog, failed: (error: unknown) => void): void;
}

export function makeMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const requests = new Counter({
    name: 'moorage_outbound_requests_total',
    help: 'Requests to storages, receivers of webhooks and the OpenID provider, by target and HTTP status or failure.',
    labelNames: ['target', 'status'],
    registers,
  });
  const durations = new Histogram({
    name: 'moorage_outbound_request_seconds',
    help: 'How long requests to storages, receivers of webhooks and the OpenID provider took.',
    labelNames: ['target'],
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  const refreshes = new Counter({
    name: 'moorage_token_refresh_failures_total',
    help: 'Tokens of people, of storages and of the OpenID provider, that could not be refreshed.',
    labelNames: ['target', 'reason'],
    registers,
  });
  const served = new Histogram({
    name: 'moorage_http_request_seconds',
    help: 'Requests by method, template of the path and status, and how long they took.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60],
    registers,
  });
  const removed = new Counter({
    name: 'moorage_swept_total',
    help: 'What sweeps of this process removed, by kind.',
    labelNames: ['kind'],
    registers,
  });
  return {
    registry,
    answered: ({ method, route, status, seconds }) =>
      served.observe({ method, route, status }, seconds),
    outbound(target, status, seconds) {
      requests.inc({ target, status });
      durations.observe({ target }, seconds);
    },
    refreshFailed: (target, reason) => refreshes.inc({ target, reason }),
    swept(counts) {
      for (const [kind, count] of Object.entries(counts)) removed.inc({ kind }, count);
    },
    watch: (backlog, failed) => watchBacklog(registry, backlog, failed),
  };
}

function watchBacklog(
  registry: Registry,
  backlog: Backlog,
  failed: (error: unknown) => void,
): void {
  const registers = [registry];
  // Everything else is wanted most while the database is away.
  const read = async <T>(gauge: Gauge, ask: () => Promise<T>, show: (value: T) => void) => {
    try {
      show(await ask());
    } catch (error) {
      // Afterwards one without labels is zero, which would be said of what nobody knows.
      gauge.reset();
      gauge.remove({});
      failed(error);
    }
  };
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: 'moorage_pending_uploads',
    help: 'Prepared uploads that are not finalised yet, of all processes.',
    registers,
    collect() {
      return read(
        this,
        () => backlog.pendingUploads(),
        (count) => this.set(count),
      );
    },
  });
  new Gauge({
    name: 'moorage_queue_oldest_seconds',
    help: 'How long the row of each queue that waits longest could have been taken; zero where none waits. Of all processes.',
    labelNames: ['queue'],
    registers,
    collect() {
      return read(
        this,
        () => backlog.oldest(),
        (queues) => {
          for (const [queue, seconds] of Object.entries(queues)) this.set({ queue }, seconds);
        },
      );
    },
  });
}

/** Metrics in the Prometheus text format. */
import type { Request, RequestHandler } from 'express';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { version } from '../contract/version.js';

/** A finished request. */
interface FinishedRequest {
  method: string;
  /**
   * The template of the path, e.g. `/api/v3/attachments/:id`, or `unknown`. It is never a text of
   * the client: each new value is a new time series.
   */
  route: string;
  status: number;
  seconds: number;
}

/**
 * Counts every request at its end.
 * @param mounts the addresses of the routers. A router that answers without a route is counted by
 *   its address.
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

/**
 * `baseUrl` is as the client sent it (Express ignores its case), so it is looked up in `mounts`.
 */
function templateOf(
  { route, baseUrl }: Request,
  status: number,
  mounts: readonly string[],
): string {
  const mounted = mounts.find((path) => path === baseUrl.toLowerCase());
  const path = (route as { path: string } | undefined)?.path;
  if (mounted === undefined) return (baseUrl === '' && path) || 'unknown';
  // A router without an address of its own has whole paths as routes. Its errors are answered by a
  // handler that has an address, so then there is a `baseUrl` too.
  if (path !== undefined)
    return path.startsWith(`${mounted}/`) || path === mounted
      ? path
      : mounted + (path === '/' ? '' : path);
  return status === 404 ? 'unknown' : mounted;
}

/** Answers with all metrics. */
export const metricsEndpoint =
  ({ registry }: Metrics): RequestHandler =>
  async (_req, res) => {
    res.type(registry.contentType).send(await registry.metrics());
  };

/** Reads how much work waits in the database; called at each scrape. */
export interface Backlog {
  /** Prepared uploads that are not finalised yet. */
  pendingUploads(): Promise<number>;
  /** The age in seconds of the oldest waiting row of each queue; zero when none waits. */
  oldest(): Promise<{ [queue: string]: number }>;
}

export interface Metrics {
  registry: Registry;
  answered(request: FinishedRequest): void;
  /**
   * Counts a request to a storage, a webhook's receiver or the OpenID provider.
   * @param outcome the HTTP status, or why there is none
   */
  outbound(target: string, outcome: string, seconds: number): void;
  /** Counts a token of a user that could not be refreshed. */
  refreshFailed(target: string, reason: string): void;
  /** Counts what a cleanup removed, by kind. */
  swept(counts: { [kind: string]: number }): void;
  /** Counts a step of a synchronisation of project folders. */
  folderStep(kind: string, outcome: 'ok' | 'failed'): void;
  /** Counts a synchronisation of project folders. */
  foldersSynchronised(outcome: 'ok' | 'failed', seconds: number): void;
  /**
   * Adds metrics of the backlog and of the process, read at each scrape.
   * @param failed called when the backlog cannot be read; its metrics are then left out
   */
  watch(backlog: Backlog, failed: (error: unknown) => void): void;
}

export function makeMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  new Gauge({
    name: 'moorage_build_info',
    help: 'Always 1. The label is the version of the program.',
    labelNames: ['version'],
    registers,
  }).set({ version }, 1);
  const requests = new Counter({
    name: 'moorage_outbound_requests_total',
    help:
      'Requests to storages, receivers of webhooks and the OpenID provider, ' +
      'by target and HTTP status or failure.',
    labelNames: ['target', 'status'],
    registers,
  });
  const durations = new Histogram({
    name: 'moorage_outbound_request_seconds',
    help: 'Duration of requests to storages, receivers of webhooks and the OpenID provider.',
    labelNames: ['target'],
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  const refreshes = new Counter({
    name: 'moorage_token_refresh_failures_total',
    help: "Users' tokens for storages and the OpenID provider that could not be refreshed.",
    labelNames: ['target', 'reason'],
    registers,
  });
  const served = new Histogram({
    name: 'moorage_http_request_seconds',
    help: 'Duration of incoming requests, by method, template of the path, and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60],
    registers,
  });
  const removed = new Counter({
    name: 'moorage_swept_total',
    help: 'Rows and objects that cleanups of this process removed, by kind.',
    labelNames: ['kind'],
    registers,
  });
  const folderSteps = new Counter({
    name: 'moorage_folder_sync_steps_total',
    help: 'Steps of synchronisations of project folders, by kind and outcome.',
    labelNames: ['kind', 'outcome'],
    registers,
  });
  const folderSyncs = new Histogram({
    name: 'moorage_folder_sync_seconds',
    help: 'Duration of synchronisations of project folders, by outcome: `ok` or `failed`.',
    labelNames: ['outcome'],
    buckets: [0.1, 0.5, 1, 5, 15, 60, 300, 900],
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
    folderStep: (kind, outcome) => folderSteps.inc({ kind, outcome }),
    foldersSynchronised: (outcome, seconds) => folderSyncs.observe({ outcome }, seconds),
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
  // A failure must not fail the scrape: the other metrics matter most while the database is down.
  const read = async <T>(gauge: Gauge, ask: () => Promise<T>, show: (value: T) => void) => {
    try {
      show(await ask());
    } catch (error) {
      // `reset` sets a gauge without labels to zero, which would be a wrong value; remove it.
      gauge.reset();
      gauge.remove({});
      failed(error);
    }
  };
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: 'moorage_pending_uploads',
    help: 'Prepared uploads of all processes that are not finalised yet.',
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
    help: 'Age of the oldest waiting row of each queue, of all processes; zero when none waits.',
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

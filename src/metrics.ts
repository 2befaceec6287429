/** Numbers for operators, in the Prometheus text format. */
import { Counter, Histogram, Registry } from 'prom-client';

export interface Metrics {
  registry: Registry;
  /** A request to a storage or to the OpenID provider: an HTTP status, or why there was none. */
  outbound(target: string, outcome: string, seconds: number): void;
  /** A user's token of a storage could not be refreshed. */
  refreshFailed(storage: string, reason: string): void;
}

export function makeMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const requests = new Counter({ name: 'moorage_outbound_requests_total', help: 'Requests to storages and to the OpenID provider, by target and HTTP status or failure.', labelNames: ['target', 'status'], registers });
  const durations = new Histogram({ name: 'moorage_outbound_request_seconds', help: 'How long requests to storages and to the OpenID provider took.', labelNames: ['target'], buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10], registers });
  const refreshes = new Counter({ name: 'moorage_token_refresh_failures_total', help: 'Tokens of storages that could not be refreshed.', labelNames: ['target', 'reason'], registers });
  return {
    registry,
    outbound(target, status, seconds) {
      requests.inc({ target, status });
      durations.observe({ target }, seconds);
    },
    refreshFailed: (target, reason) => refreshes.inc({ target, reason }),
  };
}

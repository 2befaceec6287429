/** Reads how much background work waits and for how long, for the metrics. */
import { oldestWaiting, pendingUploads } from '../actions/operate/diagnostics/queues.js';
import type { Services } from '../context.js';
import type { Backlog } from '../observability/metrics.js';

export const backlogOf = (services: Pick<Services, 'db' | 'clock'>): Backlog => ({
  pendingUploads: () => pendingUploads(services),
  oldest: () => oldestWaiting(services),
});

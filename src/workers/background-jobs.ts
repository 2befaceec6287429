/**
 * The background work of one process. It acquires leases of rows and runs the actions that the rows
 * wait for. All state is in the database, so another process can continue the work.
 */
import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { acquireDownload } from '../actions/files/avatars/directory-avatars.js';
import { fetchAvatar } from '../actions/files/avatars/fetch-avatar.js';
import { deliverEvent } from '../actions/operate/webhooks/deliver-event.js';
import { dispatchEvents } from '../actions/operate/webhooks/dispatch-events.js';
import { rescanAttachments } from '../actions/files/attachments/rescan-attachments.js';
import { tryStorages } from '../actions/operate/alerts/try-storages.js';
import { watch } from '../actions/operate/alerts/watch.js';
import { expireAttachments } from '../actions/operate/cleanup/expire-attachments.js';
import { expireFileLinks } from '../actions/operate/cleanup/expire-file-links.js';
import { runCleanup } from '../actions/operate/cleanup/run-cleanup.js';
import { acquireSync } from '../actions/base/project-folder-queue/acquire-sync.js';
import { acquireMail } from '../actions/base/mails/mail-queue.js';
import { acquireAttachment } from '../actions/base/leases/attachment-queues.js';
import { acquireDelivery } from '../actions/operate/webhooks/acquire-delivery.js';
import type { Services } from '../context.js';
import type { Attachment } from '../models/attachment.js';
import type { Mail } from '../models/mail.js';
import { removeLeftFolders } from '../actions/files/previews/folders.js';
import { acquirePreview } from '../actions/files/previews/preview-queue.js';
import { workOn } from './attachment-job.js';
import { synchroniseFolders } from './folder-job.js';
import { send } from './mail-job.js';
import { drawPreview } from './preview-job.js';
import { scan } from './scan-job.js';
import { WorkerPool } from './worker-pool.js';

/** Jobs at the same time, per process. */
const SCANNING = 2;
const DELIVERING = 8;
const FETCHING_AVATARS = 4;
const SENDING_MAILS = 2;
const SYNCHRONISING = 2;
/** Each can need a gigabyte of memory. */
const DRAWING = 1;
/** Interval of the dispatch of new events. */
const DISPATCH_MS = 1_000;
/** Interval of the removal of expired rows. */
const EXPIRE_MS = 5_000;
/** Interval of the complete cleanup. */
const CLEANUP_MS = 600_000;
/** Interval of the look at what is wrong. */
const WATCH_MS = 60_000;
export interface Background {
  /** Looks for work at once. Call it when a row may be waiting. */
  wake(): void;
  /** Cancels running jobs, releases their leases, and waits for them. */
  stop(): Promise<void>;
}

export function startBackground(services: Services): Background {
  const stopping = new AbortController();
  const { signal } = stopping;
  // Each pool and each repeated work listens to it: Node.js would take so many for a leak.
  setMaxListeners(0, signal);
  const deliveries = new WorkerPool({
    services,
    signal,
    width: DELIVERING,
    acquire: () => acquireDelivery(services),
    run: (row) => deliverEvent(services, row),
  });
  const pools: Pick<WorkerPool<never>, 'wake' | 'ended'>[] = [
    deliveries,
    new WorkerPool({
      services,
      signal,
      width: services.settings.finalizations,
      acquire: async () =>
        (await acquireAttachment(services, 'finalization')) ??
        acquireAttachment(services, 'removal'),
      run: (row) => workOn(services, row, signal),
    }),
    new WorkerPool({
      services,
      signal,
      width: FETCHING_AVATARS,
      acquire: () => acquireDownload(services),
      run: (row) => fetchAvatar(services, row),
    }),
    new WorkerPool({
      services,
      signal,
      width: SYNCHRONISING,
      acquire: () => acquireSync(services),
      run: (row) => synchroniseFolders(services, row, signal),
    }),
  ];
  const { scanner, drawer, mailer } = services;
  if (mailer) {
    const mailing = { ...services, mailer };
    const pool: WorkerPool<Mail> = new WorkerPool({
      services,
      signal,
      width: SENDING_MAILS,
      acquire: () => acquireMail(services),
      run: (row) => send(mailing, row, pool, signal),
    });
    pools.push(pool);
  }
  if (drawer.isOn) {
    removeLeftFolders().catch((err: unknown) =>
      services.log.warn({ err }, 'folders of processes that ended could not be removed'),
    );
    pools.push(
      new WorkerPool({
        services,
        signal,
        width: DRAWING,
        acquire: async () =>
          (await drawer.tools()).noPictures === undefined ? acquirePreview(services) : undefined,
        run: (row) => drawPreview(services, row, signal),
      }),
    );
  }
  if (scanner) {
    const scanning = { ...services, scanner };
    const pool: WorkerPool<Attachment> = new WorkerPool({
      services,
      signal,
      width: SCANNING,
      acquire: async () =>
        (await acquireAttachment(services, 'newScan')) ?? acquireAttachment(services, 'oldScan'),
      run: (row) => scan(scanning, row, pool, signal),
    });
    pools.push(pool);
  }
  const wake = () => {
    for (const pool of pools) pool.wake();
  };
  const repeated = [
    every(DISPATCH_MS, services, signal, async () => {
      // It must know which files can be drawn.
      if (drawer.isOn) await drawer.tools();
      if ((await dispatchEvents(services)) > 0) deliveries.wake();
    }),
    every(EXPIRE_MS, services, signal, async () =>
      services.metrics.swept({ expired: await expireAttachments(services, { signal }) }),
    ),
    every(EXPIRE_MS, services, signal, async () =>
      services.metrics.swept({ fileLinks: await expireFileLinks(services, { signal }) }),
    ),
    every(WATCH_MS, services, signal, async () => {
      await tryStorages(services, signal);
      await watch(services);
    }),
    every(CLEANUP_MS, services, signal, async () => {
      if (services.scanner && (await rescanAttachments(services, signal)) > 0) wake();
      const swept = await runCleanup(services, {
        signal,
        removed: (counts) => services.metrics.swept({ ...counts }),
      });
      if (Object.values(swept).some((count) => count > 0)) services.log.info(swept, 'swept');
    }),
  ];
  return {
    wake,
    stop: async () => {
      stopping.abort(new Error('The process is stopping.'));
      await Promise.all([...pools.map((pool) => pool.ended), ...repeated]);
    },
  };
}

/** Repeats work, with a pause of `ms` in between, until the signal. */
async function every(
  ms: number,
  { log }: Services,
  signal: AbortSignal,
  work: () => Promise<unknown>,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await work();
    } catch (error) {
      log.error({ err: error }, 'background work failed');
    }
    await sleep(ms, undefined, { signal, ref: false }).catch(() => undefined);
  }
}

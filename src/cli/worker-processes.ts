/** Runs several worker processes on one port. */
import cluster, { type Worker } from 'node:cluster';
import type { Config } from '../config.js';
import { openLog } from '../observability/log.js';
import { startServer } from '../server.js';
import { exitSoon, ignoreSignals, logUnhandledRejections, onSignals } from './signals.js';
import { EXIT } from './exit-statuses.js';

interface Listening {
  address: string;
  baseUrl: string;
}

/** Serves until the supervisor sends a message. The process ends when the supervisor is gone. */
export async function runWorker(config: Config): Promise<void> {
  ignoreSignals();
  const stopMessage = new Promise<void>((resolve) => {
    process.once('message', resolve);
  });
  try {
    const running = await startServer(config);
    logUnhandledRejections(running.services.log);
    process.send?.({ address: running.address, baseUrl: running.baseUrl } satisfies Listening);
    await stopMessage;
    await running.stop();
    exitSoon();
  } finally {
    // An open channel would keep the process alive.
    process.disconnect();
  }
}

/** The pause before a worker that could not start is replaced, while its dependencies are down. */
const RETRY_MS = 2_000;

/**
 * Forks workers and replaces those that die. A signal stops all. When one of the first workers
 * cannot start, all end with exit status 1.
 */
export async function superviseWorkers(
  { workers: count, logLevel }: Config,
  show: (address: string, baseUrl: string) => Promise<void>,
): Promise<void> {
  const log = openLog(logLevel);
  const served = new Set<Worker>();
  const waiting = new Set<NodeJS.Timeout>();
  let shown = false;
  let stopping = false;
  const stop = () => {
    stopping = true;
    for (const worker of running()) if (worker.isConnected()) worker.send('stop');
    for (const timer of waiting) clearTimeout(timer);
    if (running().length === 0) over();
  };
  onSignals(stop, () => {
    for (const worker of running()) worker.process.kill('SIGKILL');
    process.exit(EXIT.interrupted);
  });
  cluster.on('message', (worker, { address, baseUrl }: Listening) => {
    served.add(worker);
    if (shown || served.size < count) return;
    shown = true;
    void show(address, baseUrl);
  });
  let over = () => {};
  const ended = new Promise<void>((resolve) => {
    over = resolve;
  });
  const replaceLater = () => {
    const timer = setTimeout(() => {
      waiting.delete(timer);
      cluster.fork();
    }, RETRY_MS);
    waiting.add(timer);
  };
  cluster.on('exit', (worker, code, signal) => {
    if (stopping) {
      if (running().length === 0) over();
      return;
    }
    log.error({ pid: worker.process.pid, code, signal }, 'a worker ended');
    if (served.has(worker)) cluster.fork();
    else if (shown) replaceLater();
    // A worker failed before the first complete start. It has logged the reason.
    else {
      process.exitCode = EXIT.failure;
      stop();
    }
  });
  for (let n = 0; n < count; n += 1) cluster.fork();
  await ended;
}

const running = () => Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);

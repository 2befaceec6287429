/** Several processes on one port. */
import cluster, { type Worker } from 'node:cluster';
import type { Config } from '../config.js';
import { startServer } from '../server.js';
import { ignoreSignals, onSignals } from './signals.js';

interface Listening {
  address: string;
  baseUrl: string;
}

/** A worker serves until its supervisor says stop; when the supervisor is gone, it ends. */
export async function work(config: Config): Promise<void> {
  ignoreSignals();
  const told = new Promise<void>((resolve) => {
    process.once('message', resolve);
  });
  try {
    const running = await startServer(config);
    process.send!({ address: running.address, baseUrl: running.baseUrl } satisfies Listening);
    await told;
    await running.stop();
  } finally {
    // The channel would keep the process alive.
    process.disconnect();
  }
}

/** Forks workers that share the port and replaces those that die; a signal stops all of them. */
export async function superviseWorkers({ workers: count }: Config, show: (address: string, baseUrl: string) => void): Promise<void> {
  const served = new Set<Worker>();
  let stopping = false;
  const stop = () => {
    stopping = true;
    for (const worker of running()) if (worker.isConnected()) worker.send('stop');
  };
  onSignals(stop, () => {
    for (const worker of running()) worker.process.kill('SIGKILL');
    process.exit(130);
  });
  cluster.on('message', (worker, { address, baseUrl }: Listening) => {
    served.add(worker);
    if (served.size === count) show(address, baseUrl);
  });
  const ended = new Promise<void>((resolve) => {
    cluster.on('exit', (worker) => {
      if (!stopping && served.has(worker)) cluster.fork();
      // A worker that never came up would only fail again; it said why.
      else if (!stopping) {
        process.exitCode = 1;
        stop();
      }
      if (running().length === 0) resolve();
    });
  });
  for (let n = 0; n < count; n += 1) cluster.fork();
  await ended;
}

const running = () => Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);

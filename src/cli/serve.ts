/** `moorage serve` */
import cluster from 'node:cluster';
import { parseArgs } from 'node:util';
import { loadDemo } from '../actions/load-demo.js';
import { readConfig, type Config } from '../config.js';
import { startServer, type Running } from '../server.js';
import { demoKeysFile, rememberedDemoKeys, rememberDemoKeys } from './demo-keys.js';
import type { Command } from './commands.js';

export const serveCommand: Command = {
  summary: 'migrate, then serve until Ctrl-C',
  async run(args) {
    const { values } = parseArgs({ args, options: { json: { type: 'boolean' } } });
    const config = readConfig(process.env);
    if (cluster.isPrimary && config.workers > 1) await superviseWorkers(config.workers);
    else await serve(config, values.json ?? false);
  },
};

async function serve(config: Config, json: boolean): Promise<void> {
  const running = await startServer(config);
  const stopped = stopOnSignal(running);
  if (!config.production && (!cluster.isWorker || cluster.worker?.id === 1)) await rememberDemoKeys(config, await loadDemo(running.services));
  if (cluster.isPrimary) process.stdout.write(banner(running, await rememberedDemoKeys(config), json));
  await stopped;
}

/** The first signal stops gracefully, the second at once. */
function stopOnSignal(running: Running): Promise<void> {
  return new Promise((resolve, reject) => {
    const onSignal = () => {
      for (const signal of signals) process.on(signal, () => process.exit(130));
      running.stop().then(resolve, reject);
    };
    const signals = ['SIGINT', 'SIGTERM'] as const;
    for (const signal of signals) process.once(signal, onSignal);
  });
}

function banner({ address, baseUrl }: Running, demoKeys: { [login: string]: string }, json: boolean): string {
  const urls = { graphql: `${baseUrl}/graphql`, api: `${baseUrl}/api/v3`, docs: `${baseUrl}/api/docs` };
  if (json) return `${JSON.stringify({ address, ...urls, demoKeys })}\n`;
  const keys = Object.entries(demoKeys).map(([login, key]) => `    ${login.padEnd(8)} ${key}`);
  return [
    `Moorage listens on ${address}`,
    `  GraphQL explorer  ${urls.graphql}`,
    `  HAL root          ${urls.api}`,
    `  API description   ${urls.docs}`,
    ...(keys.length > 0 ? [`  API keys of the demo users (${demoKeysFile}):`, ...keys] : []),
    '  Ctrl-C stops.',
    '',
  ].join('\n');
}

/** Forks workers that share the port and replaces those that die; a signal stops all of them. */
async function superviseWorkers(count: number): Promise<void> {
  let stopping = false;
  for (let n = 0; n < count; n += 1) cluster.fork();
  cluster.on('exit', (worker) => {
    if (stopping) return;
    // A worker that never came up would only fail again.
    if (worker.exitedAfterDisconnect || process.uptime() < 2) process.exitCode = 1;
    else cluster.fork();
  });
  await new Promise<void>((resolve) => {
    const stop = () => {
      stopping = true;
      for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill('SIGTERM');
    };
    process.once('SIGINT', stop).once('SIGTERM', stop);
    cluster.on('exit', () => {
      if (Object.keys(cluster.workers ?? {}).length === 0) resolve();
    });
  });
}

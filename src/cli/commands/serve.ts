/** `moorage serve` */
import cluster from 'node:cluster';
import { readConfig, type Config } from '../../config.js';
import { version } from '../../contract/version.js';
import { startServer } from '../../server.js';
import { prepareDatabase, type Demo } from '../demo.js';
import { demoKeysPath } from '../demo-keys.js';
import type { Run } from '../command.js';
import { EXIT } from '../exit-statuses.js';
import { setupAtStart, setupLines, type Setup } from '../setup-at-start.js';
import { exitSoon, logUnhandledRejections, onSignals } from '../signals.js';
import { runWorker, superviseWorkers } from '../worker-processes.js';

export const serveCommand: Run = async ({ json = false }) => {
  if (cluster.isWorker) return runWorker(readConfig(process.env));
  const demo = await prepareDatabase(readConfig(process.env));
  // The demo has set the address of its drive.
  const config = readConfig(process.env);
  const show = async (address: string, baseUrl: string) => {
    await demo.listening(baseUrl);
    const setup = await setupAtStart(config, baseUrl);
    process.stdout.write(banner(config, { address, baseUrl, demo, setup }, json));
  };
  if (config.workers > 1) await superviseWorkers(config, show);
  else await serve(config, show);
};

async function serve(
  config: Config,
  show: (address: string, baseUrl: string) => Promise<void>,
): Promise<void> {
  const running = await startServer(config);
  logUnhandledRejections(running.services.log);
  const stopped = new Promise<void>((resolve, reject) => {
    onSignals(
      () => void running.stop().then(resolve, reject),
      () => process.exit(EXIT.interrupted),
    );
  });
  await show(running.address, running.baseUrl);
  await stopped;
  exitSoon();
}

interface Started {
  address: string;
  baseUrl: string;
  demo: Demo;
  setup: Setup | undefined;
}

function banner(config: Config, { address, baseUrl, demo, setup }: Started, json: boolean): string {
  const urls = {
    ...(config.web && { application: `${baseUrl}/` }),
    graphql: `${baseUrl}/graphql`,
    api: `${baseUrl}/api/v3`,
    docs: `${baseUrl}/api/docs`,
  };
  const { keys: demoKeys, servers: demoStorages } = demo;
  if (json) return `${JSON.stringify({ address, ...urls, demoKeys, demoStorages, setup })}\n`;
  const keys = Object.entries(demoKeys).map(([login, key]) => `    ${login.padEnd(8)} ${key}`);
  const { fileServer, drive } = demoStorages;
  return [
    `Moorage ${version} listens on ${address}`,
    ...(urls.application ? [`  Application       ${urls.application}`] : []),
    `  GraphQL explorer  ${urls.graphql}`,
    `  HAL root          ${urls.api}`,
    `  API description   ${urls.docs}`,
    ...oldNode(process.versions.node),
    ...(keys.length > 0
      ? [`  API keys of the demo users (${demoKeysPath(config)}):`, ...keys]
      : []),
    ...(fileServer
      ? [
          '  Storages of the demo (sign in there with the password "files"):',
          `    file server  ${fileServer}`,
          ...(drive ? [`    drive        ${drive}`] : []),
        ]
      : []),
    ...setupLines(setup),
    '  Ctrl-C stops.',
    '',
  ].join('\n');
}

/** The oldest version of Node.js that its makers still mend. */
const SUPPORTED_NODE = 22;

const oldNode = (version: string): string[] =>
  Number.parseInt(version, 10) < SUPPORTED_NODE
    ? [`  The support of Node.js ${version} has ended. Use Node.js 22 or 24.`]
    : [];

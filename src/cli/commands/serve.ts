/** `moorage serve` */
import cluster from 'node:cluster';
import { loadDemo, type DemoKeys } from '../../actions/people/directory/load-demo.js';
import { prepareDirectory } from '../../actions/people/directory/new-directory.js';
import { readConfig, type Config } from '../../config.js';
import { version } from '../../contract/version.js';
import { migrate } from '../../database/migrations.js';
import { startServer } from '../../server.js';
import { openServices } from '../../services.js';
import { demoKeyFile, demoKeysPath } from '../demo-keys.js';
import type { Run } from '../command.js';
import { EXIT } from '../exit-statuses.js';
import { setupAtStart, setupLines, type Setup } from '../setup-at-start.js';
import { exitSoon, logUnhandledRejections, onSignals } from '../signals.js';
import { runWorker, superviseWorkers } from '../worker-processes.js';

export const serveCommand: Run = async ({ json = false }) => {
  const config = readConfig(process.env);
  if (cluster.isWorker) return runWorker(config);
  const demoKeys = await prepare(config);
  const show = async (address: string, baseUrl: string) => {
    const setup = await setupAtStart(config, baseUrl);
    process.stdout.write(banner(config, { address, baseUrl, demoKeys, setup }, json));
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

/**
 * Migrates and fills an empty database before the port is open. @returns the API keys to print
 */
async function prepare(config: Config): Promise<DemoKeys> {
  const services = openServices(config);
  try {
    for (const migration of await migrate(services.db))
      services.log.info({ migration }, 'migrated');
    if (!config.demo) {
      await prepareDirectory(services);
      return {};
    }
    return await loadDemo(
      services,
      demoKeyFile(config, (error) =>
        services.log.warn({ err: error }, 'the demo keys were not kept'),
      ),
    );
  } finally {
    services.log.flush();
    await services.close();
  }
}

interface Started {
  address: string;
  baseUrl: string;
  demoKeys: DemoKeys;
  setup: Setup | undefined;
}

function banner(
  config: Config,
  { address, baseUrl, demoKeys, setup }: Started,
  json: boolean,
): string {
  const urls = {
    ...(config.web && { application: `${baseUrl}/` }),
    graphql: `${baseUrl}/graphql`,
    api: `${baseUrl}/api/v3`,
    docs: `${baseUrl}/api/docs`,
  };
  if (json) return `${JSON.stringify({ address, ...urls, demoKeys, setup })}\n`;
  const keys = Object.entries(demoKeys).map(([login, key]) => `    ${login.padEnd(8)} ${key}`);
  return [
    `Moorage ${version} listens on ${address}`,
    ...(urls.application ? [`  Application       ${urls.application}`] : []),
    `  GraphQL explorer  ${urls.graphql}`,
    `  HAL root          ${urls.api}`,
    `  API description   ${urls.docs}`,
    ...(keys.length > 0
      ? [`  API keys of the demo users (${demoKeysPath(config)}):`, ...keys]
      : []),
    ...setupLines(setup),
    '  Ctrl-C stops.',
    '',
  ].join('\n');
}

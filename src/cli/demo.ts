/** Prepares the database before the port is open. Loads the demo and starts its two storages. */
import { fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isForDemo, loadDemo, type DemoKeys } from '../actions/operate/demo/load-demo.js';
import { followServers, type DemoServers } from '../actions/operate/demo/demo-storages.js';
import { prepareDirectory } from '../actions/people/directory/new-directory.js';
import type { Config } from '../config.js';
import { migrate } from '../database/migrations.js';
import { makeStore, openServices } from '../services.js';
import { isDriveFree, rememberDrive, useDrive } from './demo-drive.js';
import { demoKeyFile } from './demo-keys.js';

export interface Demo {
  /** To print. */
  keys: DemoKeys;
  servers: DemoServers;
  /**
   * Tells the storages where people come back to after they have connected, and the database where
   * the storages are. A start that fails because the port is taken must not do that.
   */
  listening(baseUrl: string): Promise<void>;
}

const NONE: Demo = { keys: {}, servers: {}, listening: async () => undefined };

/** The service finds the drive of the demo by settings, which it adds to the environment. */
export async function prepareDatabase(config: Config): Promise<Demo> {
  if (!(await migrateAndFill(config))) return NONE;
  const { servers, redirectTo } = await startServers(config);
  const withDrive = servers.drive === undefined ? config : useDrive(servers.drive);
  const keys = await withServices(withDrive, async (services) => {
    await makeStore(services);
    const keyFile = demoKeyFile(config, (error) =>
      services.log.warn({ err: error }, 'the demo keys were not kept'),
    );
    return loadDemo(services, keyFile, servers);
  });
  return {
    keys,
    servers,
    async listening(baseUrl) {
      redirectTo(baseUrl);
      if (servers.drive !== undefined) rememberDrive(config, servers.drive);
      await withServices(withDrive, (services) => followServers(services, servers));
    },
  };
}

/** Migrates the database and fills an empty one. @returns whether it has a demo, or gets one */
const migrateAndFill = (config: Config): Promise<boolean> =>
  withServices(config, async (services) => {
    const migrations = await migrate(services.db);
    if (migrations.length > 0) services.log.info({ migrations }, 'migrated');
    if (config.demo && (await isForDemo(services.db.read))) return true;
    await prepareDirectory(services);
    return false;
  });

async function withServices<T>(
  config: Config,
  use: (services: ReturnType<typeof openServices>) => Promise<T>,
): Promise<T> {
  const services = openServices(config);
  try {
    return await use(services);
  } finally {
    services.log.flush();
    await services.close();
  }
}

/** The program as it is built, or its source. */
const program = ['../demo/main.js', '../../demo/servers/main.ts']
  .map((path) => fileURLToPath(new URL(path, import.meta.url)))
  .find((path) => existsSync(path));

async function startServers(
  config: Config,
): Promise<{ servers: DemoServers; redirectTo: (address: string) => void }> {
  if (!config.storageAllowPrivate || program === undefined)
    return { servers: {}, redirectTo: () => undefined };
  const child = fork(program, { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  const servers = await new Promise<DemoServers>((resolve) => {
    child.once('message', (message) => resolve(message as DemoServers));
    child.once('error', () => resolve({}));
    child.once('exit', () => resolve({}));
  });
  // The servers do not keep the program alive.
  child.unref();
  child.channel?.unref();
  if (!isDriveFree(config)) delete servers.drive;
  return {
    servers,
    redirectTo: (address) => void (child.connected && child.send({ address })),
  };
}

/** Two servers behind one proxy, with one database and one store. One of them has two processes. */
import { App, startApp, TEST_SECRET_KEY } from '../../support/app.js';
import {
  endCommands,
  environmentOf,
  serve,
  type Command,
  type Environment,
} from '../../support/cli.js';
import { freePort } from '../../support/postgres.js';
import { freshBucket, s3Environment, type S3Bucket } from '../../support/rgw.js';
import { startProxy, type Proxy } from './proxy.js';

export interface Member {
  /** The server behind the proxy, as a client that uses its own address sees it. */
  direct: App;
  /** Its current process. */
  command: Command;
  /** Stops it as a service manager does, and starts it again. @returns the exit status */
  restart(): Promise<number | null>;
}

export interface Servers {
  /** Fills the database. It runs in this process, without background work and not behind the proxy. */
  app: App;
  bucket: S3Bucket;
  proxy: Proxy;
  /** The address of the proxy, for clients. */
  through: App;
  /** The server of two processes comes first. */
  members: readonly [Member, Member];
  stop(): Promise<void>;
}

export async function startServers(): Promise<Servers> {
  const bucket = await freshBucket();
  const app = await startApp(s3Environment(bucket));
  const ports = [await freePort(), await freePort()];
  const proxy = await startProxy(ports.map((port) => `http://127.0.0.1:${port}`));
  const at = (address: string) =>
    new App({ ...app.running, address, baseUrl: proxy.url }, app.folder, app.profile);
  const environment = {
    ...environmentOf(app),
    ...s3Environment(bucket),
    NODE_ENV: 'production',
    STORAGE_ALLOW_PRIVATE: 'true',
    SECRET_KEY: TEST_SECRET_KEY,
    BASE_URL: proxy.url,
    DRAIN_SECONDS: '3',
    SHUTDOWN_SECONDS: '120',
  };
  const members = await Promise.all([
    startMember({ ...environment, PORT: String(ports[0]), WORKERS: '2' }, at),
    startMember({ ...environment, PORT: String(ports[1]) }, at),
  ]);
  return {
    app,
    bucket,
    proxy,
    through: at(proxy.url),
    members,
    async stop() {
      await proxy.close();
      await endCommands();
      await app.stop();
    },
  };
}

async function startMember(
  environment: Environment,
  at: (address: string) => App,
): Promise<Member> {
  const { command, banner } = await serve(environment);
  const member: Member = {
    direct: at(banner.address),
    command,
    async restart() {
      member.command.signal('SIGTERM');
      const { status } = await member.command.outcome;
      member.command = (await serve(environment)).command;
      return status;
    },
  };
  return member;
}

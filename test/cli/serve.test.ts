/** `moorage serve`, from its first start to its last signal. */
import { execFileSync } from 'node:child_process';
import { readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { request, type ClientRequest, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { TEST_SECRET_KEY } from '../support/app.js';
import { readConfig } from '../../src/config.js';
import { version } from '../../src/contract/version.js';
import { openServices } from '../../src/services.js';
import { importDirectory } from '../../src/actions/people/directory/import-directory.js';
import { on, freshDatabase } from '../support/database.js';
import {
  Command,
  emptyFolder,
  endCommands,
  run,
  serve,
  until,
  type Banner,
  type Environment,
} from '../support/cli.js';
import { afterAll, describe, expect, test } from '../support/jest.js';
import { freePort } from '../support/postgres.js';

afterAll(endCommands);

/** For output, signals and settings, in which nothing depends on SQL: each server takes seconds to start. */
const testOnce = on('sqlite');

async function freshEnvironment(): Promise<Environment> {
  const { url, folder } = await freshDatabase();
  return { DATABASE_URL: url, BLOB_STORE: `disk:${join(folder, 'blobs')}` };
}

const bearer = (key: string | undefined) => ({ authorization: `Bearer ${key}` });
const json = async (url: string, key?: string): Promise<any> =>
  (await fetch(url, { headers: key ? bearer(key) : {} })).json();

/** An upload that sends its first bytes and then pauses. */
class SlowUpload {
  readonly answer: Promise<{ status: number | undefined; body: any } | 'cut'>;
  readonly #request: ClientRequest;

  constructor(url: string, key: string | undefined) {
    this.#request = request(url, {
      method: 'POST',
      headers: { ...bearer(key), 'content-type': 'multipart/form-data; boundary=b' },
    });
    this.answer = new Promise((resolve) => {
      this.#request.once('error', () => resolve('cut'));
      this.#request.once('response', (response: IncomingMessage) => {
        let text = '';
        response
          .setEncoding('utf8')
          .on('data', (part: string) => {
            text += part;
          })
          .once('close', () =>
            resolve(
              response.complete ? { status: response.statusCode, body: JSON.parse(text) } : 'cut',
            ),
          );
      });
    });
    this.#request.write(
      '--b\r\nContent-Disposition: form-data; name="metadata"\r\n\r\n{"fileName":"slow.txt"}\r\n--b\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\nfirst ',
    );
  }

  finish() {
    this.#request.end('last\r\n--b--\r\n');
  }
}

testOnce('moorage alone serves, and refuses an option that serve does not have', async () => {
  const server = new Command([], { PORT: '0', ...(await freshEnvironment()) });
  await until(() => server.ended || server.stdout.includes('Ctrl-C stops.'), 'the server listens');
  expect(server.stdout.split('\n')[0]).toMatch(
    new RegExp(`^Moorage ${version} listens on http://127\\.0\\.0\\.1:\\d+$`),
  );
  expect(server.stdout.includes('The support of Node.js')).toBe(
    process.versions.node.startsWith('20.'),
  );
  await until(() => server.log.some(({ msg }) => msg === 'listening'), 'the log says so');
  expect(server.log.find(({ msg }) => msg === 'listening')).toMatchObject({ version });
  server.signal('SIGTERM');
  expect((await server.outcome).status).toBe(0);
  const refused = await run(['--jsom'], { PORT: '0' });
  expect([refused.status, refused.stdout, refused.stderr]).toEqual([
    2,
    '',
    expect.stringMatching(/^error: unknown option '--jsom'\n\(Did you mean --json\?\)\n\nUsage: /),
  ]);
});

testOnce('a scanner that does not answer is a warning at the start', async () => {
  const { command } = await serve({
    ...(await freshEnvironment()),
    CLAMD_URL: 'unix:/nowhere/clamd.socket',
    DEMO: 'false',
  });
  const warnings = () => command.log.filter(({ level }) => Number(level) >= 40);
  await until(() => warnings().length > 0, 'the log says so');
  expect(warnings()).toEqual([
    expect.objectContaining({
      level: 40,
      msg: 'files wait until the virus scanner answers',
      err: expect.objectContaining({
        message: expect.stringContaining('failed (ENOENT) (CLAMD_URL: /nowhere/clamd.socket).'),
      }),
    }),
  ]);
  command.signal('SIGTERM');
  expect((await command.outcome).status).toBe(0);
});

const filesIn = (environment: Environment, folder: 'incoming' | 'kept') => {
  try {
    return readdirSync(join(environment['BLOB_STORE']!.slice('disk:'.length), folder), {
      recursive: true,
      withFileTypes: true,
    }).filter((entry) => entry.isFile());
  } catch {
    return [];
  }
};
const arriving = (environment: Environment) =>
  until(() => filesIn(environment, 'incoming').length > 0, 'the upload has begun');

/** Reads the database of a server that has ended. */
async function withDatabase<T>(
  environment: Environment,
  look: (services: ReturnType<typeof openServices>) => Promise<T>,
): Promise<T> {
  const services = openServices(readConfig(environment));
  try {
    return await look(services);
  } finally {
    await services.close();
  }
}
/** What was uploaded besides the files of the demo, each of which has a key. */
const attachments = (environment: Environment) =>
  withDatabase(
    environment,
    async ({ db }): Promise<{ phase: string }[]> =>
      await db.read('attachments').whereNull('upload_key').select('phase'),
  );

/** A worker: the process of the demo's storages is older. */
const lastChildOf = ({ child }: Command): number =>
  Number(execFileSync('pgrep', ['--newest', '-P', String(child.pid)], { encoding: 'utf8' }).trim());

const wikiPage = (server: string) => `${server}/api/v3/wiki_pages/1/attachments`;
/** While several workers stop listening, a new connection may hang until all have ended. Another connection is tried then. */
const refusesConnections = (address: string) =>
  until(
    async () =>
      fetch(`${address}/health/live`, { signal: AbortSignal.timeout(2_000) }).then(
        () => false,
        ({ name }: Error) => name !== 'TimeoutError',
      ),
    'new connections are refused',
  );

describe('a server on an empty database', () => {
  const cwd = emptyFolder();
  const publicUrl = 'https://files.example.test';
  let environment: Environment;
  let demoKeys: Banner['demoKeys'];

  test('loads a demo, prints its address and keys, and lets a running upload finish when it is stopped', async () => {
    environment = await freshEnvironment();
    const { command, banner } = await serve({ ...environment, BASE_URL: `${publicUrl}/` }, { cwd });
    demoKeys = banner.demoKeys;
    const local = expect.stringMatching(/^http:\/\/127\.0\.0\.1:[1-9]\d*$/);
    expect(banner).toEqual({
      address: local,
      application: `${publicUrl}/`,
      graphql: `${publicUrl}/graphql`,
      api: `${publicUrl}/api/v3`,
      docs: `${publicUrl}/api/docs`,
      demoKeys: { ada: expect.any(String), mia: expect.any(String), rob: expect.any(String) },
      demoStorages: { fileServer: local, drive: local },
    });
    // The log and the banner come through two pipes.
    await until(() => command.log.some(({ msg }) => msg === 'listening'), 'the log says so');
    expect(command.log).toContainEqual(
      expect.objectContaining({
        msg: 'listening',
        address: banner.address,
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      }),
    );

    const api = `${banner.address}/api/v3`;
    const people = await Promise.all(
      Object.values(demoKeys).map((key) => json(`${api}/users/me`, key)),
    );
    expect(people.map(({ name }) => name)).toEqual(['Ada Admin', 'Mia Member', 'Rob Reader']);
    expect((await json(`${api}/configuration`)).hostName).toBe('files.example.test');
    const seen = await Promise.all(
      ['work_packages', 'activities', 'meetings', 'posts', 'wiki_pages'].map(
        async (segment) => (await json(`${api}/${segment}/1/attachments`, demoKeys['rob']))._type,
      ),
    );
    expect(seen).toEqual(Array(5).fill('Collection'));

    const upload = new SlowUpload(wikiPage(banner.address), demoKeys['mia']);
    await arriving(environment);
    command.signal('SIGTERM');
    await refusesConnections(banner.address);
    upload.finish();
    expect(await upload.answer).toMatchObject({
      status: 200,
      body: { fileName: 'slow.txt', fileSize: 'first last'.length },
    });
    expect((await command.outcome).status).toBe(0);
    expect(await attachments(environment)).toEqual([{ phase: 'kept' }]);
  });

  test('prints the same keys at its second start, loads the demo once, and cuts an upload that exceeds SHUTDOWN_SECONDS', async () => {
    const { command, banner } = await serve(
      { ...environment, SHUTDOWN_SECONDS: '1', LOG_LEVEL: 'silent' },
      { cwd },
    );
    expect(banner.demoKeys).toEqual(demoKeys);
    expect((await json(wikiPage(banner.address), demoKeys['ada'])).total).toBe(2);
    const upload = new SlowUpload(wikiPage(banner.address), demoKeys['mia']);
    await arriving(environment);
    command.signal('SIGINT');
    expect(await upload.answer).toBe('cut');
    expect(await command.outcome).toEqual({ status: 0, stdout: expect.anything(), stderr: '' });
    expect((await attachments(environment)).filter(({ phase }) => phase !== 'storing')).toEqual([
      { phase: 'kept' },
    ]);
    const kept = await withDatabase(environment, ({ db }) => db.read('attachments'));
    expect([filesIn(environment, 'incoming').length, filesIn(environment, 'kept').length]).toEqual([
      0,
      kept.filter(({ phase }) => phase === 'kept').length,
    ]);
    expect(
      await withDatabase(environment, async ({ db }) =>
        Promise.all(
          ['projects', 'work_packages', 'users'].map(async (table) =>
            Number((await db.read(table).count({ n: '*' }))[0]!['n']),
          ),
        ),
      ),
    ).toEqual([3, 15, 5]);
  });

  testOnce('prints no key in production, and ends at once at the second signal', async () => {
    const { command, banner } = await serve(
      {
        ...environment,
        NODE_ENV: 'production',
        SECRET_KEY: TEST_SECRET_KEY,
        BASE_URL: publicUrl,
        SHUTDOWN_SECONDS: '3600',
      },
      { cwd },
    );
    expect(banner.demoKeys).toEqual({});
    const upload = new SlowUpload(wikiPage(banner.address), demoKeys['mia']);
    await arriving(environment);
    command.signal('SIGTERM');
    await refusesConnections(banner.address);
    expect(command.ended).toBe(false);
    command.signal('SIGTERM');
    expect((await command.outcome).status).toBe(130);
    expect(await upload.answer).toBe('cut');
  });
});

testOnce('an empty database stays empty where other machines can reach the server', async () => {
  const environment = await freshEnvironment();
  const { command, banner } = await serve({ ...environment, HOST: '0.0.0.0' });
  expect(banner.demoKeys).toEqual({});
  expect(
    await withDatabase(environment, ({ db }) =>
      db.read('users').whereNotIn('login', ['anonymous', 'moorage-system']),
    ),
  ).toEqual([]);
  command.signal('SIGTERM');
  expect((await command.outcome).status).toBe(0);
  // A misspelt name of production starts nothing.
  expect(await run(['serve'], { ...environment, NODE_ENV: 'prod' })).toEqual({
    status: 78,
    stdout: '',
    stderr:
      'The configuration has 1 mistake:\n  NODE_ENV must be development, production or test\n',
  });
});

test('an empty database in production gets no people, and kill -9 in the middle of an upload leaves no visible attachment', async () => {
  const environment: Environment = {
    ...(await freshEnvironment()),
    NODE_ENV: 'production',
    SECRET_KEY: TEST_SECRET_KEY,
    BASE_URL: 'https://files.example.test',
  };
  const first = await serve(environment);
  expect(
    await withDatabase(environment, ({ db }) =>
      db.read('users').whereNotIn('login', ['anonymous', 'moorage-system']),
    ),
  ).toEqual([]);
  const key = 'a-key-of-at-least-20-characters';
  await withDatabase(environment, (services) =>
    importDirectory(services, async function* () {
      yield Buffer.from(
        JSON.stringify({
          users: [
            {
              login: 'ada',
              firstName: 'Ada',
              lastName: 'A',
              admin: true,
              apiKeys: [{ name: 'a', key }],
            },
          ],
          projects: [
            { identifier: 'p', name: 'P', wikiPages: [{ ref: 'w', title: 'T', author: 'ada' }] },
          ],
        }),
      );
    }),
  );
  const upload = new SlowUpload(wikiPage(first.banner.address), key);
  await arriving(environment);
  first.command.signal('SIGKILL');
  expect((await first.command.outcome).status).toBe(null);
  expect(await upload.answer).toBe('cut');
  const second = await serve(environment);
  expect((await json(wikiPage(second.banner.address), key)).total).toBe(0);
  second.command.signal('SIGTERM');
  expect((await second.command.outcome).status).toBe(0);
});

testOnce('the banner for users has the pages, the keys and the chosen port', async () => {
  const environment = await freshEnvironment();
  const command = new Command(['serve'], { ...environment, PORT: '0' });
  await until(() => command.stdout.includes('Ctrl-C'), 'the banner is there', 25_000);
  command.signal('SIGINT');
  const { stdout } = await command.outcome;
  const [, address] = /^Moorage \S+ listens on (http:\/\/127\.0\.0\.1:\d+)$/m.exec(stdout) ?? [];
  for (const path of ['/graphql', '/api/v3', '/api/docs'])
    expect(stdout).toContain(`${address}${path}\n`);
  expect(stdout.match(/^ +(ada|mia|rob) +mrg-[0-9a-f]{40}$/gm)).toHaveLength(3);
});

test('five servers that start together on one empty database all start, with one schema and one demo', async () => {
  const environment = await freshEnvironment();
  const cwd = emptyFolder();
  const servers = await Promise.all(Array.from({ length: 5 }, () => serve(environment, { cwd })));
  const migrated = servers
    .flatMap(({ command }) => command.log)
    .filter(({ msg }) => msg === 'migrated');
  expect(migrated).toMatchObject([{ migrations: expect.arrayContaining(['001-foundation.js']) }]);
  for (const { banner } of servers) expect(banner.demoKeys).toEqual(servers[0]!.banner.demoKeys);
  expect(
    await Promise.all(
      servers.map(
        async ({ banner }) =>
          (await json(`${banner.address}/api/v3/users/me`, banner.demoKeys['ada'])).name,
      ),
    ),
  ).toEqual(Array(5).fill('Ada Admin'));
  for (const { command } of servers) command.signal('SIGTERM');
  expect(
    await Promise.all(servers.map(async ({ command }) => (await command.outcome).status)),
  ).toEqual(Array(5).fill(0));
}, 90_000);

testOnce('several workers need PostgreSQL', async () => {
  const environment = { DATABASE_URL: 'sqlite:./data.sqlite3', WORKERS: '2' };
  expect(await run(['serve'], environment)).toMatchObject({
    status: 78,
    stderr: expect.stringContaining('WORKERS'),
  });
});

on('postgres')(
  'two workers share one port, a dead worker is replaced, and Ctrl-C waits for their uploads',
  async () => {
    const environment = {
      ...(await freshEnvironment()),
      WORKERS: '2',
      PORT: String(await freePort()),
    };
    const { command, banner } = await serve(environment, { group: true });
    const listening = () => command.log.filter(({ msg }) => msg === 'listening').length;
    // The log and the banner come through two pipes.
    await until(() => listening() === 2, 'both workers say so');
    expect(banner.address).toBe(`http://127.0.0.1:${environment.PORT}`);
    expect((await json(`${banner.address}/api/v3/users/me`, banner.demoKeys['ada'])).name).toBe(
      'Ada Admin',
    );

    process.kill(lastChildOf(command), 'SIGKILL');
    await until(() => listening() === 3, 'another worker listens');

    const upload = new SlowUpload(wikiPage(banner.address), banner.demoKeys['mia']);
    await arriving(environment);
    // A terminal signals the whole group: supervisor and workers.
    process.kill(-command.child.pid!, 'SIGINT');
    await refusesConnections(banner.address);
    upload.finish();
    expect(await upload.answer).toMatchObject({ status: 200 });
    const { status, stdout } = await command.outcome;
    expect([
      status,
      stdout.trim().split('\n').length,
      command.log.filter(({ msg }) => msg === 'stopped').length,
    ]).toEqual([0, 1, 2]);
  },
);

on('postgres')(
  'a worker that cannot start at the moment is replaced later, and the others continue',
  async () => {
    const environment: Environment = {
      ...(await freshEnvironment()),
      WORKERS: '2',
      PORT: String(await freePort()),
    };
    const { command, banner } = await serve(environment, { group: true });
    const lines = (text: string) => command.log.filter(({ msg }) => msg === text).length;
    const blobs = environment['BLOB_STORE']!.slice('disk:'.length);
    renameSync(blobs, `${blobs}-away`);
    writeFileSync(blobs, 'not a folder');
    process.kill(lastChildOf(command), 'SIGKILL');
    await until(() => lines('a worker ended') >= 3, 'two replacements have failed');
    expect((await json(`${banner.address}/api/v3/users/me`, banner.demoKeys['ada'])).name).toBe(
      'Ada Admin',
    );
    rmSync(blobs);
    renameSync(`${blobs}-away`, blobs);
    await until(() => lines('listening') === 3, 'another worker listens');
    process.kill(-command.child.pid!, 'SIGINT');
    expect((await command.outcome).status).toBe(0);
  },
);

on('postgres')('workers that cannot listen end the server', async () => {
  const environment = {
    ...(await freshEnvironment()),
    NODE_ENV: 'production',
    SECRET_KEY: TEST_SECRET_KEY,
    BASE_URL: 'https://files.example.test',
  };
  const { command, banner } = await serve(environment);
  const second = await run(['serve'], {
    ...environment,
    WORKERS: '2',
    PORT: new URL(banner.address).port,
  });
  expect(second).toMatchObject({ status: 1, stderr: expect.stringContaining('EADDRINUSE') });
  command.signal('SIGTERM');
  expect((await command.outcome).status).toBe(0);
});

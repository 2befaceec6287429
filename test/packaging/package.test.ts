/** The package of `npm pack` can be installed and used in another folder. */
import { copyFileSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { TEST_SECRET_KEY } from '../support/app.js';
import {
  Command,
  emptyFolder,
  endCommands,
  run,
  serve,
  until,
  type Environment,
} from '../support/cli.js';
import { freshDatabase } from '../support/database.js';
import { afterAll, beforeAll, expect, test } from '../support/jest.js';
import { SITE } from '../support/production.js';
import { describeS3, freshBucket, s3Environment } from '../support/rgw.js';
import { readsFile, useService } from '../support/smoke.js';
import { bash, compiledDriver, copyOfCheckout, registry, root, succeeded } from './checkout.js';

/** Installing some hundred packages takes long on a slow disk. */
const TIMEOUT_MS = 300_000;

const folder = emptyFolder();
let packed: { filename: string; files: { path: string }[] };
/** The command of the installed package, which runs in its folder. */
const installed = { cwd: folder, by: [join(folder, 'node_modules/.bin/moorage')] };

beforeAll(async () => {
  const checkout = await copyOfCheckout();
  [packed] = JSON.parse(
    succeeded(await bash(`npm pack --silent --json --pack-destination '${folder}'`, checkout)),
  ) as [typeof packed];
  // The checkout is as it was.
  expect(readFileSync(join(checkout, 'package.json'), 'utf8')).toBe(
    readFileSync(join(root, 'package.json'), 'utf8'),
  );
}, TIMEOUT_MS);
afterAll(async () => {
  await endCommands();
  rmSync(folder, { recursive: true, force: true });
});

test('the package has only the compiled program with its packages, the demo, migrations, files to deploy with, descriptions, schema and documentation', () => {
  const list = (place: string) =>
    readdirSync(join(root, place), { recursive: true, encoding: 'utf8' }).filter((name) =>
      statSync(join(root, place, name)).isFile(),
    );
  const compiled = list('src')
    .filter((name) => /(?<!\.d)\.c?ts$/.test(name))
    .map((name) => `dist/${name.replace(/ts$/, 'js')}`);
  const servers = list('demo/servers')
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `dist/demo/${name.replace(/ts$/, 'js')}`);
  const bundles = list('dist/packages').map((name) => `dist/packages/${name}`);
  expect(bundles).toEqual(
    expect.arrayContaining(['dist/packages/knex.js', 'dist/packages/apollo-server.js']),
  );
  const expected = [
    ...compiled,
    ...servers,
    ...bundles,
    ...list('demo/files').map((name) => `demo/files/${name}`),
    'demo/world.json',
    ...list('deploy').map((name) => `deploy/${name}`),
    ...list('migrations').map((name) => `migrations/${name}`),
    ...list('openapi/generated').map((name) => `openapi/generated/${name}`),
    ...list('assets').map((name) => `assets/${name}`),
    ...list('docs')
      .filter((name) => !name.startsWith('pictures/'))
      .map((name) => `docs/${name}`),
    ...list('bench/results')
      .filter((name) => /^\w+\.md$/.test(name))
      .map((name) => `bench/results/${name}`),
    '.env.example',
    'CHANGELOG.md',
    'CONTRIBUTING.md',
    'LICENSE',
    'README.md',
    'SECURITY.md',
    'package.json',
    'schema.graphql',
  ];
  expect(packed.files.map(({ path }) => path).sort()).toEqual(expected.sort());
});

test('the package needs one other package, and has no scripts of a checkout', async () => {
  const manifest = JSON.parse(
    succeeded(await bash(`tar -xzOf '${packed.filename}' package/package.json`, folder)),
  ) as { [member: string]: unknown };
  const { sqlite3 } = (
    JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      dependencies: { [name: string]: string };
    }
  ).dependencies;
  expect(manifest['dependencies']).toEqual({ sqlite3 });
  expect(Object.keys(manifest).sort()).toEqual([
    'bin',
    'dependencies',
    'description',
    'engines',
    'files',
    'keywords',
    'license',
    'name',
    'optionalDependencies',
    'type',
    'version',
  ]);
});

test(
  'the installed package is small, prints its help and the schema, serves pages and API, stores a file, and opens a linked one',
  async () => {
    succeeded(
      await bash(
        `npm init --yes >/dev/null && npm install --no-audit --no-fund --prefer-offline --ignore-scripts=false './${packed.filename}'`,
        folder,
        compiledDriver(),
      ),
    );
    const megabytes = async () =>
      Number(succeeded(await bash('du -sm node_modules', folder)).split('\t')[0]);
    const whole = await megabytes();
    rmSync(join(folder, 'node_modules/@img'), { recursive: true });
    rmSync(join(folder, 'node_modules/sharp'), { recursive: true });
    // From here on, the optional package for pictures is missing, and everything works.
    const without = await megabytes();
    expect(without).toBeLessThanOrEqual(40);
    expect(whole - without).toBeLessThanOrEqual(60);
    expect(succeeded(await bash('npx --no-install moorage --help', folder))).toMatch(
      /^Usage: moorage \[options\] \[command\]\n/,
    );
    expect(succeeded(await bash('npx --no-install moorage schema print', folder))).toBe(
      readFileSync(join(root, 'schema.graphql'), 'utf8'),
    );

    const { command, banner } = await serve({}, installed);
    await useService(banner.address, banner.demoKeys['mia']!);
    const headers = { authorization: `Bearer ${banner.demoKeys['mia']}` };
    const links: any = await (
      await fetch(`${banner.api}/work_packages/1/file_links`, { headers })
    ).json();
    const [{ _links: linked }] = links._embedded.elements;
    const file = await fetch(banner.address + linked.staticOriginDownload.href, { headers });
    expect([linked.status.title, file.status, file.headers.get('content-type')]).toEqual([
      'View allowed',
      200,
      'application/pdf',
    ]);
    command.signal('SIGTERM');
    expect((await command.outcome).status).toBe(0);
  },
  TIMEOUT_MS,
);

test(
  'npx starts the demo from the file of the package, in an empty folder',
  async () => {
    const empty = emptyFolder();
    const environment = {
      ...registry,
      ...compiledDriver(),
      npm_config_cache: join(empty, 'npm'),
      npm_config_ignore_scripts: 'false',
      PORT: '0',
    };
    copyFileSync(join(folder, packed.filename), join(empty, packed.filename));
    const command = new Command(['--yes', `./${packed.filename}`], environment, {
      cwd: empty,
      group: true,
      by: ['npx'],
    });
    await until(
      () => command.ended || command.stdout.includes('Ctrl-C stops.'),
      'the demo listens',
      TIMEOUT_MS,
    );
    expect(command.stdout).toMatch(/^Moorage \d+\.\d+\.\d+ listens on http:/m);
    const [, address = ''] = / listens on (\S+)/.exec(command.stdout)!;
    const [, key = ''] = /^ {4}mia +(\S+)$/m.exec(command.stdout)!;
    await useService(address, key);
    process.kill(-command.child.pid!, 'SIGINT');
    await command.outcome;
    await expect(fetch(`${address}/health/live`)).rejects.toThrow();
    rmSync(empty, { recursive: true, force: true });
  },
  TIMEOUT_MS,
);

test(
  'each command has its help, with an example',
  async () => {
    const helpOf = async (words: string[]): Promise<string[]> => {
      const help = succeeded(await run([...words, '--help'], {}, installed));
      expect(help).toMatch(new RegExp(`^Usage: moorage ${words.join(' ')}`.replace(/ $/, '')));
      const [, list] = /\nCommands:\n(.*)/s.exec(help) ?? [];
      if (list === undefined) {
        expect(help).toContain(`\nExample:\n  `);
        return [words.join(' ')];
      }
      const names = [...list.matchAll(/^ {2}([a-z][\w-]*)/gm)]
        .map(([, name]) => name!)
        .filter((name) => name !== 'help');
      const below = await Promise.all(names.map((name) => helpOf([...words, name])));
      return below.flat();
    };
    const commands = await helpOf([]);
    expect(commands).toEqual(expect.arrayContaining(['serve', 'copy-to', 'user lock', 'doctor']));
    expect(commands.length).toBeGreaterThan(20);
  },
  TIMEOUT_MS,
);

/** The variables that the compose file gives to the service, with the databases and stores of this machine. */
function deployed(here: Environment): Environment {
  const compose = readFileSync(join(root, 'deploy/compose.yaml'), 'utf8');
  const [, block = ''] = /\n {4}environment:\n(.*?)\n {4}\w/s.exec(compose)!;
  const names = [...block.matchAll(/^ {6}([A-Z\d_]+): (.+)$/gm)].map(
    ([, name = '', value = '']) => [name, here[name] ?? value.replace(/^'(.*)'$/, '$1')],
  );
  expect(names.length).toBeGreaterThan(10);
  return { NODE_ENV: 'production', ...here, ...Object.fromEntries(names) };
}

describeS3('in production, on PostgreSQL and an object store', () => {
  test(
    'the link makes the first administrator, and a file survives a restart',
    async () => {
      const bucket = await freshBucket();
      const environment = deployed({
        BASE_URL: SITE,
        SECRET_KEY: TEST_SECRET_KEY,
        DATABASE_URL: (await freshDatabase('postgres')).url,
        ...s3Environment(bucket),
        S3_PUBLIC_ENDPOINT: bucket.endpoint,
        // The tests of the scanner have one.
        CLAMD_URL: '',
      });
      const first = await serve(environment, installed);
      const { address, setup } = first.banner;
      const token = setup!.url!.slice(`${SITE}/setup?token=`.length);
      const made = await fetch(`${address}/setup`, {
        method: 'POST',
        headers: { 'sec-fetch-site': 'same-origin' },
        body: new URLSearchParams({
          token,
          login: 'ada',
          firstName: 'Ada',
          lastName: 'Lovelace',
          email: '',
          password: 'one harbour',
          repeated: 'one harbour',
        }),
      });
      expect([made.status, await made.text()]).toEqual([
        200,
        expect.stringContaining('blob store'),
      ]);

      const moorage = async (...args: string[]) =>
        succeeded(await run(args, environment, installed)).trim();
      await moorage('project', 'create', 'quay', '--name', 'The quay');
      await moorage('user', 'create', 'kim', '--first-name', 'Kim');
      await moorage('project', 'add-member', 'quay', 'kim', 'Manager');
      const { key } = JSON.parse(await moorage('api-key', 'create', '--login', 'kim', '--json'));
      const created = await fetch(`${address}/api/v3/work_packages`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          subject: 'Paint the bollards',
          _links: { project: { href: '/api/v3/projects/1' } },
        }),
      });
      expect([created.status, await created.json()]).toMatchObject([201, { id: 1 }]);
      const { id } = await useService(address, key);
      first.command.signal('SIGTERM');
      expect((await first.command.outcome).status).toBe(0);

      const second = await serve(environment, installed);
      expect(second.banner.setup).toBeUndefined();
      await readsFile(second.banner.address, key, id);
      second.command.signal('SIGTERM');
      expect((await second.command.outcome).status).toBe(0);
    },
    TIMEOUT_MS,
  );

  test(
    'the demo of SQLite is copied to PostgreSQL, with everything in it',
    async () => {
      const sqlite = { SECRET_KEY: TEST_SECRET_KEY, DATABASE_URL: 'sqlite:filled.sqlite3' };
      const blobs = { BLOB_STORE: 'disk:filled' };
      const filled = await serve({ ...sqlite, ...blobs }, installed);
      const key = filled.banner.demoKeys['mia']!;
      const { id } = await useService(filled.banner.address, key);
      const before = await everythingOf(filled.banner.address, key);
      filled.command.signal('SIGTERM');
      expect((await filled.command.outcome).status).toBe(0);

      const { url } = await freshDatabase('postgres');
      const { tables } = JSON.parse(
        succeeded(await run(['copy-to', url, '--json'], { ...sqlite, ...blobs }, installed)),
      ) as { tables: { table: string; rows: number }[] };
      expect(tables.find(({ table }) => table === 'attachments')!.rows).toBeGreaterThan(25);

      // The demo belongs to the file of the database, and its servers to the demo.
      const copy = await serve(
        { ...sqlite, ...blobs, DATABASE_URL: url, DEMO: 'false' },
        installed,
      );
      await readsFile(copy.banner.address, key, id);
      expect(await everythingOf(copy.banner.address, key)).toEqual(before);
      copy.command.signal('SIGTERM');
      expect((await copy.command.outcome).status).toBe(0);
    },
    TIMEOUT_MS,
  );
});

/** What somebody sees in all projects. */
async function everythingOf(address: string, key: string): Promise<unknown> {
  const query = `{
    projects { nodes { name identifier } }
    workPackages(first: 100) { totalCount nodes {
      subject status { name } type { name } assignee { name } updatedAt
      attachments(first: 100) { nodes { fileName fileSize contentType createdAt digest { hash } author { name } } }
      fileLinks(first: 100) { totalCount }
      activities(first: 100) { totalCount }
    } }
    viewer { name notifications(first: 100) { totalCount } }
  }`;
  const answer = await fetch(`${address}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  });
  const body = (await answer.json()) as { errors?: unknown; data: any };
  expect(body.errors).toBeUndefined();
  expect(body.data.workPackages.nodes.length).toBeGreaterThan(10);
  return body;
}

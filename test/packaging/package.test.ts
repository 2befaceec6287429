/** The package of `npm pack` can be installed and used in another folder. */
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { emptyFolder, endCommands, serve } from '../support/cli.js';
import { afterAll, beforeAll, expect, test } from '../support/jest.js';
import { useService } from '../support/smoke.js';
import { bash, compiledDriver, copyOfCheckout, root, succeeded } from './checkout.js';

/** Installing some hundred packages takes long on a slow disk. */
const TIMEOUT_MS = 300_000;

const folder = emptyFolder();
let packed: { filename: string; files: { path: string }[] };

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

    const { command, banner } = await serve(
      {},
      { cwd: folder, by: [join(folder, 'node_modules/.bin/moorage')] },
    );
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

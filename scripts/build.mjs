/**
 * Builds the program and its pages, each unless it is newer than all its sources.
 *
 * A build has a folder of its own below `builds`. The links `dist` and `assets` lead into the last one.
 * They change when a build is complete. Node.js follows links before it loads a file, so a server that
 * runs from an older build keeps the files of that build.
 *
 * `--pages` builds the pages only. `--copy` makes folders of the links: npm packs no links.
 */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { newest } from './newest.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const builds = join(root, 'builds');
const current = join(builds, 'current');
const LINKS = ['dist', 'assets'];

const CLIENT = ['client/src', 'client/tsconfig.json', 'client/package.json', 'schema.graphql'];
const BUNDLED = ['package.json', 'package-lock.json', 'scripts/licences-of.mjs'];

/** The sources of each part, and the file that its build writes last. */
const client = { sources: CLIENT, built: join(root, 'client/dist/index.js') };
const pages = {
  sources: [...CLIENT, ...BUNDLED, 'web', 'src/pages/static', 'scripts/build-assets.mjs'],
  built: join(current, 'assets/web.html'),
};
const program = {
  sources: [
    ...BUNDLED,
    'src',
    'demo',
    'migrations',
    'openapi/generated',
    'scripts/build.mjs',
    'scripts/bundle-packages.mjs',
    'scripts/not-bundled.mjs',
    'tsconfig.json',
    'tsconfig.build.json',
  ],
  built: join(current, 'dist/cli/moorage.cjs'),
};

const isStale = ({ sources, built }) =>
  newest(...sources.map((path) => join(root, path))) >
  (statSync(built, { throwIfNoEntry: false })?.mtimeMs ?? 0);

/** @throws if the command fails. Standard output belongs to the command that follows the build. */
function run(folder, command, ...args) {
  const { status } = spawnSync(command, args, {
    cwd: root,
    env: { ...process.env, BUILD_FOLDER: folder },
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}.`);
}

const isAlive = (pid) => {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
};

/** Removes the builds that no process uses. A process that just starts may still use the last one. */
function removeUnused(last) {
  const kept = [last, readlinkSync(current)];
  for (const { name } of readdirSync(builds, { withFileTypes: true }).filter((one) =>
    one.isDirectory(),
  )) {
    const users = join(builds, name, 'in-use');
    const isUsed = existsSync(users) && readdirSync(users).map(Number).some(isAlive);
    if (!isUsed && !kept.includes(name))
      rmSync(join(builds, name), { recursive: true, force: true });
  }
}

function buildPages(folder) {
  run(folder, 'node', 'scripts/build-assets.mjs');
  run(folder, 'npm', 'run', '--silent', 'build', '--workspace', 'web');
}

function buildProgram(folder) {
  const tsc = ['npx', '--no-install', 'tsc', '-p'];
  run(folder, ...tsc, 'tsconfig.build.json', '--outDir', `${folder}/dist`);
  run(folder, ...tsc, 'demo/servers', '--outDir', `${folder}/dist/demo`);
  run(folder, 'node', 'scripts/bundle-packages.mjs');
  chmodSync(join(folder, 'dist/cli/moorage.cjs'), 0o755);
}

/** Makes a new build of the parts that are stale, with the others of the build before. */
function build(arePagesStale, isProgramStale) {
  const last = readlinkIfAny(current);
  const name = `${Date.now().toString(36)}-${process.pid}`;
  const folder = join(builds, name);
  mkdirSync(join(folder, 'in-use'), { recursive: true });
  writeFileSync(join(folder, 'in-use', String(process.pid)), '');
  try {
    const options = { recursive: true, preserveTimestamps: true };
    for (const part of isProgramStale ? ['assets'] : LINKS)
      if (existsSync(join(current, part))) cpSync(join(current, part), join(folder, part), options);
    for (const part of [
      'package.json',
      'migrations',
      'openapi/generated',
      'demo/world.json',
      'demo/files',
    ])
      cpSync(join(root, part), join(folder, part), options);
    if (arePagesStale) buildPages(folder);
    if (isProgramStale) buildProgram(folder);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
  link(name, current);
  removeUnused(last);
}

const readlinkIfAny = (path) => (existsSync(path) ? readlinkSync(path) : undefined);

/** Replaces a link, or a folder, in one step. */
function link(target, path) {
  const next = `${path}.${process.pid}`;
  symlinkSync(target, next);
  if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) rmSync(path, { recursive: true });
  renameSync(next, path);
}

const isLink = (path) => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;

try {
  if (isStale(client)) run('', 'npm', 'run', '--silent', 'build', '--workspace', 'client');
  const arePagesStale = isStale(pages);
  const isProgramStale = !process.argv.includes('--pages') && isStale(program);
  if (arePagesStale || isProgramStale) build(arePagesStale, isProgramStale);
  for (const name of LINKS) {
    const path = join(root, name);
    const target = `builds/current/${name}`;
    if (process.argv.includes('--copy')) {
      if (isLink(path)) rmSync(path);
      cpSync(join(root, target), path, { recursive: true });
    } else if (!isLink(path)) link(target, path);
  }
} catch (error) {
  process.stderr.write(`The build failed: ${error.message}\n`);
  process.exitCode = 1;
}

/**
 * `tsx scripts/on-demand.ts test examples`: installs what only some tasks need. Each of these
 * folders has packages of its own, which `npm ci` leaves out.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Folders with a `package.json` and a lock file. */
export const onDemand = [
  'test',
  'test/support/linter',
  'examples',
  'bench',
  'bench/postgraphile',
  'scripts/lint',
] as const;

/** Installs the packages of a folder, unless they are there. */
export function install(name: (typeof onDemand)[number]): void {
  const folder = join(root, name);
  const lock = readFileSync(join(folder, 'package-lock.json'), 'utf8');
  // Written last, so that an installation that was killed is repeated.
  const installed = join(folder, 'node_modules/.installed.json');
  if (existsSync(installed) && readFileSync(installed, 'utf8') === lock) return;
  // Packages such as `graphql` must be those of the checkout, not copies beside them.
  const flags = ['--legacy-peer-deps', '--ignore-scripts', '--no-audit', '--no-fund'];
  execFileSync('npm', ['ci', ...flags], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  writeFileSync(installed, lock);
}

if (import.meta.url === pathToFileURL(process.argv[1]!).href)
  for (const name of process.argv.slice(2)) install(name as (typeof onDemand)[number]);

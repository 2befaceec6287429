/** Installs PostGraphile into a folder of its own, when a run needs it. The service does not depend on it. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const pathOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const { dependencies } = JSON.parse(readFileSync(pathOf('package.json'), 'utf8')) as {
  dependencies: { postgraphile: string };
};
export const postgraphileVersion = dependencies.postgraphile;
/** The folder with its packages. It is no part of the sources. */
export const postgraphileFolder = pathOf(
  `../../node_modules/.cache/postgraphile/${postgraphileVersion}/`,
);

export function installPostgraphile(): void {
  if (existsSync(join(postgraphileFolder, 'node_modules/postgraphile/package.json'))) return;
  mkdirSync(postgraphileFolder, { recursive: true });
  for (const name of ['package.json', 'package-lock.json'])
    copyFileSync(pathOf(name), join(postgraphileFolder, name));
  execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts'], {
    cwd: postgraphileFolder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

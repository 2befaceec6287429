/** Installs PostGraphile beside its package file, when a run needs it. The service does not depend on it. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));

interface Package {
  version?: string;
  dependencies: { postgraphile: string };
}
const read = (path: string) => JSON.parse(readFileSync(file(path), 'utf8')) as Package;

/** @returns its version */
export function installPostgraphile(): string {
  const { postgraphile: version } = read('package.json').dependencies;
  const installed = 'node_modules/postgraphile/package.json';
  if (!existsSync(file(installed)) || read(installed).version !== version)
    execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts'], {
      cwd: file('.'),
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  return version;
}

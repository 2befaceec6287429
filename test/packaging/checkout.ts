/** Copies of this checkout, and programs that run in them. */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, realpathSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onDemand } from '../../scripts/on-demand.js';
import { Command, emptyFolder, isFresh, type Environment, type Outcome } from '../support/cli.js';

export const root = fileURLToPath(new URL('../../', import.meta.url));

/** Folders that are not part of a clone and `npm ci`, or that are created again. */
const LEFT_OUT = new Set(['.git', 'assets', 'builds', 'coverage', 'data', 'dist', 'node_modules']);

/** A new folder with the files of the checkout and links to its dependencies. */
export function copyOfSources(): string {
  const copy = emptyFolder();
  cpSync(root, copy, {
    recursive: true,
    filter: (path) => {
      const parts = path.slice(root.length).split('/');
      return !LEFT_OUT.has(parts[0]!) && parts.at(-1) !== 'node_modules';
    },
  });
  for (const name of ['.', 'web', ...onDemand].filter((one) =>
    existsSync(join(root, one, 'node_modules')),
  ))
    symlinkSync(join(root, name, 'node_modules'), join(copy, name, 'node_modules'));
  return copy;
}

/** The same, with the program built. */
export async function copyOfCheckout(): Promise<string> {
  const copy = copyOfSources();
  if (isFresh()) {
    cpSync(realpathSync(join(root, 'builds/current')), join(copy, 'builds/first'), {
      recursive: true,
    });
    symlinkSync('first', join(copy, 'builds/current'));
  }
  succeeded(await bash('npm run --silent build', copy));
  return copy;
}

/** The npm registry. Commands get no other variable of this process. */
export const registry = Object.fromEntries(
  Object.entries(process.env).filter(([name]) =>
    /^(npm_config_registry|npm_config_cache|NODE_EXTRA_CA_CERTS|https?_proxy|no_proxy)$/i.test(
      name,
    ),
  ),
) as Environment;

/** Runs a script in a folder, as a user would. It ends at the first command that fails. */
export const bash = (
  script: string,
  cwd: string,
  environment: Environment = {},
): Promise<Outcome> => bashCommand(script, cwd, environment).outcome;

export const bashCommand = (script: string, cwd: string, environment: Environment = {}): Command =>
  new Command(
    ['-e', '-o', 'pipefail', '-c', script],
    { ...registry, ...environment },
    { cwd, group: true, by: ['bash'] },
  );

/** @returns the standard output of a command @throws if it failed */
export function succeeded({ status, stdout, stderr }: Outcome): string {
  if (status !== 0) throw new Error(`The command ended with ${status}:\n${stdout}\n${stderr}`);
  return stdout;
}

/**
 * A folder in which npm finds the compiled SQLite driver of this checkout: compiling it takes minutes.
 * @returns the variable with its name
 */
export function compiledDriver(): Environment {
  const driver = join(root, 'node_modules/sqlite3');
  const folder = emptyFolder();
  const { version, binary } = JSON.parse(readFileSync(join(driver, 'package.json'), 'utf8')) as {
    version: string;
    binary: { napi_versions: number[] };
  };
  for (const napi of binary.napi_versions)
    execFileSync('tar', [
      '-czf',
      join(folder, `sqlite3-v${version}-napi-v${napi}-${process.platform}-${process.arch}.tar.gz`),
      '-C',
      driver,
      'build/Release/node_sqlite3.node',
    ]);
  return { npm_config_sqlite3_local_prebuilds: folder };
}

/** Whether the program is installed here. */
export function installed(program: string): boolean {
  try {
    execFileSync('which', [program], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/**
 * `npm run on-node -- 24 npm test`: runs a command with another version of Node.js. Its binary comes from the npm registry.
 * It exits with the status of the command.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const versions: { [major: string]: string } = {
  22: '22.23.3',
  24: '24.21.0',
  26: '26.12.1',
};

/** The folder of the binary. */
function install(version: string): string {
  const name = `node-${process.platform}-${process.arch}`;
  const folder = fileURLToPath(
    new URL(`../node_modules/.cache/on-node/${version}/`, import.meta.url),
  );
  const bin = join(folder, 'node_modules', name, 'bin');
  if (!existsSync(join(bin, 'node'))) {
    mkdirSync(folder, { recursive: true });
    execFileSync(
      'npm',
      [
        'install',
        '--prefix',
        folder,
        '--no-save',
        '--no-audit',
        '--no-fund',
        '--ignore-scripts',
        `${name}@${version}`,
      ],
      { stdio: ['ignore', 'ignore', 'inherit'] },
    );
  }
  return bin;
}

const [major = '', command, ...args] = process.argv.slice(2);
const version = versions[major];
if (!version || !command)
  throw new Error(
    `Usage: npm run on-node -- ${Object.keys(versions).join('|')} command [arguments]`,
  );
const bin = install(version);
const env = { ...process.env, PATH: `${bin}${delimiter}${process.env['PATH'] ?? ''}` };
const found = execFileSync('node', ['--version'], { env, encoding: 'utf8' }).trim();
if (found !== `v${version}`)
  throw new Error(`The command would run on ${found} instead of v${version}.`);
process.stdout.write(`On Node.js ${version}\n`);
process.exit(spawnSync(command, args, { env, stdio: 'inherit' }).status ?? 1);

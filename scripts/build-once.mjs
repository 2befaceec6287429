/** Builds the program and the application unless they are newer than all their sources. */
import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isWebStale } from './build-web.mjs';
import { newest } from './newest.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const built = join(root, 'dist/cli/moorage.cjs');

function isFresh() {
  if (!existsSync(built)) return false;
  const { mode, mtimeMs } = statSync(built);
  // The last step of a build makes it executable. Otherwise the build was interrupted.
  const whole = (mode & 0o111) !== 0;
  const sources = [
    'package.json',
    'package-lock.json',
    'scripts/build-assets.mjs',
    'scripts/bundle-packages.mjs',
    'scripts/licences-of.mjs',
    'tsconfig.json',
    'tsconfig.build.json',
    'src',
  ];
  return whole && newest(...sources.map((name) => join(root, name))) <= mtimeMs;
}

// Standard output belongs to the command.
if (!isFresh() || isWebStale())
  process.exitCode =
    spawnSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio: ['ignore', 2, 2] }).status ??
    1;

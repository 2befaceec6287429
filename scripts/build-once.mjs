/** Builds the program unless it is newer than all its sources. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const built = join(root, 'dist/cli/moorage.cjs');

function isFresh() {
  if (!existsSync(built)) return false;
  const { mode, mtimeMs } = statSync(built);
  // The last step of a build makes it executable. Otherwise the build was interrupted.
  const whole = (mode & 0o111) !== 0;
  // Removing a file makes its folder newer.
  const sources = [
    'package.json',
    'package-lock.json',
    'scripts/build-assets.mjs',
    'scripts/bundle-packages.mjs',
    'scripts/licences-of.mjs',
    'tsconfig.json',
    'tsconfig.build.json',
    'src',
    ...readdirSync(join(root, 'src'), { recursive: true }).map((name) => join('src', name)),
  ];
  return whole && sources.every((name) => statSync(join(root, name)).mtimeMs <= mtimeMs);
}

// Standard output belongs to the command.
if (!isFresh())
  process.exitCode =
    spawnSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio: ['ignore', 2, 2] }).status ??
    1;

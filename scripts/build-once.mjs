/** Builds the program unless it is newer than all that it is built from. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const built = join(root, 'dist/cli/moorage.cjs');

function isFresh() {
  if (!existsSync(built)) return false;
  const { mode, mtimeMs } = statSync(built);
  // The last step of a build makes it executable: without it the build was cut short.
  const whole = (mode & 0o111) !== 0;
  // A folder is newer, too, once a file in it is gone.
  const sources = [
    'package.json',
    'tsconfig.json',
    'tsconfig.build.json',
    'src',
    ...readdirSync(join(root, 'src'), { recursive: true }).map((name) => join('src', name)),
  ];
  return whole && sources.every((name) => statSync(join(root, name)).mtimeMs <= mtimeMs);
}

// Standard output is the command's.
if (!isFresh())
  process.exitCode =
    spawnSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio: ['ignore', 2, 2] }).status ??
    1;

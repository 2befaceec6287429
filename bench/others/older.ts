/** An older commit of this repository, built in a folder of its own. */
import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { progress } from '../run.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** @returns the folder, which later runs use again */
export function olderCheckout(commit: string): string {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  const id = git('rev-parse', '--short=12', `${commit}^{commit}`).trim();
  const folder = join(root, 'node_modules/.cache/bench-others', id);
  const built = join(folder, 'node_modules/.built');
  if (existsSync(built)) return folder;
  progress(`building ${id}`);
  if (!existsSync(folder)) {
    // Git still knows it if only its folder was removed, with `node_modules`.
    git('worktree', 'prune');
    git('worktree', 'add', '--detach', folder, id);
  }
  for (const args of [
    ['ci', '--no-audit', '--no-fund'],
    ['run', '--silent', 'build'],
  ])
    execFileSync('npm', args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  writeFileSync(built, '');
  return folder;
}

/** Writes the rows of the benchmark as the older commit does. */
export const seedOlder = (folder: string, databaseUrl: string): void =>
  void execFileSync(
    join(folder, 'node_modules/.bin/tsx'),
    ['-e', `import('./bench/seed.ts').then(({ seed }) => seed(${JSON.stringify(databaseUrl)}))`],
    { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] },
  );

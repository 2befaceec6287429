/** Builds the package of the client and the web application, each if it is older than its sources. */
import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { newest } from './newest.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The workspaces in the order of their builds: their sources, and the last file that a build writes. */
const workspaces = {
  client: { sources: ['client/src'], built: 'client/dist/index.js' },
  web: { sources: ['client/src', 'web', 'package-lock.json'], built: 'assets/web.html' },
};

const timeOf = (path) => statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0;
const isStale = ({ sources, built }) =>
  newest(...sources.map((path) => join(root, path))) > timeOf(built);

/** Whether the application must be built. */
export const isWebStale = () => Object.values(workspaces).some(isStale);

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const [name, workspace] of Object.entries(workspaces)) {
    if (!isStale(workspace)) continue;
    // Standard output belongs to the command that follows.
    const { status } = spawnSync('npm', ['run', '--silent', 'build', '--workspace', name], {
      cwd: root,
      stdio: ['ignore', 2, 2],
    });
    if (status !== 0) process.exit(status ?? 1);
  }

/**
 * Makes the package.json that `npm pack` takes: of the packages at run time, only those that are not bundled.
 * `--restore` puts the one of the checkout back, with its time, so that nothing is built again.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { NOT_BUNDLED } from './not-bundled.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const manifest = join(root, 'package.json');
const kept = join(root, 'builds', 'package.json');

/** Only a checkout uses them. */
const OF_CHECKOUTS = ['allowScripts', 'devDependencies', 'overrides', 'scripts', 'workspaces'];

const restore = () => {
  if (existsSync(kept)) renameSync(kept, manifest);
};

// A run that was killed has left its file.
restore();
if (!process.argv.includes('--restore')) {
  mkdirSync(join(root, 'builds'), { recursive: true });
  const { dependencies, ...members } = JSON.parse(readFileSync(manifest, 'utf8'));
  const own = Object.entries(members).filter(([name]) => !OF_CHECKOUTS.includes(name));
  const installed = Object.entries(dependencies).filter(([name]) => NOT_BUNDLED.includes(name));
  renameSync(manifest, kept);
  writeFileSync(
    manifest,
    `${JSON.stringify({ ...Object.fromEntries(own), dependencies: Object.fromEntries(installed) }, null, 2)}\n`,
  );
}

/**
 * `npm run release`: makes what a version is published from, in the folder `release`: the packages of the
 * service and of the client, the list of all packages (CycloneDX; those of the development are marked), and
 * the digests of the files. It publishes nothing.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'release');
const SBOM = 'sbom.cdx.json';

const run = (command, ...args) =>
  execFileSync(command, args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
    stdio: ['ignore', 'pipe', 'inherit'],
  }).trim();
const text = (path) => readFileSync(join(root, path), 'utf8');
const versionOf = (path) => JSON.parse(text(path)).version;

/** @returns why there is no release; undefined if there can be one */
function problem(version) {
  const changed = run('git', 'status', '--porcelain');
  if (changed !== '') return `These files are not committed:\n${changed}`;
  if (versionOf('client/package.json') !== version)
    return `The client has the version ${versionOf('client/package.json')}, not ${version}.`;
  if (!text('CHANGELOG.md').includes(`\n## ${version}\n`))
    return `CHANGELOG.md has no heading "## ${version}".`;
  if (checked() !== run('git', 'rev-parse', 'HEAD'))
    return 'This commit has not passed all checks. Run `bash .ci/run`.';
  return undefined;
}

/** The commit that has passed all checks last. `.ci/run` writes it. */
function checked() {
  try {
    return text('builds/checked').trim();
  } catch {
    return undefined;
  }
}

const version = versionOf('package.json');
const reason = problem(version);
if (reason) {
  process.stderr.write(`There is no release of ${version}. ${reason}\n`);
  process.exit(1);
}
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder);
run('npm', 'pack', '--silent', '--pack-destination', folder);
run('npm', 'pack', '--silent', '--workspace', 'client', '--pack-destination', folder);
writeFileSync(
  join(folder, SBOM),
  `${run('npm', 'sbom', '--package-lock-only', '--sbom-format', 'cyclonedx')}\n`,
);
const digests = readdirSync(folder)
  .sort()
  .map((name) => {
    const digest = createHash('sha256').update(readFileSync(join(folder, name)));
    return `${digest.digest('hex')}  ${name}\n`;
  });
writeFileSync(join(folder, 'SHA256SUMS'), digests.join(''));
process.stdout.write(digests.join(''));

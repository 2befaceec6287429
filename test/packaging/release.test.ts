/** `npm run release` makes the files of a version, and refuses what was not checked. */
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '../support/jest.js';
import { bash, copyOfCheckout, root, succeeded } from './checkout.js';

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  version: string;
};

let folder: string;
const release = () => bash('npm run --silent release', folder);
const commit = (message: string) =>
  bash(
    `git add --all && git -c user.name=Kim -c user.email=kim@example.test commit --quiet --message '${message}'`,
    folder,
  );
const check = async () => {
  mkdirSync(join(folder, 'builds'), { recursive: true });
  writeFileSync(
    join(folder, 'builds/checked'),
    succeeded(await bash('git rev-parse HEAD', folder)),
  );
};

beforeAll(async () => {
  folder = await copyOfCheckout();
  // A link to the dependencies is no folder.
  writeFileSync(join(folder, '.git-exclude'), 'node_modules\n.git-exclude\n');
  succeeded(
    await bash('git init --quiet && git config core.excludesFile "$PWD/.git-exclude"', folder),
  );
  succeeded(await commit('A version'));
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a commit that has not passed all checks is refused', async () => {
  const { status, stderr } = await release();
  expect([status, stderr]).toEqual([
    1,
    `There is no release of ${version}. This commit has not passed all checks. Run \`bash .ci/run\`.\n`,
  ]);
});

test('changed files and a changelog without the version are refused', async () => {
  await check();
  const changelog = readFileSync(join(folder, 'CHANGELOG.md'), 'utf8');
  writeFileSync(join(folder, 'CHANGELOG.md'), changelog.replace(`## ${version}`, '## Soon'));
  const changed = await release();
  expect([changed.status, changed.stderr]).toEqual([
    1,
    `There is no release of ${version}. These files are not committed:\nM CHANGELOG.md\n`,
  ]);
  succeeded(await commit('A heading'));
  await check();
  const unnamed = await release();
  expect([unnamed.status, unnamed.stderr]).toEqual([
    1,
    `There is no release of ${version}. CHANGELOG.md has no heading "## ${version}".\n`,
  ]);
  writeFileSync(join(folder, 'CHANGELOG.md'), changelog);
  succeeded(await commit('The heading of before'));
});

test('a checked commit gives both packages, the list of their parts, and digests', async () => {
  await check();
  succeeded(await release());
  const files = join(folder, 'release');
  const names = [`moorage-${version}.tgz`, `moorage-client-${version}.tgz`, 'sbom.cdx.json'];
  expect(readdirSync(files).sort()).toEqual(['SHA256SUMS', ...names].sort());
  expect(succeeded(await bash('sha256sum --check --quiet SHA256SUMS && echo good', files))).toBe(
    'good\n',
  );
  const { components } = JSON.parse(readFileSync(join(files, 'sbom.cdx.json'), 'utf8')) as {
    components: { name: string; properties: { name: string }[] }[];
  };
  const isForDevelopment = (wanted: string) =>
    components
      .find(({ name }) => name === wanted)
      ?.properties.some(({ name }) => name === 'cdx:npm:package:development');
  expect(['sqlite3', 'knex', 'graphql', 'jest'].map(isForDevelopment)).toEqual([
    false,
    false,
    false,
    true,
  ]);
  expect(succeeded(await bash('git status --porcelain', folder))).toBe('');
}, 120_000);

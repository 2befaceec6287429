/** The first stage of the Dockerfile makes the package. `npm run test:image` takes the steps of the others. */
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { emptyFolder, endCommands } from '../support/cli.js';
import { afterAll, expect, test } from '../support/jest.js';
import { bash, copyOfSources, root, succeeded } from './checkout.js';

afterAll(endCommands);

interface Stage {
  base: string;
  name: string | undefined;
  steps: string[];
}

const lines = (file: string) =>
  readFileSync(join(root, file), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));

function readStages(): Stage[] {
  const stages: Stage[] = [];
  for (const line of lines('Dockerfile')) {
    const [, base, name] = /^FROM (\S+)(?: AS (\S+))?$/.exec(line) ?? [];
    if (base) stages.push({ base, name, steps: [] });
    else stages.at(-1)!.steps.push(line);
  }
  return stages;
}

const stages = readStages();

/** What Docker sees of a checkout: `.dockerignore` has names at the top, and names anywhere. */
function contextOf(checkout: string): string {
  const context = emptyFolder();
  const ignored = lines('.dockerignore');
  cpSync(checkout, context, {
    recursive: true,
    filter: (path) => {
      const [top, ...below] = path.slice(checkout.length + 1).split('/');
      const last = below.at(-1) ?? top;
      return !ignored.some((one) => one === top || one === `**/${last}`);
    },
  });
  return context;
}

test('all stages use one base, of the version of Node.js that the tests use', () => {
  expect(stages.map(({ name }) => name)).toEqual(['package', 'install', undefined]);
  const [, version] = /24: '([\d.]+)'/.exec(
    readFileSync(join(root, 'scripts/on-node.ts'), 'utf8'),
  )!;
  expect([...new Set(stages.map(({ base }) => base))]).toEqual([`node:${version}-bookworm-slim`]);
});

test('the first stage packs a checkout, without its secrets and its data', async () => {
  const checkout = copyOfSources();
  writeFileSync(join(checkout, 'deploy/.env'), 'SECRET_KEY=secret\n');
  mkdirSync(join(checkout, 'data'));
  const context = contextOf(checkout);
  for (const left of ['deploy/.env', 'data', 'node_modules', 'test'])
    expect([left, existsSync(join(context, left))]).toEqual([left, false]);

  const folder = emptyFolder();
  const { steps } = stages[0]!;
  const [pack] = steps.splice(-1);
  expect(steps).toEqual([
    'WORKDIR /checkout',
    'COPY package.json package-lock.json ./',
    'COPY client/package.json client/',
    'COPY web/package.json web/',
    'RUN npm ci --no-audit --no-fund --ignore-scripts',
    'COPY . .',
  ]);
  // What npm ci installs.
  for (const place of ['.', 'client', 'web'].map((name) => join(name, 'node_modules')))
    if (existsSync(join(root, place))) symlinkSync(join(root, place), join(context, place));
  expect(pack).toMatch(/^RUN npm pack .*--pack-destination \/$/);
  succeeded(await bash(pack!.replace(/^RUN /, '').replace(/\/$/, `'${folder}'`), context));
  const [packed, ...more] = readdirSync(folder);
  expect([packed, more]).toEqual([expect.stringMatching(/^moorage-[\d.]+\.tgz$/), []]);
  const listed = succeeded(await bash(`tar -tzf '${packed}'`, folder)).split('\n');
  expect(listed).toEqual(
    expect.arrayContaining(
      ['dist/cli/moorage.cjs', 'assets/web.html', 'deploy/compose.yaml', 'schema.graphql'].map(
        (file) => `package/${file}`,
      ),
    ),
  );
}, 300_000);

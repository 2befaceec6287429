/** The steps of the Dockerfile work without Docker: the copied files are enough to build and to serve. */
import { cpSync, existsSync, mkdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Command, emptyFolder, endCommands, until, type Environment } from '../support/cli.js';
import { TEST_SECRET_KEY } from '../support/app.js';
import { afterAll, beforeAll, expect, test } from '../support/jest.js';
import { freePort } from '../support/postgres.js';
import { bash, root, succeeded } from './checkout.js';

interface Step {
  instruction: string;
  text: string;
}

/** One stage of the build: its steps, and a folder for the root of its file system. */
interface Stage {
  name: string;
  base: string;
  steps: Step[];
  folder: string;
}

const INSTALL = 'npm ci --no-audit --no-fund';
/** These need Docker's base image or the network. package.test.ts tests the installed package. */
const NOT_RUN = [
  /^apt-get update && apt-get install -y --no-install-recommends python3 make g\+\+ && rm -rf \/var\/lib\/apt\/lists\/\*$/,
  /^npm prune --omit=dev --no-audit --no-fund$/,
  /^mkdir \/data && chown node:0 \/data && chmod 2770 \/data && ln -s \/app\/dist\/cli\/moorage\.cjs \/usr\/local\/bin\/moorage$/,
];

function readStages(): Stage[] {
  const stages: Stage[] = [];
  for (const line of readFileSync(join(root, 'Dockerfile'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))) {
    const [, instruction = '', text = ''] = /^([A-Z]+) +(.+)$/.exec(line) ?? [];
    const [, base, name] = instruction === 'FROM' ? /^(\S+)(?: AS (\S+))?$/.exec(text)! : [];
    if (base) stages.push({ base, name: name ?? 'final', steps: [], folder: emptyFolder() });
    else stages.at(-1)!.steps.push({ instruction, text });
  }
  return stages;
}

const stages = readStages();
const [build, final] = stages as [Stage, Stage];
const texts = (stage: Stage, instruction: string) =>
  stage.steps.filter((step) => step.instruction === instruction).map(({ text }) => text);
const only = (stage: Stage, instruction: string) => {
  const [text, ...more] = texts(stage, instruction);
  expect(more).toEqual([]);
  return text!;
};

/** Source and target paths. As in Docker, a target with a slash at its end is a folder. */
function copy(stage: Stage, text: string): void {
  const [, from, paths = ''] = /^(?:--from=(\S+) )?(.+)$/.exec(text)!;
  const source = from ? stages.find(({ name }) => name === from)!.folder : root;
  const names = paths.split(' ');
  const to = names.pop()!;
  for (const name of names) {
    const path = join(source, name);
    const target = join(stage.folder, 'app', to, to.endsWith('/') ? name.split('/').at(-1)! : '');
    mkdirSync(dirname(target), { recursive: true });
    if (name.endsWith('node_modules')) symlinkSync(join(root, 'node_modules'), target);
    else cpSync(path, target, { recursive: true });
  }
}

async function play(stage: Stage): Promise<void> {
  const app = join(stage.folder, 'app');
  for (const { instruction, text } of stage.steps) {
    if (instruction === 'COPY') copy(stage, text);
    if (instruction !== 'RUN' || NOT_RUN.some((pattern) => pattern.test(text))) continue;
    if (text === INSTALL) symlinkSync(join(root, 'node_modules'), join(app, 'node_modules'));
    else succeeded(await bash(text, app));
  }
}

beforeAll(async () => {
  for (const stage of stages) await play(stage);
}, 300_000);
afterAll(endCommands);

test('both stages use one pinned base, install with the same command, and end as an unprivileged user', () => {
  expect(stages.map(({ name, base }) => ({ name, base }))).toEqual([
    { name: 'build', base: 'node:22-bookworm-slim' },
    { name: 'final', base: 'node:22-bookworm-slim' },
  ]);
  // Files are copied to /app. The server runs in /, because its data is in /data.
  expect([texts(build, 'WORKDIR'), texts(final, 'WORKDIR')]).toEqual([['/app'], ['/app', '/']]);
  expect(final.steps.findIndex(({ text }) => text === '/')).toBeGreaterThan(
    final.steps.findLastIndex(({ instruction }) => instruction === 'COPY'),
  );
  expect(texts(build, 'RUN')).toContain(INSTALL);
  expect(readFileSync(join(root, '.ci/run'), 'utf8')).toContain(INSTALL);
  expect([only(final, 'USER'), only(final, 'VOLUME'), only(final, 'EXPOSE')]).toEqual([
    'node',
    '/data',
    '8080',
  ]);
  expect(final.steps.findIndex(({ instruction }) => instruction === 'USER')).toBeGreaterThan(
    final.steps.findLastIndex(({ instruction }) => instruction === 'COPY' || instruction === 'RUN'),
  );
});

test('.dockerignore lets exactly the copied files through', () => {
  const [all, ...kept] = readFileSync(join(root, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  expect(all).toBe('*');
  const copied = stages
    .flatMap((stage) => texts(stage, 'COPY'))
    .filter((text) => !text.startsWith('--from'))
    .flatMap((text) => text.split(' ').slice(0, -1));
  expect([...new Set(copied.map((path) => `!${path.split('/')[0]}`))].sort()).toEqual(kept.sort());
});

test('the image serves in production, reports healthy, and stops at the signal of Docker', async () => {
  const settings: Environment = Object.fromEntries(
    only(final, 'ENV')
      .split(' ')
      .map((pair) => pair.split('=') as [string, string]),
  );
  expect(settings).toMatchObject({ NODE_ENV: 'production', HOST: '0.0.0.0', PORT: '8080' });
  const cwd = final.folder;
  const data = join(cwd, 'data');
  mkdirSync(data);
  const environment = {
    ...settings,
    PORT: String(await freePort()),
    SECRET_KEY: TEST_SECRET_KEY,
    BASE_URL: 'https://files.example.test',
  };
  const [node, program, ...rest] = JSON.parse(only(final, 'ENTRYPOINT')) as string[];
  const args = [join(cwd, program!), ...rest, ...(JSON.parse(only(final, 'CMD')) as string[])];
  const [, check] = /^(?:--\S+ )*CMD (\[.+\])$/.exec(only(final, 'HEALTHCHECK'))!;
  const healthy = async () =>
    (await new Command([], environment, { cwd, by: JSON.parse(check!) as string[] }).outcome)
      .status;

  expect(await healthy()).toBe(1);
  const server = new Command(args, environment, { cwd, by: [node!] });
  await until(
    () => server.ended || server.stdout.includes(' listens on http://0.0.0.0:'),
    'the server listens',
    60_000,
  );
  expect(await healthy()).toBe(0);
  expect(server.stdout).not.toContain('demo');
  server.signal('SIGTERM');
  expect((await server.outcome).status).toBe(0);
  expect(await healthy()).toBe(1);
  expect([
    existsSync(join(data, 'moorage.sqlite3')),
    statSync(join(data, 'blobs')).isDirectory(),
  ]).toEqual([true, true]);
  expect(existsSync(join(cwd, 'app', 'data'))).toBe(false);
}, 120_000);

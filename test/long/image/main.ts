/**
 * `npm run test:image`: builds the image of the Dockerfile without Docker, and starts its file system: read-only
 * except for /data, as a user that it does not know.
 *
 * It needs root, `buildah` and `debootstrap`. Where they are missing it says so, and counts as skipped.
 */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TEST_SECRET_KEY } from '../../support/app.js';
import { Command, endCommands, until, type Environment } from '../../support/cli.js';
import { freePort } from '../../support/postgres.js';
import { findProgram } from '../../support/programs.js';
import { readsFile, useService } from '../../support/smoke.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const LIMIT_MB = 60;
const USER = 12_345;
const KEY = 'at-least-20-characters';
const DIRECTORY = {
  users: [
    { login: 'kim', firstName: 'Kim', lastName: 'Keeper', apiKeys: [{ name: 'laptop', key: KEY }] },
  ],
  roles: [{ name: 'Editor', permissions: ['view_work_packages', 'edit_work_packages'] }],
  projects: [
    {
      identifier: 'quay',
      name: 'Quay',
      memberships: [{ user: 'kim', roles: ['Editor'] }],
      workPackages: [{ ref: 'wp-1', subject: 'Paint the bollards', author: 'kim' }],
    },
  ],
};

function reasonToSkip(): string | undefined {
  if (process.getuid?.() !== 0) return 'only root can build and start it';
  for (const program of ['buildah', 'debootstrap', 'unshare'])
    if (findProgram(program) === undefined) return `${program} is not installed`;
  try {
    execFileSync('unshare', ['--mount', 'true'], { stdio: 'pipe' });
    return undefined;
  } catch {
    return 'this machine allows no mounts of its own';
  }
}

interface Image {
  Env: string[];
  User: string;
  WorkingDir: string;
  Volumes: { [path: string]: object };
  Entrypoint: string[];
  Cmd: string[];
  Healthcheck: { Test: string[] };
}

const folder = mkdtempSync(join(tmpdir(), 'moorage-image-'));
const data = join(folder, 'data');
let image: Image;
let container: string;

function build(): void {
  const [{ filename }] = JSON.parse(
    execFileSync('npm', ['pack', '--silent', '--json', '--pack-destination', folder], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
  ) as [{ filename: string }];
  execFileSync(join(root, 'test/long/image/build.sh'), [join(folder, filename), folder], {
    stdio: ['ignore', process.stderr, 'inherit'],
  });
  const description = JSON.parse(readFileSync(join(folder, 'image.json'), 'utf8')) as {
    Docker: { config: Image };
  };
  image = description.Docker.config;
  container = realpathSync(join(folder, 'root'));
  // Docker makes the volume with the owner and the mode of the folder.
  mkdirSync(data);
  for (const command of ['chown', 'chmod'])
    execFileSync(command, ['--reference', join(container, 'data'), data]);
}

/** Runs a program of the image, as a user of group 0, with `/data` as the only place that it can write to. */
const inImage = (program: string[], environment: Environment): Command =>
  new Command([container, data, `${USER}:0`, ...program], environment, {
    by: [
      'unshare',
      '--mount',
      'sh',
      '-euc',
      `root=$1 data=$2 user=$3; shift 3
      mount --bind "$root" "$root"
      mount -o remount,bind,ro "$root"
      mount --rbind /dev "$root/dev"
      mount -t proc proc "$root/proc"
      mount --bind "$data" "$root/data"
      exec chroot --userspec="$user" "$root" "$@"`,
      'sh',
    ],
  });

const megabytes = (path: string) =>
  Number(execFileSync('du', ['-smx', path], { encoding: 'utf8' }).split('\t')[0]);

const tests: { [title: string]: () => Promise<void> | void } = {
  [`it has at most ${LIMIT_MB} MB more than its base, and as much for pictures of files`]() {
    const all = megabytes(container) - megabytes(join(folder, 'base'));
    const modules = join(container, 'app/node_modules');
    const drawing = ['sharp', '@img'].map((name) => megabytes(join(modules, name)));
    const service = megabytes(join(container, 'app')) - drawing.reduce((sum, size) => sum + size);
    // The rest are libraries of Debian.
    const pictures = all - service;
    process.stdout.write(`${service} MB more than the base, and ${pictures} MB for pictures\n`);
    ok(service <= LIMIT_MB, `${service} MB`);
    ok(pictures <= LIMIT_MB, `${pictures} MB for pictures`);
  },

  async 'it is described as the documents say'() {
    const { User, WorkingDir, Volumes, Cmd } = image;
    deepEqual(
      { User, WorkingDir, Volumes, Cmd },
      {
        User: 'node',
        WorkingDir: '/',
        Volumes: { '/data': {} },
        Cmd: ['serve'],
      },
    );
    const { status, stdout } = await inImage(['moorage', '--version'], settings({})).outcome;
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      version: string;
    };
    deepEqual([status, stdout], [0, `${version}\n`]);
  },

  async 'wrong settings end it with status 78'() {
    const { status, stderr } = await inImage(program(), settings({})).outcome;
    equal(status, 78);
    match(stderr, /SECRET_KEY is needed in production/);
  },

  async 'it serves pages, uploads, GraphQL and health; it ends at SIGTERM, and keeps files when it is killed'() {
    const environment = settings({
      PORT: String(await freePort()),
      BASE_URL: 'https://files.example.org',
      SECRET_KEY: TEST_SECRET_KEY,
    });
    const address = `http://127.0.0.1:${environment['PORT']}`;
    writeFileSync(join(data, 'directory.json'), JSON.stringify(DIRECTORY));
    const imported = await inImage(['moorage', 'import', '/data/directory.json'], environment)
      .outcome;
    equal(imported.status, 0, imported.stderr);

    const health = image.Healthcheck.Test;
    equal(health[0], 'CMD');
    const healthy = async () => (await inImage(health.slice(1), environment).outcome).status;
    const start = async () => {
      const server = inImage(program(), environment);
      await until(
        () => server.ended || server.stdout.includes(' listens on '),
        'the server listens',
        60_000,
      );
      equal(server.ended, false, server.stderr);
      return server;
    };
    equal(await healthy(), 1);
    const first = await start();
    equal(await healthy(), 0);
    equal((await fetch(`${address}/health/ready`)).status, 200);
    const { id } = await useService(address, KEY);
    first.signal('SIGTERM');
    equal((await first.outcome).status, 0);
    equal(await healthy(), 1);

    const second = await start();
    second.signal('SIGKILL');
    equal((await second.outcome).status, null);
    const third = await start();
    await readsFile(address, KEY, id);
    third.signal('SIGTERM');
    equal((await third.outcome).status, 0);
    deepEqual(readdirSync(data).sort(), ['blobs', 'directory.json', 'moorage.sqlite3']);
  },
};

const settings = (changes: Environment): Environment => ({
  ...Object.fromEntries(
    image.Env.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  ),
  HOME: '/',
  ...changes,
});
const program = () => [...image.Entrypoint, ...image.Cmd];

const reason = reasonToSkip();
let [passed, failed] = [0, 0];
try {
  if (reason !== undefined) process.stdout.write(`skipped: ${reason}\n`);
  else {
    build();
    for (const [title, run] of Object.entries(tests))
      try {
        await run();
        passed += 1;
        process.stdout.write(`passed: ${title}\n`);
      } catch (error) {
        failed += 1;
        process.stdout.write(`failed: ${title}\n${String((error as Error).stack)}\n`);
      }
  }
} finally {
  await endCommands();
  const store = ['--root', join(folder, 'store'), '--runroot', join(folder, 'run')];
  if (reason === undefined) execFileSync('buildah', [...store, 'rm', '--all'], { stdio: 'ignore' });
  rmSync(folder, { recursive: true, force: true });
}
process.stdout.write(
  `${passed} passed, ${failed} failed, ${reason === undefined ? 0 : 1} skipped\n`,
);
process.exit(failed > 0 ? 1 : 0);

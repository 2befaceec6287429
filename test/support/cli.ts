/** Runs the real `moorage` command in separate processes. */
import { AssertionError } from 'node:assert';
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Config } from '../../src/config.js';
import type { App } from './app.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const built = join(root, 'dist/cli/moorage.cjs');

/** The program that `npm run build` made, or the source if that is newer. A variable can name another build. */
const named = process.env['MOORAGE_TEST_PROGRAM'];
export const program = named
  ? [named]
  : isFresh()
    ? [built]
    : [
        '--import',
        join(root, 'node_modules/tsx/dist/esm/index.mjs'),
        join(root, 'src/cli/main.ts'),
      ];

export function isFresh(): boolean {
  if (!existsSync(built)) return false;
  const { mtimeMs } = statSync(built);
  return ['src', 'demo', 'openapi/generated'].every((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).every(
      (name) => statSync(join(root, folder, name)).mtimeMs <= mtimeMs,
    ),
  );
}

export interface Environment {
  [name: string]: string;
}

/** The environment of commands that use the database and the files of a server in this process. */
export function environmentOf({ running }: App): Environment {
  const { database, blobs } = running.services.settings as Config;
  return {
    DATABASE_URL: database.client === 'sqlite' ? `sqlite:${database.file}` : database.url,
    ...(blobs.kind === 'disk' && { BLOB_STORE: `disk:${blobs.root}` }),
  };
}

export interface Outcome {
  /** Exit status, or null if a signal ended the process. */
  status: number | null;
  stdout: string;
  stderr: string;
}

interface CommandOptions {
  cwd?: string;
  /** A separate process group, as in a terminal. */
  group?: boolean;
  /** Another program than `moorage`, with its first arguments. */
  by?: string[];
}

export class Command {
  stdout = '';
  stderr = '';
  readonly child: ChildProcess;
  readonly outcome: Promise<Outcome>;
  #ended = false;

  /** Starts a command, by default in a new folder. It gets only the paths of this process's environment. */
  constructor(
    args: string[],
    environment: Environment = {},
    {
      cwd = emptyFolder(),
      group = false,
      by = [process.execPath, ...program],
    }: CommandOptions = {},
  ) {
    const { PATH = '', HOME = '' } = process.env;
    this.child = spawn(by[0]!, [...by.slice(1), ...args], {
      cwd,
      detached: group,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH,
        HOME,
        AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
        TSX_TSCONFIG_PATH: join(root, 'tsconfig.json'),
        ...environment,
      },
    });
    this.child.stdout!.setEncoding('utf8').on('data', (text: string) => {
      this.stdout += text;
    });
    this.child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
    });
    this.outcome = new Promise((resolve) => {
      this.child.once('close', (status) => {
        this.#ended = true;
        started.delete(this);
        resolve({ status, stdout: this.stdout, stderr: this.stderr });
      });
    });
    started.add(this);
  }

  get ended(): boolean {
    return this.#ended;
  }

  signal(name: NodeJS.Signals): void {
    this.child.kill(name);
  }

  /** The lines of its log. */
  get log(): { [member: string]: unknown }[] {
    return this.stderr
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as { [member: string]: unknown });
  }
}

const started = new Set<Command>();

/** For `afterAll`: ends all processes that failed tests have left. */
export async function endCommands(): Promise<void> {
  const left = [...started];
  for (const command of left) command.signal('SIGKILL');
  await Promise.all(left.map(({ outcome }) => outcome));
}

export const run = (
  args: string[],
  environment?: Environment,
  options?: CommandOptions,
): Promise<Outcome> => new Command(args, environment, options).outcome;

export interface Banner {
  address: string;
  application: string;
  graphql: string;
  api: string;
  docs: string;
  demoKeys: { [login: string]: string };
  demoStorages: { fileServer?: string; drive?: string };
  /** Where there is no administrator. */
  setup?: { url?: string };
}

/** Starts a server in a separate process, and waits until it listens. */
export async function serve(
  environment: Environment,
  options?: CommandOptions,
): Promise<{ command: Command; banner: Banner }> {
  const command = new Command(['serve', '--json'], { PORT: '0', ...environment }, options);
  await until(() => command.ended || command.stdout.includes('\n'), 'the server listens', 60_000);
  if (command.ended) throw new Error(`serve ended: ${command.stderr}`);
  return { command, banner: JSON.parse(command.stdout) as Banner };
}

/** Waits until a condition is true. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  what: string,
  ms = 30_000,
): Promise<void> {
  const end = Date.now() + ms;
  while (!(await condition())) {
    if (Date.now() > end) throw new AssertionError({ message: `Not within ${ms} ms: ${what}.` });
    await sleep(20);
  }
}

export const emptyFolder = (): string => mkdtempSync(join(tmpdir(), 'moorage-cli-'));

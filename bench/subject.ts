/** A measured program: a child process with its address, processor time and memory. */
import { spawn, type ChildProcess } from 'node:child_process';
import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { programOf, SECRET_KEY, type SubjectName } from './programs.js';

/** Unit of the times in /proc, the same on every Linux. */
export const TICK_MS = 10;
const SAMPLE_MS = 50;
const MIB = 1024 * 1024;
const START_MS = 30_000;
const STOP_MS = 10_000;

const root = fileURLToPath(new URL('..', import.meta.url));

export class Subject {
  private constructor(
    readonly name: SubjectName,
    readonly address: string,
    readonly blobs: string,
    private readonly child: ChildProcess,
  ) {}

  /** @param checkout the repository whose program is started */
  static async start(
    name: SubjectName,
    databaseUrl: string,
    folder: string,
    nodeOptions: string[] = [],
    checkout = root,
  ): Promise<Subject> {
    const blobs = join(folder, `blobs-${name}`);
    mkdirSync(blobs, { recursive: true });
    const program = programOf(name, databaseUrl, blobs);
    const child = spawn(process.execPath, [...nodeOptions, ...program.arguments], {
      cwd: checkout,
      env: { PATH: process.env['PATH'], ...program.environment },
      stdio: ['ignore', 'pipe', program.quiet ? 'ignore' : 'inherit'],
    });
    try {
      return new Subject(name, await addressOf(child), blobs, child);
    } catch (error) {
      child.kill('SIGKILL');
      throw error;
    }
  }

  /** The server with some settings and their blob store. `log` is a file for its lines. Without it they are printed. */
  static async startWith(
    settings: { [name: string]: string },
    { log, nodeOptions = [] }: { log?: string; nodeOptions?: string[] } = {},
  ): Promise<Subject> {
    const environment = {
      PATH: process.env['PATH'],
      NODE_ENV: 'production',
      SECRET_KEY,
      BASE_URL: 'http://127.0.0.1',
      LOG_LEVEL: 'warn',
      HOST: '127.0.0.1',
      PORT: '0',
      SHUTDOWN_SECONDS: '2',
      ...settings,
    };
    const lines = log === undefined ? 'inherit' : openSync(log, 'a');
    const child = spawn(
      process.execPath,
      [...nodeOptions, 'dist/cli/moorage.cjs', 'serve', '--json'],
      { cwd: root, env: environment, stdio: ['ignore', 'pipe', lines] },
    );
    if (lines !== 'inherit') closeSync(lines);
    try {
      return new Subject('ours', await addressOf(child), '', child);
    } catch (error) {
      child.kill('SIGKILL');
      throw error;
    }
  }

  get pid(): number {
    return this.child.pid!;
  }

  /** Milliseconds of processor time since the start, user and system, of all threads. */
  cpu(): number {
    return ticks(`/proc/${this.pid}/stat`) * TICK_MS;
  }

  /** The same for the thread that runs JavaScript. */
  mainThreadCpu(): number {
    return ticks(`/proc/${this.pid}/task/${this.pid}/stat`) * TICK_MS;
  }

  /** Resident memory in MiB. */
  rss(): number {
    return this.#status('VmRSS');
  }

  /** Runs some work. @returns the highest resident memory in MiB during it */
  async peakDuring(work: () => Promise<void>): Promise<number> {
    let peak = this.rss();
    const exact = this.#forgetPeak();
    const timer = setInterval(() => {
      peak = Math.max(peak, this.rss());
    }, SAMPLE_MS);
    try {
      await work();
    } finally {
      clearInterval(timer);
    }
    return Math.max(peak, this.rss(), exact ? this.#status('VmHWM') : 0);
  }

  /** Removes stored files, to free the disk. */
  emptyBlobs(): void {
    // The folders stay, because a server without them reports lost files.
    for (const folder of readdirSync(this.blobs).map((part) => join(this.blobs, part))) {
      for (const entry of readdirSync(folder))
        rmSync(join(folder, entry), { recursive: true, force: true });
    }
  }

  signal(name: NodeJS.Signals): void {
    this.child.kill(name);
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.kill('SIGTERM');
    const late = new AbortController();
    void sleep(STOP_MS, undefined, { signal: late.signal }).then(
      () => this.child.kill('SIGKILL'),
      () => undefined,
    );
    await ended;
    late.abort();
  }

  #status(name: string): number {
    const kib = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(
      readFileSync(`/proc/${this.pid}/status`, 'utf8'),
    )?.[1];
    return (Number(kib) * 1024) / MIB;
  }

  /** Resets the kernel's own record of the peak, if the kernel allows it. */
  #forgetPeak(): boolean {
    try {
      writeFileSync(`/proc/${this.pid}/clear_refs`, '5');
      return true;
    } catch {
      return false;
    }
  }
}

/** Processor time in units of 10 ms, user and system. */
export function ticks(file: string): number {
  // The second field is a name in parentheses. The fields behind it start with the third.
  const fields = readFileSync(file, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return Number(fields[11]) + Number(fields[12]);
}

/** Both programs write a JSON object with their address when they listen. */
function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error('A program did not listen in time.')),
      START_MS,
    );
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`A program ended with status ${code}.`)));
    createInterface({ input: child.stdout! }).once('line', (line) => {
      clearTimeout(timer);
      resolve((JSON.parse(line) as { address: string }).address);
    });
  });
}

/** The server as operators start it, with a probe for its memory, and its log in a file. */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Subject } from '../subject.js';

/** The resources of a server at rest. */
export interface State {
  /** MiB after forced collections: the heap, the buffers, and all resident memory. */
  heap: number;
  /** The part of the heap for compiled code. */
  compiled: number;
  resident: number;
  /** Open file descriptors. */
  descriptors: number;
}

/** The output of the probe, in bytes. */
interface Probed {
  rss: number;
  heapUsed: number;
  external: number;
  compiled: number;
  busySeconds: number;
}

const MIB = 1024 * 1024;
const PROBE_MS = 30_000;
/** By then, closed connections are gone, and their work has ended. */
const REST_MS = 2_000;
/** Idle connections to storages and to PostgreSQL are closed after half a minute. */
const SETTLE_MS = 45_000;
/** The `level` of a log line that reports an error of the server. */
const FAULT_LEVEL = 50;

export class Server {
  private constructor(
    readonly subject: Subject,
    private readonly state: string,
    private readonly log: string,
  ) {}

  /** @param folder for the log and the output of the probe */
  static async start(settings: { [name: string]: string }, folder: string): Promise<Server> {
    const [state, log] = [join(folder, 'state.json'), join(folder, 'server.log')];
    const probe = new URL('probe.mjs', import.meta.url).href;
    const subject = await Subject.startWith(
      { ...settings, SOAK_STATE: state },
      { log, nodeOptions: ['--expose-gc', '--import', probe] },
    );
    return new Server(subject, state, log);
  }

  /** Only while the server gets no requests. */
  async atRest(): Promise<State> {
    await sleep(REST_MS);
    const { rss, heapUsed, external, compiled } = await this.#probe();
    return {
      heap: (heapUsed + external) / MIB,
      compiled: compiled / MIB,
      resident: rss / MIB,
      descriptors: this.descriptors(),
    };
  }

  /** Consecutive seconds in which the event loop was always busy, since the last call of this or of `atRest`. */
  async busySeconds(): Promise<number> {
    return (await this.#probe()).busySeconds;
  }

  /** Waits until there are at most this many file descriptors, up to a time limit. @returns their number */
  async descriptorsDownTo(limit: number): Promise<number> {
    for (const end = Date.now() + SETTLE_MS; this.descriptors() > limit && Date.now() < end;)
      await sleep(250);
    return this.descriptors();
  }

  descriptors(): number {
    return readdirSync(`/proc/${this.subject.pid}/fd`).length;
  }

  /** Log lines that report errors. */
  faults(): string[] {
    return readFileSync(this.log, 'utf8')
      .split('\n')
      .filter((line) => line !== '' && !isHarmless(line));
  }

  stop(): Promise<void> {
    return this.subject.stop();
  }

  async #probe(): Promise<Probed> {
    rmSync(this.state, { force: true });
    process.kill(this.subject.pid, 'SIGUSR2');
    for (const end = Date.now() + PROBE_MS; !existsSync(this.state); await sleep(20)) {
      if (Date.now() > end) throw new Error('The probe in the server did not answer.');
    }
    return JSON.parse(readFileSync(this.state, 'utf8')) as Probed;
  }
}

function isHarmless(line: string): boolean {
  try {
    return (JSON.parse(line) as { level: number }).level < FAULT_LEVEL;
  } catch {
    // Not from the log, but a warning or a stack trace of Node.js.
    return false;
  }
}

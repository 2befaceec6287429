/** The server as operators start it, with a probe for its memory, and its log in a file. */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Subject } from '../subject.js';

/** What a server at rest holds. */
export interface State {
  /** MiB after forced collections: what JavaScript holds, in the heap and as buffers, and all that is resident. */
  heap: number;
  /** What of the heap is compiled code and what belongs to it. */
  compiled: number;
  resident: number;
  /** Open file descriptors. */
  descriptors: number;
}

/** What the probe writes; sizes in bytes. */
interface Probed {
  rss: number;
  heapUsed: number;
  external: number;
  compiled: number;
  busySeconds: number;
}

const MIB = 1024 * 1024;
const PROBE_MS = 30_000;
/** Connections that clients have left are closed by then, and what they began is done. */
const REST_MS = 2_000;
/** Spare connections to storages and to PostgreSQL go after half a minute. */
const SETTLE_MS = 45_000;
/** `level` of a line of the log that tells of a fault of the server, and of worse. */
const FAULT_LEVEL = 50;

export class Server {
  private constructor(
    readonly subject: Subject,
    private readonly state: string,
    private readonly log: string,
  ) {}

  /** @param folder takes the log and what the probe writes */
  static async start(settings: { [name: string]: string }, folder: string): Promise<Server> {
    const [state, log] = [join(folder, 'state.json'), join(folder, 'server.log')];
    const probe = new URL('probe.mjs', import.meta.url).href;
    const subject = await Subject.startWith(
      { ...settings, SOAK_STATE: state },
      { log, nodeOptions: ['--expose-gc', '--import', probe] },
    );
    return new Server(subject, state, log);
  }

  /** To be asked while nobody asks anything else of the server. */
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

  /** How many seconds one after the other the event loop was always at work, since this or `atRest` was asked the last time. */
  async busySeconds(): Promise<number> {
    return (await this.#probe()).busySeconds;
  }

  /** Waits until there are no more file descriptors than this, or no longer; returns how many there are. */
  async descriptorsDownTo(limit: number): Promise<number> {
    for (const end = Date.now() + SETTLE_MS; this.descriptors() > limit && Date.now() < end;)
      await sleep(250);
    return this.descriptors();
  }

  descriptors(): number {
    return readdirSync(`/proc/${this.subject.pid}/fd`).length;
  }

  /** Lines of the log that tell of faults. */
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
    // Not from the log: a warning or a stack trace of Node.
    return false;
  }
}

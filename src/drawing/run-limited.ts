/**
 * Runs a program that reads a file of a stranger: with limits of time, memory and files, with the
 * lowest priority, and without the environment of the service. A program that exceeds a limit ends,
 * and nothing else does.
 */
import { spawn } from 'node:child_process';

export interface Program {
  command: string;
  args: readonly string[];
  /** Its working directory, and the only place for its files. */
  folder: string;
  /** Where programs are found. */
  path: string;
  /** Programs before the command, such as one that takes the network away. */
  before?: readonly string[] | undefined;
  /** Time, on the clock and of the processor. */
  seconds: number;
  /** Largest address space, in KiB. */
  memory: number;
}

/** The program refused the file, or exceeded a limit. */
export class ProgramFailed extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ProgramFailed';
  }
}

/** Largest file that a program writes, in blocks of 512 bytes: 128 MiB. */
const FILE_BLOCKS = 262_144;
const OPEN_FILES = 256;
/** Longest output that is read, in characters. */
const MAX_OUTPUT = 65_536;
const MAX_MESSAGE = 300;

/** Limits of a shell hold for all programs that it starts. The kernel ends these first. */
const LIMITED =
  'ulimit -t "$1" && ulimit -f "$2" && ulimit -n "$3" && ulimit -c 0 || exit 125; ' +
  // Not every system has a limit of the address space.
  'ulimit -v "$4" 2>/dev/null; ' +
  '(echo 1000 > /proc/self/oom_score_adj) 2>/dev/null; ' +
  'shift 4; exec nice -n 19 "$@"';

/**
 * @returns its output
 * @throws ProgramFailed, the reason of the signal, and an error of the system that starts no program
 */
export function runLimited(program: Program, signal: AbortSignal): Promise<string> {
  const { command, args, folder, path, before = [], seconds, memory } = program;
  const limits = [seconds, FILE_BLOCKS, OPEN_FILES, memory].map(String);
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const child = spawn('/bin/sh', ['-c', LIMITED, 'sh', ...limits, ...before, command, ...args], {
      cwd: folder,
      env: { PATH: path, HOME: folder, TMPDIR: folder, LANG: 'C.UTF-8', MALLOC_ARENA_MAX: '2' },
      // A group of its own: the programs that it starts end with it.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const output = { out: '', err: '' };
    let isLate = false;
    const kill = () => {
      if (child.pid === undefined) return;
      try {
        process.kill(-child.pid, 'SIGKILL');
      } catch {
        // It has ended.
      }
    };
    const timer = setTimeout(() => {
      isLate = true;
      kill();
    }, seconds * 1000);
    signal.addEventListener('abort', kill, { once: true });
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output.out += text;
      if (output.out.length > MAX_OUTPUT) kill();
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      output.err = (output.err + text).slice(-MAX_MESSAGE);
    });
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', kill);
    };
    // Programs that it started and did not wait for.
    child.once('exit', kill);
    child.once('error', (error) => {
      end();
      reject(error);
    });
    child.once('close', (status, killedBy) => {
      end();
      if (signal.aborted) return reject(signal.reason as Error);
      if (status === 0) return resolve(output.out);
      const how = isLate
        ? `took longer than ${seconds} s`
        : `ended with ${killedBy ?? status}: ${output.err.trim()}`;
      reject(new ProgramFailed(`${command} ${how}`));
    });
  });
}

/** A real clamd for the tests, with one signature of our own. Without clamd its tests are skipped. */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openScanner } from '../../src/scanning/index.js';
import { freePort } from './postgres.js';
import { describeWith, findProgram } from './programs.js';

/** The harmless text that every scanner reports. It is in two halves, so that no scanner reports this file. */
export const EICAR = Buffer.from(
  ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR', '-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join(''),
);

/** The name in clamd's answers. It adds the last part to all signatures that are not from ClamAV. */
export const EICAR_SIGNATURE = 'Test.Eicar.UNOFFICIAL';

export interface Clamd {
  tcp: { host: string; port: number };
  unix: { path: string };
  /** It takes connections and answers nothing until `resume`. */
  pause(): void;
  resume(): void;
  stop(): Promise<void>;
}

/**
 * @param options.streamMaxLength size in bytes from which content is refused; default 100 MiB, as in clamd
 * @param options.maxFileSize size in bytes from which content is accepted without a scan
 * @param options.alerts whether such content is reported; default true
 * @param options.settings others of `clamd.conf`
 */
export async function startClamd(
  options: {
    streamMaxLength?: number;
    maxFileSize?: number;
    alerts?: boolean;
    settings?: { [name: string]: string };
  } = {},
): Promise<Clamd> {
  if (program === undefined) throw new Error('clamd is not installed');
  const folder = mkdtempSync(join(tmpdir(), 'moorage-clamd-'));
  const tcp = { host: '127.0.0.1', port: await freePort() };
  const unix = { path: join(folder, 'socket') };
  mkdirSync(join(folder, 'signatures'));
  // Name, any file type, any offset, the bytes.
  writeFileSync(
    join(folder, 'signatures', 'test.ndb'),
    `Test.Eicar:0:*:${EICAR.toString('hex')}\n`,
  );
  const settings = {
    ...options.settings,
    Foreground: 'yes',
    DatabaseDirectory: join(folder, 'signatures'),
    TemporaryDirectory: folder,
    TCPAddr: tcp.host,
    TCPSocket: tcp.port,
    LocalSocket: unix.path,
    ...(options.maxFileSize !== undefined && {
      MaxFileSize: options.maxFileSize,
      MaxScanSize: options.maxFileSize,
      AlertExceedsMax: options.alerts === false ? 'no' : 'yes',
    }),
    ...(options.streamMaxLength !== undefined && { StreamMaxLength: options.streamMaxLength }),
  };
  writeFileSync(
    join(folder, 'clamd.conf'),
    Object.entries(settings)
      .map(([name, value]) => `${name} ${value}\n`)
      .join(''),
  );
  const daemon = spawn(program, ['--config-file', join(folder, 'clamd.conf')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const stop = async () => {
    await ended(daemon);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await ready(daemon, [tcp, unix]);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    tcp,
    unix,
    pause: () => void daemon.kill('SIGSTOP'),
    resume: () => void daemon.kill('SIGCONT'),
    stop,
  };
}

const program = findProgram('clamd');

/** `describe` for tests with clamd. */
export const describeClamd = (name: string, body: () => void): void =>
  describeWith(['clamd'], 'REQUIRE_CLAMD', name, body);

async function ready(
  daemon: ChildProcess,
  addresses: (Clamd['tcp'] | Clamd['unix'])[],
): Promise<void> {
  let complaints = '';
  daemon.stderr?.on('data', (text: Buffer) => {
    complaints += text.toString();
  });
  for (let attempt = 0; attempt < 300; attempt += 1) {
    if (daemon.exitCode !== null)
      throw new Error(`clamd ended with status ${daemon.exitCode}: ${complaints}`);
    try {
      for (const address of addresses) await openScanner(address).check();
      return;
    } catch {
      await sleep(50);
    }
  }
  throw new Error('clamd did not answer within 15 seconds.');
}

function ended(daemon: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (daemon.exitCode !== null || daemon.signalCode !== null) return resolve();
    daemon.once('exit', () => resolve());
    daemon.kill('SIGTERM');
  });
}

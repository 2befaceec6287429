/**
 * `npx tsx bench/profile.ts W1`: the time of the server's main thread under a workload, by package and by function.
 *
 * Times are microseconds per request. Build first. `--bare` profiles the bare program. `--database postgres` is possible.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { makeDatabases, type DatabaseKind } from './databases.js';
import { startGenerator } from './load.js';
import { seeded } from './seed.js';
import { Subject } from './subject.js';
import { requestWorkloads } from './workloads.js';

interface Profile {
  startTime: number;
  samples: number[];
  timeDeltas: number[];
  nodes: {
    id: number;
    children?: number[];
    callFrame: { functionName: string; url: string; lineNumber: number };
  }[];
}

const WARM_UP_S = 3;
const SECONDS = 6;
const SHOWN = 35;

const {
  values: options,
  positionals: [name = 'W1'],
} = parseArgs({
  allowPositionals: true,
  options: {
    bare: { type: 'boolean', default: false },
    database: { type: 'string', default: 'sqlite' },
  },
});
const program = options.bare ? 'bare' : 'ours';
const workload = requestWorkloads.find((one) => one.name === name);
if (!workload?.requests[program]) throw new Error(`There is no workload ${name} to profile.`);

const folder = mkdtempSync(join(tmpdir(), 'moorage-profile-'));
const profiles = join(folder, 'profiles');
mkdirSync(profiles);
const generator = startGenerator();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => generator.stop());
try {
  const pair = await makeDatabases(options.database as DatabaseKind, folder);
  try {
    const subject = await Subject.start(program, pair[program], folder, [
      '--cpu-prof',
      `--cpu-prof-dir=${profiles}`,
      '--cpu-prof-interval=500',
    ]);
    const run = (seconds: number) =>
      generator.run({
        address: subject.address,
        key: seeded.key,
        requests: workload.requests[program]!,
        connections: workload.connections,
        seconds,
      });
    await run(WARM_UP_S);
    // The profile uses the monotonic clock of the system.
    const from = Number(process.hrtime.bigint() / 1000n);
    const { completed } = await run(SECONDS);
    const to = Number(process.hrtime.bigint() / 1000n);
    await subject.stop();
    print(readProfile(), from, to, completed);
  } finally {
    await pair.stop();
  }
} finally {
  generator.stop();
  rmSync(folder, { recursive: true, force: true });
}

function readProfile(): Profile {
  const [file] = readdirSync(profiles);
  if (!file) throw new Error('The program left no profile.');
  return JSON.parse(readFileSync(join(profiles, file), 'utf8')) as Profile;
}

function print(profile: Profile, from: number, to: number, requests: number): void {
  const self = new Map<number, number>();
  let at = profile.startTime;
  profile.samples.forEach((id, n) => {
    const delta = profile.timeDeltas[n]!;
    at += delta;
    if (at >= from && at <= to) self.set(id, (self.get(id) ?? 0) + delta);
  });
  const groups = new Map<string, number>();
  const functions = new Map<string, number>();
  const inclusive = new Map<string, number>();
  const add = (map: Map<string, number>, key: string, time: number) =>
    map.set(key, (map.get(key) ?? 0) + time);
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));

  /** Sums the time below a node. A function counts once on a stack. */
  function total(id: number, stack: ReadonlySet<string>): number {
    const { callFrame, children = [] } = nodes.get(id)!;
    const label = labelOf(callFrame);
    const own = self.get(id) ?? 0;
    const inner = stack.has(label) ? stack : new Set([...stack, label]);
    const sum = children.reduce((time, child) => time + total(child, inner), own);
    if (own > 0) {
      add(groups, groupOf(callFrame), own);
      add(functions, label, own);
    }
    if (sum > 0 && !stack.has(label)) add(inclusive, label, sum);
    return sum;
  }
  total(profile.nodes[0]!.id, new Set());

  const list = (title: string, map: Map<string, number>, count: number) => {
    const lines = [...map]
      .sort(([, a], [, b]) => b - a)
      .slice(0, count)
      .map(([label, time]) => `${(time / requests).toFixed(1).padStart(9)}  ${label}`);
    process.stdout.write(`\n${title}\n${lines.join('\n')}\n`);
  };
  process.stdout.write(`${name}, ${requests} requests, µs per request of the main thread\n`);
  list('Own time by package', groups, 40);
  list('Own time by function', functions, SHOWN);
  list('Time by function with everything below it', inclusive, SHOWN * 2);
}

interface Frame {
  functionName: string;
  url: string;
  lineNumber: number;
}

function groupOf({ functionName, url }: Frame): string {
  if (url === '') return functionName.startsWith('(') ? functionName : 'native';
  if (url.startsWith('node:'))
    return url.startsWith('node:internal/') ? `node:${url.split('/')[1]}` : url;
  const pack = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1];
  if (pack) return pack;
  const own = /\/(dist|bench)\/([^/]+)/.exec(url);
  return own ? `${own[1]}/${own[2]}` : 'compiled document';
}

function labelOf({ functionName, url, lineNumber }: Frame): string {
  const place =
    url === ''
      ? ''
      : `${url.replace(/^.*\/node_modules\//, '').replace(/^file:\/\/.*\/(dist|bench)\//, '$1/')}:${lineNumber + 1}`;
  return `${functionName || '(anonymous)'}  ${place}`;
}

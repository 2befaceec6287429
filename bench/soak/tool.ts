/** The load tool in its own process: closed loops over some connections. Each response is checked. */
import autocannon, { type Request } from 'autocannon';
import { serveTasks, startWorker, type Worker } from '../worker.js';
import { isRefusal } from './refusal.js';
import { subscribe } from './streams.js';
import { REFUSED, Tally, type Latency, type Window } from './tally.js';
import { listSteps, mixedSteps, type Memo, type Step } from './traffic.js';
import type { StoredFile, World } from './world.js';

export interface Task {
  address: string;
  world: World;
  files: StoredFile[];
  load: 'mixed' | 'list';
  connections: number;
  seconds: number;
  /** Requests per second of all connections. Without it, as many as possible. */
  rate?: number;
  /** The time is divided into this number of windows. */
  windows: number;
  /** Whether a refusal under overload counts as expected. */
  mayRefuse: boolean;
}

export interface Outcome {
  /** Expected responses per second. */
  rate: number;
  windows: Window[];
  /** Refused requests. */
  refused: Latency;
  /** The number of unexpected results, by kind. */
  problems: { [problem: string]: number };
  streams: { opened: number; events: number };
  /** Share of one processor that the tool used. */
  processor: number;
}

const REQUEST_SECONDS = 10;

/** First responses, by server and request. Equal requests have equal responses as long as that server runs. */
const known = new Map<string, string>();

async function run(task: Task): Promise<Outcome> {
  const { address, connections, seconds, rate, windows, load, world } = task;
  const tally = new Tally(seconds, windows);
  const steps = load === 'mixed' ? mixedSteps(world, task.files) : listSteps(world);
  // The tool calls `onResponse` just before its event for the same response. The event has the time but not the kind.
  let latest: string | undefined;
  const requests = steps.map((step) =>
    toolRequest(address, step, (status, body, memo, headers) => {
      latest = kindOf(step, { status, body, memo, headers }, task.mayRefuse, tally);
    }),
  );
  const cpu = process.cpuUsage();
  const streams =
    load === 'mixed'
      ? subscribe(address, world.keys.member, (text) => tally.problem(text))
      : undefined;
  // The tool's correction for omitted requests confuses seconds and milliseconds if a rate is set.
  const instance = autocannon<Memo>({
    url: address,
    connections,
    duration: seconds,
    timeout: REQUEST_SECONDS,
    requests,
    ...(rate !== undefined && { overallRate: rate, ignoreCoordinatedOmission: true }),
  });
  instance.on('response', (_client, _status, _bytes, ms) => {
    if (latest !== undefined) tally.answered(latest, ms);
  });
  const result = await instance;
  const streamCounts = await streams?.stop();
  if (result.errors > 0)
    tally.problem(
      `${result.errors} connections failed, ${result.timeouts} of them without an answer in ${REQUEST_SECONDS} s`,
    );
  const { user, system } = process.cpuUsage(cpu);
  const measured = tally.windows();
  return {
    rate: measured.reduce((sum, { count }) => sum + count, 0) / result.duration,
    windows: measured,
    refused: tally.refused(),
    problems: tally.problems,
    streams: streamCounts ?? { opened: 0, events: 0 },
    processor: (user + system) / 1e6 / result.duration,
  };
}

/** A step in the format of the tool. */
const toolRequest = (
  address: string,
  { request }: Step,
  onResponse: NonNullable<Request<Memo>['onResponse']>,
): Request<Memo> => ({
  setupRequest: (defaults, memo) => {
    const sent = request(memo);
    if (sent) memo.asked = `${sent.method} ${address}${sent.path} ${sent.body ?? ''}`;
    return sent && { ...defaults, ...sent };
  },
  onResponse,
});

interface Answer {
  status: number;
  body: string;
  memo: Memo;
  headers: { [name: string]: string };
}

/** The name under which the time is recorded. Undefined for an unexpected response, which is noted. */
function kindOf(step: Step, answer: Answer, mayRefuse: boolean, tally: Tally): string | undefined {
  const { status, body, memo, headers } = answer;
  if (status === 503 && mayRefuse) {
    const protocol = / \S+\/graphql /.test(memo.asked ?? '') ? 'graphql' : 'hal';
    if (isRefusal({ text: body, headers: lowerCase(headers) }, protocol)) return REFUSED;
    tally.problem(`${step.kind}: a refusal that is none: ${body.slice(0, 300)}`);
  } else if (status !== step.status) {
    tally.problem(`${step.kind}: answered with ${status} instead of ${step.status}`);
  } else if (!isIntended(step, body, memo)) {
    tally.problem(`${step.kind}: another body than intended`);
  } else {
    return step.kind;
  }
  return undefined;
}

function isIntended({ check }: Step, body: string, memo: Memo): boolean {
  if (typeof check === 'function') return check(body, memo);
  const first = known.get(memo.asked!);
  if (first !== undefined) return first === body;
  known.set(memo.asked!, body);
  return check.first(body, memo);
}

const lowerCase = (headers: { [name: string]: string }) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

export type Tool = Worker<Task, Outcome>;

export const startTool = (): Tool => startWorker(import.meta.url, 'The load tool');

serveTasks(import.meta.url, run);

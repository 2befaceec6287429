/** The same mixed traffic for a long time below the maximum. No resource may grow, and no request may fail. */
import type { Server, State } from './server.js';
import type { Window } from './tally.js';
import type { Outcome, Tool } from './tool.js';
import {
  countRows,
  tidy,
  type Environment,
  type Rows,
  type StoredFile,
  type World,
} from './world.js';

export interface Soak {
  seconds: number;
  warmUpSeconds: number;
  connections: number;
  /** Requests per second: the wanted rate and the reached one. */
  asked: number;
  rate: number;
  windows: (Window & { resident: number })[];
  start: State;
  end: State;
  problems: Outcome['problems'];
  streams: Outcome['streams'];
  /** Uploads whose clients were stopped before they could delete them. They are deleted before rows are counted. */
  cutOff: number;
  rows: { start: Rows; end: Rows };
}

interface Plan {
  world: World;
  files: StoredFile[];
  environment: Environment;
  connections: number;
  rate: number;
  seconds: number;
  warmUpSeconds: number;
  windows: number;
}

const SAMPLE_MS = 250;

export async function soak(server: Server, tool: Tool, plan: Plan): Promise<Soak> {
  const { world, files, connections, seconds, warmUpSeconds, windows } = plan;
  const rate = Math.max(connections, Math.floor(plan.rate));
  const task = {
    address: server.subject.address,
    world,
    files,
    load: 'mixed',
    connections,
    rate,
    mayRefuse: false,
  } as const;
  const warmUp = await tool.run({ ...task, seconds: warmUpSeconds, windows: 1 });
  const before = await settled(server, plan);
  const residents = sampleResident(server, seconds, windows);
  const outcome = await tool.run({ ...task, seconds, windows });
  const resident = residents.stop();
  const after = await settled(server, plan);
  const descriptors = await server.descriptorsDownTo(before.state.descriptors);
  return {
    seconds,
    warmUpSeconds,
    connections,
    asked: rate,
    rate: outcome.rate,
    windows: outcome.windows.map((window, n) => ({ ...window, resident: resident[n]! })),
    start: before.state,
    end: { ...after.state, descriptors },
    problems: merged(warmUp.problems, outcome.problems),
    streams: outcome.streams,
    cutOff: after.cutOff,
    rows: { start: before.rows, end: after.rows },
  };
}

async function settled(
  server: Server,
  { files, environment }: Plan,
): Promise<{ state: State; cutOff: number; rows: Rows }> {
  const state = await server.atRest();
  const cutOff = await tidy(server.subject.address, files);
  return { state, cutOff, rows: await countRows(environment) };
}

function merged(...all: Outcome['problems'][]): Outcome['problems'] {
  const sum: Outcome['problems'] = {};
  for (const [problem, count] of all.flatMap((problems) => Object.entries(problems)))
    sum[problem] = (sum[problem] ?? 0) + count;
  return sum;
}

/** The lowest resident memory in each window, in MiB: after a collection by the server itself. */
function sampleResident(
  { subject }: Server,
  seconds: number,
  windows: number,
): { stop(): number[] } {
  const least = Array.from({ length: windows }, () => Infinity);
  const started = performance.now();
  const sample = () => {
    const window = Math.min(
      windows - 1,
      Math.floor((performance.now() - started) / ((seconds * 1000) / windows)),
    );
    least[window] = Math.min(least[window]!, subject.rss());
  };
  const timer = setInterval(sample, SAMPLE_MS);
  return {
    stop: () => {
      clearInterval(timer);
      sample();
      return least;
    },
  };
}

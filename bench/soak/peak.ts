/** Finds the number of connections with the most responses in a closed loop. */
import type { Server } from './server.js';
import type { Outcome, Task, Tool } from './tool.js';

/** One closed loop. */
export interface Rung {
  connections: number;
  /** Expected responses per second. */
  rate: number;
  p50: number;
  p99: number;
  /** The number of expected responses, and of refused requests. */
  answered: number;
  refused: number;
  /** Share of one processor that the server's JavaScript and the load tool used. */
  server: number;
  tool: number;
  problems: Outcome['problems'];
}

export interface Peak {
  ladder: Rung[];
  /** Among loops without refusals: the fewest connections with the highest rate, within noise. */
  best: Rung;
}

/** Rates within this share count as equal. */
const NOISE = 0.03;

export async function findPeak(
  server: Server,
  tool: Tool,
  of: Pick<Task, 'world' | 'files' | 'load'>,
  ladder: readonly number[],
  seconds: number,
): Promise<Peak> {
  const rungs: Rung[] = [];
  for (const connections of ladder)
    rungs.push(
      await climb(server, tool, {
        ...of,
        address: server.subject.address,
        connections,
        seconds,
        windows: 1,
        mayRefuse: true,
      }),
    );
  const willing = rungs.filter(({ refused }) => refused === 0);
  const highest = Math.max(...willing.map(({ rate }) => rate));
  return { ladder: rungs, best: willing.find(({ rate }) => rate >= highest * (1 - NOISE))! };
}

/** Runs a closed loop and returns its figures. */
export async function climb({ subject }: Server, tool: Tool, task: Task): Promise<Rung> {
  const [cpu, started] = [subject.mainThreadCpu(), performance.now()];
  const {
    rate,
    windows: [window],
    refused,
    processor,
    problems,
  } = await tool.run(task);
  const spent = (subject.mainThreadCpu() - cpu) / (performance.now() - started);
  return {
    connections: task.connections,
    rate,
    p50: window!.p50,
    p99: window!.p99,
    answered: window!.count,
    refused: refused.count,
    server: spent,
    tool: processor,
    problems,
  };
}

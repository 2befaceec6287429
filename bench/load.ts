/** The load generator, in its own process. It uses plain sockets, to leave the processors to the measured program. */
import { Connection, prepare, type Prepared, type Request, type Target } from './connection.js';
import { runSteadily, type Outcome } from './steady.js';
import { serveTasks, startWorker, type Worker } from './worker.js';

export type { Request };

interface Task extends Target {
  requests: Request[];
  connections: number;
  /** Repeats the requests for this time. Without it each request is sent once. */
  seconds?: number;
  /** Requests per second. Without it each connection sends as soon as it has an answer. */
  rate?: number;
}

const KEEP_BYTES = 64 * 1024;

function run(task: Task): Promise<Outcome> {
  const requests = task.requests.map((request) => prepare(request, task));
  const connections = Array.from({ length: task.connections }, () => new Connection(task.address));
  const { seconds, rate } = task;
  const work =
    rate !== undefined && seconds !== undefined
      ? runSteadily(requests, connections, rate, seconds)
      : runClosely(requests, connections, task);
  return work.finally(() => {
    for (const connection of connections) connection.close();
  });
}

/** Every connection sends its next request when it has an answer. */
function runClosely(
  requests: readonly Prepared[],
  connections: readonly Connection[],
  task: Task,
): Promise<Outcome> {
  const bodies: string[] = [];
  return new Promise<Outcome>((resolve, reject) => {
    let next = 0;
    let completed = 0;
    let active = connections.length;
    const started = performance.now();
    const until = task.seconds === undefined ? undefined : started + task.seconds * 1000;
    const step = (connection: Connection): void => {
      const over = until === undefined ? next >= requests.length : performance.now() >= until;
      if (over) {
        active -= 1;
        if (active === 0) resolve({ completed, ms: performance.now() - started, bodies });
        return;
      }
      const request = requests[next % requests.length]!;
      next += 1;
      connection.send(
        request,
        (body) => {
          completed += 1;
          if (connection.keeps && body.length <= KEEP_BYTES) bodies.push(body);
          step(connection);
        },
        reject,
      );
    };
    for (const connection of connections) {
      connection.keeps =
        until === undefined && task.requests.some(({ method }) => method === 'POST');
      step(connection);
    }
  });
}

export type Generator = Worker<Task, Outcome>;

/** Starts the generator as a child process. It does one task at a time. */
export const startGenerator = (): Generator => startWorker(import.meta.url, 'The load generator');

serveTasks(import.meta.url, run);

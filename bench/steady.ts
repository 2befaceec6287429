/** Sends requests at a fixed rate, however fast the answers are, and measures how long each takes. */
import type { Connection, Prepared } from './connection.js';
import { quantile } from './figures.js';

const TICK_MS = 1;

export interface Outcome {
  completed: number;
  ms: number;
  /** The responses, if each request is sent once and they are small. */
  bodies: string[];
  /** Milliseconds to an answer, if there is a rate. */
  latency?: { median: number; p99: number };
}

/**
 * Each millisecond it sends the requests that are due. A request that finds no free connection
 * waits, and its time includes that. A delay of the generator itself does not count.
 */
export function runSteadily(
  requests: readonly Prepared[],
  connections: readonly Connection[],
  rate: number,
  seconds: number,
): Promise<Outcome> {
  return new Promise<Outcome>((resolve, reject) => {
    const free = [...connections];
    const waiting: number[] = [];
    const times: number[] = [];
    const total = Math.floor(rate * seconds);
    const started = performance.now();
    let arrived = 0;
    let sent = 0;
    const send = (): void => {
      while (free.length > 0 && waiting.length > 0) {
        const connection = free.pop()!;
        const arrival = waiting.shift()!;
        const request = requests[sent % requests.length]!;
        sent += 1;
        connection.send(
          request,
          () => {
            times.push(performance.now() - arrival);
            free.push(connection);
            if (times.length === total) finish();
            else send();
          },
          (error) => {
            clearInterval(timer);
            reject(error);
          },
        );
      }
    };
    const finish = (): void => {
      clearInterval(timer);
      const ms = performance.now() - started;
      const latency = { median: quantile(times, 0.5), p99: quantile(times, 0.99) };
      resolve({ completed: total, ms, bodies: [], latency });
    };
    const timer = setInterval(() => {
      const now = performance.now();
      const due = Math.min(total, Math.floor(((now - started) / 1000) * rate));
      for (; arrived < due; arrived += 1) waiting.push(now);
      send();
    }, TICK_MS);
  });
}

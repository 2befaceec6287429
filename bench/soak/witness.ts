/** Requests health and one GraphQL query all the time, while others overload the server. */
import { isDeepStrictEqual } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import { percentile } from '../links/measure.js';
import { seeded } from '../seed.js';
import { isRefusal } from './refusal.js';
import { ask, type Answer } from './world.js';

const EVERY_MS = 100;
const LIVE = { status: 'ok' };
const READY = { status: 'ok', checks: { database: 'ok', blobs: 'ok' } };

export interface Seen {
  /** The number of requests, and the milliseconds of each response. */
  live: { count: number; p50: number; max: number };
  ready: { count: number; p50: number; max: number };
  graphql: { answered: number; refused: number };
  problems: string[];
}

interface Witness {
  stop(): Promise<Seen>;
}

export function watch(address: string): Witness {
  const ending = new AbortController();
  const problems: string[] = [];
  const graphql = { answered: 0, refused: 0 };
  const again = async (what: () => Promise<void>) => {
    while (!ending.signal.aborted) {
      await what().catch((error: unknown) => void problems.push(String(error)));
      await sleep(EVERY_MS);
    }
  };
  const health = async (path: string, expected: object): Promise<Seen['live']> => {
    const times: number[] = [];
    await again(async () => {
      const { status, text, ms } = await ask(address, undefined, 'GET', path);
      times.push(ms);
      if (status !== 200 || !isDeepStrictEqual(JSON.parse(text), expected))
        problems.push(`${path} answered ${status} ${text}`);
    });
    return { count: times.length, p50: percentile(times, 0.5), max: Math.max(...times) };
  };
  const query = () =>
    again(async () => {
      const answer = await ask(address, seeded.key, 'POST', '/graphql', {
        type: 'application/json',
        text: JSON.stringify({ query: '{ viewer { name } }' }),
      });
      const outcome = outcomeOf(answer);
      if (outcome) graphql[outcome] += 1;
      else problems.push(`/graphql answered ${answer.status} ${answer.text}`);
    });
  // Database and store work all the time, so every response except "ready" is wrong.
  const work = Promise.all([health('/health/live', LIVE), health('/health/ready', READY), query()]);
  return {
    stop: async () => {
      ending.abort();
      const [live, ready] = await work;
      return { live, ready, graphql, problems };
    },
  };
}

function outcomeOf({ status, text, headers }: Answer): keyof Seen['graphql'] | undefined {
  if (
    status === 200 &&
    typeof (JSON.parse(text) as { data?: { viewer: { name: unknown } } }).data?.viewer.name ===
      'string'
  )
    return 'answered';
  return status === 503 && isRefusal({ text, headers }, 'graphql') ? 'refused' : undefined;
}

/** Many more clients than the server can handle, in a closed loop on W2 that ignores `Retry-After`. */
import { setTimeout as sleep } from 'node:timers/promises';
import { median } from '../links/measure.js';
import { seeded } from '../seed.js';
import { climb, type Rung } from './peak.js';
import type { Server } from './server.js';
import type { Tool } from './tool.js';
import { watch, type Seen } from './witness.js';
import { ask, type World } from './world.js';

export interface Overload extends Rung {
  /** As a multiple of the connections at the maximum. */
  factor: number;
  seen: Seen;
  /** Consecutive seconds in which the event loop of the server was always busy. */
  busySeconds: number;
  /** Milliseconds from the end of the overload until responses are as fast as before. */
  recovery: number;
  /** A single request before the overload, in milliseconds. */
  alone: number;
}

/** This number of consecutive good responses is no coincidence. */
const GOOD = 5;
const GIVE_UP_MS = 60_000;
const BEFORE = 20;
const LONGEST_SECONDS = 12;

interface Crowd {
  peak: Rung;
  connections: number;
  /** `BUSY_REQUESTS` of the server. */
  limit: number;
  seconds: number;
}

/** Runs twice as long on a slow machine. Clients that arrive together are refused only at their next request. */
export async function overload(
  server: Server,
  tool: Tool,
  world: World,
  crowd: Crowd,
): Promise<Overload> {
  const one = await overloadOnce(server, tool, world, crowd);
  const shown = one.answered > 0 && (crowd.connections <= crowd.limit || one.refused > 0);
  return shown || crowd.seconds >= LONGEST_SECONDS
    ? one
    : overload(server, tool, world, { ...crowd, seconds: 2 * crowd.seconds });
}

async function overloadOnce(
  server: Server,
  tool: Tool,
  world: World,
  { peak, connections, seconds }: Crowd,
): Promise<Overload> {
  const { address } = server.subject;
  const alone = await lonely(address);
  await server.busySeconds();
  const witness = watch(address);
  const rung = await climb(server, tool, {
    address,
    world,
    files: [],
    load: 'list',
    connections,
    seconds,
    windows: 1,
    mayRefuse: true,
  });
  const ended = performance.now();
  const seen = await witness.stop();
  const recovery = (await recovered(address, alone)) - ended;
  return {
    ...rung,
    factor: connections / peak.connections,
    seen,
    alone,
    recovery,
    busySeconds: await server.busySeconds(),
  };
}

const askOne = (address: string, n: number) =>
  ask(
    address,
    seeded.key,
    'GET',
    `/api/v3/work_packages/${seeded.workPackages[n % seeded.workPackages.length]}/attachments`,
  );

async function lonely(address: string): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < BEFORE; n += 1) times.push((await askOne(address, n)).ms);
  return median(times);
}

/** The start of several consecutive responses with 200 that are about as fast as before. */
async function recovered(address: string, alone: number): Promise<number> {
  const soon = 2 * alone + 20;
  let good = 0;
  let since = performance.now();
  for (const end = Date.now() + GIVE_UP_MS; Date.now() < end && good < GOOD; await sleep(20)) {
    const asked = performance.now();
    const { status, ms } = await askOne(address, good);
    if (status !== 200 || ms > soon) good = 0;
    else if ((good += 1) === 1) since = asked + ms;
  }
  return good < GOOD ? Infinity : since;
}

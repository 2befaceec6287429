/** Climbs towards the most expensive input of a way in. */
import type { Random } from '../crash/random.js';
import { MAX_SENT, MAX_STORAGE_ANSWER, timesBudget, type Cost } from './budgets.js';
import type { Subject } from './subject.js';
import type { Sent, Way } from './way.js';

export interface Found<Input> {
  input: Input;
  requests: Sent[];
  cost: Cost;
  status: number | undefined;
  times: number;
  dimension: keyof Cost;
}

const KEPT = 10;

/** @returns the most expensive inputs, most expensive first; those beyond a budget measured thrice */
export async function search<Input>(
  way: Way<Input>,
  subject: Subject,
  random: Random,
  seconds: number,
): Promise<{ found: Found<Input>[]; tried: number }> {
  const until = performance.now() + seconds * 1_000;
  const found: Found<Input>[] = [];
  let tried = 0;
  const tryInput = async (input: Input) => {
    const requests = way.requests(input, subject.ids);
    if (!way.units && !requests.every(isAllowed)) return;
    tried += 1;
    keep(found, await measured(way, input, requests, subject));
  };
  const first = way.first(subject.ids);
  // Without this, the first inputs pay for what is loaded once.
  for (const input of first) await subject.measure(way.requests(input, subject.ids));
  for (const input of first) await tryInput(input);
  while (performance.now() < until) {
    const parent = found[random.integer(found.length)];
    if (!parent) break;
    let input = parent.input;
    for (let changes = 1 + random.integer(3); changes > 0; changes -= 1)
      input = way.change(input, random, subject.ids);
    await tryInput(input);
  }
  return { found, tried };
}

async function measured<Input>(
  { budget, units }: Way<Input>,
  input: Input,
  requests: Sent[],
  subject: Subject,
): Promise<Found<Input>> {
  const once = async () => {
    const { cost, status } = await subject.measure(requests);
    return { input, requests, cost, status, ...timesBudget(cost, budget, units?.(input) ?? 1) };
  };
  const one = await once();
  if (one.times <= 1) return one;
  return [one, await once(), await once()].sort((a, b) => a.times - b.times)[1]!;
}

function keep<Input>(found: Found<Input>[], one: Found<Input>): void {
  found.push(one);
  found.sort((a, b) => b.times - a.times);
  found.length = Math.min(found.length, KEPT);
}

const isAllowed = ({ path, headers = {}, body = '', storageAnswer }: Sent): boolean =>
  path.length +
    Buffer.byteLength(body) +
    Object.entries(headers).reduce((sum, [name, value]) => sum + name.length + value.length, 0) <=
    MAX_SENT && (storageAnswer?.length ?? 0) <= MAX_STORAGE_ANSWER;

/** Texts made of repeated parts. Long repetitions are where algorithms become expensive. */
import { oneOf } from '../../fuzz/hostile-values.js';
import type { Random } from '../../crash/random.js';
import type { Budget } from '../budgets.js';
import type { Sent, Way } from '../way.js';
import type { Ids } from '../world.js';

export interface Part {
  text: string;
  count: number;
}
export type Parts = readonly Part[];

export const once = (text: string): Part => ({ text, count: 1 });
export const times = (count: number, text: string): Part => ({ text, count });
export const joined = (parts: Parts): string =>
  parts.map(({ text, count }) => text.repeat(count)).join('');

const MAX_PARTS = 40;
const MAX_COUNT = 200_000;
const MAX_TEXT = 2_000;

/** Another text: parts are repeated, cut, moved or joined with words. */
export function changed(parts: Parts, words: readonly string[], random: Random): Parts {
  const list = [...parts];
  const at = random.integer(list.length || 1);
  const part = list[at] ?? once('');
  const cut = random.integer(part.text.length + 1);
  const word = oneOf(random, words);
  switch (random.integer(8)) {
    case 0:
      list.splice(at, 0, times(1 + random.integer(50), word));
      break;
    case 1:
      list.splice(at, 1);
      break;
    case 2:
      list.splice(random.integer(list.length + 1), 0, part);
      break;
    case 3:
      // A part in the middle of another one.
      list.splice(
        at,
        1,
        once(part.text.slice(0, cut)),
        times(1 + random.integer(500), word),
        once(part.text.slice(cut)),
      );
      break;
    case 4:
      list[at] = { ...part, text: part.text.slice(0, cut) + word + part.text.slice(cut) };
      break;
    case 5:
      list[at] = { ...part, count: Math.max(1, part.count >> 1) };
      break;
    default:
      list[at] = { ...part, count: part.count * 2 + random.integer(3) };
  }
  return list.slice(0, MAX_PARTS).map(({ text, count }) => ({
    text: text.slice(0, MAX_TEXT),
    count: Math.min(count, MAX_COUNT, Math.ceil(2_000_000 / (text.length + 1))),
  }));
}

export interface TextWay {
  name: string;
  budget: Budget;
  /** Texts that mean something here. */
  words: readonly string[];
  first(ids: Ids): Parts[];
  requests(text: string, ids: Ids): Sent[];
}

export const textWay = ({ name, budget, words, first, requests }: TextWay): Way<Parts> => ({
  name,
  budget,
  first,
  change: (parts, random) => changed(parts, words, random),
  requests: (parts, ids) => requests(joined(parts), ids),
});

/** What one input may cost the server. The search fails above a budget; CI fails at twice of it. */
export interface Cost {
  /** Processor time, in ms. On a slow or busy machine it counts less: `meter.ts` measures how much. */
  cpu: number;
  /** Growth of the resident memory, in MiB. */
  memory: number;
  /** The longest time in which the event loop did nothing else, in ms. */
  delay: number;
  /** Rows that the database returned. */
  rows: number;
  /** MiB of the answer. */
  answer: number;
}

export type Budget = Cost;

/** A request of at most 20 kB. The delay depends on other work of the machine, so it is wide. */
export const REQUEST: Budget = { cpu: 250, memory: 64, delay: 500, rows: 20_000, answer: 16 };

/** A document that searches up to thirty lists. */
export const SEARCHES: Budget = { ...REQUEST, cpu: 600 };

/** A document that lists and counts 30,000 notifications. With an error, it runs twice. */
export const NOTIFICATIONS: Budget = { ...SEARCHES, cpu: 1_300 };

/** A document that marks 30,000 notifications, as often as it may. */
export const MARKS: Budget = { cpu: 1_200, memory: 64, delay: 500, rows: 20_000, answer: 1 };

/** A document that changes 1,000 files, 100 in each of its mutations. */
export const MANY_FILES: Budget = { cpu: 1_500, memory: 64, delay: 500, rows: 20_000, answer: 1 };

/** Forty documents that search thirty lists each, whose clients leave at once. */
export const LEAVERS: Budget = { cpu: 1_500, memory: 64, delay: 500, rows: 20_000, answer: 1 };

/** A file of which all streams of one person are notified. */
export const STREAMS: Budget = { cpu: 700, memory: 64, delay: 500, rows: 5_000, answer: 1 };

/** A hundred requests for a file, whose answers are not read. Memory is what this is about. */
export const READERS: Budget = { cpu: 2_500, memory: 32, delay: 500, rows: 20_000, answer: 16 };

/** A hundred requests for an answer of 16 MiB, which are not read. */
export const ANSWER_READERS: Budget = {
  cpu: 5_000,
  memory: 600,
  delay: 1_000,
  rows: 10_000,
  answer: 16,
};

/** Twenty connections with ten requests each in one packet, whose answers are not read. */
export const PACKETS: Budget = { cpu: 1_500, memory: 64, delay: 500, rows: 80_000, answer: 16 };

/** A hundred bodies of 1 MiB whose end is missing, or two that come byte by byte. */
export const ARRIVING: Budget = { cpu: 4_000, memory: 100, delay: 1_000, rows: 1_000, answer: 16 };

/** Each MiB of an uploaded file. */
export const UPLOADED_MIB: Budget = { cpu: 90, memory: 40, delay: 250, rows: 50, answer: 1 };

/** Each row of a REST list without pages. */
export const LISTED_ROW: Budget = { cpu: 0.25, memory: 0.05, delay: 0.25, rows: 2, answer: 0.004 };

/** A request that needs one answer of a storage, of at most 1 MiB. */
export const STORAGE_ANSWER: Budget = { cpu: 500, memory: 64, delay: 100, rows: 1_000, answer: 16 };

/** The largest request without a file, in bytes, and the largest answer of a storage. */
export const MAX_SENT = 20_000;
export const MAX_STORAGE_ANSWER = 1024 * 1024;

/** How many times its budget an input costs, in the dimension where this is most. */
export function timesBudget(
  cost: Cost,
  budget: Budget,
  units: number,
): { times: number; dimension: keyof Cost } {
  const all = (Object.keys(budget) as (keyof Cost)[]).map((dimension) => ({
    dimension,
    times: cost[dimension] / (budget[dimension] * units),
  }));
  return all.reduce((most, one) => (one.times > most.times ? one : most));
}

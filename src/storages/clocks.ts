/** Compares the clock of this service with those of others, and says which one is wrong. */

/** The clock of another server. */
export interface Clock {
  name: string;
  /** How far it is ahead of the clock of this service. */
  aheadMs: number;
}

/** A verdict with a `code` is a problem. The hint says what to do. */
type Verdict = { hint: string } | { code: string; hint: string };

/** Signatures and tokens tolerate less than a minute. */
const TOLERANCE_MS = 60_000;

/** @param aheadMs of one clock and of another */
const agree = (one: number, other: number): boolean => Math.abs(one - other) <= TOLERANCE_MS;

/**
 * The clocks that agree with each other are right: with this service, or without it.
 * @param others at least one
 */
export function judgeClocks(others: readonly Clock[]): Verdict {
  const wrong = others.filter(({ aheadMs }) => !agree(aheadMs, 0));
  if (wrong.length === 0)
    return {
      hint: `The clocks of this service and of ${others.map(({ name }) => name).join(', ')} agree.`,
    };
  const [first] = wrong;
  const isOurs =
    wrong.length > 1 &&
    wrong.length === others.length &&
    wrong.every(({ aheadMs }) => agree(aheadMs, first?.aheadMs ?? 0));
  if (isOurs)
    return {
      code: 'clock_wrong_here',
      hint:
        `The clock of this service is ${distance(-(first?.aheadMs ?? 0))}: ` +
        `${wrong.map(({ name }) => name).join(', ')} agree with each other. ` +
        'Let this machine take its time from the network (NTP).',
    };
  const listed = wrong
    .map(({ name, aheadMs }) => `${name} is ${distance(aheadMs)}`)
    .join(', and that of ');
  const agreeing = others.filter((one) => !wrong.includes(one)).map(({ name }) => name);
  return agreeing.length > 0
    ? {
        code: 'clock_wrong_there',
        hint:
          `The clock of ${listed}: this service agrees with ${agreeing.join(', ')}. ` +
          'Let that machine take its time from the network (NTP).',
      }
    : {
        code: 'clock_differs',
        hint:
          `The clock of ${listed} compared with the clock of this service. ` +
          'Compare both with a third one, and let both machines take their time from the network.',
      };
}

const SECONDS = { name: 'seconds', size: 1000 };
const units = [
  { name: 'days', size: 86_400_000 },
  { name: 'hours', size: 3_600_000 },
  { name: 'minutes', size: 60_000 },
];

function distance(ms: number): string {
  const unit = units.find(({ size }) => Math.abs(ms) >= 2 * size) ?? SECONDS;
  const amount = `${Math.round(Math.abs(ms) / unit.size)} ${unit.name}`;
  return `${amount} ${ms > 0 ? 'ahead' : 'behind'}`;
}

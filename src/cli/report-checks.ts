/** Checks in their order; one that needs another is skipped when that did not succeed. */
import { describe } from './usage.js';

export interface Check {
  name: string;
  outcome: 'ok' | 'failed' | 'skipped';
  /** What was found, what to do, or why there was no check; one line. */
  detail: string;
}

export class Examination {
  readonly checks: Check[] = [];
  readonly #show: (check: Check) => void;

  /** @param show called with each check when it is over */
  constructor(show: (check: Check) => void) {
    this.#show = show;
  }

  get ok(): boolean {
    return this.checks.every(({ outcome }) => outcome !== 'failed');
  }

  passed(name: string): boolean {
    return this.checks.some((check) => check.name === name && check.outcome === 'ok');
  }

  skip(name: string, detail: string): void {
    const check: Check = { name, outcome: 'skipped', detail };
    this.checks.push(check);
    this.#show(check);
  }

  /** @param work answers with what it found, or throws an error that says what to do */
  async check(
    name: string,
    needs: readonly string[],
    work: () => string | Promise<string>,
  ): Promise<void> {
    const missing = needs.find((need) => !this.passed(need));
    if (missing !== undefined) return this.skip(name, `needs ${missing}`);
    const check = await outcomeOf(name, work);
    this.checks.push(check);
    this.#show(check);
  }
}

export const lineOf = ({ name, outcome, detail }: Check): string =>
  `${(outcome === 'failed' ? 'FAILED' : outcome).padEnd(7)}  ${name.padEnd(13)}  ${detail}`;

async function outcomeOf(name: string, work: () => string | Promise<string>): Promise<Check> {
  try {
    return { name, outcome: 'ok', detail: await work() };
  } catch (error) {
    return { name, outcome: 'failed', detail: describe(error).replaceAll(/\s*\n\s*/g, ' ') };
  }
}

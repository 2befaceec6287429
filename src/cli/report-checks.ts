/** Runs checks in order. A check is skipped when one that it depends on has not succeeded. */
import { describe } from './output.js';

export interface Check {
  name: string;
  outcome: 'ok' | 'failed' | 'skipped';
  /** One line: the result, what to do, or why the check was skipped. */
  detail: string;
}

export class CheckRunner {
  readonly checks: Check[] = [];
  readonly #show: (check: Check) => void;

  /** @param show called after each check */
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

  /**
   * @param dependsOn names of checks that must have succeeded
   * @param work returns the result, or throws an error that says what to do
   */
  async check(
    name: string,
    dependsOn: readonly string[],
    work: () => string | Promise<string>,
  ): Promise<void> {
    const missing = dependsOn.find((other) => !this.passed(other));
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

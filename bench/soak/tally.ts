/** Response times by kind and window, and unexpected responses. */
import { percentile } from '../links/measure.js';

/** Milliseconds from the request to the end of the response. */
export interface Latency {
  count: number;
  p50: number;
  p99: number;
}

export interface Window extends Latency {
  kinds: { [kind: string]: Latency };
}

/** The kind of a request that was refused under overload. */
export const REFUSED = 'refused for want of capacity';

export class Tally {
  readonly problems: { [problem: string]: number } = {};
  readonly #samples: Map<string, number[]>[];
  readonly #refused: number[] = [];
  readonly #started = performance.now();
  readonly #windowMs: number;

  constructor(seconds: number, windows: number) {
    this.#samples = Array.from({ length: windows }, () => new Map());
    this.#windowMs = (seconds * 1000) / windows;
  }

  problem(text: string): void {
    this.problems[text] = (this.problems[text] ?? 0) + 1;
  }

  answered(kind: string, ms: number): void {
    if (kind === REFUSED) return void this.#refused.push(ms);
    const window = Math.min(
      this.#samples.length - 1,
      Math.floor((performance.now() - this.#started) / this.#windowMs),
    );
    const kinds = this.#samples[window]!;
    const samples = kinds.get(kind);
    if (samples) samples.push(ms);
    else kinds.set(kind, [ms]);
  }

  windows(): Window[] {
    return this.#samples.map((kinds) => ({
      ...latencyOf([...kinds.values()].flat()),
      kinds: Object.fromEntries([...kinds].map(([kind, samples]) => [kind, latencyOf(samples)])),
    }));
  }

  refused(): Latency {
    return latencyOf(this.#refused);
  }
}

const latencyOf = (samples: readonly number[]): Latency =>
  samples.length === 0
    ? { count: 0, p50: 0, p99: 0 }
    : { count: samples.length, p50: percentile(samples, 0.5), p99: percentile(samples, 0.99) };

/** Medians and spread of measured values. */
export interface Figure {
  median: number;
  min: number;
  max: number;
}

export function figureOf(values: readonly number[]): Figure {
  const sorted = values.toSorted((a, b) => a - b);
  return { median: median(sorted), min: sorted[0]!, max: sorted.at(-1)! };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** The value that this share of the values does not exceed. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)]!;
}

/** Three significant digits. */
export const digits = (value: number): string =>
  Math.abs(value) >= 100
    ? String(Math.round(value))
    : Math.abs(value) >= 10
      ? value.toFixed(1)
      : Math.abs(value) >= 1
        ? value.toFixed(2)
        : value.toFixed(3);

/** The values of each measure, by program. */
import type { SubjectName } from './programs.js';

export const units = {
  server: 'ms',
  'main thread': 'ms',
  database: 'ms',
  'server and database': 'ms',
  throughput: '/s',
  'median at half load': 'ms',
  'p99 at half load': 'ms',
  'p99 : median at half load': '×',
  'idle memory': 'MiB',
  'idle memory after a collection': 'MiB',
  time: 's',
  'file throughput': 'MB/s',
  'processor time per GB': 's',
  'memory over idle': 'MiB',
} as const;

export type Measure = keyof typeof units;

/** The values of one measure of one workload, a value for each round. */
export interface Series {
  workload: string;
  title: string;
  measure: Measure;
  values: { [subject in SubjectName]?: number[] };
}

export class Samples {
  readonly series: Series[] = [];

  add(
    { name, title }: { name: string; title: string },
    measure: Measure,
    subject: { name: SubjectName },
    value: number,
  ): void {
    let found = this.series.find((one) => one.workload === name && one.measure === measure);
    if (!found) this.series.push((found = { workload: name, title, measure, values: {} }));
    (found.values[subject.name] ??= []).push(value);
  }

  valuesOf(workload: string, measure: Measure, subject: SubjectName): readonly number[] {
    const found = this.series.find((one) => one.workload === workload && one.measure === measure);
    return found?.values[subject] ?? [];
  }
}

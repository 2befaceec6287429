/** The costs of two sides, and their ratio. */
import type { DatabaseKind } from '../databases.js';
import { databaseNames, headOf, type Run } from '../run.js';
import { sizes } from './databases.js';

/** Milliseconds for a request: elapsed time, and processor time of the server and the database. */
interface Cost {
  ms: number;
  cpu: number;
}

/** Of one round. */
export interface Sample {
  base: Cost;
  other: Cost;
}

export interface Row {
  database: DatabaseKind;
  /** Many rows compared with few, or a late page compared with the first. */
  what: 'rows' | 'depth';
  title: string;
  base: Cost;
  other: Cost;
  /** Median, minimum and maximum of the ratios of processor time in each round. Elapsed time also includes other work on the machine. */
  ratio: { median: number; min: number; max: number };
  met: boolean;
}

export interface Report extends Run {
  notes: string[];
  rounds: number;
  seconds: number;
  rows: Row[];
}

const TARGET = 1.3;

export function compared(
  of: Pick<Row, 'database' | 'what' | 'title'>,
  samples: readonly Sample[],
): Row {
  const side = (name: keyof Sample): Cost => ({
    ms: median(samples.map((sample) => sample[name].ms)),
    cpu: median(samples.map((sample) => sample[name].cpu)),
  });
  const ratios = samples.map(({ base, other }) => other.cpu / base.cpu);
  const ratio = { median: median(ratios), min: Math.min(...ratios), max: Math.max(...ratios) };
  return { ...of, base: side('base'), other: side('other'), ratio, met: ratio.median <= TARGET };
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return sorted.length % 2 === 1
    ? sorted[Math.floor(middle)]!
    : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

const number = (value: number) => value.toPrecision(3);
const count = (value: number) => value.toLocaleString('en');

export function markdownOf(report: Report): string {
  const { notes, rounds, seconds, rows } = report;
  const { small, large } = sizes;
  const lines = [
    '# Many rows',
    '',
    `${headOf(report, 'the database and the client')} \`npm run bench:scale\`.`,
    `${count(small.attachments)} attachments, ${count(small.fileLinks)} file links, ${count(small.projects)} projects and ${count(small.users)} users beside ${count(large.attachments)}, ${count(large.fileLinks)}, ${count(large.projects)} and ${count(large.users)}.`,
    ...notes,
    `One request at a time, ${rounds} rounds of ${seconds} s by turns. Milliseconds of processor time of server and database for a request, in brackets those of the clock: medians. The ratio is the median of the rounds' own, with the lowest and the highest.`,
  ];
  for (const database of new Set(rows.map((row) => row.database))) {
    for (const [what, heads] of [
      ['rows', 'few rows | many rows'],
      ['depth', 'first page | page at 90 %'],
    ] as const) {
      const some = rows.filter((row) => row.database === database && row.what === what);
      lines.push(
        '',
        `## ${databaseNames[database]}, ${what === 'rows' ? 'few and many rows' : 'first and late pages of 50'}`,
        '',
        `| | ${heads} | ratio | ≤ ${TARGET} |`,
        '|---|---|---|---|---|',
      );
      for (const { title, base, other, ratio, met } of some) {
        lines.push(
          `| ${title} | ${number(base.cpu)} (${number(base.ms)}) | ${number(other.cpu)} (${number(other.ms)}) | ${ratio.median.toFixed(2)} (${ratio.min.toFixed(2)}–${ratio.max.toFixed(2)}) | ${met ? 'met' : '**missed**'} |`,
        );
      }
    }
  }
  return `${lines.join('\n')}\n`;
}

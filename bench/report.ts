/** The server compared with the bare program, with targets and noise. */
import type { DatabaseKind } from './databases.js';
import type { Samples } from './measure.js';
import { fileTitles, MEMORY_TARGET, requestWorkloads, THROUGHPUT_TARGET } from './workloads.js';

export interface Figure {
  median: number;
  min: number;
  max: number;
}

export interface Row {
  database: DatabaseKind;
  workload: string;
  title: string;
  measure: string;
  unit: string;
  ours: Figure;
  bare: Figure;
  /** The ratio of the medians, server to bare program. */
  ratio: number;
  target?: string;
  met?: boolean;
}

export interface Report {
  at: string;
  node: string;
  processors: number;
  quick: boolean;
  notes: string[];
  rows: Row[];
}

export function rowsOf(database: DatabaseKind, samples: Samples, fileSize: string): Row[] {
  const rows: Row[] = [];
  const add = (
    measure: string,
    of: Pick<Row, 'workload' | 'title' | 'measure' | 'unit'>,
    goal?: (row: { ours: Figure; ratio: number }) => { target: string; met: boolean },
  ) => {
    const taken = samples[measure];
    if (!taken) return;
    const [ours, bare] = [figure(taken.ours), figure(taken.bare)];
    const ratio = ours.median / bare.median;
    // Targets exist for SQLite only. PostgreSQL is shown for comparison.
    rows.push({
      database,
      ...of,
      ours,
      bare,
      ratio,
      ...(database === 'sqlite' && goal?.({ ours, ratio })),
    });
  };
  for (const { name, title, target } of requestWorkloads) {
    add(
      `${name} cpu`,
      { workload: name, title, measure: 'processor time per request', unit: 'ms' },
      target === undefined
        ? undefined
        : ({ ratio }) => ({ target: `≤ ${target}×`, met: ratio <= target }),
    );
    add(`${name} main thread`, {
      workload: name,
      title,
      measure: 'of it on the main thread',
      unit: 'ms',
    });
    add(`${name} rate`, { workload: name, title, measure: 'requests per second', unit: '/s' });
  }
  add('idle memory', {
    workload: '',
    title: 'idle, after small uploads',
    measure: 'resident memory',
    unit: 'MiB',
  });
  const throughput = ({ ratio }: { ratio: number }) => ({
    target: `≥ ${THROUGHPUT_TARGET * 100} %`,
    met: ratio >= THROUGHPUT_TARGET,
  });
  const memory = ({ ours }: { ours: Figure }) => ({
    target: `≤ ${MEMORY_TARGET} MiB`,
    met: ours.max <= MEMORY_TARGET,
  });
  for (const [name, what] of Object.entries(fileTitles)) {
    const title = `${what} of ${fileSize}${name === 'W5x8' ? ' each' : ''}`;
    add(
      `${name} throughput`,
      { workload: name, title, measure: 'throughput', unit: 'MB/s' },
      name === 'W5x8' ? undefined : throughput,
    );
    add(`${name} cpu`, { workload: name, title, measure: 'processor time per GB', unit: 's' });
    add(
      `${name} memory`,
      { workload: name, title, measure: 'memory over idle', unit: 'MiB' },
      name === 'W6' ? undefined : memory,
    );
  }
  return rows;
}

function figure(values: readonly number[]): Figure {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const median =
    sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
  return { median, min: sorted[0]!, max: sorted.at(-1)! };
}

export function markdownOf({ at, node, processors, quick, notes, rows }: Report): string {
  const kinds = [...new Set(rows.map(({ database }) => database))];
  const sections = kinds.map((kind) =>
    [
      `## ${kind === 'sqlite' ? 'SQLite' : 'PostgreSQL'}`,
      '',
      ...table(rows.filter(({ database }) => database === kind)),
    ].join('\n'),
  );
  return [
    '# Benchmark',
    '',
    `${at}, Node ${node}, ${processors} processors${quick ? ', quick run: figures are rough' : ''}. Medians of interleaved rounds, lowest and highest in parentheses.`,
    'Bare programs (`bench/bare`) do the same work on `node:http` and the same driver with the same SQL. They read everything again on every request.',
    'Processor time is that of the whole server process, all threads; the database server is not part of it.',
    '',
    ...notes.map((note) => `- ${note}`),
    ...(notes.length > 0 ? [''] : []),
    sections.join('\n\n'),
    '',
  ].join('\n');
}

function table(rows: readonly Row[]): string[] {
  const cells = rows.map((row) => [
    row.workload,
    row.title,
    `${row.measure}, ${row.unit}`,
    show(row.ours),
    show(row.bare),
    ratioOf(row),
    row.target ?? '',
    row.met === undefined ? '' : row.met ? 'met' : '**missed**',
  ]);
  const lines = [
    ['', 'workload', 'measure', 'ours', 'bare', 'ours : bare', 'target', ''],
    ...cells,
  ];
  const widths = lines[0]!.map((_, column) =>
    Math.max(3, ...lines.map((line) => line[column]!.length)),
  );
  const printed = lines.map(
    (line) => `| ${line.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`,
  );
  return [
    printed[0]!,
    `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`,
    ...printed.slice(1),
  ];
}

const show = ({ median, min, max }: Figure) =>
  min === max ? digits(median) : `${digits(median)} (${digits(min)}–${digits(max)})`;
const ratioOf = ({ ratio, unit, measure }: Row) =>
  unit === 'MiB'
    ? ''
    : measure === 'throughput' || measure === 'requests per second'
      ? `${Math.round(ratio * 100)} %`
      : `${ratio.toFixed(2)}×`;

/** Three significant digits. */
const digits = (value: number) =>
  Math.abs(value) >= 100
    ? String(Math.round(value))
    : Math.abs(value) >= 10
      ? value.toFixed(1)
      : Math.abs(value) >= 1
        ? value.toFixed(2)
        : value.toFixed(3);

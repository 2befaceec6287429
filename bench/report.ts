/** The rows of the report: figures, ratios to the other programs, and goals. */
import type { DatabaseKind } from './databases.js';
import { digits, figureOf, type Figure } from './figures.js';
import { goals, type Goal } from './goals.js';
import type { SubjectName } from './programs.js';
import { databaseNames, type Run } from './run.js';
import { units, type Measure, type Series } from './samples.js';

interface Judged {
  peer?: SubjectName;
  /** Such as `≤ 0.5×`. */
  goal: string;
  met: boolean;
}

export interface Row {
  database: DatabaseKind;
  workload: string;
  title: string;
  measure: Measure;
  unit: string;
  figures: { [subject in SubjectName]?: Figure };
  /** Server to another program, of the same round. */
  ratios: { [subject in SubjectName]?: Figure };
  goals: Judged[];
}

export interface Report extends Run {
  notes: string[];
  rows: Row[];
}

export function rowOf(database: DatabaseKind, { workload, title, measure, values }: Series): Row {
  const row: Row = {
    database,
    workload,
    title,
    measure,
    unit: units[measure],
    figures: {},
    ratios: {},
    goals: [],
  };
  const ours = values.ours!;
  for (const [name, taken] of Object.entries(values) as [SubjectName, number[]][]) {
    row.figures[name] = figureOf(taken);
    // Memory over idle can be zero.
    if (name !== 'ours' && measure !== 'memory over idle')
      row.ratios[name] = figureOf(ours.map((value, n) => value / taken[n]!));
  }
  row.goals = goals
    .filter((goal) => goal.database === database && goal.workload === workload)
    .filter((goal) => goal.measure === measure)
    .flatMap((goal) => judge(goal, row, row.figures.ours!.median));
  return row;
}

/** Nothing, if the other program did not take part. */
function judge(goal: Goal, { ratios, unit }: Row, value: number): Judged[] {
  const { peer, atMost, atLeast } = goal;
  const measured = peer ? ratios[peer]?.median : value;
  if (measured === undefined) return [];
  const sign = atMost === undefined ? '≥' : '≤';
  return [
    {
      ...(peer && { peer }),
      goal: `${sign} ${atMost ?? atLeast}${peer ? '×' : unit === '×' ? '×' : ` ${unit}`}`,
      met: measured <= (atMost ?? Infinity) && measured >= (atLeast ?? -Infinity),
    },
  ];
}

export const subjectTitles: { [subject in SubjectName]: string } = {
  ours: 'ours',
  bare: 'bare',
  postgraphile: 'PostGraphile',
};

export function markdownOf({ at, node, processors, load, quick, notes, rows }: Report): string {
  const kinds = [...new Set(rows.map(({ database }) => database))];
  return [
    '# Benchmark',
    '',
    `${at}, Node ${node}, ${processors} processors, load average at the start ${load.toFixed(1)}${quick ? ', quick run: figures are rough' : ''}.`,
    'Medians of interleaved rounds, lowest and highest in parentheses. Times are processor time per request.',
    'A ratio is the median of the ratios within each round.',
    '`bare` (`bench/bare`) does the same work on `node:http` and the same driver. It reads key and permissions on every request.',
    '`PostGraphile` (`bench/postgraphile`) reads the same rows by its GraphQL. It checks no caller and no permission.',
    '',
    ...notes.map((note) => `- ${note}`),
    ...(notes.length > 0 ? [''] : []),
    kinds
      .map((kind) =>
        [
          `## ${databaseNames[kind]}`,
          '',
          ...tableOf(rows.filter(({ database }) => database === kind)),
        ].join('\n'),
      )
      .join('\n\n'),
    '',
  ].join('\n');
}

function tableOf(rows: readonly Row[]): string[] {
  const peers = (['bare', 'postgraphile'] as const).filter((peer) =>
    rows.some(({ figures }) => figures[peer]),
  );
  return alignedTable([
    [
      '',
      'workload',
      'measure',
      'ours',
      ...peers.flatMap((peer) => [subjectTitles[peer], `ours : ${subjectTitles[peer]}`]),
      'goal',
    ],
    ...rows.map((row) => [
      row.workload,
      row.title,
      `${row.measure}, ${row.unit}`,
      spread(row.figures.ours),
      ...peers.flatMap((peer) => [spread(row.figures[peer]), ratioOf(row.ratios[peer])]),
      row.goals.map(goalText).join('; '),
    ]),
  ]);
}

const goalText = ({ peer, goal, met }: Judged): string =>
  `${peer ? `${subjectTitles[peer]} ` : ''}${goal}: ${met ? 'met' : '**missed**'}`;

export function ratioOf(ratio: Figure | undefined): string {
  if (!ratio || !Number.isFinite(ratio.median)) return '';
  const [median, min, max] = [ratio.median, ratio.min, ratio.max].map((one) => one.toFixed(2));
  return min === max ? `${median}×` : `${median}× (${min}–${max})`;
}

const spread = (figure: Figure | undefined): string => {
  if (!figure) return '';
  const { median, min, max } = figure;
  return min === max ? digits(median) : `${digits(median)} (${digits(min)}–${digits(max)})`;
};

/** Pads the cells of a Markdown table. The first line is its head. */
export function alignedTable(lines: readonly string[][]): string[] {
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

/** The rows of a run as Markdown. */
import type { DatabaseKind } from '../databases.js';
import { databaseNames, headOf, type Run } from '../run.js';
import { median, type Row } from './measure.js';

export interface Report extends Run {
  latencyMs: number;
  databases: { kind: DatabaseKind; rows: Row[] }[];
}

const isMet = ({ values, limit, every = false }: Row): boolean =>
  limit === undefined || (every ? Math.max(...values) : median(values)) <= limit;

export function markdownOf(report: Report): string {
  const { latencyMs, databases } = report;
  return [
    '# Lists of file links',
    '',
    headOf(report, 'the database, the storages and the clients'),
    `Storages answer ${latencyMs} ms after the end of a request. Medians, lowest and highest in parentheses. A target is met if the median keeps it. For L4 every list must keep it.`,
    '',
    ...databases.flatMap(({ kind, rows }) => [
      `## ${databaseNames[kind]}`,
      '',
      '| | measure | figure | target | |',
      '|---|---|---|---|---|',
      ...rows.map(line),
      '',
    ]),
  ].join('\n');
}

function line(row: Row): string {
  const { name, measure, unit, values, limit, target } = row;
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const figure = `${digits(median(values))}${low === high ? '' : ` (${digits(low)}–${digits(high)})`}`;
  const bound =
    limit === undefined
      ? ''
      : unit === 'ms' && target!.includes('×')
        ? `${target} = ${digits(limit)} ms`
        : target!;
  return `| ${name} | ${measure}${unit === 'calls' ? '' : `, ${unit}`} | ${figure} | ${bound} | ${limit === undefined ? '' : isMet(row) ? 'met' : '**missed**'} |`;
}

const digits = (value: number): string =>
  Math.abs(value) >= 100 || Number.isInteger(value) ? value.toFixed(0) : value.toFixed(1);

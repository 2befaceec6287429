/**
 * `npm run bench:docs`: writes the tables of `docs/explanation/performance.md` from the saved results.
 * A full run of `npm run bench` does it, too.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { DatabaseKind } from './databases.js';
import { explanations, type Explained } from './explanations.js';
import { digits } from './figures.js';
import { ratioOf, subjectTitles, type Report, type Row } from './report.js';
import { units, type Measure } from './samples.js';

const KINDS = ['postgres', 'sqlite'] as const satisfies DatabaseKind[];
const MAX_GROWTH = 0.05;

interface SoakResults {
  databases: {
    database: DatabaseKind;
    soak: { seconds: number; start: SoakState; end: SoakState };
  }[];
}
interface SoakState {
  heap: number;
  resident: number;
}

export function writeDocs(): void {
  const report = read<Report>('results/latest.json');
  const page = new URL('../docs/explanation/performance.md', import.meta.url);
  let text = readFileSync(page, 'utf8');
  for (const [name, table] of [
    ['throughput', throughput(report)],
    ['goals', [...goals(report), ...soak(read<SoakResults>('results/soak.json'))]],
  ] as const)
    text = replaced(text, name, table.join('\n'));
  writeFileSync(page, text);
}

const read = <T>(path: string): T =>
  JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8')) as T;

/** The text with a table between the comments that name it. */
function replaced(text: string, name: string, table: string): string {
  const [begin, end] = [`<!-- ${name}: written by npm run bench:docs -->`, `<!-- ${name}: end -->`];
  const [start, stop] = [text.indexOf(begin), text.indexOf(end)];
  if (start < 0 || stop < start) throw new Error(`The page has no place for the table ${name}.`);
  return `${text.slice(0, start + begin.length)}\n\n${table}\n\n${text.slice(stop)}`;
}

const rowFor = (report: Report, database: DatabaseKind, workload: string, measure: Measure) =>
  report.rows.find(
    (row) => row.database === database && row.workload === workload && row.measure === measure,
  );

function throughput(report: Report): string[] {
  const lines: [title: string, workload: string, measure: Measure][] = [
    ['one attachment over HAL, requests per second', 'W1', 'throughput'],
    ['lists of 100 attachments over HAL, per second', 'W2', 'throughput'],
    ['the same by GraphQL', 'W3', 'throughput'],
    ['uploads of 100 kB, 8 at a time, per second', 'W4', 'throughput'],
    ['the same as resumable uploads, per second', 'W4T', 'throughput'],
    ['one file link over HAL, its storage is asked, per second', 'W1L', 'throughput'],
    ['lists of 100 file links by GraphQL, their storage is asked, per second', 'W3L', 'throughput'],
    ['one upload of 1 GiB, MB/s', 'W5', 'file throughput'],
    ['its download, MB/s', 'W6', 'file throughput'],
    ['60 photographs of 12 megapixels, until all small pictures are made, s', 'W7', 'time'],
    ['one archive of 10,000 files of 1 kB, s', 'W8', 'time'],
    ['resident memory, idle after many requests, MiB', 'memory', 'idle memory'],
  ];
  return [
    headOf(report),
    '',
    '| | PostgreSQL | SQLite |',
    '|---|---|---|',
    ...lines.map(([title, workload, measure]) => {
      const cells = KINDS.map((kind) => {
        const figure = rowFor(report, kind, workload, measure)?.figures.ours;
        return figure ? digits(figure.median) : '–';
      });
      return `| ${title} | ${cells.join(' | ')} |`;
    }),
  ];
}

const headOf = ({ at, node, processors, load, quick }: Report) =>
  `Measured on ${at.slice(0, 10)} with Node ${node} on ${processors} processors.` +
  ` The load average at the start was ${load.toFixed(1)}.` +
  (quick ? ' This was a quick run, so its figures are rough.' : '');

const goals = (report: Report): string[] => [
  headOf(report),
  '',
  '| | PostgreSQL | SQLite |',
  '|---|---|---|',
  ...explanations.map((one) => {
    const cells = KINDS.map((kind) => cellOf(one, rowFor(report, kind, one.workload, one.measure)));
    return `| **${one.title}**<br>${one.sentences} | ${cells.join(' | ')} |`;
  }),
];

function cellOf({ peer, measure }: Explained, row: Row | undefined): string {
  const ours = row?.figures.ours;
  const other = peer && row?.figures[peer];
  if (!row || !ours || (peer && !other)) return '–';
  const unit = units[measure];
  const value = other
    ? `${ratioOf(row.ratios[peer])}<br>${digits(ours.median)} : ${digits(other.median)} ${unit}`
    : `${digits(ours.median)}${unit === '×' ? '×' : ` ${unit}`} (${digits(ours.min)}–${digits(ours.max)})`;
  const judged = row.goals.find((goal) => goal.peer === peer);
  const verdict = judged && `${judged.goal}: ${judged.met ? 'met' : '**missed**'}`;
  return [value, ...(other ? [] : othersIn(row, unit)), ...(verdict ? [verdict] : [])].join('<br>');
}

/** What the other programs reached. */
const othersIn = ({ figures }: Row, unit: string): string[] =>
  (['bare', 'postgraphile'] as const).flatMap((name) => {
    const figure = figures[name];
    return figure
      ? [`${subjectTitles[name]}: ${digits(figure.median)}${unit === '×' ? '×' : ` ${unit}`}`]
      : [];
  });

function soak({ databases }: SoakResults): string[] {
  const cells = KINDS.map((kind) => {
    const found = databases.find(({ database }) => database === kind)?.soak;
    if (!found) return '–';
    const grown = (name: keyof SoakState) => found.end[name] / found.start[name] - 1;
    const met = grown('heap') < MAX_GROWTH && grown('resident') < MAX_GROWTH;
    return `${percent(grown('heap'))} and ${percent(grown('resident'))} in ${found.seconds / 60} minutes<br>< 5 %: ${met ? 'met' : '**missed**'}`;
  });
  return [
    `| **Long load: growth after the warm-up, of heap and buffers, and of resident memory**<br>Of \`npm run bench:soak\`, after forced collections. Other runs than those above. | ${cells.join(' | ')} |`,
  ];
}

const percent = (share: number) => `${(share * 100).toFixed(1)} %`;

if (process.argv[1] === fileURLToPath(import.meta.url)) writeDocs();

/** The time and the machine of a measurement, and the files of its report. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DatabaseKind } from './databases.js';

export interface Run {
  /** ISO time in UTC of the start. */
  at: string;
  node: string;
  processors: number;
  /** Load average of the minute before the start. */
  load: number;
  quick: boolean;
}

export const databaseNames: { [database in DatabaseKind]: string } = {
  sqlite: 'SQLite',
  postgres: 'PostgreSQL',
};
/** The values of `--database`. */
export const databaseOptions: { [option: string]: DatabaseKind[] } = {
  sqlite: ['sqlite'],
  postgres: ['postgres'],
  both: ['sqlite', 'postgres'],
};
export const startRun = (quick: boolean): Run => ({
  at: new Date().toISOString(),
  node: process.versions.node,
  processors: availableParallelism(),
  load: loadavg()[0]!,
  quick,
});

/** One sentence. `sharers` are the programs that ran beside the server, such as `the database and the client`. */
export const headOf = ({ at, node, processors, load, quick }: Run, sharers: string): string =>
  `${at}, Node ${node}, ${processors} processors, which ${sharers} share (load average at the start ${load.toFixed(1)})${quick ? '; quick run: figures are rough' : ''}.`;

export const progress = (text: string): void =>
  void process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${text}\n`);

/** Saves `NAME.json` and `NAME.md` in the results, or in `results/local` if the run was partial, and prints the text. */
export function saveReport(
  name: string,
  report: object,
  markdown: string,
  complete: boolean,
): void {
  const folder = fileURLToPath(
    new URL(complete ? './results/' : './results/local/', import.meta.url),
  );
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(report, null, 2)}\n`);
  writeFileSync(join(folder, `${name}.md`), markdown);
  process.stdout.write(`\n${markdown}\nSaved in ${folder}\n`);
}

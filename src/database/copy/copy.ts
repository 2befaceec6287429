/** Copies all rows of a database into an empty one. */
import type { Database } from '../database.js';
import { migrate, migrationStatus } from '../migrations.js';
import { demandAlone, keepOthersOut } from './alone.js';
import { tableNames, tablesOfBoth, type Table } from './catalogue.js';
import {
  contentOf,
  insertRows,
  lastId,
  lastRow,
  pagesOf,
  rowCount,
  setLastId,
  type Content,
} from './rows.js';
import { markCleared, markOf, removeMark, setMark } from './unfinished.js';

interface Copy {
  from: Database;
  to: Database;
  /** The name of the first database. Only a copy of the same one is continued. */
  source: string;
  /** Called before anything is written. @throws Error if the copy could not be used */
  check(): Promise<void>;
  progress(text: string): void;
}

type CopiedTable = { table: string } & Content;

/**
 * Copies the rows of each table in the order of its key, so the last row says where to continue.
 * Until both databases have the same rows, the copy is marked as unfinished.
 * @throws Error if a database is in use, if the second one is not empty, or if both differ at last
 */
export const copyDatabase = (copy: Copy): Promise<CopiedTable[]> =>
  keepOthersOut(copy.from, async () => {
    const { pending } = await migrationStatus(copy.from);
    if (pending.length > 0)
      throw new Error(
        `The database is not up to date (pending: ${pending.join(', ')}): ` +
          'run `moorage migrate` first.',
      );
    await copy.check();
    await demandAlone(copy.to);
    const tables = await prepare(copy);
    for (const table of tables) await copyTable(copy, table);
    const copied = await compare(copy, tables);
    if (copy.to.client === 'postgres') await copy.to.write.raw('analyze');
    await removeMark(copy.to.write);
    return copied;
  });

/** Marks the target, brings it up to date, and removes the rows that migrations make. */
async function prepare({ from, to, source }: Copy): Promise<Table[]> {
  const mark = await markOf(to.read);
  if (!mark) {
    await demandEmpty(to);
    await setMark(to.write, source);
  } else if (mark.source !== source)
    throw new Error(`The target is an unfinished copy of another database: ${mark.source}.`);
  await migrate(to, { unfinishedCopy: true });
  const tables = await tablesOfBoth(from, to);
  if (!mark?.cleared)
    await to.write.transaction(async (trx) => {
      for (const { name } of tables.toReversed()) await trx(name).delete();
      await markCleared(trx);
    });
  return tables;
}

async function demandEmpty(to: Database): Promise<void> {
  const names = await tableNames(to);
  if (names.length === 0) return;
  const filled: string[] = [];
  for (const name of names) {
    const rows = await rowCount(to, { name });
    if (rows > 0) filled.push(`${name} (${rows})`);
  }
  throw new Error(
    'The target is not empty. It has ' +
      (filled.length > 0 ? `rows: ${filled.join(', ')}.` : `tables: ${names.join(', ')}.`),
  );
}

async function copyTable({ from, to, progress }: Copy, table: Table): Promise<void> {
  const total = await rowCount(from, table);
  let done = await rowCount(to, table);
  const { ownReferences, name } = table;
  // A row can refer to a later one of its table.
  const columns = table.columns.filter((column) => !ownReferences.includes(column));
  for await (const rows of pagesOf(from, table, await lastRow(to, table))) {
    progress(`${name}: ${done} of ${total} rows copied`);
    await insertRows(to, { name, columns }, rows);
    done += rows.length;
  }
  if (ownReferences.length > 0) await copyOwnReferences({ from, to }, table);
  await setLastId(to, table, await lastId(from, table));
}

async function copyOwnReferences(
  { from, to }: Pick<Copy, 'from' | 'to'>,
  table: Table,
): Promise<void> {
  for await (const rows of pagesOf(from, table))
    for (const row of rows) {
      const pick = (columns: string[]) =>
        Object.fromEntries(columns.map((column) => [column, row[column] ?? null]));
      const references = pick(table.ownReferences);
      if (Object.values(references).some((value) => value !== null))
        await to
          .write(table.name)
          .where(pick(table.key.map(({ column }) => column)))
          .update(references);
    }
}

/** @throws Error with the tables that differ */
async function compare({ from, to, progress }: Copy, tables: Table[]): Promise<CopiedTable[]> {
  const copied: CopiedTable[] = [];
  const different: string[] = [];
  for (const table of tables) {
    const [here, there] = await Promise.all([
      contentOf(from, table, (rows) => progress(`${table.name}: ${rows} rows compared`)),
      contentOf(to, table, () => undefined),
    ]);
    copied.push({ table: table.name, ...here });
    if (here.digest !== there.digest)
      different.push(`${table.name} (${here.rows} rows, in the copy ${there.rows})`);
  }
  if (different.length > 0)
    throw new Error(
      `The copy differs in ${different.join(', ')}. The first database was changed meanwhile. ` +
        'Begin again with an empty one.',
    );
  return copied;
}

/** Reads and writes the rows of a table in the order of its key. */
import { createHash } from 'node:crypto';
import { countRows } from '../count-rows.js';
import type { Database } from '../database.js';
import type { Table } from './catalogue.js';

interface Row {
  [column: string]: string | number | boolean | null;
}

/** Texts of a row can have 64 KiB. */
const PAGE = 1_000;

const quoted = (names: readonly string[]) => names.map((name) => `"${name}"`).join(', ');

const orderOf = (db: Database, { key }: Table, direction = '') =>
  key
    .map(({ column, isText }) => (isText ? db.byCodePoint(`"${column}"`) : `"${column}"`))
    .map((column) => column + direction);

/** @param after the row before the first one */
export async function* pagesOf(db: Database, table: Table, after?: Row): AsyncGenerator<Row[]> {
  const order = orderOf(db, table).join(', ');
  for (let last = after; ;) {
    const query = db.read<Row>(table.name).select(table.columns).orderByRaw(order).limit(PAGE);
    if (last) {
      const values = table.key.map(({ column }) => last?.[column] ?? null);
      query.whereRaw(`(${order}) > (${values.map(() => '?').join(', ')})`, values);
    }
    const rows = (await query) as Row[];
    if (rows.length > 0) yield rows;
    if (rows.length < PAGE) return;
    last = rows.at(-1);
  }
}

export const lastRow = async (db: Database, table: Table): Promise<Row | undefined> =>
  db
    .read<Row>(table.name)
    .select(table.columns)
    .orderByRaw(orderOf(db, table, ' desc').join(', '))
    .first();

/** The rows are one JSON text: a statement can have fewer values than the rows have. */
export async function insertRows(
  db: Database,
  { name, columns }: Pick<Table, 'name' | 'columns'>,
  rows: readonly Row[],
): Promise<void> {
  const values =
    db.client === 'postgres'
      ? `${quoted(columns)} from json_populate_recordset(null::"${name}", ?)`
      : `${columns.map((column) => `value ->> '$.${column}'`).join(', ')} from json_each(?)`;
  await db.write.raw(`insert into "${name}" (${quoted(columns)}) select ${values}`, [
    JSON.stringify(rows),
  ]);
}

export const rowCount = ({ read }: Database, { name }: Pick<Table, 'name'>): Promise<number> =>
  countRows(read(name));

/** The last id that a table has given. Null if it gave none. */
export async function lastId(db: Database, { name, columns }: Table): Promise<number | null> {
  if (!columns.includes('id')) return null;
  const rows: { last: number | null }[] = await (db.client === 'postgres'
    ? db.read.select(
        db.read.raw(`pg_sequence_last_value(pg_get_serial_sequence(?, 'id')::regclass) as last`, [
          name,
        ]),
      )
    : db.read('sqlite_sequence').select('seq as last').where({ name }));
  // An empty table of SQLite can have 0.
  return rows[0]?.last || null;
}

export async function setLastId(
  db: Database,
  { name, columns }: Table,
  id: number | null,
): Promise<void> {
  if (!columns.includes('id')) return;
  if (db.client === 'postgres')
    await db.write.raw(`select setval(pg_get_serial_sequence(?, 'id'), ?, ?)`, [
      name,
      id ?? 1,
      id !== null,
    ]);
  else
    await db.write.transaction(async (trx) => {
      await trx('sqlite_sequence').where({ name }).delete();
      if (id !== null) await trx('sqlite_sequence').insert({ name, seq: id });
    });
}

export interface Content {
  rows: number;
  /** SHA-256 of all rows and of the last id, in a form that both databases share. */
  digest: string;
}

export async function contentOf(db: Database, table: Table, read: (rows: number) => void) {
  const hash = createHash('sha256').update(JSON.stringify(table.columns));
  let rows = 0;
  for await (const page of pagesOf(db, table)) {
    for (const row of page) hash.update(JSON.stringify(table.columns.map((c) => plain(row[c]))));
    rows += page.length;
    read(rows);
  }
  const digest = hash.update(JSON.stringify(await lastId(db, table))).digest('hex');
  return { rows, digest } satisfies Content;
}

/** SQLite has 0 and 1 as booleans. */
const plain = (value: Row[string] | undefined) =>
  typeof value === 'boolean' ? Number(value) : value;

/** Reads and writes many rows of one table in a few statements. */
// Not with Objection: it inserts many rows at once only on PostgreSQL.
import type { Knex } from 'knex';
import type { Changes } from './changes.js';

/** Rows in one statement: SQLite allows at most 32,766 values. */
export const WRITTEN_AT_ONCE = 500;

/** A row to write, by column. Columns with undefined are left out. */
export interface Values {
  [column: string]: string | number | boolean | null | undefined;
}

/** A row of the database, by column. */
interface StoredRow {
  [column: string]: string | number | boolean | null;
  id: number;
}

interface WriteJob {
  trx: Knex;
  /** ISO text. */
  now: string;
  changes: Changes;
}

/**
 * Inserts at most `BATCH` rows, or updates those whose key exists. A row that already has the values
 * is not written. It stays unlocked, keeps its `updated_at` and uses no id.
 * @param defaults values of new rows for undefined columns; existing rows keep their values
 * @returns ids and keys, in any order
 */
export async function upsert(
  job: WriteJob,
  table: string,
  rows: Values[],
  key: string[],
  defaults: Values = {},
): Promise<StoredRow[]> {
  const columns = [...new Set(rows.flatMap((row) => named(row).map(([column]) => column)))];
  const storedAs = await lookUp(job, table, rows, key, columns);
  const different: Values[] = [];
  const same: StoredRow[] = [];
  for (const row of rows) {
    const stored = storedAs(row);
    if (stored && agree(stored, row)) {
      same.push(stored);
      continue;
    }
    different.push(row);
    job.changes.note(stored ? 'changed' : 'added', table, [nameOf(row, key)]);
  }
  return [...same, ...(await overwrite(job, table, different, key, defaults))];
}

/** Only keys of text are names that people know. */
function nameOf(row: Values, key: readonly string[]): string | undefined {
  const name = key.length === 1 ? row[String(key[0])] : undefined;
  return typeof name === 'string' ? name : undefined;
}

/** As `upsert`, but writes every row. PostgreSQL uses up an id for each, even for an update. */
export async function overwrite(
  { trx, now }: Pick<WriteJob, 'trx' | 'now'>,
  table: string,
  rows: Values[],
  key: string[],
  defaults: Values = {},
): Promise<StoredRow[]> {
  const written: StoredRow[] = [];
  for (const [columns, group] of groupByColumns(rows)) {
    const changing = [...columns.filter((column) => !key.includes(column)), 'updated_at'];
    // Another import may have inserted rows after `lookUp`, hence `onConflict`.
    const stored: StoredRow[] = await trx(table)
      .insert(group.map((row) => ({ ...defaults, ...row, created_at: now, updated_at: now })))
      .onConflict(key)
      .merge(changing)
      .returning(['id', ...key]);
    written.push(...stored);
  }
  return written;
}

/**
 * Looks for at most `BATCH` rows by their keys, without locking them.
 * @returns a function that finds the stored row with the key of a given row
 */
export async function lookUp(
  { trx }: Pick<WriteJob, 'trx'>,
  table: string,
  rows: Values[],
  key: string[],
  columns: string[] = [],
): Promise<(row: Values) => StoredRow | undefined> {
  const rowKey = (row: Values) => JSON.stringify(keyValues(row));
  const keyValues = (row: Values) =>
    key.map((column) => {
      const value = row[column];
      if (value === undefined || value === null)
        throw new Error(`A row for ${table} has no ${column}, which is part of its key.`);
      return value;
    });
  const found = (await trx(table)
    .select('id', ...new Set([...key, ...columns]))
    .whereIn(key, rows.map(keyValues))) as StoredRow[];
  const byKey = new Map(found.map((row) => [rowKey(row), row]));
  return (row) => byKey.get(rowKey(row));
}

interface Owner {
  id: number | undefined;
  items: ReadonlySet<string | number>;
}

/**
 * Finds the owners that are new or whose stored items differ.
 * @param place a table without ids, with the columns of owner and item
 * @param owners at most `BATCH`; a new one has no id
 */
export async function withOtherItems<T extends Owner>(
  { trx }: Pick<WriteJob, 'trx'>,
  place: { table: string; owner: string; item: string },
  owners: T[],
): Promise<T[]> {
  const storedItems = new Map(
    owners.flatMap(({ id }) => (id === undefined ? [] : [[id, new Set<string | number>()]])),
  );
  const rows = (await trx(place.table)
    .select({ owner: place.owner, item: place.item })
    .whereIn(place.owner, [...storedItems.keys()])) as { owner: number; item: string | number }[];
  for (const { owner, item } of rows) storedItems.get(owner)?.add(item);
  return owners.filter(({ id, items }) => {
    const stored = id === undefined ? undefined : storedItems.get(id);
    return stored?.size !== items.size || ![...items].every((item) => stored.has(item));
  });
}

export async function insert(
  { trx }: Pick<WriteJob, 'trx'>,
  table: string,
  rows: Values[],
): Promise<void> {
  for (const slice of slices(rows)) await trx(table).insert(slice);
}

export function* slices<T>(all: T[]): Generator<T[]> {
  for (let start = 0; start < all.length; start += WRITTEN_AT_ONCE)
    yield all.slice(start, start + WRITTEN_AT_ONCE);
}

const named = (row: Values) => Object.entries(row).filter(([, value]) => value !== undefined);

const agree = (stored: StoredRow, row: Values) =>
  named(row).every(([column, value]) => comparable(stored[column]) === comparable(value));

/** SQLite stores booleans as 1 and 0. */
const comparable = (value: Values[string]) => (typeof value === 'boolean' ? Number(value) : value);

/** Groups rows that set the same columns, because one statement inserts only such rows. */
function groupByColumns(rows: Values[]): Iterable<[columns: string[], rows: Values[]]> {
  const groups = new Map<string, [string[], Values[]]>();
  for (const row of rows) {
    const columns = named(row).map(([column]) => column);
    const group = groups.get(columns.join()) ?? [columns, []];
    group[1].push(Object.fromEntries(named(row)));
    groups.set(columns.join(), group);
  }
  return groups.values();
}

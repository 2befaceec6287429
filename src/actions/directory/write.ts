/** Writes many rows of one table, and leaves alone what is there already; Objection inserts many at once on PostgreSQL only. */
import type { Knex } from 'knex';

/** SQLite takes at most 32,766 values in one statement. */
export const BATCH = 500;

/** By columns; undefined is not named at all. */
export interface Values {
  [column: string]: string | number | boolean | null | undefined;
}

/** A row of the database. */
export interface Kept {
  [column: string]: string | number | boolean | null;
  id: number;
}

interface Writing {
  trx: Knex;
  /** ISO text. */
  now: string;
}

/**
 * Inserts at most `BATCH` rows, or updates those whose key exists. A row that has all that is named already is not touched: it stays
 * unlocked for everybody else until the transaction ends, keeps its `updated_at`, and uses up no id.
 * @param defaults of new rows for what is undefined; rows that exist keep what they have
 * @returns ids and keys, in any order
 */
export async function upsert(
  writing: Writing,
  table: string,
  rows: Values[],
  key: string[],
  defaults: Values = {},
): Promise<Kept[]> {
  const columns = [...new Set(rows.flatMap((row) => named(row).map(([column]) => column)))];
  const keptAs = await lookUp(writing, table, rows, key, columns);
  const others: Values[] = [];
  const same: Kept[] = [];
  for (const row of rows) {
    const kept = keptAs(row);
    if (kept && agree(kept, row)) same.push(kept);
    else others.push(row);
  }
  return [...same, ...(await overwrite(writing, table, others, key, defaults))];
}

/** The same, but every row is written, whatever it has; PostgreSQL uses up an id for each, also where it exists. */
export async function overwrite(
  { trx, now }: Writing,
  table: string,
  rows: Values[],
  key: string[],
  defaults: Values = {},
): Promise<Kept[]> {
  const written: Kept[] = [];
  for (const [columns, some] of alike(rows)) {
    const changing = [...columns.filter((column) => !key.includes(column)), 'updated_at'];
    // Another import may have inserted them since they were looked for.
    written.push(
      ...((await trx(table)
        .insert(some.map((row) => ({ ...defaults, ...row, created_at: now, updated_at: now })))
        .onConflict(key)
        .merge(changing)
        .returning(['id', ...key])) as Kept[]),
    );
  }
  return written;
}

/**
 * Looks for at most `BATCH` rows by their keys, without locking them.
 * @returns tells the row that has the key of another
 */
export async function lookUp(
  { trx }: Pick<Writing, 'trx'>,
  table: string,
  rows: Values[],
  key: string[],
  columns: string[] = [],
): Promise<(row: Values) => Kept | undefined> {
  const keyOf = (row: Values) => JSON.stringify(key.map((column) => row[column]));
  const found = (await trx(table)
    .select('id', ...new Set([...key, ...columns]))
    .whereIn(
      key,
      rows.map((row) => key.map((column) => row[column]!)),
    )) as Kept[];
  const byKey = new Map(found.map((row) => [keyOf(row), row]));
  return (row) => byKey.get(keyOf(row));
}

interface Owning {
  id: number | undefined;
  items: ReadonlySet<string | number>;
}

/**
 * Those of at most `BATCH` owners that do not exist yet, or have other items than these.
 * @param place a table without ids, with the columns of owner and item
 */
export async function withOtherItems<T extends Owning>(
  { trx }: Pick<Writing, 'trx'>,
  place: { table: string; owner: string; item: string },
  owners: T[],
): Promise<T[]> {
  const kept = new Map(
    owners.flatMap(({ id }) => (id === undefined ? [] : [[id, new Set<string | number>()]])),
  );
  const rows = (await trx(place.table)
    .select({ owner: place.owner, item: place.item })
    .whereIn(place.owner, [...kept.keys()])) as { owner: number; item: string | number }[];
  for (const { owner, item } of rows) kept.get(owner)!.add(item);
  return owners.filter(({ id, items }) => {
    const there = id === undefined ? undefined : kept.get(id)!;
    return there?.size !== items.size || ![...items].every((item) => there.has(item));
  });
}

export async function insert(
  { trx }: Pick<Writing, 'trx'>,
  table: string,
  rows: Values[],
): Promise<void> {
  for (const some of slices(rows)) await trx(table).insert(some);
}

export function* slices<T>(all: T[]): Generator<T[]> {
  for (let start = 0; start < all.length; start += BATCH) yield all.slice(start, start + BATCH);
}

const named = (row: Values) => Object.entries(row).filter(([, value]) => value !== undefined);

const agree = (kept: Kept, row: Values) =>
  named(row).every(([column, value]) => comparable(kept[column]) === comparable(value));

/** SQLite keeps yes and no as 1 and 0. */
const comparable = (value: Values[string]) => (typeof value === 'boolean' ? Number(value) : value);

/** Rows that name the same columns, with these. */
function alike(rows: Values[]): Iterable<[columns: string[], rows: Values[]]> {
  const groups = new Map<string, [string[], Values[]]>();
  for (const row of rows) {
    const columns = named(row).map(([column]) => column);
    const group = groups.get(columns.join()) ?? [columns, []];
    group[1].push(Object.fromEntries(named(row)));
    groups.set(columns.join(), group);
  }
  return groups.values();
}

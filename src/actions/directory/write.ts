/** Writes many rows of one table; Objection inserts many at once on PostgreSQL only. */
import type { Knex } from 'knex';

/** SQLite takes at most 32,766 values in one statement. */
export const BATCH = 500;

/** By columns; undefined is not named at all. */
export interface Values {
  [column: string]: string | number | boolean | null | undefined;
}

interface Writing {
  trx: Knex;
  /** ISO text. */
  now: string;
}

/**
 * Inserts at most `BATCH` rows, or updates those whose key exists.
 * @param defaults of new rows for what is undefined; rows that exist keep what they have
 * @returns ids and keys, in any order
 */
export async function upsert({ trx, now }: Writing, table: string, rows: Values[], key: string[], defaults: Values = {}): Promise<{ [column: string]: string | number; id: number }[]> {
  const written = [];
  for (const [columns, some] of alike(rows)) {
    const changing = [...columns.filter((column) => !key.includes(column)), 'updated_at'];
    written.push(...await trx(table).insert(some.map((row) => ({ ...defaults, ...row, created_at: now, updated_at: now }))).onConflict(key).merge(changing).returning(['id', ...key]));
  }
  return written;
}

export async function insert({ trx }: Writing, table: string, rows: Values[]): Promise<void> {
  for (const some of slices(rows)) await trx(table).insert(some);
}

export function* slices<T>(all: T[]): Generator<T[]> {
  for (let start = 0; start < all.length; start += BATCH) yield all.slice(start, start + BATCH);
}

/** Rows that name the same columns, with these. */
function alike(rows: Values[]): Iterable<[columns: string[], rows: Values[]]> {
  const groups = new Map<string, [string[], Values[]]>();
  for (const row of rows) {
    const named = Object.entries(row).filter(([, value]) => value !== undefined);
    const columns = named.map(([column]) => column);
    const group = groups.get(columns.join()) ?? [columns, []];
    group[1].push(Object.fromEntries(named));
    groups.set(columns.join(), group);
  }
  return groups.values();
}

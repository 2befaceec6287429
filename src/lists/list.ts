/** What a list is, as data. */
import type { Knex } from 'knex';
import type { QueryBuilder } from 'objection';
import type { Database, Sql } from '../database/index.js';
import type { Record } from '../models/record.js';
import type { User } from '../models/user.js';
import type { Columns } from '../database/columns.js';
import type { PreparedRead } from '../policies/prepared-read.js';

/** A column that a list can be sorted by. */
export interface Column {
  sql: string;
  type: 'key' | 'number' | 'size' | 'text';
  /** The property of a row with the value. Absent: each read selects the SQL. */
  property?: string;
  /** Without an index, only a list with few rows can be sorted by the column. */
  isIndexed: boolean;
}

export interface OrderColumn extends Column {
  descends: boolean;
}

/**
 * What one statement reads.
 * - `one`: rows of one parent, or of a list without parents
 * - `one numbered`: the same, but skips the rows of earlier pages. With a number of rows to skip that
 *   it does not know, PostgreSQL would plan each read again
 * - `one after`, `one before`, `one between`: those on one side of a cursor, or between two
 * - `many`: all rows of several parents
 * - `many pages`: the first page of each of several parents
 */
export type Rows =
  'one' | 'one numbered' | 'one after' | 'one before' | 'one between' | 'many' | 'many pages';
/** `backward` reads against the order of the list. */
export type Shape = `${Rows} ${'forward' | 'backward'}` | 'count one' | 'count many';

export type { Values } from '../database/index.js';

/** The value for a name, or the parameter that stands for it. */
export type Given = (name: string) => unknown;

export interface List<M extends Record> {
  /** The rows that the caller can see, of all parents. */
  rows: (db: Knex, user: User, given: Given) => QueryBuilder<M>;
  /** A list of each row of another table. Lists of many parents are read together. */
  parent?: { column: string; of: (row: M) => number | null };
  /** Further conditions. A `+` before a column keeps the database from its index. */
  filters?: (db: Database, given: Given) => readonly Sql[];
  /** The total order. The last column is the key. */
  order: readonly OrderColumn[];
  /** SQL for the size of a row, if rows can have long texts. It names columns without a table. */
  bytes?: string;
  /** Each selects the keys of all rows of the list, and of others. Its parts are put together. */
  starts?: readonly (readonly Sql[])[];
  /** Starts that are slow to find. They are tried after the next rows in the order. */
  slowStarts?: readonly (readonly Sql[])[];
  /**
   * Each selects keys that an index has in the order of the list. Together they are all rows of the
   * list, and others. The next rows are found in them, not among the rows of the table.
   */
  ranges?: readonly Sql[] | undefined;
  /** The columns to read. Absent: as `rows` selects them. */
  columns?: (db: Database) => Promise<Columns>;
  /** Reads with SQL that is made once. Values are parameters then. */
  fixed?: PreparedRead<M, Shape>;
}

/** The key of a table, as a column of an order. */
export const idColumn = (table: string): Column => ({
  sql: `${table}.id`,
  type: 'key',
  property: 'id',
  isIndexed: true,
});

/** The columns of an order. The key is added as the last one, in the direction of the one before. */
export function sorted<Name extends string>(
  columns: { readonly [name in Name | 'id']: Column },
  orders: readonly { by: Name | 'id'; descends: boolean }[],
  usual = false,
): OrderColumn[] {
  const order = orders.map(({ by, descends }) => ({ ...columns[by], descends }));
  if (!orders.some(({ by }) => by === 'id'))
    order.push({ ...columns.id, descends: order.at(-1)?.descends ?? usual });
  return order;
}

/** The order of creation, or against it. */
export const byCreation = (table: string, direction: 'asc' | 'desc'): OrderColumn[] => [
  { ...idColumn(table), descends: direction === 'desc' },
];

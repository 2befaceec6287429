/** Loads rows by the values of a key, with one statement for many of them. */
import DataLoader from 'dataloader';
import type { Knex } from 'knex';
import type { QueryBuilder } from 'objection';
import type { LoaderNeeds } from './needs.js';
import { MAX_BATCH } from '../database/batches.js';
import type { Record } from '../models/record.js';
import type { User } from '../models/user.js';
import { columnsOf, parameter, type Columns } from '../database/columns.js';
import { PreparedRead } from '../policies/prepared-read.js';

export const KEYS = parameter('keys');

/** A read of the rows whose values of `key` are in the parameter `keys`. */
export const byKeys = <M extends Record>(
  key: string,
  rows: (db: Knex, user: User) => QueryBuilder<M>,
  further: Columns = {},
) =>
  new PreparedRead<M>(async (db, user) => {
    const query = rows(db.read, user);
    const { tableName } = query.modelClass();
    return {
      query: query.whereRaw(db.phrases.isOneOf(`${tableName}.${key}`), [KEYS]),
      columns: { ...(await columnsOf(db, tableName)), ...further },
    };
  });

/** A loader of one row for each key; undefined if there is none. */
export const oneOf = <M extends Record>(
  needs: LoaderNeeds,
  read: PreparedRead<M>,
  keyOf: (row: M) => number | null,
): DataLoader<number, M | undefined> =>
  new DataLoader(
    async (keys) => {
      const rows = await read.rows(needs, { keys: needs.db.phrases.listOf(keys) });
      const found = new Map(rows.map((row) => [keyOf(row), row]));
      return keys.map((key) => found.get(key));
    },
    { maxBatchSize: MAX_BATCH },
  );

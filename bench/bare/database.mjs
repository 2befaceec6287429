/** The two drivers with prepared statements and no layer above them. Connections have the settings of the server. */
import pg from 'pg';
import sqlite3 from 'sqlite3';
import { postgresStatements, sqliteStatements as statements } from './statements.mjs';

const READERS = 4;

/**
 * `many(name, values)` reads; `ids` is a statement whose only value is a list. `alone(name, values)` writes.
 * `transaction([[name, values], …])` writes all or nothing.
 */
export const openDatabase = (url) =>
  url.startsWith('sqlite:') ? openSqlite(url.slice('sqlite:'.length)) : openPostgres(url);

async function openSqlite(file) {
  const pragmas =
    'PRAGMA busy_timeout=5000; PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=ON;';
  const open = (more = '') =>
    new Promise((resolve, reject) => {
      const connection = new sqlite3.Database(file, (error) => {
        if (error) reject(error);
        else
          connection.exec(pragmas + more, (failed) =>
            failed ? reject(failed) : resolve({ connection, prepared: new Map() }),
          );
      });
    });
  const writer = await open('PRAGMA synchronous=FULL;');
  const readers = [];
  for (let n = 0; n < READERS; n += 1) readers.push(await open('PRAGMA query_only=ON;'));

  const run = ({ connection, prepared }, text, values) =>
    new Promise((resolve, reject) => {
      let statement = prepared.get(text);
      if (!statement) prepared.set(text, (statement = connection.prepare(text)));
      statement.all(values, (error, rows) => (error ? reject(error) : resolve(rows)));
    });
  let turn = 0;
  const reader = () => readers[(turn = (turn + 1) % READERS)];
  let last = Promise.resolve();
  /** Transactions and single writes wait for the only write connection. */
  const queued = (work) => {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  };
  return {
    many: (name, values) => run(reader(), statements[name], values),
    ids: (name, ids) => run(reader(), statements[name], [JSON.stringify(ids)]),
    alone: (name, values) => queued(() => run(writer, statements[name], values)),
    transaction: (steps) =>
      queued(async () => {
        await run(writer, 'BEGIN IMMEDIATE;', []);
        try {
          for (const [name, values] of steps) await run(writer, statements[name], values);
          await run(writer, 'COMMIT;', []);
        } catch (error) {
          await run(writer, 'ROLLBACK;', []);
          throw error;
        }
      }),
  };
}

async function openPostgres(url) {
  pg.types.setTypeParser(20, Number);
  const pool = new pg.Pool({ connectionString: url, max: 10, options: '-c jit=off' });
  const numbered = (text) => {
    let n = 0;
    return text.replaceAll('?', () => `$${(n += 1)}`);
  };
  const texts = new Map();
  const query = async (client, text, values) => {
    let known = texts.get(text);
    if (!known) texts.set(text, (known = { name: `s${texts.size}`, text: numbered(text) }));
    return (await client.query({ name: known.name, text: known.text, values })).rows;
  };
  return {
    many: (name, values) => query(pool, postgresStatements[name], values),
    ids: (name, ids) => query(pool, postgresStatements[name], [ids]),
    alone: (name, values) => query(pool, postgresStatements[name], values),
    async transaction(steps) {
      const client = await pool.connect();
      try {
        await client.query('BEGIN;');
        for (const [name, values] of steps) await query(client, postgresStatements[name], values);
        await client.query('COMMIT;');
      } catch (error) {
        await client.query('ROLLBACK;');
        throw error;
      } finally {
        client.release();
      }
    },
  };
}

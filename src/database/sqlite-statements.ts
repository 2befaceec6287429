/** The prepared statements of SQLite connections. */
import type { Connection, Statement } from './knex-internals.js';

/** The number of prepared statements that one connection keeps. */
const MAX_PREPARED = 200;
const preparedOn = new WeakMap<Connection, Map<string, Statement>>();

/**
 * Calls `use` with the prepared statement of a text.
 * A statement that failed to prepare never calls back, so it goes to `fail` and is never run.
 */
export function withStatement(
  connection: Connection,
  sql: string,
  fail: (error: Error) => void,
  use: (statement: Statement) => void,
): void {
  let prepared = preparedOn.get(connection);
  if (!prepared) preparedOn.set(connection, (prepared = new Map()));
  const known = prepared.get(sql);
  if (known) {
    // Moves it to the end: the map is in the order of the last use.
    prepared.delete(sql);
    prepared.set(sql, known);
    return use(known);
  }
  const statements = prepared;
  const statement = connection.prepare(sql, (error) => {
    if (error) return fail(error);
    statements.set(sql, statement);
    if (statements.size > MAX_PREPARED) {
      for (const [oldest, unused] of statements) {
        unused.finalize();
        statements.delete(oldest);
        break;
      }
    }
    use(statement);
  });
}

export function forgetStatement(connection: Connection, sql: string): void {
  const statements = preparedOn.get(connection);
  statements?.get(sql)?.finalize();
  statements?.delete(sql);
}

/** SQLite does not close a connection that has open statements. */
export function finalizeStatements(connection: Connection): void {
  for (const statement of preparedOn.get(connection)?.values() ?? []) statement.finalize();
}

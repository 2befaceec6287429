/** Statements that a PostgreSQL connection prepares once and then sends without their text. */
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import pg from 'pg';
import type { Cancellable } from './postgres-cancel.js';

// Cast: pg exports it without a type.
const { prepareValue } = (pg as unknown as { utils: { prepareValue(value: unknown): unknown } })
  .utils;

/** The number of statements that one connection keeps prepared. */
const MAX_PREPARED = 200;

/** A client of pg, with the id that knex gives it. */
export type PostgresConnection = pg.ClientBase & Cancellable & { __knexUid?: string };

/** A statement with the values of one run. */
interface Step {
  text: string;
  values: readonly unknown[];
}

interface Column {
  name: string;
  parse: (text: string) => unknown;
}

/** What a statement has returned. */
export interface Result {
  columns: readonly Column[];
  /** Each has its values in the order of the columns. */
  rows: unknown[][];
  /** For example `SELECT`. */
  command: string;
  /** The number of rows that the statement returned or changed. */
  rowCount: number;
}

interface Statement {
  text: string;
  /** Empty: it is prepared anew each time. */
  name: string;
  /** Known when the connection has prepared it. */
  columns?: readonly Column[];
}

/** The prepared statements of one connection. Those that were used last are kept. */
class Statements {
  /** Names that the server may forget. They are sent with the next statement. */
  readonly unused: string[] = [];
  readonly #kept = new LRUCache<string, Statement>({
    max: MAX_PREPARED,
    dispose: ({ name }) => this.unused.push(name),
  });

  get(text: string): Statement {
    let statement = this.#kept.get(text);
    if (!statement) this.#kept.set(text, (statement = { text, name: nameOf(text) }));
    return statement;
  }

  forget(text: string): void {
    this.#kept.delete(text);
  }
}

/**
 * The name follows from the text. A pooler can lead to a connection that another client has used.
 * There the name still means the same statement.
 */
const nameOf = (text: string): string =>
  `moorage_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;

const statementsOf = new WeakMap<PostgresConnection, Statements>();

/**
 * Sends steps in one packet. pg calls it while they run: it is a `Submittable`, as cursors are. Its
 * own class asks for the columns again each time.
 */
class Submitted implements pg.Submittable {
  readonly #results: Result[] = [];
  #rows: unknown[][] = [];

  constructor(
    private readonly steps: readonly { statement: Statement; values: readonly unknown[] }[],
    private readonly statements: Statements | undefined,
    private readonly resolve: (results: readonly Result[]) => void,
    private readonly reject: (error: unknown) => void,
  ) {}

  submit(connection: pg.Connection): void {
    connection.stream.cork();
    for (const name of this.statements?.unused.splice(0) ?? [])
      connection.close({ type: 'S', name }, true);
    const parsed = new Set<Statement>();
    for (const { statement, values } of this.steps) {
      const { name, text, columns } = statement;
      if (!columns && !parsed.has(statement)) {
        parsed.add(statement);
        // A failed first run leaves a statement of this name.
        if (name !== '') connection.close({ type: 'S', name }, true);
        connection.parse({ name, text, types: [] }, true);
        connection.describe({ type: 'S', name }, true);
      }
      connection.bind({ statement: name, values: values.map(prepareValue) as string[] }, true);
      connection.execute(null, true);
    }
    connection.sync();
    connection.stream.uncork();
  }

  get #statement(): Statement {
    // Cast: the server answers the steps that were sent.
    return this.steps[this.#results.length]?.statement as Statement;
  }

  handleRowDescription({ fields }: { fields: { name: string; dataTypeID: number }[] }): void {
    this.#statement.columns = fields.map(({ name, dataTypeID }) => ({
      name,
      parse: pg.types.getTypeParser(dataTypeID, 'text') as (text: string) => unknown,
    }));
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    const { columns = [] } = this.#statement;
    const row: unknown[] = fields;
    for (let index = 0; index < fields.length; index += 1) {
      const text = fields[index];
      if (typeof text === 'string') row[index] = columns[index]?.parse(text);
    }
    this.#rows.push(row);
  }

  handleCommandComplete({ text }: { text: string }): void {
    // For example `SELECT 3`, `UPDATE 1` or `INSERT 0 1`.
    const words = text.split(' ');
    this.#results.push({
      columns: (this.#statement.columns ??= []),
      rows: this.#rows,
      command: words[0] ?? '',
      rowCount: Number(words.at(-1)),
    });
    this.#rows = [];
  }

  handleEmptyQuery(): void {}

  handleError(error: unknown): void {
    // Those after the failed one were not prepared.
    for (const { statement } of this.steps.slice(this.#results.length))
      this.statements?.forget(statement.text);
    this.reject(error);
  }

  handleReadyForQuery(): void {
    this.resolve(this.#results);
  }
}

/**
 * SQLSTATE codes of statements that the server has forgotten, or whose columns have changed: a
 * process of a newer version has migrated the database, or a pooler has cleaned the connection.
 */
export const STALE_STATEMENT = [
  '0A000', // feature_not_supported: "cached plan must not change result type"
  '26000', // invalid_sql_statement_name
];

const isStale = (error: unknown) =>
  STALE_STATEMENT.includes((error as { code?: string }).code ?? '');

/**
 * Runs statements with `$1` for the first value, in one round trip. Outside a transaction they are
 * one: the server undoes all of them if one fails. The connection prepares each text at the first
 * time. Stale statements are prepared again, except in a transaction, which has ended by the error.
 */
export async function runPrepared(
  connection: PostgresConnection,
  steps: readonly Step[],
): Promise<readonly Result[]> {
  let statements = statementsOf.get(connection);
  if (!statements) statementsOf.set(connection, (statements = new Statements()));
  const isAlone = connection.getTransactionStatus() === 'I';
  try {
    return await send(connection, steps, statements);
  } catch (error) {
    if (!isStale(error)) throw error;
    for (const { text } of steps) statements.forget(text);
    if (!isAlone) throw error;
    return await send(connection, steps, statements);
  }
}

/** Runs statements without keeping them, for poolers that do not track prepared statements. */
export const runUnprepared = (
  connection: PostgresConnection,
  steps: readonly Step[],
): Promise<readonly Result[]> => send(connection, steps);

const send = (
  connection: PostgresConnection,
  steps: readonly Step[],
  statements?: Statements,
): Promise<readonly Result[]> =>
  new Promise((resolve, reject) => {
    const running = steps.map(({ text, values }) => ({
      statement: statements?.get(text) ?? { text, name: '' },
      values,
    }));
    connection.query(new Submitted(running, statements, resolve, reject));
  });

/** Statements that a PostgreSQL connection prepares once and then sends without their text. */
import { createHash } from 'node:crypto';
import pg from 'pg';
import type { Cancellable } from './postgres-cancel.js';
// @ts-expect-error It has no types.
import utils from 'pg/lib/utils.js';

const { prepareValue } = utils as { prepareValue(value: unknown): unknown };

/** The number of statements that one connection keeps prepared. */
const MAX_PREPARED = 200;

/** The part of a connection of pg that sends messages of the protocol. */
interface Wire {
  stream: { cork(): void; uncork(): void };
  parse(statement: { name: string; text: string }): void;
  describe(target: { type: 'S'; name: string }): void;
  bind(values: { statement: string; values: unknown[] }): void;
  execute(options?: undefined): void;
  close(target: { type: 'S'; name: string }): void;
  sync(): void;
}

/** A client of pg, with the transaction that knex notes on it. */
export interface PostgresConnection extends Cancellable {
  query(query: PreparedQuery): void;
  __knexUid?: string;
  __knexTxId?: string;
}

type Parser = (text: string) => unknown;

class Statement {
  columns: readonly string[] = [];
  parsers: readonly Parser[] = [];
  /** Whether the connection has prepared it. Then its columns are known. */
  isPrepared = false;

  constructor(
    readonly text: string,
    /** Empty: it is prepared anew each time. */
    readonly name: string,
  ) {}
}

/** The prepared statements of one connection. Those that were used last are kept. */
class Statements {
  readonly #kept = new Map<string, Statement>();
  /** Names that the server may forget. They are sent with the next statement. */
  #unused: string[] = [];

  get(text: string): Statement {
    let statement = this.#kept.get(text);
    if (statement) this.#kept.delete(text);
    else statement = new Statement(text, nameOf(text));
    // At the end: the map is in the order of the last use.
    this.#kept.set(text, statement);
    if (this.#kept.size > MAX_PREPARED)
      for (const oldest of this.#kept.keys()) {
        this.forget(oldest);
        break;
      }
    return statement;
  }

  forget(text: string): void {
    if (this.#kept.delete(text)) this.#unused.push(nameOf(text));
  }

  takeUnused(): string[] {
    const unused = this.#unused;
    if (unused.length > 0) this.#unused = [];
    return unused;
  }
}

/**
 * The name follows from the text. A pooler can lead to a connection that another client has used.
 * There the name still means the same statement.
 */
const nameOf = (text: string): string =>
  `moorage_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;

const statementsOf = new WeakMap<PostgresConnection, Statements>();

/** The rows of a statement, each with its values in the order of the columns. */
export interface Result {
  columns: readonly string[];
  rows: unknown[][];
  /** For example `SELECT`. */
  command: string;
  /** The number of rows that the statement returned or changed. */
  rowCount: number;
}

/** A statement with the values of one run. */
export interface Step {
  text: string;
  values: readonly unknown[];
}

/** A statement that is running, and what it has returned so far. */
class Running implements Result {
  readonly rows: unknown[][] = [];
  command = '';
  rowCount = 0;

  constructor(
    readonly statement: Statement,
    readonly values: unknown[],
  ) {}

  get columns(): readonly string[] {
    return this.statement.columns;
  }
}

/** What pg calls while statements run. Its own class asks for the columns again each time. */
class PreparedQuery {
  #completed = 0;

  constructor(
    private readonly statements: Statements,
    private readonly steps: readonly Running[],
    private readonly resolve: (results: readonly Result[]) => void,
    private readonly reject: (error: unknown) => void,
  ) {}

  submit(wire: Wire): null {
    // All messages leave in one packet.
    wire.stream.cork();
    for (const unused of this.statements.takeUnused()) wire.close({ type: 'S', name: unused });
    for (const { statement, values } of this.steps) {
      const { name, text, isPrepared } = statement;
      if (!isPrepared) {
        // A failed first run leaves a statement of this name.
        if (name !== '') wire.close({ type: 'S', name });
        wire.parse({ name, text });
        wire.describe({ type: 'S', name });
      }
      wire.bind({ statement: name, values });
      wire.execute();
    }
    wire.sync();
    wire.stream.uncork();
    return null;
  }

  get #step(): Running {
    // Cast: the server answers the steps that were sent.
    return this.steps[this.#completed] as Running;
  }

  handleRowDescription({ fields }: { fields: { name: string; dataTypeID: number }[] }): void {
    const { statement } = this.#step;
    statement.columns = fields.map(({ name }) => name);
    statement.parsers = fields.map(
      ({ dataTypeID }) => pg.types.getTypeParser(dataTypeID, 'text') as Parser,
    );
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    const { statement, rows } = this.#step;
    const { parsers } = statement;
    const row: unknown[] = fields;
    for (let index = 0; index < fields.length; index += 1) {
      const text = fields[index];
      const parse = parsers[index];
      if (parse && text !== null && text !== undefined) row[index] = parse(text);
    }
    rows.push(row);
  }

  handleCommandComplete({ text }: { text: string }): void {
    // For example `SELECT 3`, `UPDATE 1` or `INSERT 0 1`.
    const words = text.split(' ');
    const step = this.#step;
    step.command = words[0] ?? '';
    step.rowCount = Number(words.at(-1));
    this.#completed += 1;
  }

  handleEmptyQuery(): void {}

  handleError(error: unknown): void {
    for (const { statement } of this.steps)
      if (!statement.isPrepared) this.statements.forget(statement.text);
    this.reject(error);
  }

  handleReadyForQuery(): void {
    for (const { statement } of this.steps) statement.isPrepared = statement.name !== '';
    this.resolve(this.steps);
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
  let kept = statementsOf.get(connection);
  if (!kept) statementsOf.set(connection, (kept = new Statements()));
  const statements = kept;
  const run = () => send(connection, statements, steps, ({ text }) => statements.get(text));
  try {
    return await run();
  } catch (error) {
    if (!isStale(error)) throw error;
    for (const { text } of steps) statements.forget(text);
    if (connection.__knexTxId !== undefined) throw error;
    return await run();
  }
}

/** Runs statements without keeping them, for poolers that do not track prepared statements. */
export const runUnprepared = (
  connection: PostgresConnection,
  steps: readonly Step[],
): Promise<readonly Result[]> =>
  send(connection, new Statements(), steps, ({ text }) => new Statement(text, ''));

const send = (
  connection: PostgresConnection,
  statements: Statements,
  steps: readonly Step[],
  statementOf: (step: Step) => Statement,
): Promise<readonly Result[]> =>
  new Promise((resolve, reject) => {
    const running = steps.map(
      (step) => new Running(statementOf(step), step.values.map(prepareValue)),
    );
    connection.query(new PreparedQuery(statements, running, resolve, reject));
  });

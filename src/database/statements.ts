/** Statements whose SQL is made once. Each connection prepares them once, and each run gives the values. */
import type { Knex } from 'knex';
import type { Client } from '../concurrency/client.js';
import { chunks } from './batches.js';
import { untilEnded, type Ending } from './cancelling.js';
import type { RawClient } from './knex-internals.js';

/** Stands in a statement for a value that each run gives. */
export class Parameter {
  constructor(readonly name: string) {}
}

/** The parameters `limit` and `offset`. knex accepts only numbers there, so these stand for them. */
export const LIMIT = 2_147_483_601;
export const OFFSET = 2_147_483_602;

const standsFor = new Map<unknown, Parameter>([
  [LIMIT, new Parameter('limit')],
  [OFFSET, new Parameter('offset')],
]);

export interface Statement {
  text: string;
  /** The value for each place in the text. */
  values: readonly unknown[];
  /** The columns of a read. The values of each row are in their order. */
  columns?: readonly string[];
}

/** The values of the parameters of one run. */
export interface Values {
  readonly [parameter: string]: unknown;
}

/** SQL of a write with `:name` for each value, and the values of one run. */
export interface Write {
  sql: string;
  values: Values;
}

export type Row = readonly unknown[];

/** What a statement has done. */
export interface Done {
  /** The number of rows that it returned or changed. */
  count: number;
  /** The values of each row, in the order of the columns. */
  rows: readonly Row[];
}

/** Reports a statement that is about to be sent. @returns reports its result */
type Report = (statement: Statement) => (done: Done) => void;

/** How one of the databases runs statements. */
export interface Dialect<Connection> {
  /** A subquery: the name of each `table` with each `column`. */
  columns: string;
  /** The text that is sent for SQL with `?` for each value. */
  textOf(sql: string, columns?: readonly string[]): string;
  /**
   * Runs statements on a connection: in its transaction, or else as one transaction of their own.
   * @param report is called before each statement, and its result after it
   */
  run(
    connection: Connection,
    statements: readonly Statement[],
    inTransaction: boolean,
    report: Report,
  ): Promise<readonly Done[]>;
  /** How a statement of the connection is ended. */
  ending(connection: Connection): Omit<Ending, 'client'>;
}

export class Statements<Connection extends { __knexUid?: string } = { __knexUid?: string }> {
  #columns: Promise<Map<string, string[]>> | undefined;
  readonly #writes = new Map<string, Statement>();

  constructor(
    private readonly pools: { read: Knex; write: Knex },
    private readonly dialect: Dialect<Connection>,
  ) {}

  /**
   * The columns of a table, as the database has them. A read names its columns. So it still works
   * when a process of a newer version adds one.
   */
  async columnsOf(table: string): Promise<readonly string[]> {
    this.#columns ??= this.#readColumns();
    try {
      return (await this.#columns).get(table) ?? [];
    } catch (error) {
      this.#columns = undefined;
      throw error;
    }
  }

  async #readColumns(): Promise<Map<string, string[]>> {
    const rows: { table: string; column: string }[] = await this.pools.read
      .select('*')
      .fromRaw(this.dialect.columns);
    const columns = new Map<string, string[]>();
    for (const { table, column } of rows)
      columns.set(table, [...(columns.get(table) ?? []), column]);
    return columns;
  }

  /** The statement of a query that selects these columns. */
  compile(query: Knex.QueryBuilder, columns: readonly string[]): Statement {
    const { sql, bindings } = query.toSQL();
    return {
      text: this.dialect.textOf(sql, columns),
      values: bindings.map((value) => standsFor.get(value) ?? value),
      columns,
    };
  }

  /**
   * @param caller ends the read when it leaves
   * @throws DatabaseUnavailable; Overloaded if the caller has left
   */
  async read(statement: Statement, values: Values, caller?: Client): Promise<readonly Row[]> {
    caller?.demand();
    const [done] = await this.#onConnection(this.pools.read, (connection, report) =>
      untilEnded({ client: caller, ...this.dialect.ending(connection) }, () =>
        this.dialect.run(connection, [withValues(statement, values)], false, report),
      ),
    );
    return done?.rows ?? [];
  }

  /**
   * Runs all writes or none. PostgreSQL gets all of them in one packet. So they cannot depend on
   * the result of an earlier one, except by their SQL.
   * @param writes SQL with `:name` for each value. Each text is kept, so its values are not in it
   * @param trx runs them in this transaction
   * @throws DatabaseUnavailable
   */
  write(writes: readonly string[], values: Values, trx?: Knex): Promise<readonly Done[]> {
    return this.#write(
      writes.map((sql) => ({ sql, values })),
      trx,
    );
  }

  /** The same for any number of writes, each with values of its own, in a transaction. */
  async writeAll(writes: readonly Write[], trx: Knex): Promise<void> {
    for (const batch of chunks(writes)) await this.#write(batch, trx);
  }

  #write(writes: readonly Write[], trx?: Knex): Promise<readonly Done[]> {
    const statements = writes.map(({ sql, values }) => withValues(this.#compileWrite(sql), values));
    return this.#onConnection(trx ?? this.pools.write, (connection, report) =>
      this.dialect.run(connection, statements, trx !== undefined, report),
    );
  }

  #compileWrite(sql: string): Statement {
    let compiled = this.#writes.get(sql);
    if (!compiled) {
      const values: Parameter[] = [];
      // Two colons are a cast of PostgreSQL.
      const text = sql.replaceAll(/(?<!:):([a-z]\w*)/gi, (_, name: string) => {
        values.push(new Parameter(name));
        return '?';
      });
      this.#writes.set(sql, (compiled = { text: this.dialect.textOf(text), values }));
    }
    return compiled;
  }

  /** Gives `run` a connection, and what tells knex about each statement. */
  async #onConnection<T>(
    { client: untyped }: Knex,
    run: (connection: Connection, report: Report) => Promise<T>,
  ): Promise<T> {
    // Cast: knex does not declare the type of its client.
    const client = untyped as RawClient<Connection>;
    const connection = await client.acquireConnection();
    const report: Report = ({ text, values }) => {
      const query = { __knexUid: connection.__knexUid, sql: text, bindings: values };
      client.emit('query', query);
      return ({ rows }) => client.emit('query-response', rows, query);
    };
    try {
      return await run(connection, report);
    } finally {
      client.releaseConnection(connection);
    }
  }
}

const withValues = (statement: Statement, given: Values): Statement => ({
  ...statement,
  values: statement.values.map((value) => (value instanceof Parameter ? given[value.name] : value)),
});

/** The SQL of each column of a new row. */
export interface NewRow {
  readonly [column: string]: string;
}

/** @param condition the row is inserted only if it holds */
export function insertInto(table: string, row: NewRow, condition = 'true'): string {
  const columns = Object.keys(row).join(', ');
  return `insert into ${table} (${columns}) select ${Object.values(row).join(', ')} where ${condition}`;
}

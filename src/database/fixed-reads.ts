/** Reads whose SQL is made once. Each connection prepares it once, and each run only gives values. */
import type { Knex } from 'knex';
import type { Client } from '../concurrency/client.js';
import { untilEnded, type Ending } from './cancelling.js';
import type { RawClient } from './knex-internals.js';

/** Stands in a query for a value that each run gives. */
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

export interface FixedRead {
  text: string;
  /** The columns of the rows. The values of each row are in the order of these columns. */
  columns: readonly string[];
  bindings: readonly unknown[];
}

/** The values of the parameters of one run. */
export interface Values {
  readonly [parameter: string]: unknown;
}

export type Row = readonly unknown[];

/** How one of the databases reads. */
export interface ReadDialect<Connection> {
  /** A subquery: the name of each `table` with each `column`. */
  columns: string;
  /** The text that is sent for a compiled query. */
  textOf(sql: string, columns: readonly string[]): string;
  run(connection: Connection, text: string, values: unknown[]): Promise<Row[]>;
  /** How a statement of the connection is ended. */
  ending(connection: Connection): Omit<Ending, 'client'>;
  /** SQL for: the value of the column is in a list, whose length differs from run to run. */
  isOneOf(column: string): string;
  /** SQL for: the values of the column in all rows, as such a list. They are numbers. */
  gathered(column: string): string;
  /** SQL for: the text begins with one of such a list. */
  beginsWithOneOf(text: string): string;
  /** SQL for: the text contains all of such a list. */
  hasAll(text: string): string;
  /** The value of such a list. */
  listOf(values: readonly (number | string)[]): unknown;
}

export class FixedReads<Connection extends { __knexUid?: string } = { __knexUid?: string }> {
  readonly #client: RawClient<Connection>;
  #columns: Promise<Map<string, string[]>> | undefined;
  readonly isOneOf: ReadDialect<Connection>['isOneOf'];
  readonly gathered: ReadDialect<Connection>['gathered'];
  readonly beginsWithOneOf: ReadDialect<Connection>['beginsWithOneOf'];
  readonly hasAll: ReadDialect<Connection>['hasAll'];
  readonly listOf: ReadDialect<Connection>['listOf'];

  constructor(
    private readonly knex: Knex,
    private readonly dialect: ReadDialect<Connection>,
  ) {
    // Cast: knex does not declare the type of its client.
    this.#client = knex.client as RawClient<Connection>;
    this.isOneOf = dialect.isOneOf;
    this.gathered = dialect.gathered;
    this.beginsWithOneOf = dialect.beginsWithOneOf;
    this.hasAll = dialect.hasAll;
    this.listOf = dialect.listOf;
  }

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
    const rows: { table: string; column: string }[] = await this.knex
      .select('*')
      .fromRaw(this.dialect.columns);
    const columns = new Map<string, string[]>();
    for (const { table, column } of rows)
      columns.set(table, [...(columns.get(table) ?? []), column]);
    return columns;
  }

  /** Compiles a query that selects these columns. */
  compile(query: Knex.QueryBuilder, columns: readonly string[]): FixedRead {
    const { sql, bindings } = query.toSQL();
    return {
      text: this.dialect.textOf(sql, columns),
      columns,
      bindings: bindings.map((value) => standsFor.get(value) ?? value),
    };
  }

  /**
   * @param client ends the read when it leaves
   * @throws DatabaseUnavailable; Overloaded if the client has left
   */
  async run({ text, bindings }: FixedRead, values: Values, client?: Client): Promise<Row[]> {
    client?.demand();
    const given = bindings.map((value) =>
      value instanceof Parameter ? values[value.name] : value,
    );
    const connection = await this.#client.acquireConnection();
    const query = { __knexUid: connection.__knexUid, sql: text, bindings: given };
    try {
      // The client can have left while the read waited for its connection.
      client?.demand();
      this.#client.emit('query', query);
      const rows = await untilEnded({ client, ...this.dialect.ending(connection) }, () =>
        this.dialect.run(connection, text, given),
      );
      this.#client.emit('query-response', rows, query);
      return rows;
    } finally {
      this.#client.releaseConnection(connection);
    }
  }
}

/** Writes whose SQL is made once. Each connection prepares it once, and each run gives the values. */
import type { Knex } from 'knex';
import type { Row, Values } from './fixed-reads.js';
import type { RawClient } from './knex-internals.js';

export interface Step {
  text: string;
  values: readonly unknown[];
}

/** What a write has done. */
export interface Written {
  /** The number of rows that it returned or changed. */
  count: number;
  /** With `returning`: the values of each row, in the order of the columns. */
  rows: readonly Row[];
}

/** How one of the databases writes. */
export interface WriteDialect<Connection> {
  /** The text that is sent for SQL with `?` for each value. */
  textOf(sql: string): string;
  /**
   * Runs the steps on a connection: in its transaction, or else as one transaction of their own.
   * @param report is called before each step, and its result after the step
   */
  run(
    connection: Connection,
    steps: readonly Step[],
    inTransaction: boolean,
    report: Report,
  ): Promise<readonly Written[]>;
}

/** Reports a statement that is about to be sent. @returns reports its result */
export type Report = (step: Step) => (written: Written) => void;

interface Compiled {
  text: string;
  /** The name of the value for each place in the text. */
  parameters: readonly string[];
}

export class FixedWrites<Connection extends { __knexUid?: string } = { __knexUid?: string }> {
  readonly #compiled = new Map<string, Compiled>();

  constructor(
    private readonly knex: Knex,
    private readonly dialect: WriteDialect<Connection>,
  ) {}

  /**
   * Runs all writes or none. PostgreSQL gets all of them in one packet. So they cannot depend on
   * the result of an earlier one, except by their SQL.
   * @param writes SQL with `:name` for each value. Each text is kept, so its values are not in it
   * @param trx runs them in this transaction
   * @throws DatabaseUnavailable
   */
  async run(writes: readonly string[], values: Values, trx?: Knex): Promise<readonly Written[]> {
    const steps = writes.map((sql) => {
      const { text, parameters } = this.#compile(sql);
      return { text, values: parameters.map((name) => values[name]) };
    });
    // Cast: knex does not declare the type of its client.
    const client = (trx ?? this.knex).client as RawClient<Connection>;
    const connection = await client.acquireConnection();
    const report: Report = ({ text, values: bindings }) => {
      const query = { __knexUid: connection.__knexUid, sql: text, bindings };
      client.emit('query', query);
      return ({ rows }) => client.emit('query-response', rows, query);
    };
    try {
      return await this.dialect.run(connection, steps, trx !== undefined, report);
    } finally {
      client.releaseConnection(connection);
    }
  }

  #compile(sql: string): Compiled {
    let compiled = this.#compiled.get(sql);
    if (!compiled) {
      const parameters: string[] = [];
      // Two colons are a cast of PostgreSQL.
      const text = sql.replaceAll(/(?<!:):([a-z]\w*)/gi, (_, name: string) => {
        parameters.push(name);
        return '?';
      });
      this.#compiled.set(sql, (compiled = { text: this.dialect.textOf(text), parameters }));
    }
    return compiled;
  }
}

/** The SQL of each column of a new row. */
export interface NewRow {
  readonly [column: string]: string;
}

/** @param condition the row is inserted only if it holds */
export function insertInto(table: string, row: NewRow, condition = 'true'): string {
  const columns = Object.keys(row).join(', ');
  return `insert into ${table} (${columns}) select ${Object.values(row).join(', ')} where ${condition}`;
}

/** Reads of models whose SQL is made once for each kind of caller. */
import type { Model, QueryBuilder } from 'objection';
import type { Client } from '../concurrency/client.js';
import { Parameter, type Database, type Statement, type Values } from '../database/index.js';
import { rowMaker, type Record, type RowMaker } from '../models/record.js';
import type { User } from '../models/user.js';
import { kindOf, type CallerKind } from './sql-conditions.js';

/**
 * Stands in a query for a value that each run gives.
 * Cast: query builders pass bindings on, but they declare only values of the database.
 */
export const parameter = (name: string): string => new Parameter(name) as unknown as string;

/** The SQL of each selected column, by the name that it gets in the rows. */
export interface Columns {
  readonly [name: string]: string;
}

interface Parts<M extends Model> {
  query: QueryBuilder<M>;
  columns: Columns;
  /** Makes the model of a row. Absent: from all columns. */
  make?: (columns: readonly string[]) => RowMaker<M>;
}

type Made<M> = Promise<{
  read: Statement;
  make: RowMaker<M>;
}>;

/**
 * A read of rows. `build` makes its query for a caller whose id is a parameter. It gives all other
 * values as `parameter(name)`. It is called once for each kind of caller and each shape.
 */
export class PreparedRead<M extends Record, Shape extends string = ''> {
  readonly #made = new WeakMap<Database, Map<string, Made<M>>>();

  constructor(
    private readonly build: (
      db: Database,
      user: User,
      shape: Shape,
    ) => Promise<Parts<M>> | Parts<M>,
  ) {}

  /**
   * @param reader its client ends the read when it leaves
   * @throws DatabaseUnavailable; Overloaded if the client has left
   */
  async rows(
    { db, user, client }: { db: Database; user: User; client?: Client | undefined },
    values: Values,
    shape = '' as Shape,
  ): Promise<M[]> {
    const { read, make } = await this.#madeFor(db, kindOf(user), shape);
    const rows = await db.statements.read(read, { ...values, caller: user.id }, client);
    return rows.map((row) => make(row));
  }

  #madeFor(db: Database, kind: CallerKind, shape: Shape): Made<M> {
    let made = this.#made.get(db);
    if (!made) this.#made.set(db, (made = new Map()));
    const key = `${kind} ${shape}`;
    let one = made.get(key);
    if (!one) {
      const all = made;
      all.set(key, (one = this.#make(db, kind, shape)));
      one.catch(() => all.delete(key));
    }
    return one;
  }

  async #make(db: Database, kind: CallerKind, shape: Shape): Made<M> {
    const { query, columns, make } = await this.build(db, callers[kind], shape);
    const names = Object.keys(columns);
    return {
      read: db.statements.compile(selectOnly(query, columns).toKnexQuery(), names),
      make: make?.(names) ?? rowMaker<M>(query.modelClass() as never, names),
    };
  }
}

export const selectOnly = <M extends Model>(
  query: QueryBuilder<M>,
  columns: Columns,
): QueryBuilder<M> =>
  query
    .clearSelect()
    .select(
      Object.entries(columns).map(([name, column]) =>
        query.modelClass().raw(`${column} as "${name}"`),
      ),
    );

const caller = (kind: CallerKind): User =>
  // Cast: conditions read nothing else of the caller.
  ({
    id: parameter('caller'),
    admin: kind === 'admin',
    anonymous: kind === 'anonymous',
  }) as unknown as User;

const callers: { [kind in CallerKind]: User } = {
  admin: caller('admin'),
  person: caller('person'),
  anonymous: caller('anonymous'),
};

/** Only searches read it, and only in the database. */
const SEARCH_TEXT = 'search_text';

/** All columns of a table that models have. `but` are left out. */
export async function columnsOf(
  db: Database,
  table: string,
  but: readonly string[] = [],
): Promise<Columns> {
  const names = await db.statements.columnsOf(table);
  return Object.fromEntries(
    names
      .filter((name) => name !== SEARCH_TEXT && !but.includes(name))
      .map((name) => [name, `${table}.${name}`]),
  );
}

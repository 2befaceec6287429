/** Reads of models whose SQL is made once for each kind of caller. */
import type { Model, QueryBuilder } from 'objection';
import type { Client } from '../concurrency/client.js';
import { parameter, selectOnly, type Columns } from '../database/columns.js';
import type { Database, Statement, Values } from '../database/index.js';
import { rowMaker, type Record, type RowMaker } from '../models/record.js';
import type { User } from '../models/user.js';
import { kindOf, type CallerKind } from './sql-conditions.js';

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

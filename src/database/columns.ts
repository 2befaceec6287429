/** The selected columns of a query, and the values that it is given later. */
import type { Model, QueryBuilder } from 'objection';
import { Parameter, type Database } from './index.js';

/**
 * Stands in a query for a value that each run gives.
 * Cast: query builders pass bindings on, but they declare only values of the database.
 */
export const parameter = (name: string): string => new Parameter(name) as unknown as string;

/** The SQL of each selected column, by the name that it gets in the rows. */
export interface Columns {
  readonly [name: string]: string;
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

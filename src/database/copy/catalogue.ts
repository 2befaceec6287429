/** The tables of a database that are copied, from its own catalogue. */
import type { Database } from '../database.js';

export interface Table {
  name: string;
  /** In the order of the alphabet. */
  columns: string[];
  /** The primary key. Keys of text are in the order of code points. */
  key: { column: string; isText: boolean }[];
  /** Columns that refer to rows of the same table. */
  ownReferences: string[];
}

interface Column {
  table: string;
  column: string;
  type: string;
  /** Its place in the primary key, from 1 on. */
  key: number | null;
  /** The table to which it refers. */
  target: string | null;
}

const catalogues: { readonly [client in Database['client']]: string } = {
  // Searches have virtual tables, which triggers fill.
  sqlite: `select tables.name as "table", columns.name as "column", columns.type,
      nullif(columns.pk, 0) as "key", targets."table" as target
    from pragma_table_list as tables join pragma_table_info(tables.name) as columns
      left join pragma_foreign_key_list(tables.name) as targets on targets."from" = columns.name
    where tables.schema = 'main' and tables.type = 'table'`,
  postgres: `select tables.relname as "table", columns.attname as "column",
      format_type(columns.atttypid, null) as type,
      (select array_position(conkey, columns.attnum) from pg_constraint
        where conrelid = tables.oid and contype = 'p') as "key",
      (select min(targets.relname) from pg_constraint
        join pg_class as targets on targets.oid = confrelid
        where conrelid = tables.oid and contype = 'f' and columns.attnum = any (conkey)) as target
    from pg_class as tables join pg_attribute as columns on columns.attrelid = tables.oid
    where tables.relkind = 'r' and tables.relnamespace = current_schema()::regnamespace
      and columns.attnum > 0 and not columns.attisdropped`,
};

/**
 * Each database has its own copy of these: migrations, sequences, the state of a copy, and what
 * triggers count.
 */
const OWN = /^(knex_|sqlite_|unfinished_copy$|project_usage)/;
/** Their values have the same form on both databases, except that SQLite has numbers as booleans. */
const KNOWN_TYPES = /^(integer|bigint|boolean|text|(varchar|character varying)(\(\d+\))?)$/i;

async function columnsOf({ client, read }: Database): Promise<Column[]> {
  const columns = await read
    .select<Column[]>('*')
    .from(read.raw(`(${catalogues[client]}) as catalogue`))
    .orderBy(['table', 'column']);
  return columns.filter(({ table }) => !OWN.test(table));
}

/**
 * The tables that both databases have. A table comes after those to which it refers.
 * @throws Error if the tables or columns differ, or if a type is not known
 */
export async function tablesOfBoth(from: Database, to: Database): Promise<Table[]> {
  const [columns, others] = await Promise.all([columnsOf(from), columnsOf(to)]);
  const names = (of: Column[]) => of.map(({ table, column }) => `${table}.${column}`);
  if (names(columns).join() !== names(others).join())
    throw new Error('The databases have different tables or columns.');
  for (const { table, column, type } of columns)
    if (!KNOWN_TYPES.test(type))
      throw new Error(`Columns of the type ${type} cannot be copied: ${table}.${column}`);
  return inOrder([...columns, ...others]).map((name) => tableOf(name, columns));
}

/** The names of the tables of a database, in no particular order. */
export const tableNames = async (db: Database): Promise<string[]> => [
  ...new Set((await columnsOf(db)).map(({ table }) => table)),
];

function tableOf(name: string, all: Column[]): Table {
  const columns = all.filter(({ table }) => table === name);
  return {
    name,
    columns: columns.map(({ column }) => column),
    key: columns
      .filter(({ key }) => key !== null)
      .sort((a, b) => Number(a.key) - Number(b.key))
      .map(({ column, type }) => ({ column, isText: /char|text/i.test(type) })),
    ownReferences: columns.filter(({ target }) => target === name).map(({ column }) => column),
  };
}

function inOrder(columns: Column[]): string[] {
  const targets = new Map<string, Set<string>>();
  for (const { table, target } of columns) {
    const found = targets.get(table) ?? new Set();
    targets.set(table, target === null || target === table ? found : found.add(target));
  }
  const ordered = new Set<string>();
  while (ordered.size < targets.size) {
    const next = [...targets].filter(
      ([name, needed]) => !ordered.has(name) && [...needed].every((one) => ordered.has(one)),
    );
    if (next.length === 0) throw new Error('Tables refer to each other in a circle.');
    for (const [name] of next) ordered.add(name);
  }
  return [...ordered];
}

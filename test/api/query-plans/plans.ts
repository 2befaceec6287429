/** The SQL statements of some work, and the tables that the database would read completely for them. */
import type { Knex } from 'knex';
import pg from 'pg';
import type { App } from '../../support/app.js';
import { databaseKind } from '../../support/database.js';

export interface Statement {
  sql: string;
  bindings: readonly unknown[];
}

/** Reads and updates of some work. Other inserts need no search. */
export async function statementsOf(
  {
    running: {
      services: { db },
    },
  }: App,
  work: () => Promise<unknown>,
): Promise<Statement[]> {
  const seen: Statement[] = [];
  const note = ({ sql, bindings }: Statement) => {
    if (/^(select|update|delete|with|insert .* join)\b/i.test(sql))
      seen.push({ sql, bindings: bindings ?? [] });
  };
  const pools = new Set([db.read, db.write]);
  for (const knex of pools) knex.on('query', note);
  try {
    await work();
  } finally {
    for (const knex of pools) knex.off('query', note);
  }
  return seen;
}

/** Small tables, with as many rows as administrators create. */
const small = new Set([
  'roles',
  'role_permissions',
  'storages',
  'oauth_applications',
  'oauth_client_credentials',
  'webhooks',
  'statuses',
  'types',
  'project_types',
  // A row for each storage.
  'folder_syncs',
  'project_usage',
  'project_usage_changes',
  'backup_report',
]);

export interface Plans {
  /**
   * Each fully read table, as e.g. `attachments` or `attachments by attachments_pkey`. Partial indexes contain only
   * wanted rows.
   */
  wholeReads(statement: Statement): Promise<string[]>;
  close(): Promise<void>;
}

export const openPlans = (app: App): Promise<Plans> =>
  databaseKind() === 'sqlite'
    ? sqlitePlans(app.running.services.db.write)
    : postgresPlans(app.environment['DATABASE_URL']!);

async function sqlitePlans(db: Knex): Promise<Plans> {
  const partial = new Set(
    (
      (await db('sqlite_master').where('type', 'index').where('sql', 'like', '% where %')) as {
        name: string;
      }[]
    ).map(({ name }) => name),
  );
  return {
    async wholeReads({ sql, bindings }) {
      const lines = await db.raw<{ parent: number; detail: string }[]>(
        `explain query plan ${sql}`,
        bindings as Knex.RawBinding[],
      );
      const isSubquery = (parent: number, name: string) =>
        lines.some(
          (line) =>
            line.parent === parent &&
            /^(CO-ROUTINE|MATERIALIZE) (.*)$/.exec(line.detail)?.[2] === name,
        );
      return lines.flatMap(({ parent, detail }) => {
        const [, name, index] =
          /^SCAN (\w+)(?: USING (?:COVERING )?INDEX (\w+))?/.exec(detail) ?? [];
        const table = name && !isSubquery(parent, name) && tableOf(sql, name);
        if (!table || (index && partial.has(index))) return [];
        // The keys that the statement itself gives.
        if (table === 'json_each') return [];
        return small.has(table) ? [] : [index ? `${table} by ${index}` : table];
      });
    },
    close: async () => undefined,
  };
}

/** Plans name a table by its alias. Other names are subqueries, whose tables have their own lines. */
function tableOf(sql: string, name: string): string | undefined {
  const plain = sql.replaceAll(/["`]/g, '');
  const alias = new RegExp(`\\b(\\w+) as ${name}\\b`, 'i').exec(plain)?.[1];
  return (
    alias ?? (new RegExp(`\\b(from|join|update) ${name}\\b`, 'i').test(plain) ? name : undefined)
  );
}

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  Plans?: PlanNode[];
}

async function postgresPlans(url: string): Promise<Plans> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  // Makes random reads as cheap as on an SSD. With few pages, the default would prefer to read the
  // whole table.
  await client.query('set random_page_cost = 1.1');
  const { rows } = await client.query(
    'select indexrelid::regclass::text as name from pg_index where indpred is not null',
  );
  const partial = new Set((rows as { name: string }[]).map(({ name }) => name));
  const wholeReads = (node: PlanNode): string[] => {
    const {
      'Node Type': type,
      'Relation Name': table,
      'Index Name': index,
      'Index Cond': condition,
      Plans: below = [],
    } = node;
    const whole =
      type === 'Seq Scan' ||
      (type.startsWith('Index') && condition === undefined && !partial.has(index!));
    return [
      ...(whole && !small.has(table!) ? [index ? `${table} by ${index}` : table!] : []),
      ...below.flatMap(wholeReads),
    ];
  };
  return {
    async wholeReads({ sql, bindings }) {
      const {
        rows: [row],
      } = await client.query(`explain (format json) ${sql}`, [...bindings]);
      return wholeReads((row['QUERY PLAN'] as [{ Plan: PlanNode }])[0].Plan);
    },
    close: () => client.end(),
  };
}

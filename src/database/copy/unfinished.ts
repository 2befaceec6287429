/** Marks a database as an unfinished copy of another one. */
import type { Knex } from 'knex';

const TABLE = 'unfinished_copy';

interface Mark {
  /** The name of the database that is copied. */
  source: string;
  /** Whether the rows that migrations make are removed, so that all rows are copied ones. */
  cleared: boolean | number;
}

export const markOf = async (db: Knex): Promise<Mark | undefined> =>
  (await db.schema.hasTable(TABLE)) ? db<Mark>(TABLE).first() : undefined;

/** @throws Error if the database is an unfinished copy */
export async function demandComplete(db: Knex): Promise<void> {
  const mark = await markOf(db);
  if (mark)
    throw new Error(
      `The database is an unfinished copy of ${mark.source}. ` +
        'Run the same `moorage copy-to` again to finish it.',
    );
}

export const setMark = (db: Knex, source: string): Promise<void> =>
  db.transaction(async (trx) => {
    await trx.schema.createTable(TABLE, (table) => {
      table.text('source').notNullable();
      table.boolean('cleared').notNullable();
    });
    await trx(TABLE).insert({ source, cleared: false });
  });

export const markCleared = async (trx: Knex): Promise<void> =>
  void (await trx(TABLE).update({ cleared: true }));

export const removeMark = (db: Knex): Promise<void> => db.schema.dropTable(TABLE);

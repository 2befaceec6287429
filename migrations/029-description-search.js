/**
 * Adds the texts of descriptions that searches read.
 *
 * They have a table of their own, because lists read all columns of work packages. Work packages
 * without a description have no row.
 */
/** Rows in one statement. Descriptions have up to 65,536 characters. */
const BATCH = 50;
const TABLE = 'work_package_texts';

export async function up(knex) {
  await knex.schema.createTable(TABLE, (table) => {
    table
      .integer('id')
      .notNullable()
      .primary()
      .references('id')
      .inTable('work_packages')
      .onDelete('CASCADE');
    table.text('search_text').notNullable();
  });
  for (let after = 0; ;) {
    const rows = await knex('work_packages')
      .select('id', 'description_text')
      .where('id', '>', after)
      .whereNot('description_text', '')
      .orderBy('id')
      .limit(BATCH);
    if (rows.length === 0) break;
    await knex(TABLE).insert(
      rows.map((row) => ({ id: row.id, search_text: foldedInOneLine(row.description_text) })),
    );
    after = rows.at(-1).id;
  }
  await (knex.client.dialect === 'postgresql' ? addTrigrams(knex) : addFullText(knex));
}

/** Migration 013 has made the extension, if the user of the database may do that. */
async function addTrigrams(knex) {
  const { rows } = await knex.raw("select 1 from pg_extension where extname = 'pg_trgm'");
  if (rows.length > 0)
    await knex.raw(
      `create index ${TABLE}_search_index on ${TABLE} using gin (search_text gin_trgm_ops)`,
    );
}

async function addFullText(knex) {
  const index = `${TABLE}_search`;
  const remove = `insert into ${index} (${index}, rowid, search_text) values ('delete', old.id, old.search_text);`;
  const add = `insert into ${index} (rowid, search_text) values (new.id, new.search_text);`;
  await knex.raw(
    `create virtual table ${index} using fts5(search_text, content='${TABLE}', content_rowid='id',` +
      " tokenize='trigram case_sensitive 1', columnsize=0)",
  );
  await knex.raw(`insert into ${index} (rowid, search_text) select id, search_text from ${TABLE}`);
  await knex.raw(`create trigger ${index}_insert after insert on ${TABLE} begin ${add} end`);
  await knex.raw(`create trigger ${index}_delete after delete on ${TABLE} begin ${remove} end`);
  await knex.raw(
    `create trigger ${index}_update after update of search_text on ${TABLE} begin ${remove} ${add} end`,
  );
}

/** As the application does it: without case and accents, with `ss` for `ß`, in one line. */
const foldedInOneLine = (text) =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .split(/\s+/u)
    .join(' ');

export async function down() {
  throw new Error('Migrations only go forward: restore a back-up instead.');
}

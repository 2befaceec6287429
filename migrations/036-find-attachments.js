/**
 * Adds what finds attachments in all containers: the project of the container, and the words of the
 * description beside those of the name.
 *
 * A row is in the index of its kind of container. So a list reads only files of kinds that the
 * caller sees. Linked files are found by their names.
 */
/** Rows in one statement. */
const BATCH = 500;
const NAMED = {
  work_package_id: 'work_packages',
  meeting_id: 'meetings',
  post_id: 'posts',
  wiki_page_id: 'wiki_pages',
};

export async function up(knex) {
  await knex.raw('alter table attachments add column project_id integer');
  for (const [column, table] of Object.entries(NAMED))
    await knex.raw(
      `update attachments set project_id = (select project_id from ${table}` +
        ` where ${table}.id = attachments.${column}) where ${column} is not null`,
    );
  await knex.raw(
    'update attachments set project_id = (select work_packages.project_id from activities' +
      ' join work_packages on work_packages.id = activities.work_package_id' +
      ' where activities.id = attachments.activity_id) where activity_id is not null',
  );
  await addTexts(
    knex,
    'attachments',
    ['file_name', 'description_text'],
    (row) => row.file_name + (row.description_text && `\n${row.description_text}`),
  );
  await knex.raw("alter table file_links add column search_text text not null default ''");
  await addTexts(knex, 'file_links', ['origin_name'], (row) => row.origin_name);
  for (const column of [...Object.keys(NAMED), 'activity_id'])
    await knex.raw(
      `create index attachments_${column.replace('_id', '')}_project_index on attachments` +
        ` (project_id, id) where phase = 'kept' and ${column} is not null`,
    );
  const isPostgres = knex.client.dialect === 'postgresql';
  const contentType = isPostgres ? 'content_type collate "C"' : 'content_type';
  for (const [name, column] of [
    ['created_at', 'created_at'],
    ['content_type', contentType],
  ])
    await knex.raw(
      `create index attachments_${name}_index on attachments (${column}, id) where phase = 'kept'`,
    );
  for (const table of ['attachments', 'file_links'])
    await (isPostgres ? addTrigrams(knex, table) : addFullText(knex, table));
}

/** The texts of rows, from some of their columns. */
async function addTexts(knex, table, columns, textOf) {
  for (let after = 0; ;) {
    const rows = await knex(table)
      .select('id', ...columns)
      .where('id', '>', after)
      .orderBy('id')
      .limit(BATCH);
    if (rows.length === 0) break;
    const values = rows.map(() => '(cast(? as integer), ?)').join(', ');
    await knex.raw(
      `with texts (id, text) as (values ${values}) update ${table} set search_text =` +
        ` (select text from texts where texts.id = ${table}.id) where id in (select id from texts)`,
      rows.flatMap((row) => [row.id, folded(textOf(row))]),
    );
    after = rows.at(-1).id;
  }
}

/** Migration 013 has made the extension, if the user of the database may do that. */
async function addTrigrams(knex, table) {
  const { rows } = await knex.raw("select 1 from pg_extension where extname = 'pg_trgm'");
  if (rows.length > 0)
    await knex.raw(
      `create index ${table}_search_index on ${table} using gin (search_text gin_trgm_ops)`,
    );
}

async function addFullText(knex, table) {
  const index = `${table}_search`;
  const remove = `insert into ${index} (${index}, rowid, search_text) values ('delete', old.id, old.search_text);`;
  const add = `insert into ${index} (rowid, search_text) values (new.id, new.search_text);`;
  await knex.raw(
    `create virtual table ${index} using fts5(search_text, content='${table}', content_rowid='id',` +
      " tokenize='trigram case_sensitive 1', columnsize=0)",
  );
  await knex.raw(`insert into ${index} (rowid, search_text) select id, search_text from ${table}`);
  await knex.raw(`create trigger ${index}_insert after insert on ${table} begin ${add} end`);
  await knex.raw(`create trigger ${index}_delete after delete on ${table} begin ${remove} end`);
  await knex.raw(
    `create trigger ${index}_update after update of search_text on ${table} begin ${remove} ${add} end`,
  );
}

/** As the application folds texts: without case and accents, with `ss` for `ß`. */
const folded = (text) =>
  text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ß', 'ss');

export async function down() {
  throw new Error('Migrations only go forward: restore a back-up instead.');
}

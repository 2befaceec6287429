/**
 * Adds statuses, types, and details of work packages and projects. Adds the texts that searches read.
 *
 * `search_text` is a name without case and accents, which the application writes. SQLite gets an
 * FTS5 index of its trigrams, PostgreSQL one of `pg_trgm`. Without the right to make that extension,
 * PostgreSQL has no such index, and searches read rows one after the other.
 */
const TIME_LENGTH = 24;
/** Rows in one statement. */
const BATCH = 500;

export async function up(knex) {
  const postgres = knex.client.dialect === 'postgresql';
  const now = new Date().toISOString();
  const times = (table) => {
    table.string('created_at', TIME_LENGTH).notNullable();
    table.string('updated_at', TIME_LENGTH).notNullable();
  };

  await knex.schema.createTable('statuses', (table) => {
    table.increments('id');
    table.string('name', 255).notNullable().unique();
    table.string('color', 32);
    table.boolean('is_closed').notNullable().defaultTo(false);
    table.boolean('is_default').notNullable().defaultTo(false);
    table.integer('position').notNullable();
    times(table);
  });
  await knex.schema.createTable('types', (table) => {
    table.increments('id');
    table.string('name', 255).notNullable().unique();
    table.string('color', 32);
    table.boolean('is_default').notNullable().defaultTo(false);
    table.integer('position').notNullable();
    times(table);
  });
  const first = { is_default: true, position: 1, created_at: now, updated_at: now };
  await knex('statuses').insert({ name: 'New', color: '#1A67A3', is_closed: false, ...first });
  await knex('types').insert({ name: 'Task', color: '#1A67A3', ...first });

  // A project without rows here has all types.
  await knex.schema.createTable('project_types', (table) => {
    table
      .integer('project_id')
      .notNullable()
      .references('id')
      .inTable('projects')
      .onDelete('CASCADE');
    table.integer('type_id').notNullable().references('id').inTable('types').onDelete('CASCADE');
    table.primary(['project_id', 'type_id']);
    table.index('type_id');
  });

  // Not with knex: it would make tables of SQLite anew for a reference, which rows of other tables
  // do not allow.
  const addReference = (table, column, target, onDelete) =>
    knex.raw(
      `alter table ${table} add column ${column} integer references ${target} (id) on delete ${onDelete}`,
    );
  await addReference('projects', 'parent_id', 'projects', 'set null');
  await knex.schema.alterTable('projects', (table) => {
    table.boolean('active').notNullable().defaultTo(true);
    table.index('parent_id');
  });

  await addReference('work_packages', 'assignee_id', 'users', 'restrict');
  await addReference('work_packages', 'responsible_id', 'users', 'restrict');
  await knex.schema.alterTable('work_packages', (table) => {
    table.text('description_text').notNullable().defaultTo('');
    // SQLite adds no column that has both a reference and a default. Nothing deletes such rows.
    table.integer('status_id').notNullable().defaultTo(1);
    table.integer('type_id').notNullable().defaultTo(1);
    table.index(['status_id', 'id']);
    table.index(['type_id', 'id']);
    table.index(['updated_at', 'id']);
    table.index(['created_at', 'id']);
  });
  if (postgres)
    for (const [column, target] of [
      ['status_id', 'statuses'],
      ['type_id', 'types'],
    ])
      await knex.raw(
        `alter table work_packages add foreign key (${column}) references ${target} (id) on delete restrict`,
      );
  for (const column of ['assignee_id', 'responsible_id'])
    await knex.raw(
      `create index work_packages_${column}_index on work_packages (${column}, id) where ${column} is not null`,
    );
  await knex.raw(
    'create index file_links_origin_id_index on file_links (origin_id, work_package_id) where work_package_id is not null',
  );

  // Migration 001 meant this, but did not recognise PostgreSQL: names are sorted by code point.
  if (postgres)
    await knex.raw('alter table attachments alter column file_name type varchar(255) collate "C"');

  await addSearchText(knex, postgres, 'work_packages', ['subject'], (row) => row.subject);
  await addSearchText(
    knex,
    postgres,
    'projects',
    ['name', 'identifier'],
    (row) => `${row.name}\n${row.identifier}`,
  );
  await addSearchText(
    knex,
    postgres,
    'users',
    ['first_name', 'last_name', 'login'],
    (row) => `${row.first_name} ${row.last_name}`.trim() + `\n${row.login}`,
  );
}

async function addSearchText(knex, postgres, table, columns, textOf) {
  // "C" sorts by code point on every server, like BINARY of SQLite.
  await knex.raw(
    `alter table ${table} add column search_text text ${postgres ? 'collate "C" ' : ''}not null default ''`,
  );
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
  await knex.schema.alterTable(table, (built) => built.index(['search_text', 'id']));
  await (postgres ? addTrigrams(knex, table) : addFullText(knex, table));
}

async function addTrigrams(knex, table) {
  const [{ available }] = (
    await knex.raw(
      "select exists (select from pg_available_extensions where name = 'pg_trgm') as available",
    )
  ).rows;
  if (!available) return;
  await knex.raw('savepoint trigrams');
  try {
    await knex.raw('create extension if not exists pg_trgm');
    await knex.raw(
      `create index ${table}_search_index on ${table} using gin (search_text gin_trgm_ops)`,
    );
    await knex.raw('release savepoint trigrams');
  } catch {
    await knex.raw('rollback to savepoint trigrams');
  }
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

/** As the application folds texts: without case and accents. */
const folded = (text) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

export async function down() {
  throw new Error('Migrations only go forward: restore a back-up instead.');
}

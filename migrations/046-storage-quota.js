/**
 * Adds the quota of projects, and the bytes that they use.
 *
 * Triggers write each change of a file's size or place. The cleanup adds these changes to the sums,
 * so uploads to one project never wait for each other.
 */
const KINDS = {
  work_package_id: 'WorkPackage',
  activity_id: 'Activity',
  meeting_id: 'Meeting',
  post_id: 'Post',
  wiki_page_id: 'WikiPage',
};
const COLUMNS = 'project_id, kind, bytes, files';

export async function up(knex) {
  const isPostgres = knex.client.dialect === 'postgresql';
  await knex.raw('alter table projects add column storage_quota bigint');
  await knex.schema.createTable('project_usage', (table) => {
    table.integer('project_id').notNullable();
    table.string('kind', 20).notNullable();
    table.bigInteger('bytes').notNullable();
    table.integer('files').notNullable();
    table.primary(['project_id', 'kind']);
  });
  await knex.schema.createTable('project_usage_changes', (table) => {
    table.increments('id');
    table.integer('project_id').notNullable();
    table.string('kind', 20).notNullable();
    table.bigInteger('bytes').notNullable();
    table.integer('files').notNullable();
    table.index('project_id');
  });
  await knex.raw(
    `insert into project_usage (${COLUMNS})` +
      ` select project_id, ${kindOf('attachments')}, sum(file_size), count(*) from attachments` +
      ` where ${counts('attachments')} group by 1, 2`,
  );
  const take = change('old', '-old.file_size, -1');
  const give = change('new', 'new.file_size, 1');
  // Names of columns: the searches of SQLite change rows by triggers of their own.
  const columns = ['project_id', 'phase', 'file_size', ...Object.keys(KINDS)].join(', ');
  const triggers = [
    { name: 'insert', event: 'insert', body: `${give};`, condition: counts('new') },
    { name: 'delete', event: 'delete', body: `${take};`, condition: counts('old') },
    {
      name: 'update',
      event: `update of ${columns}`,
      body: `${take}; ${give};`,
      condition: differs(isPostgres),
    },
  ];
  for (const { name, event, body, condition } of triggers) {
    if (!isPostgres) {
      await knex.raw(
        `create trigger project_usage_${name} after ${event} on attachments when ${condition}` +
          ` begin ${body} end`,
      );
      continue;
    }
    await knex.raw(
      `create function project_usage_${name}() returns trigger language plpgsql as $$
        begin
          ${body}
          return null;
        end $$`,
    );
    await knex.raw(
      `create trigger project_usage_${name} after ${event} on attachments for each row` +
        ` when (${condition}) execute function project_usage_${name}()`,
    );
  }
}

/** Which rows count: all that keep bytes in a project, also those that arrive and those in the trash. */
const counts = (row) =>
  `(${row}.project_id is not null and ${row}.phase <> 'deleting' and ${kindOf(row)} is not null)`;

const kindOf = (row) =>
  `case ${Object.entries(KINDS)
    .map(([column, kind]) => `when ${row}.${column} is not null then '${kind}'`)
    .join(' ')} end`;

const change = (row, amounts) =>
  `insert into project_usage_changes (${COLUMNS}) select ${row}.project_id, ${kindOf(row)}, ${amounts}` +
  ` where ${counts(row)}`;

const differs = (isPostgres) => {
  const pair = (of) =>
    isPostgres ? `${of('new')} is distinct from ${of('old')}` : `${of('new')} is not ${of('old')}`;
  return [
    pair((row) => `${row}.project_id`),
    pair((row) => `${row}.file_size`),
    pair(counts),
    pair((row) => `(${kindOf(row)})`),
  ].join(' or ');
};

export async function down() {
  throw new Error('Migrations only go forward: restore a back-up instead.');
}

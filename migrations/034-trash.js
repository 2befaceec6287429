/**
 * Adds the trash of attachments, and lets several attachments name one object.
 */
const TIME_LENGTH = 24;

export async function up(knex) {
  await knex.schema.alterTable('attachments', (table) => table.dropUnique(['blob_key']));
  await knex.raw('create index attachments_blob_key_index on attachments (blob_key)');
  // All of them are null unless the phase is `deleted`.
  for (const column of [
    `deleted_at varchar(${TIME_LENGTH})`,
    'deleted_by_id integer references users (id)',
    `purge_at varchar(${TIME_LENGTH})`,
    // The project of the container. Containers stay in their projects.
    'deleted_project_id integer',
    // The attachment that has a newer content. It may be deleted first.
    'replaced_by_id integer',
  ])
    await knex.raw(`alter table attachments add column ${column}`);
  await knex.raw(
    'create index attachments_purge_at_index on attachments (purge_at) where purge_at is not null',
  );
  await knex.raw(
    'create index attachments_deleted_project_index on attachments (deleted_project_id, deleted_at, id)' +
      ' where deleted_project_id is not null',
  );
}

export async function down() {
  throw new Error('Migrations only go forward: restore a back-up instead.');
}

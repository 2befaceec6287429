/**
 * Adds links from work packages to files in storages.
 *
 * A row contains a copy of the metadata that the storage last returned.
 * A row without a work package is unclaimed and expires.
 */
const TIME_LENGTH = 24;

export async function up(knex) {
  const reference = (table, column, target, { nullable = false, onDelete = 'CASCADE' } = {}) => {
    const built = table.integer(column).references('id').inTable(target).onDelete(onDelete);
    if (!nullable) built.notNullable();
  };
  await knex.schema.createTable('file_links', (table) => {
    table.increments('id');
    reference(table, 'work_package_id', 'work_packages', { nullable: true });
    reference(table, 'storage_id', 'storages');
    reference(table, 'creator_id', 'users', { onDelete: 'RESTRICT' });
    table.string('origin_id', 100).notNullable();
    table.string('origin_name', 255).notNullable();
    table.string('origin_mime_type', 255);
    table.bigInteger('origin_size');
    table.string('origin_created_at', TIME_LENGTH);
    table.string('origin_last_modified_at', TIME_LENGTH);
    table.string('origin_created_by_name', 255);
    table.string('origin_last_modified_by_name', 255);
    table.string('expires_at', TIME_LENGTH);
    table.string('created_at', TIME_LENGTH).notNullable();
    table.string('updated_at', TIME_LENGTH).notNullable();
    table.index(['work_package_id', 'id']);
    table.index('creator_id');
  });
  await knex.raw(
    'create unique index file_links_file_unique' +
      ' on file_links (storage_id, work_package_id, origin_id) where work_package_id is not null',
  );
  await knex.raw('create index file_links_storage_id_index on file_links (storage_id)');
  await knex.raw(
    'create index file_links_expires_at_index on file_links (expires_at) where expires_at is not null',
  );
}

export async function down() {
  throw new Error('Migrations only go forward: restore a back-up instead.');
}

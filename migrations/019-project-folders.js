/**
 * Lets the service manage the folders of projects.
 *
 * `folder_syncs` is a queue with a row per storage: a row whose `due_at` has passed waits for a
 * process. Storages without a row have no folders to manage.
 */
const TIME_LENGTH = 24;

export async function up(knex) {
  await knex.raw('alter table storages add column folders_allowed boolean not null default false');
  await knex.schema.alterTable('project_storages', (table) => {
    table.string('managed_folder_id', 255); // stays when the mode changes
    table.string('folder_making', 255); // name of the folder that is being made
    table.string('folder_state', 16); // null: pending
    table.text('folder_message');
    table.string('folder_updated_at', TIME_LENGTH);
    table.string('folder_digest', 64); // of the rights that were set last
  });
  await knex.raw(
    'create index project_storages_automatic_index on project_storages (storage_id)' +
      " where project_folder_mode = 'automatic'",
  );
  await knex.schema.createTable('folder_syncs', (table) => {
    table.increments('id');
    table
      .integer('storage_id')
      .notNullable()
      .unique()
      .references('id')
      .inTable('storages')
      .onDelete('CASCADE');
    table.string('due_at', TIME_LENGTH).notNullable();
    table.string('lease_until', TIME_LENGTH);
    table.string('lease_token', 32);
    table.integer('failures').notNullable().defaultTo(0); // in a row
    table.boolean('reported').notNullable().defaultTo(false); // whether the event was written
    table.text('unknown_people').notNullable(); // JSON: when each id at the storage was refused
    table.text('hidden_folders').notNullable(); // JSON: ids without permissions of people
    table.text('foreign_folders').notNullable(); // JSON: ids that the service did not make
    table.string('created_at', TIME_LENGTH).notNullable();
    table.string('updated_at', TIME_LENGTH).notNullable();
  });
  await knex.raw('create index folder_syncs_due_at_index on folder_syncs (due_at)');
  // Until now the mode was recorded only.
  const now = new Date().toISOString();
  await knex.raw(
    'insert into folder_syncs' +
      ' (storage_id, due_at, unknown_people, hidden_folders, foreign_folders,' +
      ' created_at, updated_at)' +
      " select distinct storage_id, ?, '{}', '[]', '[]', ?, ? from project_storages" +
      " where project_folder_mode = 'automatic'",
    [now, now, now],
  );
  await knex.schema.createTable('folder_deletions', (table) => {
    table.increments('id');
    table
      .integer('storage_id')
      .notNullable()
      .references('id')
      .inTable('storages')
      .onDelete('CASCADE');
    table.string('folder_id', 255).notNullable();
    table.string('created_at', TIME_LENGTH).notNullable();
    table.string('updated_at', TIME_LENGTH).notNullable();
    table.unique(['storage_id', 'folder_id']);
  });
  // Who a person is at a storage with single sign-on. Connections have that themselves.
  await knex.schema.createTable('sign_on_users', (table) => {
    table.increments('id');
    table
      .integer('storage_id')
      .notNullable()
      .references('id')
      .inTable('storages')
      .onDelete('CASCADE');
    table.integer('user_id').notNullable().references('id').inTable('users').onDelete('CASCADE');
    table.string('identity', 600).notNullable(); // at the OpenID provider; empty: none
    table.string('origin_user_id', 255).notNullable();
    table.string('created_at', TIME_LENGTH).notNullable();
    table.string('updated_at', TIME_LENGTH).notNullable();
    table.unique(['user_id', 'storage_id']);
    table.index(['storage_id']);
  });
}

export async function down() {
  throw new Error('Migrations only go forward: restore a back-up instead.');
}

/**
 * Adds indexes for pages of long lists: the projects of a storage, and the deliveries of a webhook
 * in one state.
 *
 * The index of `creator_id` is for the users that an anonymous user can see. They include users who
 * added a storage to a public project.
 */
export async function up(knex) {
  await knex.schema.alterTable('project_storages', (table) => {
    table.dropIndex('storage_id');
    table.index(['storage_id', 'id']);
    table.index('creator_id');
  });
  await knex.schema.alterTable('webhook_deliveries', (table) =>
    table.index(['webhook_id', 'state', 'id']),
  );
}

export async function down() {
  throw new Error('Migrations only go forward: restore a back-up instead.');
}

/**
 * Pages of long lists are read in their order from an index: a storage's projects, and a webhook's deliveries in one state.
 * Whom a visitor sees depends on who gave a project a storage.
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

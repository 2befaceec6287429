/**
 * Adds the scope that the OpenID provider is asked for when it exchanges tokens for a storage.
 */
export async function up(knex) {
  await knex.schema.alterTable('storages', (table) => table.string('token_exchange_scope', 255));
}

export async function down() {
  throw new Error('Migrations only go forward: restore a back-up instead.');
}

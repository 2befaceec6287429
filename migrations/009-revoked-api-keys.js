/**
 * Adds the hashes of revoked API keys.
 *
 * An import of an old file that still contains such a key must not restore it.
 */
export async function up(knex) {
  await knex.schema.createTable('revoked_api_keys', (table) => {
    table.string('key_hash', 64).primary();
    table.string('created_at', 24).notNullable();
  });
}

export async function down() {
  throw new Error('Migrations only go forward: restore a back-up instead.');
}

/** The hashes of revoked API keys: an import of a file that still names one must not bring it back. */
export async function up(knex) {
  await knex.schema.createTable('revoked_api_keys', (table) => {
    table.string('key_hash', 64).primary();
    table.string('created_at', 24).notNullable();
  });
}

export async function down() {
  throw new Error('Migrations only go forward: restore a back-up instead.');
}

/**
 * Adds the keys of orphaned objects.
 *
 * No row refers to them, but a stalled process can still write to them. So the service deletes them
 * again at `remove_after`, when no process can write to them any more.
 */
export async function up(knex) {
  await knex.schema.createTable('stray_blobs', (table) => {
    table.string('blob_key', 255).primary();
    table.string('remove_after', 24).notNullable().index();
  });
}

export async function down() {
  throw new Error('Migrations only go forward: restore a back-up instead.');
}

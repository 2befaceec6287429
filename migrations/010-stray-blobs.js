/** Keys to which somebody may still write although no row names them any more; they are removed once more when nobody can. */
export async function up(knex) {
  await knex.schema.createTable('stray_blobs', (table) => {
    table.string('blob_key', 255).primary();
    table.string('remove_after', 24).notNullable().index();
  });
}

export async function down() {
  throw new Error('Migrations only go forward: restore a back-up instead.');
}

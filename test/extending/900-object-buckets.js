/** The columns of storages of the type ObjectBucket. */
export async function up(knex) {
  await knex.schema.alterTable('storages', (table) => {
    table.string('endpoint', 255);
    table.string('bucket', 255);
  });
}

export async function down() {
  throw new Error('Migrations only go forward: restore a back-up instead.');
}

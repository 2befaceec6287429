/** Adds when the last backup was reported. It has one row at most. */
const TIME_LENGTH = 24;

export async function up(knex) {
  await knex.schema.createTable('backup_report', (table) => {
    table.integer('id').primary();
    table.string('reported_at', TIME_LENGTH).notNullable();
  });
}

export async function down() {
  throw new Error('Migrations only go forward: restore a back-up instead.');
}

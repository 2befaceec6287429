/** Adds when each storage was tried, and what administrators were told of. */
const TIME_LENGTH = 24;
const SUBJECT_LENGTH = 300;

export async function up(knex) {
  await knex.schema.alterTable('storages', (table) => {
    table.string('tried_at', TIME_LENGTH);
    table.string('worked_at', TIME_LENGTH);
    table.string('failing_since', TIME_LENGTH);
  });
  await knex.schema.createTable('alerts', (table) => {
    table.increments('id');
    table.string('subject', SUBJECT_LENGTH).notNullable().unique();
    table.text('facts').notNullable();
    table.string('since', TIME_LENGTH).notNullable();
    table.string('created_at', TIME_LENGTH).notNullable();
    table.string('updated_at', TIME_LENGTH).notNullable();
  });
}

export async function down() {
  throw new Error('Migrations only go forward: restore a back-up instead.');
}

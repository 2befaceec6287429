/** Remembers how long storages asked to be left alone, for each person. */
const TIME_LENGTH = 24;

export async function up(knex) {
  await knex.schema.createTable('storage_pauses', (table) => {
    table.increments('id');
    table
      .integer('storage_id')
      .notNullable()
      .references('id')
      .inTable('storages')
      .onDelete('CASCADE');
    table.integer('person').notNullable(); // id of a user, or 0 for the service itself
    table.string('until', TIME_LENGTH).notNullable();
    table.string('created_at', TIME_LENGTH).notNullable();
    table.string('updated_at', TIME_LENGTH).notNullable();
    table.unique(['storage_id', 'person']);
  });
}

export async function down() {
  throw new Error('Migrations only go forward: restore a back-up instead.');
}

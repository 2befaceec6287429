/** Adds what is known of files that arrive in several requests. */
const TIME_LENGTH = 24;

export async function up(knex) {
  await knex.schema.createTable('resumable_uploads', (table) => {
    table.increments('id');
    table
      .integer('attachment_id')
      .notNullable()
      .unique()
      .references('id')
      .inTable('attachments')
      .onDelete('CASCADE');
    table.text('metadata').notNullable();
    table.text('store_reference');
    table.bigInteger('received_bytes').notNullable().defaultTo(0);
    table.string('writer', 32);
    table.string('created_at', TIME_LENGTH).notNullable();
    table.string('updated_at', TIME_LENGTH).notNullable();
    table.index('updated_at');
  });
}

export async function down() {
  throw new Error('Migrations only go forward: restore a back-up instead.');
}

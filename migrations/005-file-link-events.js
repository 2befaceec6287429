/** The outbox tells about file links as well: what a row is about is named by type and id. */
export async function up(knex) {
  await knex.raw('alter table events rename column attachment_id to subject_id');
  await knex.schema.alterTable('events', (table) =>
    table.string('subject_type', 20).notNullable().defaultTo('Attachment'),
  );
}

export async function down() {
  throw new Error('Migrations only go forward: restore a back-up instead.');
}

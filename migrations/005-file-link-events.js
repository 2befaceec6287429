/** Adds events of file links to the outbox: a type and an id now identify the subject. */
export async function up(knex) {
  await knex.raw('alter table events rename column attachment_id to subject_id');
  await knex.schema.alterTable('events', (table) =>
    table.string('subject_type', 20).notNullable().defaultTo('Attachment'),
  );
}

export async function down() {
  throw new Error('Migrations only go forward: restore a back-up instead.');
}

/** The character encoding of texts. Older ones have none: they are shown as UTF-8, as before. */
export async function up(knex) {
  await knex.raw('alter table attachments add column charset varchar(20)');
}

export async function down() {
  throw new Error('Migrations only go forward: restore a back-up instead.');
}

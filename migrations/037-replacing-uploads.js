/** Lets a pending upload replace the content of an attachment. */
export async function up(knex) {
  // That attachment may be deleted first.
  await knex.raw('alter table attachments add column replaces_id integer');
}

export async function down() {
  throw new Error('Migrations only go forward: restore a back-up instead.');
}

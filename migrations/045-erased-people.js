/** A person can be erased. The row stays, because files, comments and history refer to it. */
const TIME_LENGTH = 24;

export async function up(knex) {
  await knex.schema.alterTable('users', (table) => {
    table.string('erased_at', TIME_LENGTH);
  });
}

export async function down() {
  throw new Error('Migrations only go forward: restore a back-up instead.');
}

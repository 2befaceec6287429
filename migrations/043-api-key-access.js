/** API keys get an end, an access, and the time of their last use. Keys from before stay as they are. */
const TIME_LENGTH = 24;

export async function up(knex) {
  await knex.schema.alterTable('api_keys', (table) => {
    table.string('access', 5).notNullable().defaultTo('full');
    table.string('expires_at', TIME_LENGTH);
    table.string('last_used_at', TIME_LENGTH);
  });
}

export async function down() {
  throw new Error('Migrations only go forward: restore a back-up instead.');
}

/** Sessions say with which browser and from which network they began, and when they were last used. */
const TIME_LENGTH = 24;
const WORD_LENGTH = 32;
const NETWORK_LENGTH = 64;

export async function up(knex) {
  await knex.schema.alterTable('sessions', (table) => {
    table.string('browser', WORD_LENGTH);
    table.string('system', WORD_LENGTH);
    table.string('network', NETWORK_LENGTH);
    table.string('last_used_at', TIME_LENGTH);
  });
}

export async function down() {
  throw new Error('Migrations only go forward: restore a back-up instead.');
}

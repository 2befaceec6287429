/** Adds one-time links: to set up a new service, and to set a password. */
const TIME_LENGTH = 24;

export async function up(knex) {
  await knex.schema.createTable('one_time_links', (table) => {
    table.increments('id');
    table.string('purpose', 20).notNullable(); // setup | password
    // Null for a link that makes a person.
    table.integer('user_id').references('id').inTable('users').onDelete('CASCADE');
    table.string('token_hash', 64).notNullable().unique();
    table.string('expires_at', TIME_LENGTH).notNullable();
    table.string('created_at', TIME_LENGTH).notNullable();
    table.string('updated_at', TIME_LENGTH).notNullable();
    table.index('expires_at');
    table.index('user_id');
  });
  await knex.raw(
    'create unique index one_time_links_one_unique on one_time_links (purpose, coalesce(user_id, 0))',
  );
}

export async function down() {
  throw new Error('Migrations only go forward: restore a back-up instead.');
}

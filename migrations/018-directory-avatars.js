/**
 * Adds the pictures that a directory file names, and what is known about stored pictures.
 *
 * `directory_avatars` is also a queue: a row whose `due_at` has passed waits for a process.
 * `avatar_size` and `avatar_digest` (SHA-256) are null for pictures that are older than them.
 */
const TIME_LENGTH = 24;

export async function up(knex) {
  await knex.schema.alterTable('users', (table) => {
    table.integer('avatar_size');
    table.string('avatar_digest', 64);
  });
  await knex.schema.createTable('directory_avatars', (table) => {
    table.increments('id');
    table
      .integer('user_id')
      .notNullable()
      .unique()
      .references('id')
      .inTable('users')
      .onDelete('CASCADE');
    table.string('url', 2000); // null: the directory has taken its picture back
    table.string('avatar_key', 255); // of the picture that was fetched last
    table.string('due_at', TIME_LENGTH);
    table.string('lease_token', 32);
    table.integer('attempts').notNullable();
    table.string('last_error', 255);
    table.string('created_at', TIME_LENGTH).notNullable();
    table.string('updated_at', TIME_LENGTH).notNullable();
  });
  await knex.raw(
    'create index directory_avatars_due_index on directory_avatars (due_at) where due_at is not null',
  );
}

export async function down() {
  throw new Error('Migrations only go forward: restore a back-up instead.');
}

/**
 * Adds the pictures of users.
 *
 * `avatar_key` is the key of the object, `avatar_type` its media type. A user without a picture has neither.
 */
export async function up(knex) {
  await knex.schema.alterTable('users', (table) => {
    table.string('avatar_key', 255);
    table.string('avatar_type', 20);
  });
  await knex.raw(
    'create unique index users_avatar_key_index on users (avatar_key) where avatar_key is not null',
  );
}

export async function down() {
  throw new Error('Migrations only go forward: restore a back-up instead.');
}

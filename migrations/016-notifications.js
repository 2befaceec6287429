/**
 * Adds notifications of files and file links that others add to a work package.
 *
 * `internal`: the files belong to an internal comment. `activity_id` is the comment, or the entry of
 * the history that lists the files.
 */
const TIME_LENGTH = 24;

export async function up(knex) {
  await knex.schema.createTable('notifications', (table) => {
    table.increments('id');
    table.integer('user_id').notNullable().references('users.id').onDelete('CASCADE');
    table
      .integer('work_package_id')
      .notNullable()
      .references('work_packages.id')
      .onDelete('CASCADE');
    table.integer('actor_id').notNullable().references('users.id').onDelete('CASCADE');
    table.integer('activity_id').references('activities.id').onDelete('SET NULL');
    table.string('reason', 20).notNullable();
    table.boolean('internal').notNullable();
    table.boolean('read').notNullable();
    table.string('created_at', TIME_LENGTH).notNullable();
    table.string('updated_at', TIME_LENGTH).notNullable();
    table.index(['user_id', 'id']);
    table.index(['work_package_id', 'actor_id', 'created_at']);
    table.index('actor_id');
    table.index('activity_id');
    table.index('created_at');
  });
  await knex.raw(
    'create index notifications_unread_index on notifications (user_id, id) where not read',
  );
  // The people who commented on a work package.
  await knex.raw(
    'create index activities_commenters_index on activities (work_package_id, author_id)' +
      " where kind = 'comment'",
  );
}

export async function down() {
  throw new Error('Migrations only go forward: restore a back-up instead.');
}

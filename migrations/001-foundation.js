/**
 * Creates users, projects, the five kinds of containers, and attachments.
 *
 * Times are ISO 8601 text in UTC with milliseconds. The application writes them, so both databases
 * store the same value, and answers contain it unchanged.
 * An attachment has five foreign keys for its container; at most one of them is set.
 */
const TIME_LENGTH = 24;

export async function up(knex) {
  const postgres = knex.client.config.client === 'pg';
  const times = (table) => {
    table.string('created_at', TIME_LENGTH).notNullable();
    table.string('updated_at', TIME_LENGTH).notNullable();
  };
  const reference = (table, column, target, { nullable = false, onDelete = 'RESTRICT' } = {}) => {
    const built = table.integer(column).references('id').inTable(target).onDelete(onDelete);
    if (!nullable) built.notNullable();
  };

  await knex.schema.createTable('users', (table) => {
    table.increments('id');
    table.string('login', 255).notNullable().unique();
    table.string('first_name', 255).notNullable();
    table.string('last_name', 255).notNullable();
    table.string('email', 255);
    table.boolean('admin').notNullable().defaultTo(false);
    table.boolean('anonymous').notNullable().defaultTo(false);
    table.string('status', 20).notNullable();
    table.string('password_hash', 255);
    times(table);
  });

  await knex.schema.createTable('api_keys', (table) => {
    table.increments('id');
    reference(table, 'user_id', 'users', { onDelete: 'CASCADE' });
    table.string('name', 255).notNullable();
    table.string('key_hash', 64).notNullable().unique();
    times(table);
    table.unique(['user_id', 'name']);
  });

  await knex.schema.createTable('roles', (table) => {
    table.increments('id');
    table.string('name', 255).notNullable().unique();
    times(table);
  });

  await knex.schema.createTable('role_permissions', (table) => {
    reference(table, 'role_id', 'roles', { onDelete: 'CASCADE' });
    table.string('permission', 64).notNullable();
    table.primary(['role_id', 'permission']);
  });

  await knex.schema.createTable('projects', (table) => {
    table.increments('id');
    table.string('identifier', 255).notNullable().unique();
    table.string('name', 255).notNullable();
    table.boolean('public').notNullable().defaultTo(false);
    times(table);
    table.index('public');
  });

  await knex.schema.createTable('memberships', (table) => {
    table.increments('id');
    reference(table, 'user_id', 'users', { onDelete: 'CASCADE' });
    reference(table, 'project_id', 'projects', { onDelete: 'CASCADE' });
    times(table);
    table.unique(['user_id', 'project_id']);
    table.index('project_id');
  });

  await knex.schema.createTable('membership_roles', (table) => {
    reference(table, 'membership_id', 'memberships', { onDelete: 'CASCADE' });
    reference(table, 'role_id', 'roles', { onDelete: 'CASCADE' });
    table.primary(['membership_id', 'role_id']);
    table.index('role_id');
  });

  const container = (name, columns) =>
    knex.schema.createTable(name, (table) => {
      table.increments('id');
      reference(table, 'project_id', 'projects');
      reference(table, 'author_id', 'users');
      table.string('ref', 255).unique();
      columns(table);
      times(table);
      table.index(['project_id', 'id']);
      table.index('author_id');
    });
  await container('work_packages', (table) => {
    table.string('subject', 255).notNullable();
    table.integer('lock_version').notNullable().defaultTo(0);
  });
  await container('meetings', (table) => table.string('title', 255).notNullable());
  await container('posts', (table) => table.string('subject', 255).notNullable());
  await container('wiki_pages', (table) => table.string('title', 255).notNullable());

  await knex.schema.createTable('activities', (table) => {
    table.increments('id');
    reference(table, 'work_package_id', 'work_packages', { onDelete: 'CASCADE' });
    reference(table, 'author_id', 'users');
    table.string('ref', 255).unique();
    table.string('kind', 10).notNullable(); // comment | system
    table.text('comment_text').notNullable();
    table.boolean('internal').notNullable().defaultTo(false);
    table.text('changes').notNullable(); // JSON: the changes of a system activity
    times(table);
    table.index(['work_package_id', 'id']);
    table.index('author_id');
  });

  // "C" sorts names by code point on every server, like BINARY of SQLite.
  const sortable = postgres ? 'varchar(255) collate "C"' : 'varchar(255)';
  await knex.schema.createTable('attachments', (table) => {
    table.increments('id');
    reference(table, 'work_package_id', 'work_packages', { nullable: true });
    reference(table, 'activity_id', 'activities', { nullable: true });
    reference(table, 'meeting_id', 'meetings', { nullable: true });
    reference(table, 'post_id', 'posts', { nullable: true });
    reference(table, 'wiki_page_id', 'wiki_pages', { nullable: true });
    reference(table, 'author_id', 'users');
    table.specificType('file_name', sortable).notNullable();
    table.bigInteger('file_size').notNullable();
    table.string('description_text', 255).notNullable();
    table.string('content_type', 255).notNullable();
    table.string('digest_algorithm', 10).notNullable();
    table.string('digest_hash', 128).notNullable();
    table.string('status', 20).notNullable();
    // storing: hidden, the content still arrives; kept: visible; deleting: hidden, to be deleted.
    table.string('phase', 10).notNullable();
    table.string('blob_key', 64).notNullable().unique();
    // Rows in storing and deleting: after this time another process can acquire the work.
    table.string('lease_until', TIME_LENGTH);
    table.string('expires_at', TIME_LENGTH); // only of rows without a container
    times(table);
    table.index(['author_id', 'id']);
    table.check(
      '(case when ?? is null then 0 else 1 end) + (case when ?? is null then 0 else 1 end)' +
        ' + (case when ?? is null then 0 else 1 end)' +
        ' + (case when ?? is null then 0 else 1 end) + (case when ?? is null then 0 else 1 end) <= 1',
      ['work_package_id', 'activity_id', 'meeting_id', 'post_id', 'wiki_page_id'],
      'attachments_one_container',
    );
  });
  // Lists read one container in its order. Each index contains only the rows of its kind.
  for (const [column, order] of [
    ['work_package_id', 'file_name, id'],
    ['meeting_id', 'file_name, id'],
    ['activity_id', 'id'],
    ['post_id', 'id'],
    ['wiki_page_id', 'id'],
  ]) {
    await knex.raw(
      `create index attachments_${column}_index on attachments (${column}, ${order}) where ${column} is not null`,
    );
  }
  await knex.raw(
    'create index attachments_expires_at_index on attachments (expires_at) where expires_at is not null',
  );
  await knex.raw(
    'create index attachments_lease_until_index on attachments (lease_until) where lease_until is not null',
  );

  // The author of changes by anonymous users. Without key and password, nobody can sign in as it.
  const now = new Date().toISOString();
  await knex('users').insert({
    login: 'anonymous',
    first_name: 'Anonymous',
    last_name: '',
    email: null,
    admin: false,
    anonymous: true,
    status: 'active',
    created_at: now,
    updated_at: now,
  });
}

export async function down() {
  throw new Error('Migrations only go forward: restore a back-up instead.');
}

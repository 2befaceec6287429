/**
 * Widens an index: the quota of a user counts prepared uploads, and files that no container has.
 */
export async function up(knex) {
  await knex.raw('drop index attachments_pending_index');
  await knex.raw(
    'create index attachments_pending_index on attachments (author_id) ' +
      "where status = 'prepared' or expires_at is not null",
  );
}

export async function down() {
  throw new Error('Migrations only go forward: restore a back-up instead.');
}

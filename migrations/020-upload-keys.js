/** Keys of uploads, by which a repeated upload does not store its file twice. */
export async function up(knex) {
  await knex.raw('alter table attachments add column upload_key varchar(64)');
  await knex.raw(
    'create unique index attachments_upload_key_index on attachments (author_id, upload_key)' +
      ' where upload_key is not null',
  );
}

export async function down() {
  throw new Error('Migrations only go forward: restore a back-up instead.');
}

/**
 * Adds direct uploads, virus scans and the outbox.
 *
 * There is no queue table. A row with `lease_until` is a job, which belongs to the holder of
 * `lease_token` until that time. After it, any process can acquire the job.
 * Phase and status determine the job:
 * - storing: discard an upload whose process died;
 * - deleting: delete content and row;
 * - prepared: finalise the completed upload;
 * - uploaded and rescan: scan the file.
 */
const TIME_LENGTH = 24;

export async function up(knex) {
  await knex.schema.alterTable('attachments', (table) => {
    table.string('staging_key', 64).unique(); // object key for the client of a prepared upload
    table.string('declared_digest', 140); // checksum from the client, as algorithm:hash
    table.string('lease_token', 32);
    table.integer('attempts').notNullable().defaultTo(0); // how often the current job was started
  });
  await knex.raw('drop index attachments_lease_until_index');
  const indexes = {
    work: "(lease_until) where lease_until is not null and (phase <> 'kept' or status = 'prepared')",
    scan: "(status, lease_until) where lease_until is not null and phase = 'kept' and status <> 'prepared'",
    // Uploads that completed without a scanner. A scanner that is configured later finds them here.
    unscanned: "(id) where lease_until is null and phase = 'kept' and status = 'uploaded'",
    pending: "(author_id) where status = 'prepared'",
    quarantined: "(id) where status = 'quarantined'",
  };
  for (const [name, definition] of Object.entries(indexes))
    await knex.raw(`create index attachments_${name}_index on attachments ${definition}`);

  // The outbox: a row is written in the transaction of its change. It has no foreign keys, because
  // its subject can be deleted before the event is delivered.
  await knex.schema.createTable('events', (table) => {
    table.increments('id');
    table.string('delivery_id', 36).notNullable().unique();
    table.string('kind', 30).notNullable();
    table.integer('attachment_id').notNullable();
    table.string('container_type', 20);
    table.integer('container_id');
    table.integer('project_id');
    table.boolean('internal').notNullable(); // belongs to an internal comment
    table.integer('author_id').notNullable(); // of the attachment
    table.text('data').notNullable(); // JSON: the attachment at that time
    table.string('created_at', TIME_LENGTH).notNullable();
    table.string('updated_at', TIME_LENGTH).notNullable();
    table.index('created_at');
    table.index('attachment_id');
  });

  // The author of changes by the service itself, such as a quarantine. Locked: nobody can sign in.
  const now = new Date().toISOString();
  const system = {
    login: 'moorage-system',
    first_name: 'System',
    last_name: '',
    email: null,
    admin: false,
    anonymous: false,
    status: 'locked',
    created_at: now,
    updated_at: now,
  };
  await knex('users').insert(system);
}

export async function down() {
  throw new Error('Migrations only go forward: restore a back-up instead.');
}

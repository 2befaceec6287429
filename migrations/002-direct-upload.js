/**
 * Direct upload, virus scan and the outbox.
 *
 * The columns of an attachment are its queue: `lease_until` says until when its work belongs to the holder of `lease_token`;
 * in the past, anybody may take it over. What there is to do follows from phase and status:
 * storing: an upload whose process died is discarded; deleting: bytes and row go; prepared: the completed upload is finalised;
 * uploaded and rescan: the file is scanned.
 */
const TIME_LENGTH = 24;

export async function up(knex) {
  await knex.schema.alterTable('attachments', (table) => {
    table.string('staging_key', 64).unique(); // where a client puts the bytes of a prepared upload
    table.string('declared_digest', 140); // algorithm:hash that the client announced
    table.string('lease_token', 32);
    table.integer('attempts').notNullable().defaultTo(0); // how often the present work was begun
  });
  await knex.raw('drop index attachments_lease_until_index');
  const indexes = {
    work: "(lease_until) where lease_until is not null and (phase <> 'kept' or status = 'prepared')",
    scan: "(status, lease_until) where lease_until is not null and phase = 'kept' and status <> 'prepared'",
    // Finished while nothing scanned; switching the scanner on finds them here.
    unscanned: "(id) where lease_until is null and phase = 'kept' and status = 'uploaded'",
    pending: "(author_id) where status = 'prepared'",
    quarantined: "(id) where status = 'quarantined'",
  };
  for (const [name, definition] of Object.entries(indexes))
    await knex.raw(`create index attachments_${name}_index on attachments ${definition}`);

  // The outbox: a row in the transaction of its change. What it tells about may be gone, so it refers to nothing.
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
    table.text('data').notNullable(); // JSON: the attachment as it was
    table.string('created_at', TIME_LENGTH).notNullable();
    table.string('updated_at', TIME_LENGTH).notNullable();
    table.index('created_at');
    table.index('attachment_id');
  });

  // The author of what the service itself records, such as a quarantine. Locked: nobody signs in as it.
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

/** Adds what is made of the bytes of files to show them: small pictures, and pages. */
const TIME_LENGTH = 24;

export async function up(knex) {
  await knex.schema.createTable('previews', (table) => {
    table.increments('id');
    // Rows that share an object share its preview.
    table.string('blob_key', 255).notNullable().unique();
    table.string('state', 10).notNullable(); // pending | ready | failed
    table.integer('width');
    table.integer('height');
    table.integer('page_count');
    table.integer('duration_ms');
    table.text('objects').notNullable(); // JSON
    table.string('lease_until', TIME_LENGTH);
    table.string('lease_token', 32);
    table.integer('attempts').notNullable();
    table.string('created_at', TIME_LENGTH).notNullable();
    table.string('updated_at', TIME_LENGTH).notNullable();
  });
  await knex.raw(
    'create index previews_lease_until_index on previews (lease_until) where lease_until is not null',
  );
}

export async function down() {
  throw new Error('Migrations only go forward: restore a back-up instead.');
}

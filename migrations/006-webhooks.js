/**
 * Adds webhooks and their deliveries.
 *
 * A delivery contains the whole request body, so it does not need its event any more.
 */
const TIME_LENGTH = 24;

export async function up(knex) {
  await knex.schema.createTable('webhooks', (table) => {
    table.increments('id');
    table.string('url', 2000).notNullable();
    table.text('secret').notNullable(); // sealed
    table.text('events').notNullable(); // JSON
    table.boolean('enabled').notNullable();
    table
      .integer('creator_id')
      .notNullable()
      .references('id')
      .inTable('users')
      .onDelete('RESTRICT')
      .index();
    table.string('created_at', TIME_LENGTH).notNullable();
    table.string('updated_at', TIME_LENGTH).notNullable();
  });
  await knex.schema.createTable('webhook_deliveries', (table) => {
    table.increments('id');
    table
      .integer('webhook_id')
      .notNullable()
      .references('id')
      .inTable('webhooks')
      .onDelete('CASCADE');
    table.string('delivery_id', 36).notNullable(); // of the event
    table.string('kind', 30).notNullable();
    table.text('body').notNullable();
    table.string('state', 10).notNullable(); // pending | delivered | dead
    table.integer('attempts').notNullable();
    table.integer('last_status');
    table.string('last_error', 255);
    table.string('due_at', TIME_LENGTH).notNullable(); // if pending: when a process can acquire it
    table.string('lease_token', 32);
    table.string('created_at', TIME_LENGTH).notNullable();
    table.string('updated_at', TIME_LENGTH).notNullable();
    table.unique(['webhook_id', 'delivery_id']);
    table.index(['webhook_id', 'id']);
  });
  await knex.raw(
    "create index webhook_deliveries_due_index on webhook_deliveries (due_at) where state = 'pending'",
  );
  await knex.raw(
    "create index webhook_deliveries_over_index on webhook_deliveries (updated_at) where state <> 'pending'",
  );

  // Whether deliveries of the event to the webhooks exist.
  await knex.schema.alterTable('events', (table) =>
    table.boolean('dispatched').notNullable().defaultTo(false),
  );
  await knex.raw('create index events_undispatched_index on events (id) where not dispatched');
}

export async function down() {
  throw new Error('Migrations only go forward: restore a back-up instead.');
}

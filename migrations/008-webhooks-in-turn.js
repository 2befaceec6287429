/** Adds an index to find the next delivery of one webhook without reading those of others. */
export async function up(knex) {
  await knex.raw(
    "create index webhook_deliveries_turn_index on webhook_deliveries (webhook_id, due_at) where state = 'pending'",
  );
}

export async function down() {
  throw new Error('Migrations only go forward: restore a back-up instead.');
}

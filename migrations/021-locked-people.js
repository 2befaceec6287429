/** Locked people lose sessions and tokens. Otherwise these would work again after the lock. */
export async function up(knex) {
  const locked = () => knex('users').select('id').where({ status: 'locked' });
  for (const table of ['sessions', 'oauth_artifacts', 'identity_tokens'])
    await knex(table).delete().whereIn('user_id', locked());
}

export async function down() {
  throw new Error('Migrations only go forward: restore a back-up instead.');
}

/**
 * Ends the tokens of the grant `client_credentials`.
 *
 * With them, the application of a storage acted as the administrator who had created it.
 */
export async function up(knex) {
  await knex('oauth_artifacts').where('kind', 'ClientCredentials').delete();
}

export async function down() {
  throw new Error('Migrations only go forward: restore a back-up instead.');
}

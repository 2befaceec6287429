import type { Knex } from 'knex';
import { OAuthApplication } from '../models/oauth-application.js';

/** Ends every code and token that the OAuth application of a storage was issued. */
export async function endApplicationGrants(trx: Knex, storageId: number): Promise<void> {
  const applications = await OAuthApplication.query(trx).select('client_id').where('storage_id', storageId);
  if (applications.length > 0) await trx('oauth_artifacts').delete().whereIn('client_id', applications.map(({ clientId }) => clientId));
}

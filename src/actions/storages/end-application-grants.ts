import type { Knex } from 'knex';
import type { Services } from '../../context.js';
import { OAuthApplication } from '../../models/oauth-application.js';

/** Ends every code and token that the OAuth application of a storage was issued. Locks the application before them, and comes after the storage where that is locked. */
export async function endApplicationGrants(
  db: Services['db'],
  trx: Knex,
  storageId: number,
): Promise<void> {
  const applications = await db.lockRows(
    OAuthApplication.query(trx).select('id', 'client_id').where('storage_id', storageId),
  );
  if (applications.length > 0)
    await trx('oauth_artifacts')
      .delete()
      .whereIn(
        'client_id',
        applications.map(({ clientId }) => clientId),
      );
}

/** Ends the authorization codes and tokens of a storage's OAuth application. */
import type { Knex } from 'knex';
import type { Services } from '../../../context.js';
import { OAuthApplication } from '../../../models/oauth-application.js';

/** Against deadlocks, all code locks the storage first, then the application, then its grants. */
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

/** Ends the connection of a person with a storage: one's own, or, for administrators, anybody's. */
import { recordAudit } from '../../../audit/record.js';
import type { Context } from '../../../context.js';
import { NotFound } from '../../../contract/errors.js';
import { StorageAccount } from '../../../models/storage-account.js';
import { actsForAll } from '../../../policies/administers.js';
import { find } from '../../../policies/find.js';
import { requestSync } from '../../base/project-folder-queue/request-sync.js';

/**
 * The tokens are deleted here. In folders of projects, the person loses the rights.
 * @throws NotFound for one that the caller does not see
 */
export async function endConnection(
  context: Context,
  id: number | undefined,
): Promise<StorageAccount> {
  const account = actsForAll(context.user) ? await find.storageAccount(context, id) : undefined;
  if (!account) throw new NotFound();
  const { db, clock, actor } = context;
  await db.write.transaction(async (trx) => {
    if ((await StorageAccount.query(trx).deleteById(account.id)) === 0) throw new NotFound();
    await recordAudit(trx, clock().toISOString(), actor, {
      kind: 'CONNECTION_ENDED',
      subject: { type: 'StorageAccount', id: account.id },
      before: account,
    });
    await requestSync(trx, { storageId: account.storageId }, clock());
  });
  return account;
}

/** Deletes a storage and everything that belongs to it. */
import { recordAudit } from '../../../audit/record.js';
import type { Context } from '../../../context.js';
import { NotFound } from '../../../contract/errors.js';
import { FileLink } from '../../../models/file-link.js';
import { ProjectStorage } from '../../../models/project-storage.js';
import { Storage } from '../../../models/storage.js';
import { demand } from '../../../policies/can.js';
import { find } from '../../../policies/find.js';
import { endApplicationGrants } from './end-application-grants.js';
import { lockFileLinks, removeFileLinks } from '../links/remove-file-links.js';
import { targetName } from '../access/storage-target.js';

/** @throws NotFound, MissingPermission */
export async function deleteStorage(context: Context, id: number | undefined): Promise<Storage> {
  const storage = await demand(await find.storage(context, id), () => context.user.admin);
  await context.db.write.transaction(async (trx) => {
    // A request that creates a link with a project locks the project storage.
    await context.db.lockRows(
      ProjectStorage.query(trx).select('id').where('storage_id', storage.id).orderBy('id'),
      { keys: true },
    );
    const removeLinks = async () =>
      removeFileLinks(
        context,
        trx,
        await lockFileLinks(context, FileLink.query(trx).where('storage_id', storage.id)),
        { authorId: context.user.id, now: context.clock().toISOString() },
      );
    await removeLinks();
    // Requests that create a link without a project lock the storage itself.
    // So do requests that add the storage to a project.
    await context.db.lockRows(Storage.query(trx).select('id').where('id', storage.id), {
      keys: true,
    });
    // Again: such requests may have created links before this lock.
    await removeLinks();
    await endApplicationGrants(context.db, trx, storage.id);
    // Foreign keys with `on delete cascade` remove the rest.
    if ((await Storage.query(trx).deleteById(storage.id)) === 0) throw new NotFound();
    await recordAudit(trx, context.clock().toISOString(), context.actor, {
      kind: 'STORAGE_DELETED',
      subject: { type: 'Storage', id: storage.id, name: storage.name },
      before: storage,
    });
  });
  context.forgetIdentities();
  context.outbound.forget(targetName(storage));
  return storage;
}

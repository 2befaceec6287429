/** Deletes a storage with its OAuth records, tokens and file links. */
import type { Context } from '../context.js';
import { NotFound } from '../errors.js';
import { Storage } from '../models/storage.js';
import { demand } from '../policies/can.js';
import { find } from '../policies/find.js';
import { endApplicationGrants } from './end-application-grants.js';
import { targetName } from './storage-target.js';

/** @throws NotFound, MissingPermission */
export async function deleteStorage(context: Context, id: number | undefined): Promise<Storage> {
  const storage = await demand(await find.storage(context, id), () => context.user.admin);
  await context.db.write.transaction(async (trx) => {
    await endApplicationGrants(trx, storage.id);
    // Everything else refers to the row and goes with it.
    if ((await Storage.query(trx).deleteById(storage.id)) === 0) throw new NotFound();
  });
  context.forgetIdentities();
  context.outbound.forget(targetName(storage));
  return storage;
}

/** Revokes one of the caller's API keys. */
import type { Context } from '../../../context.js';
import { NotFound } from '../../../contract/errors.js';
import { ApiKey } from '../../../models/api-key.js';
import { find } from '../../../policies/find.js';

/** @throws NotFound for a key that is not the caller's */
export async function deleteApiKey(
  { user, db, clock, forgetIdentities }: Context,
  id: number | undefined,
): Promise<ApiKey> {
  const apiKey = await find.apiKey({ user, db }, id);
  if (!apiKey) throw new NotFound();
  await db.write.transaction(async (trx) => {
    // Read again: an import may have changed its value.
    const [revoked] = await db.lockRows(ApiKey.query(trx).where('id', apiKey.id));
    if (!revoked) throw new NotFound();
    await ApiKey.query(trx).deleteById(revoked.id);
    await trx('revoked_api_keys')
      .insert({ key_hash: revoked.keyHash, created_at: clock().toISOString() })
      .onConflict('key_hash')
      .ignore();
  });
  forgetIdentities();
  return apiKey;
}

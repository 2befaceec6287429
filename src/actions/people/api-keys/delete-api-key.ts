/** Revokes one of the caller's API keys, or, for administrators, anybody's. */
import { recordAudit } from '../../../audit/record.js';
import type { Context } from '../../../context.js';
import { NotFound } from '../../../contract/errors.js';
import { ApiKey } from '../../../models/api-key.js';
import { User } from '../../../models/user.js';
import { find } from '../../../policies/find.js';

/** @throws NotFound for a key that the caller does not see */
export async function deleteApiKey(
  { user, db, clock, actor, forgetIdentities }: Context,
  id: number | undefined,
): Promise<{ apiKey: ApiKey; owner: User }> {
  const apiKey = await find.apiKey({ user, db }, id);
  if (!apiKey) throw new NotFound();
  await db.write.transaction(async (trx) => {
    // Read again: an import may have changed its value.
    const [revoked] = await db.lockRows(ApiKey.query(trx).where('id', apiKey.id));
    if (!revoked) throw new NotFound();
    await ApiKey.query(trx).deleteById(revoked.id);
    const now = clock().toISOString();
    await trx('revoked_api_keys')
      .insert({ key_hash: revoked.keyHash, created_at: now })
      .onConflict('key_hash')
      .ignore();
    await recordAudit(trx, now, actor, {
      kind: 'API_KEY_DELETED',
      subject: { type: 'ApiKey', id: revoked.id, name: revoked.name },
      before: revoked,
    });
  });
  forgetIdentities();
  const owner = await User.query(db.read).findById(apiKey.userId).throwIfNotFound();
  return { apiKey, owner };
}

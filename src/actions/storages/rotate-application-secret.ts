/** Gives the OAuth application of a storage another secret; what it was issued with the old one ends. */
import type { Context } from '../../context.js';
import { NotFound } from '../../contract/errors.js';
import { OAuthApplication } from '../../models/oauth-application.js';
import { demand } from '../../policies/can.js';
import { find } from '../../policies/find.js';
import { generateToken, hashToken } from '../../secrets/hashes.js';
import { endApplicationGrants } from './end-application-grants.js';

/** @returns the secret, which nobody can read again. @throws NotFound, MissingPermission */
export async function rotateApplicationSecret(
  context: Context,
  storageId: number | undefined,
): Promise<{ oauthApplication: OAuthApplication; clientSecret: string }> {
  const storage = await demand(await find.storage(context, storageId), () => context.user.admin);
  const clientSecret = generateToken();
  const oauthApplication = await context.db.write.transaction(async (trx) => {
    const changed = await OAuthApplication.query(trx)
      .patch({
        clientSecretHash: hashToken(clientSecret),
        updatedAt: context.clock().toISOString(),
      })
      .where('storage_id', storage.id)
      .returning('*');
    if (!changed[0]) throw new NotFound();
    // Afterwards: whoever was let in by the old secret has saved a token by now, or finds the new one.
    await endApplicationGrants(context.db, trx, storage.id);
    return changed[0];
  });
  context.forgetIdentities();
  return { oauthApplication, clientSecret };
}

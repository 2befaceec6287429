/** Replaces the secret of a storage's OAuth application. */
import { recordAudit } from '../../../audit/record.js';
import type { Context } from '../../../context.js';
import { NotFound } from '../../../contract/errors.js';
import { OAuthApplication } from '../../../models/oauth-application.js';
import { demand } from '../../../policies/can.js';
import { find } from '../../../policies/find.js';
import { generateToken, hashToken } from '../../../secrets/keys-and-tokens.js';
import { endApplicationGrants } from './end-application-grants.js';
import { hasOwnApplication } from './own-application.js';

/**
 * Also ends all codes and tokens that the application was issued.
 * @returns the application and its new secret; only the hash is stored
 * @throws NotFound, MissingPermission
 */
export async function rotateApplicationSecret(
  context: Context,
  storageId: number | undefined,
): Promise<{ oauthApplication: OAuthApplication; clientSecret: string }> {
  const storage = await demand(await find.storage(context, storageId), () => context.user.admin);
  if (!hasOwnApplication(context, storage.type)) throw new NotFound();
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
    // Only after the change: a request that passed with the old secret has saved its token by now.
    // Later requests find the new secret.
    await endApplicationGrants(context.db, trx, storage.id);
    const { id, name, updatedAt } = changed[0];
    await recordAudit(trx, updatedAt, context.actor, {
      kind: 'OAUTH_APPLICATION_SECRET_ROTATED',
      subject: { type: 'OAuthApplication', id, name },
    });
    return changed[0];
  });
  context.forgetIdentities();
  return { oauthApplication, clientSecret };
}

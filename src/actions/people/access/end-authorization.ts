/** Ends what an application may do for a person: oneself, or, for administrators, anybody. */
import { recordAudit } from '../../../audit/record.js';
import type { Context } from '../../../context.js';
import { NotFound } from '../../../contract/errors.js';
import type { Authorization } from '../../../models/authorization.js';
import { OAuthArtifact } from '../../../models/oauth-artifact.js';
import { findAuthorization } from '../../../policies/own-access.js';

/**
 * All grants of the application end, with their tokens. The application can ask again.
 * @throws NotFound for one that the caller does not see
 */
export async function endAuthorization(
  context: Context,
  id: number | undefined,
): Promise<Authorization> {
  const found = await findAuthorization(context, id);
  if (!found) throw new NotFound();
  const { db, clock, actor, forgetIdentities } = context;
  const { userId, clientId, applicationName } = found;
  await db.write.transaction(async (trx) => {
    const ended = await OAuthArtifact.query(trx)
      .delete()
      .where({ user_id: userId, client_id: clientId });
    if (ended === 0) throw new NotFound();
    await recordAudit(trx, clock().toISOString(), actor, {
      kind: 'AUTHORIZATION_ENDED',
      subject: { type: 'Authorization', id: found.id, name: applicationName },
      before: found,
    });
  });
  forgetIdentities();
  return found;
}

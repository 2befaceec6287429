/** What administrators do with OAuth applications that belong to no storage. */
import { recordAudit } from '../../../audit/record.js';
import type { Context } from '../../../context.js';
import { NotFound, PropertyConstraintViolation } from '../../../contract/errors.js';
import { API_SCOPE, OAuthApplication } from '../../../models/oauth-application.js';
import { OAuthArtifact } from '../../../models/oauth-artifact.js';
import { timestamps } from '../../../models/record.js';
import { demandAdmin } from '../../../policies/can.js';
import { find } from '../../../policies/find.js';
import { generateToken, hashToken } from '../../../secrets/keys-and-tokens.js';
import { validateName } from '../../base/validation/validate-name.js';
import { validateRedirectUris } from './redirect-uris.js';

interface NewApplication {
  name: string;
  redirectUris: readonly string[];
  /** Whether it gets a secret. */
  confidential: boolean;
}

/**
 * @returns the application and its secret; only the hash is stored
 * @throws MissingPermission, PropertyConstraintViolation
 */
export async function createApplication(
  context: Context,
  { name, redirectUris, confidential }: NewApplication,
): Promise<{ application: OAuthApplication; secret: string | undefined }> {
  demandAdmin(context);
  validateName(name);
  validateRedirectUris(redirectUris);
  const { db, clock, user, actor } = context;
  const secret = confidential ? generateToken() : undefined;
  const now = clock().toISOString();
  const application = await db.write.transaction(async (trx) => {
    const created = await OAuthApplication.query(trx)
      .insert({
        name: name.trim(),
        clientId: generateToken(),
        clientSecretHash: secret === undefined ? null : hashToken(secret),
        confidential,
        redirectUris: [...new Set(redirectUris)],
        scopes: [API_SCOPE],
        ownerId: user.id,
        storageId: null,
        ...timestamps(now),
      })
      .returning('*');
    await recordAudit(trx, now, actor, {
      kind: 'OAUTH_APPLICATION_CREATED',
      subject: { type: 'OAuthApplication', id: created.id, name: created.name },
      after: created,
    });
    return created;
  });
  return { application, secret };
}

/**
 * Also ends everything that it was issued.
 * @throws MissingPermission, NotFound, PropertyConstraintViolation for one of a storage
 */
export async function deleteApplication(
  context: Context,
  id: number | undefined,
): Promise<OAuthApplication> {
  demandAdmin(context);
  const found = await find.oauthApplication(context, id);
  if (!found) throw new NotFound();
  if (found.storageId !== null)
    throw new PropertyConstraintViolation(
      'The application belongs to a storage, and ends with the storage.',
    );
  const { db, clock, actor } = context;
  await db.write.transaction(async (trx) => {
    const [application] = await db.lockRows(OAuthApplication.query(trx).where('id', found.id));
    if (!application) throw new NotFound();
    await OAuthArtifact.query(trx).delete().where('client_id', application.clientId);
    await OAuthApplication.query(trx).deleteById(application.id);
    await recordAudit(trx, clock().toISOString(), actor, {
      kind: 'OAUTH_APPLICATION_DELETED',
      subject: { type: 'OAuthApplication', id: application.id, name: application.name },
      before: application,
    });
  });
  context.forgetIdentities();
  return found;
}

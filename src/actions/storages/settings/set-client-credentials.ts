/** Sets the OAuth client credentials that this service presents to a storage. */
import { recordAudit } from '../../../audit/record.js';
import type { Context } from '../../../context.js';
import { NotFound, UpdateConflict, type Violation } from '../../../contract/errors.js';
import { ConnectionAttempt } from '../../../models/connection-attempt.js';
import { OAuthClientCredentials } from '../../../models/oauth-client-credentials.js';
import { timestamps } from '../../../models/record.js';
import { Storage } from '../../../models/storage.js';
import { demand } from '../../../policies/can.js';
import { find } from '../../../policies/find.js';
import { isStorableText } from '../../../contract/text-rules.js';
import { requestSync } from '../../base/project-folder-queue/request-sync.js';
import { demandValid } from '../../base/validation/demand-valid.js';
import { CLIENT_SECRET } from '../access/reach-storage.js';
import { movesHost, targetName } from '../access/storage-target.js';
import { demandTypeEnabled } from '../access/switched-off.js';

interface CredentialsInput {
  clientId?: string | null | undefined;
  clientSecret?: string | null | undefined;
}

const MAX_ID = 255;
const MAX_SECRET = 4_000;

/**
 * Credentials of another client replace the old ones, and the users' tokens that were issued to
 * those are deleted. Another secret of the same client keeps the tokens: they are still valid.
 * @throws NotFound, MissingPermission, MissingEnterpriseToken, PropertyConstraintViolation
 * @throws UpdateConflict if the storage got another host since the caller could read it
 */
export async function setClientCredentials(
  context: Context,
  storageId: number | undefined,
  { clientId, clientSecret }: CredentialsInput,
): Promise<{ storage: Storage; credentials: OAuthClientCredentials }> {
  const before = await demand(await find.storage(context, storageId), () => context.user.admin);
  const { id } = before;
  demandTypeEnabled(context, before.type);
  demandValid(context, [
    ...problems('clientId', 'Client ID', clientId, MAX_ID),
    ...problems('clientSecret', 'Client secret', clientSecret, MAX_SECRET),
  ]);
  if (!clientId || !clientSecret) throw new Error('Validation let blank credentials pass.');
  const { db, keyring, clock, outbound, actor } = context;
  const now = clock().toISOString();
  const set = await db.write.transaction(async (trx) => {
    const storage = await db.lockRows(Storage.query(trx).findById(id));
    if (!storage) throw new NotFound();
    // The credentials may belong to the old host. They must not reach the new one.
    if (movesHost(before, storage)) throw new UpdateConflict();
    const values = { clientId, clientSecret: keyring.seal(clientSecret, CLIENT_SECRET) };
    const earlier = await OAuthClientCredentials.query(trx).findOne('storage_id', id);
    await OAuthClientCredentials.query(trx)
      .delete()
      .where('storage_id', id)
      .whereNot('client_id', clientId);
    const [corrected] = await OAuthClientCredentials.query(trx)
      .patch({ ...values, updatedAt: now })
      .where('storage_id', id)
      .returning('*');
    if (corrected)
      await ConnectionAttempt.query(trx).delete().where('credentials_id', corrected.id);
    const credentials =
      corrected ??
      (await OAuthClientCredentials.query(trx)
        .insert({ storageId: id, ...values, ...timestamps(now) })
        .returning('*'));
    await recordAudit(trx, now, actor, {
      kind: 'STORAGE_CREDENTIALS_SET',
      subject: { type: 'Storage', id, name: storage.name },
      before: earlier,
      after: credentials,
    });
    await requestSync(trx, { storageId: id }, clock());
    return { storage, credentials };
  });
  outbound.forget(targetName(set.storage));
  return set;
}

function problems(
  attribute: string,
  label: string,
  value: string | null | undefined,
  max: number,
): Violation[] {
  if (value === undefined || value === null || value.trim() === '')
    return [{ attribute, message: `${label} can't be blank.` }];
  if (value.length > max)
    return [{ attribute, message: `${label} is too long (maximum is ${max} characters).` }];
  return isStorableText(value)
    ? []
    : [{ attribute, message: `${label} must not contain NUL or broken characters.` }];
}

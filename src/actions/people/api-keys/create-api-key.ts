/** Creates a personal API key for the caller. */
import { recordAudit } from '../../../audit/record.js';
import type { Context } from '../../../context.js';
import { MissingPermission } from '../../../contract/errors.js';
import { ApiKey, type ApiKeyAccess } from '../../../models/api-key.js';
import { timestamps } from '../../../models/record.js';
import { generateKey, hashKey } from '../../../secrets/keys-and-tokens.js';
import { endOfKey } from './key-end.js';
import { nameTaken, validateName } from '../../base/validation/validate-name.js';

interface NewApiKey {
  name: string;
  access?: `${ApiKeyAccess}` | undefined;
  /** Null: no end. Undefined: the default of the service. */
  expiresAt?: string | null | undefined;
}

/**
 * @returns the row and the key itself; only its hash is stored
 * @throws MissingPermission for anonymous users
 * @throws PropertyConstraintViolation
 */
export async function createApiKey(
  { user, db, clock, settings, actor }: Context,
  { name, access = 'full', expiresAt }: NewApiKey,
): Promise<{ apiKey: ApiKey; key: string }> {
  if (user.anonymous) throw new MissingPermission();
  validateName(name);
  const key = generateKey();
  const row = {
    userId: user.id,
    name,
    keyHash: hashKey(key),
    access,
    expiresAt: endOfKey({ clock, settings }, expiresAt),
    ...timestamps(clock().toISOString()),
  };
  const apiKey = await db.write.transaction(async (trx) => {
    // The cast adds undefined: an ignored conflict returns no row.
    const created = (await ApiKey.query(trx)
      .insert(row)
      .onConflict(['user_id', 'name'])
      .ignore()
      .returning('*')) as ApiKey | undefined;
    if (!created?.id) throw nameTaken();
    await recordAudit(trx, row.createdAt, actor, {
      kind: 'API_KEY_CREATED',
      subject: { type: 'ApiKey', id: created.id, name },
      after: created,
    });
    return created;
  });
  return { apiKey, key };
}

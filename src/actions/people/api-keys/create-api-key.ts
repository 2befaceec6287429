/** Creates a personal API key for the caller. */
import type { Context } from '../../../context.js';
import { MissingPermission } from '../../../contract/errors.js';
import { ApiKey } from '../../../models/api-key.js';
import { timestamps } from '../../../models/record.js';
import { generateKey, hashKey } from '../../../secrets/keys-and-tokens.js';
import { keyNameTaken, validateKeyName } from './validate-key-name.js';

/**
 * @returns the row and the key itself; only its hash is stored
 * @throws MissingPermission for anonymous users
 * @throws PropertyConstraintViolation
 */
export async function createApiKey(
  { user, db, clock }: Context,
  name: string,
): Promise<{ apiKey: ApiKey; key: string }> {
  if (user.anonymous) throw new MissingPermission();
  validateKeyName(name);
  const key = generateKey();
  const row = {
    userId: user.id,
    name,
    keyHash: hashKey(key),
    ...timestamps(clock().toISOString()),
  };
  // The cast adds undefined: an ignored conflict returns no row.
  const apiKey = (await ApiKey.query(db.write)
    .insert(row)
    .onConflict(['user_id', 'name'])
    .ignore()
    .returning('*')) as ApiKey | undefined;
  if (!apiKey?.id) throw keyNameTaken();
  return { apiKey, key };
}

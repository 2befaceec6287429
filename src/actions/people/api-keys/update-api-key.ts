/** Renames one of the caller's API keys. */
import { UniqueViolationError } from 'objection';
import { recordAudit } from '../../../audit/record.js';
import type { Context } from '../../../context.js';
import { NotFound } from '../../../contract/errors.js';
import { ApiKey } from '../../../models/api-key.js';
import { find } from '../../../policies/find.js';
import { nameTaken, validateName } from '../../base/validation/validate-name.js';

/** @throws NotFound for a key that is not the caller's, PropertyConstraintViolation */
export async function updateApiKey(
  { user, db, clock, actor }: Context,
  id: number | undefined,
  name: string,
): Promise<ApiKey> {
  const found = await find.apiKey({ user, db }, id);
  // Administrators see the keys of others, and only end them.
  if (found?.userId !== user.id) throw new NotFound();
  validateName(name);
  try {
    return await db.write.transaction(async (trx) => {
      const [before] = await db.lockRows(ApiKey.query(trx).where('id', found.id));
      // Revoked after it was read.
      if (!before) throw new NotFound();
      const changes = { name, updatedAt: clock().toISOString() };
      await ApiKey.query(trx).findById(before.id).patch(changes);
      const after = before.$clone().$set(changes);
      await recordAudit(trx, changes.updatedAt, actor, {
        kind: 'API_KEY_UPDATED',
        subject: { type: 'ApiKey', id: after.id, name },
        before,
        after,
      });
      return after;
    });
  } catch (error) {
    throw error instanceof UniqueViolationError ? nameTaken() : error;
  }
}

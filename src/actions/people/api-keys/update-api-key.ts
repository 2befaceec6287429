/** Renames one of the caller's API keys. */
import { UniqueViolationError } from 'objection';
import type { Context } from '../../../context.js';
import { NotFound } from '../../../contract/errors.js';
import { ApiKey } from '../../../models/api-key.js';
import { find } from '../../../policies/find.js';
import { keyNameTaken, validateKeyName } from './validate-key-name.js';

/** @throws NotFound for a key that is not the caller's, PropertyConstraintViolation */
export async function updateApiKey(
  { user, db, clock }: Context,
  id: number | undefined,
  name: string,
): Promise<ApiKey> {
  const found = await find.apiKey({ user, db }, id);
  if (!found) throw new NotFound();
  validateKeyName(name);
  try {
    const [renamed] = await ApiKey.query(db.write)
      .patch({ name, updatedAt: clock().toISOString() })
      .where({ id: found.id })
      .returning('*');
    // Revoked after it was read.
    if (!renamed) throw new NotFound();
    return renamed;
  } catch (error) {
    throw error instanceof UniqueViolationError ? keyNameTaken() : error;
  }
}

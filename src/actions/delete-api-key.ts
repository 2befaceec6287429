/** Revokes one of the caller's API keys. */
import type { Context } from '../context.js';
import { NotFound } from '../errors.js';
import { ApiKey } from '../models/api-key.js';

/** @throws NotFound for a key that is not the caller's */
export async function deleteApiKey({ user, db, forgetIdentities }: Context, id: number | undefined): Promise<ApiKey> {
  const apiKey = id === undefined || user.anonymous ? undefined : await ApiKey.query(db.write).findOne({ id, user_id: user.id });
  if (!apiKey) throw new NotFound();
  await ApiKey.query(db.write).deleteById(apiKey.id);
  forgetIdentities();
  return apiKey;
}

/** Reads what the authorization server has issued, for the rest of the service. */
import type { Knex } from 'knex';
import { OAuthArtifact } from '../../models/oauth-artifact.js';
import { User } from '../../models/user.js';

/**
 * The user for whom an access token acts: the one who granted it.
 * @param hash of the token
 * @returns undefined for an unknown or expired token, without its application or grant, and for a
 *   user who is not active
 */
export async function tokenHolder(
  db: Knex,
  hash: string,
): Promise<{ id: number; user: User; scopes: string[] } | undefined> {
  const token = await db('oauth_artifacts as token')
    .join('oauth_applications as application', 'application.client_id', 'token.client_id')
    .where({ 'token.key_hash': hash, 'token.kind': 'AccessToken' })
    .where('token.expires_at', '>', new Date().toISOString())
    // A grant may be deleted while a token of it is being issued. That token must not work.
    .whereExists(
      db('oauth_artifacts as grant')
        .select(db.raw('1'))
        .where('grant.kind', 'Grant')
        .whereRaw('?? = ??', ['grant.key_hash', 'token.grant_id']),
    )
    .first<{ id: number; payload: string; userId: number } | undefined>({
      id: 'token.id',
      payload: 'token.payload',
      userId: 'token.user_id',
    });
  const user =
    token &&
    (await User.query(db).findOne({
      id: token.userId,
      status: 'active',
      anonymous: false,
    }));
  if (!token || !user) return undefined;
  const { scope = '' } = JSON.parse(token.payload) as { scope?: string };
  return { id: token.id, user, scopes: scope.split(' ') };
}

/** Whether a token works: a valid access token, or a refresh token that was not used yet. */
export async function isActiveToken(db: Knex, hash: string): Promise<boolean> {
  if (await tokenHolder(db, hash)) return true;
  const active = User.query(db).select('id').where({ status: 'active', anonymous: false });
  return (
    (await OAuthArtifact.query(db)
      .findOne({ kind: 'RefreshToken', key_hash: hash })
      .whereNull('consumed_at')
      .whereIn('user_id', active)) !== undefined
  );
}

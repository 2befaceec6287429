/** What our authorization server issued, seen from the rest of the service. */
import type { Knex } from 'knex';
import { OAuthArtifact } from '../../models/oauth-artifact.js';
import { User } from '../../models/user.js';

/**
 * The user for whom an access token acts: who granted it, or the owner of the application for one of client credentials. Undefined
 * for a token that is unknown or expired, and when the application, the grant or an active user is gone.
 * @param hash of the token
 */
export async function tokenHolder(
  db: Knex,
  hash: string,
): Promise<{ user: User; scopes: string[] } | undefined> {
  const token = await db('oauth_artifacts as token')
    .join('oauth_applications as application', 'application.client_id', 'token.client_id')
    .where({ 'token.key_hash': hash })
    .whereIn('token.kind', ['AccessToken', 'ClientCredentials'])
    .where('token.expires_at', '>', new Date().toISOString())
    // Whoever ends a grant while a token of it is being made must not leave that token behind.
    .where(
      (alive) =>
        void alive
          .whereNull('token.grant_id')
          .orWhereExists(
            db('oauth_artifacts as grant')
              .select(db.raw('1'))
              .where('grant.kind', 'Grant')
              .whereRaw('?? = ??', ['grant.key_hash', 'token.grant_id']),
          ),
    )
    .first<{ payload: string; userId: number | null; ownerId: number } | undefined>({
      payload: 'token.payload',
      userId: 'token.user_id',
      ownerId: 'application.owner_id',
    });
  const user =
    token &&
    (await User.query(db).findOne({
      id: token.userId ?? token.ownerId,
      status: 'active',
      anonymous: false,
    }));
  if (!user) return undefined;
  const { scope = '' } = JSON.parse(token.payload) as { scope?: string };
  return { user, scopes: scope.split(' ') };
}

/** Whether a token is worth something: an access token where it is presented, an unused refresh token where it is exchanged. */
export async function isGood(db: Knex, hash: string): Promise<boolean> {
  if (await tokenHolder(db, hash)) return true;
  const active = User.query(db).select('id').where({ status: 'active', anonymous: false });
  return (
    (await OAuthArtifact.query(db)
      .findOne({ kind: 'RefreshToken', key_hash: hash })
      .whereNull('consumed_at')
      .whereIn('user_id', active)) !== undefined
  );
}

/** Ends everything that was issued to an application, or in the name of a user. */
export async function endGrantsOf(
  db: Knex,
  of: { clientId: string } | { userId: number },
): Promise<void> {
  await OAuthArtifact.query(db)
    .delete()
    .where('clientId' in of ? { client_id: of.clientId } : { user_id: of.userId });
}

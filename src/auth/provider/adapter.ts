/**
 * The store of the library `oidc-provider`: `oauth_artifacts`, found by hashes only. The library's
 * clients are our OAuth applications, and its sessions are our sessions.
 */
import type { Knex } from 'knex';
import type { Adapter, AdapterPayload } from 'oidc-provider';
import type { Database } from '../../database/index.js';
import { OAuthApplication } from '../../models/oauth-application.js';
import { OAuthArtifact } from '../../models/oauth-artifact.js';
import { timestamps } from '../../models/record.js';
import { User } from '../../models/user.js';
import { hashToken } from '../../secrets/keys-and-tokens.js';
import type { Sessions, SignedIn } from '../sessions.js';

interface AdapterNeeds {
  db: Database;
  sessions: Sessions;
  clock: () => Date;
  /** Makes the error for the second use of a code or refresh token. */
  usedTwice: () => Error;
}

/** Used codes and refresh tokens are stored this long, because a second use ends the grant. */
const USED_DAYS = 14;
const DAY_MS = 86_400_000;
/** Within this time a second refresh is a retry or a parallel request of the client, no attack. */
const RETRY_MS = 10_000;
/** After this time without a new token, a refresh counts as lost and a retry may replace it. */
const LOST_MS = 2_000;

export const adapters =
  (needs: AdapterNeeds) =>
  (kind: string): Adapter => {
    if (kind === 'Client') return applications(needs);
    if (kind === 'Session') return sessions(needs);
    return artifacts(kind, needs);
  };

async function unused(): Promise<never> {
  throw new Error('This authorization server has no use for it.');
}
const unusedMethods: Adapter = {
  upsert: unused,
  find: unused,
  findByUid: unused,
  findByUserCode: unused,
  consume: unused,
  destroy: unused,
  revokeByGrantId: unused,
};

/** Read only: actions create and change applications. */
const applications = ({ db }: AdapterNeeds): Adapter => ({
  ...unusedMethods,
  find: async (clientId) => {
    // PostgreSQL refuses a null character in text.
    const application = clientId.includes('\0')
      ? undefined
      : await OAuthApplication.query(db.read).findOne({ client_id: clientId });
    return application && metadataOf(application);
  },
});

/** An application in the terms of RFC 7591, with the hash of its secret instead of the secret. */
function metadataOf({
  name,
  clientId,
  clientSecretHash,
  confidential,
  redirectUris,
  scopes,
}: OAuthApplication): AdapterPayload {
  const redirects = redirectUris.length > 0;
  return {
    client_id: clientId,
    client_name: name,
    redirect_uris: redirectUris,
    scope: scopes.join(' '),
    ...(clientSecretHash !== null && { client_secret: clientSecretHash }),
    token_endpoint_auth_method: confidential ? 'client_secret_basic' : 'none',
    application_type: redirectUris.every((uri) => /^https?:/.test(uri)) ? 'web' : 'native',
    grant_types: redirects ? ['authorization_code', 'refresh_token'] : [],
    response_types: redirects ? ['code'] : [],
  };
}

/** The library uses our cookie and our rows, so it always sees the current sign-in. */
const sessions = ({ sessions: ours }: AdapterNeeds): Adapter => ({
  ...unusedMethods,
  find: async (token) => payloadOf(await ours.find({ token_hash: hashToken(token) }), token),
  findByUid: async (uid) => payloadOf(await ours.find({ id: Number(uid) }), undefined),
  // The library gives a session another cookie value after each step of the sign-in.
  upsert: async (token, { uid, accountId }) => {
    if (accountId !== undefined) await ours.renew(Number(uid), token);
  },
  destroy: async () => undefined,
});

function payloadOf(
  signedIn: SignedIn | undefined,
  jti: string | undefined,
): AdapterPayload | undefined {
  if (!signedIn) return undefined;
  const { session, user } = signedIn;
  return {
    kind: 'Session',
    jti,
    uid: String(session.id),
    accountId: String(user.id),
    loginTs: seconds(session.createdAt),
    iat: seconds(session.createdAt),
    exp: seconds(session.expiresAt),
  };
}

/** Codes, tokens, grants and interactions. */
const artifacts = (kind: string, { db, clock, usedTwice }: AdapterNeeds): Adapter => {
  const artifactKey = (id: string) => ({ kind, key_hash: hashToken(id) });
  const endGrant = async (grantId: string) => {
    const hash = hashToken(grantId);
    await OAuthArtifact.query(db.write)
      .delete()
      .where('grant_id', hash)
      .orWhere({ kind: 'Grant', key_hash: hash });
  };
  const isActive = async (trx: Knex, id: number): Promise<boolean> =>
    (await db.lockRows(User.query(trx).select('id').where({ id, status: 'active' }))).length > 0;
  /** Whether a refresh token was used, but no new token was issued for it in `LOST_MS`. */
  const wasUsedInVain = async (used: OAuthArtifact, now: Date): Promise<boolean> =>
    used.consumedAt !== null &&
    wasJustUsed(used, now) &&
    now.getTime() - Date.parse(used.consumedAt) >= LOST_MS &&
    (await OAuthArtifact.query(db.write)
      .findOne({ kind, grant_id: used.grantId })
      .whereNot('id', used.id)
      .where('created_at', '>=', used.consumedAt)) === undefined;
  return {
    ...unusedMethods,
    upsert: async (id, payload, expiresIn) => {
      // Nobody is signed in. The sign-in leads back to the request, which then begins anew.
      if (kind === 'Interaction' && !payload.session) return;
      const now = clock();
      const expiresAt =
        expiresIn === undefined ? null : new Date(now.getTime() + expiresIn * 1000).toISOString();
      const grantId = payload.grantId === undefined ? null : hashToken(payload.grantId);
      const { params } = payload as { params?: { client_id?: string } };
      const userId = payload.accountId === undefined ? null : Number(payload.accountId);
      await db.write.transaction(async (trx) => {
        // A lock of the user deletes everything here. What is issued at that moment is not stored.
        if (userId !== null && !(await isActive(trx, userId))) return;
        if (kind === 'RefreshToken' && grantId !== null) {
          // A grant lives as long as its last refresh token. Only one of its tokens is unused: a
          // retry replaces the token of a slow refresh.
          await OAuthArtifact.query(trx)
            .patch({ expiresAt })
            .where({ kind: 'Grant', key_hash: grantId });
          if (
            await OAuthArtifact.query(trx)
              .findOne({ kind, grant_id: grantId, consumed_at: null })
              .whereNot('key_hash', hashToken(id))
          )
            throw usedTwice();
        }
        await OAuthArtifact.query(trx)
          .insert({
            kind,
            keyHash: hashToken(id),
            uidHash: null,
            grantId,
            clientId: payload.clientId ?? params?.client_id ?? null,
            userId,
            payload: withoutId(payload, id),
            consumedAt: null,
            expiresAt,
            ...timestamps(now.toISOString()),
          })
          .onConflict(['kind', 'key_hash'])
          .merge(['payload', 'expires_at', 'updated_at']);
      });
    },
    find: async (id) => {
      const found = await OAuthArtifact.query(db.read).findOne(artifactKey(id));
      if (!found || (found.expiresAt !== null && found.expiresAt <= clock().toISOString()))
        return undefined;
      return {
        ...withId(found.payload, id),
        ...(found.expiresAt !== null && { exp: seconds(found.expiresAt) }),
        ...(found.consumedAt !== null &&
          !wasJustUsed(found, clock()) && { consumed: seconds(found.consumedAt) }),
      };
    },
    /**
     * The first request that presents a code or refresh token uses it. Every later one is refused
     * and ends the grant. Exception: a refresh token that is used again within `RETRY_MS` does not
     * end the grant. So one of two parallel refreshes fails, and the tokens of the other stay valid.
     * When the first request issued nothing (process died, write failed), the next one replaces it.
     */
    consume: async (id) => {
      const now = clock();
      const use = () =>
        OAuthArtifact.query(db.write)
          .patch({
            consumedAt: now.toISOString(),
            expiresAt: new Date(now.getTime() + USED_DAYS * DAY_MS).toISOString(),
          })
          .where(artifactKey(id));
      if ((await use().whereNull('consumed_at')) === 1) return;
      const found = await OAuthArtifact.query(db.write).findOne(artifactKey(id));
      if (
        found &&
        (await wasUsedInVain(found, now)) &&
        (await use().where('consumed_at', found.consumedAt)) === 1
      )
        return;
      if (found && !wasJustUsed(found, now)) {
        const { grantId } = withId(found.payload, id);
        if (grantId !== undefined) await endGrant(grantId);
      }
      throw usedTwice();
    },
    destroy: async (id) =>
      void (await OAuthArtifact.query(db.write).delete().where(artifactKey(id))),
    revokeByGrantId: endGrant,
  };
};

/**
 * Whether a refresh token was used within `RETRY_MS`. Then `find` does not tell the library that it
 * was used. Otherwise the library would end the grant at once, without calling `consume` again.
 */
const wasJustUsed = ({ kind, consumedAt }: OAuthArtifact, now: Date): boolean =>
  kind === 'RefreshToken' &&
  consumedAt !== null &&
  now.getTime() - Date.parse(consumedAt) < RETRY_MS;

const seconds = (time: string): number => Math.floor(Date.parse(time) / 1000);

/**
 * Removes the secrets that a client or browser presents. These are the id, the address `returnTo`
 * (it ends in the id) and the cookie of the session.
 */
function withoutId(
  { jti: _jti, exp: _exp, returnTo, session, ...payload }: AdapterPayload,
  id: string,
): string {
  return JSON.stringify({
    ...payload,
    ...(returnTo !== undefined && { returnTo: returnTo.slice(0, -id.length) }),
    ...(session && { session: { ...session, cookie: undefined } }),
  });
}

function withId(text: string, id: string): AdapterPayload {
  const { returnTo, ...payload } = JSON.parse(text) as AdapterPayload;
  return { ...payload, jti: id, ...(returnTo !== undefined && { returnTo: returnTo + id }) };
}

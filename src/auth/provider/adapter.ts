/** Where the library keeps what it issues: `oauth_artifacts`, found by hashes only. Its clients are our applications, its sessions ours. */
import type { Adapter, AdapterPayload } from 'oidc-provider';
import type { Database } from '../../database/index.js';
import { OAuthApplication } from '../../models/oauth-application.js';
import { OAuthArtifact } from '../../models/oauth-artifact.js';
import { timestamps } from '../../models/record.js';
import { hashToken } from '../../secrets/hashes.js';
import type { Sessions, SignedIn } from '../sessions.js';

export interface Dependencies {
  db: Database;
  sessions: Sessions;
  clock: () => Date;
  /** What the second use of a code or refresh token throws. */
  usedTwice: () => Error;
  /** The hash of the secret by which the client of this request was known. */
  secret: () => string | undefined;
  /** What is thrown where the client has another one by now. */
  secretReplaced: () => Error;
}

/** What was used up is remembered so long: its second use ends the whole grant. */
const USED_DAYS = 14;
const DAY_MS = 86_400_000;
/** A client that refreshes twice at once, or asks again because it got no answer, does so within this time. */
const AGAIN_MS = 10_000;
/** A refresh that is under way is given so long before another one takes its place. */
const ANSWERED_MS = 2_000;

export const adapters =
  (needs: Dependencies) =>
  (kind: string): Adapter => {
    if (kind === 'Client') return applications(needs);
    if (kind === 'Session') return sessions(needs);
    return artifacts(kind, needs);
  };

async function unused(): Promise<never> {
  throw new Error('This authorization server has no use for it.');
}
const nothing: Adapter = {
  upsert: unused,
  find: unused,
  findByUid: unused,
  findByUserCode: unused,
  consume: unused,
  destroy: unused,
  revokeByGrantId: unused,
};

/** Rows of applications are made elsewhere. */
const applications = ({ db }: Dependencies): Adapter => ({
  ...nothing,
  find: async (clientId) => {
    // No database takes a null character as text.
    const application = clientId.includes('\0')
      ? undefined
      : await OAuthApplication.query(db.read).findOne({ client_id: clientId });
    return application && metadataOf(application);
  },
});

/** An application in the terms of RFC 7591. The hash takes the place of the secret, which nobody knows. */
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
    grant_types: [
      ...(redirects ? ['authorization_code', 'refresh_token'] : []),
      ...(confidential ? ['client_credentials'] : []),
    ],
    response_types: redirects ? ['code'] : [],
  };
}

/** The library's session is ours: the same cookie, the same row. So it follows whoever signs in and out. */
const sessions = ({ sessions: ours }: Dependencies): Adapter => ({
  ...nothing,
  find: async (token) => payloadOf(await ours.find({ token_hash: hashToken(token) }), token),
  findByUid: async (uid) => payloadOf(await ours.find({ id: Number(uid) }), undefined),
  // The library gives a session another value when a step of the sign-in is done.
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

/** Codes, tokens, grants and steps of a sign-in. */
const artifacts = (
  kind: string,
  { db, clock, usedTwice, secret, secretReplaced }: Dependencies,
): Adapter => {
  const keyOf = (id: string) => ({ kind, key_hash: hashToken(id) });
  const endGrant = async (grantId: string) => {
    const hash = hashToken(grantId);
    await OAuthArtifact.query(db.write)
      .delete()
      .where('grant_id', hash)
      .orWhere({ kind: 'Grant', key_hash: hash });
  };
  /** Whoever used it had the time to get another one, and did not. */
  const wasUsedInVain = async (used: OAuthArtifact, now: Date): Promise<boolean> =>
    used.consumedAt !== null &&
    wasJustUsed(used, now) &&
    now.getTime() - Date.parse(used.consumedAt) >= ANSWERED_MS &&
    (await OAuthArtifact.query(db.write)
      .findOne({ kind, grant_id: used.grantId })
      .whereNot('id', used.id)
      .where('created_at', '>=', used.consumedAt)) === undefined;
  return {
    ...nothing,
    upsert: async (id, payload, expiresIn) => {
      const now = clock();
      const expiresAt =
        expiresIn === undefined ? null : new Date(now.getTime() + expiresIn * 1000).toISOString();
      const grantId = payload.grantId === undefined ? null : hashToken(payload.grantId);
      const { params } = payload as { params?: { client_id?: string } };
      await db.write.transaction(async (trx) => {
        // No grant ends it. Whoever replaces the secret has the row, and ends what was issued before.
        if (kind === 'ClientCredentials') {
          const [application] = await db.lockRows(
            OAuthApplication.query(trx).where('client_id', payload.clientId!),
          );
          if (application?.clientSecretHash !== secret()) throw secretReplaced();
        }
        if (kind === 'RefreshToken' && grantId !== null) {
          // A grant lives as long as its last refresh token, and has one that is good: a refresh that was slow may have lost its place.
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
            userId: payload.accountId === undefined ? null : Number(payload.accountId),
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
      const found = await OAuthArtifact.query(db.read).findOne(keyOf(id));
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
     * Of several who present it, the first one gets something for it. Any other one is refused, and ends the grant, but for the
     * second use of a refresh token within ten seconds: of two refreshes at once one goes wrong, and what the other got stays good.
     * Where the first one got nothing, because the process died or its answer could not be saved, the next one takes its place.
     */
    consume: async (id) => {
      const now = clock();
      const use = () =>
        OAuthArtifact.query(db.write)
          .patch({
            consumedAt: now.toISOString(),
            expiresAt: new Date(now.getTime() + USED_DAYS * DAY_MS).toISOString(),
          })
          .where(keyOf(id));
      if ((await use().whereNull('consumed_at')) === 1) return;
      const found = await OAuthArtifact.query(db.write).findOne(keyOf(id));
      if (
        found &&
        (await wasUsedInVain(found, now)) &&
        (await use().where('consumed_at', found.consumedAt)) === 1
      )
        return;
      const { grantId } = withId(found?.payload ?? '{}', id);
      if (grantId !== undefined && !wasJustUsed(found!, now)) await endGrant(grantId);
      throw usedTwice();
    },
    destroy: async (id) => void (await OAuthArtifact.query(db.write).delete().where(keyOf(id))),
    revokeByGrantId: endGrant,
  };
};

/** A refresh token that the library is not to know as used, so that it comes to be consumed again instead of ending the grant. */
const wasJustUsed = ({ kind, consumedAt }: OAuthArtifact, now: Date): boolean =>
  kind === 'RefreshToken' &&
  consumedAt !== null &&
  now.getTime() - Date.parse(consumedAt) < AGAIN_MS;

const seconds = (time: string): number => Math.floor(Date.parse(time) / 1000);

/** Without what a client or a browser presents: the value itself, which ends the address to go on at, and the cookie of the session. */
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

/** Calls a storage with the caller's token, and refreshes the token if needed. */
import type { OAuthClient } from '../../../auth/connections/index.js';
import { ExchangeRefused } from '../../../auth/openid/tokens.js';
import { sharedAnswers } from './shared-answers.js';
import type { Context } from '../../../context.js';
import type { OAuthClientCredentials } from '../../../models/oauth-client-credentials.js';
import { StorageToken } from '../../../models/storage-token.js';
import { AuthenticationMethod, type Storage } from '../../../models/storage.js';
import type { Access } from '../../../storages/adapter.js';
import { hostMember } from '../../../loaders/storage.js';
import { isUnauthorized } from '../../../storages/failure.js';
import { adapterFor } from '../../../storages/index.js';
import { hostMemberNames } from '../../../storages/types.js';
import { requestSync } from '../../base/project-folder-queue/request-sync.js';
import { NotConnected } from './outbound-error.js';
import { patientTarget } from './patient-target.js';
import { signOnUser } from './sign-on-user.js';
import { targetName, targetOf } from './storage-target.js';

/** Purpose under which client secrets are sealed. */
export const CLIENT_SECRET = 'oauth_client_credentials.client_secret';

/** Purpose under which application passwords are sealed. */
export const APPLICATION_PASSWORD = 'storages.application_password';

/** This service as an OAuth client of a storage. */
export function oauthClientOf(
  context: Context,
  storage: Storage,
  credentials: OAuthClientCredentials,
): OAuthClient {
  return {
    target: targetName(storage),
    storageId: storage.id,
    server: adapterFor(storage.type).authorizationServer(targetOf(context, storage)),
    client: {
      id: credentials.clientId,
      secret: context.keyring.open(credentials.clientSecret, CLIENT_SECRET),
    },
  };
}

/**
 * The credentials of this service at a storage.
 * Undefined if the storage moved after `storage` was read: they are then for the new host.
 */
export async function credentialsOf(
  { loaders }: Context,
  storage: Storage,
): Promise<OAuthClientCredentials | undefined> {
  const credentials = await loaders.clientCredentials.load(storage.id);
  return credentials &&
    credentials.storageOrigin === storage.origin &&
    hostMemberNames.every((name) => hostMember(credentials, name) === storage[name])
    ? credentials
    : undefined;
}

/**
 * @param ask gets the access, and the caller's user id at the storage if it is known
 * @param signOnUserOf finds that id with single sign-on
 * @throws NotConnected, StorageFailure, OutboundFailure, GrantFailed
 */
export async function reachStorage<T>(
  context: Context,
  storage: Storage,
  ask: (access: Access, originUserId: string | null) => Promise<T>,
  signOnUserOf = signOnUser,
): Promise<T> {
  const as = (token: string): Access => ({
    ...patientTarget(context, storage, context.user.id),
    authorization: `Bearer ${token}`,
  });
  try {
    if (storage.authenticationMethod === AuthenticationMethod.OAUTH2_SSO)
      return await withIdentity(context, storage, async (token) => {
        const access = as(token);
        return ask(access, await signOnUserOf(context, storage, access));
      });
    return await withConnection(context, storage, (token, originUserId) =>
      ask(as(token), originUserId),
    );
  } catch (error) {
    if (!isUnauthorized(error)) throw error;
    throw storage.authenticationMethod === AuthenticationMethod.OAUTH2_SSO
      ? new NotConnected(TOKEN_REFUSED)
      : new NotConnected();
  }
}

export const TOKEN_REFUSED =
  'The storage refuses your token of the OpenID provider. Sign in with the provider again. ' +
  'If that does not help, an administrator must check the audience of the storage.';
const NO_TOKEN =
  'The storage needs a token of the OpenID provider, and there is none of yours. ' +
  'Sign in with the provider.';
const NOT_SET_UP = 'Single sign-on is not set up for the storage.';

/**
 * Uses a token exchanged at the OpenID provider.
 * If the storage refuses it, the request exchanges once more: the provider may have revoked it.
 */
async function withIdentity<T>(
  context: Context,
  storage: Storage,
  ask: (token: string) => Promise<T>,
): Promise<T> {
  const token = await identityToken(context, storage);
  try {
    return await ask(token);
  } catch (error) {
    if (!isUnauthorized(error)) throw error;
    const newToken = await context
      .once(sharedAnswers)
      .share(['another identity token', storage.id], () => {
        context.openId?.forget(token);
        // This may also be a token that another request has fetched in the meantime.
        return identityToken(context, storage);
      });
    if (newToken === token) throw error;
    return ask(newToken);
  }
}

/** @throws NotConnected that says what to do */
async function identityToken(context: Context, storage: Storage): Promise<string> {
  const { openId, user } = context;
  const { id, storageAudience: audience, tokenExchangeScope: scope } = storage;
  if (!openId || audience === null) throw new NotConnected(NOT_SET_UP);
  try {
    const token = await openId.tokenFor(user, audience, context.deadlineOf(id), scope);
    if (token === undefined) throw new NotConnected(NO_TOKEN);
    return token;
  } catch (error) {
    throw error instanceof ExchangeRefused ? new NotConnected(error.message) : error;
  }
}

/**
 * Uses the user's OAuth token of the storage; if the storage refuses it, refreshes it once.
 * All files of a request share both tokens.
 * A token that another request has just refreshed is used without another refresh.
 */
async function withConnection<T>(
  context: Context,
  storage: Storage,
  ask: (token: string, originUserId: string | null) => Promise<T>,
): Promise<T> {
  const { connections } = context;
  const { share } = context.once(sharedAnswers);
  const first = await share(['token', storage.id], async () => {
    const { connection, client } = await connectionOf(context, storage);
    const deadline = context.deadlineOf(storage.id);
    const found = await connections.token(connection, client, deadline);
    if (!found) throw await disconnected(context, connection);
    return { ...found, client };
  });
  try {
    return await ask(first.token, first.connection.originUserId);
  } catch (error) {
    if (!isUnauthorized(error)) throw error;
    const second = await share(['another token', storage.id], async () => {
      const { connection, client } = first;
      const found = await connections.renewed(connection, client, context.deadlineOf(storage.id));
      if (!found) throw await disconnected(context, connection);
      return found;
    });
    return ask(second.token, second.connection.originUserId);
  }
}

/** @throws NotConnected */
async function connectionOf(
  context: Context,
  storage: Storage,
): Promise<{ connection: StorageToken; client: OAuthClient }> {
  const [credentials, connection] = await Promise.all([
    credentialsOf(context, storage),
    context.loaders.storageTokens.load(storage.id),
  ]);
  if (!credentials || connection?.credentialsId !== credentials.id) throw new NotConnected();
  return { connection, client: oauthClientOf(context, storage, credentials) };
}

/** Whoever is not connected any more loses the rights in the folders of projects. */
async function disconnected(
  { db, clock }: Context,
  { id, storageId }: StorageToken,
): Promise<NotConnected> {
  // With an expired sign-in at the identity provider, the row stays.
  if (!(await StorageToken.query(db.write).findById(id)))
    await requestSync(db.write, { storageId }, clock());
  return new NotConnected();
}

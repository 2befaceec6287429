/** Asks a storage something as the caller: with the caller's token, refreshed where it must be. */
import type { OAuthClient } from '../../auth/connections/index.js';
import { answersOf } from './shared-answers.js';
import type { Context } from '../../context.js';
import type { OAuthClientCredentials } from '../../models/oauth-client-credentials.js';
import { AuthenticationMethod, type Storage } from '../../models/storage.js';
import type { Access } from '../../storages/adapter.js';
import { HOST_MEMBERS, hostAlias } from '../../loaders/storage.js';
import { StorageFailure } from '../../storages/failure.js';
import { adapterFor } from '../../storages/index.js';
import { NotConnected } from './outbound-error.js';
import { targetName, targetOf } from './storage-target.js';

export const CLIENT_SECRET = 'oauth_client_credentials.client_secret';

/** Our client at a storage, and its authorization server. */
export function oauthClientOf(
  context: Context,
  storage: Storage,
  credentials: OAuthClientCredentials,
): OAuthClient {
  return {
    target: targetName(storage),
    server: adapterFor(storage.type).authorizationServer(targetOf(context, storage)),
    client: {
      id: credentials.clientId,
      secret: context.keyring.open(credentials.clientSecret, CLIENT_SECRET),
    },
  };
}

/** Our client at a storage; none where the storage was moved since it was read, because these credentials are the new host's. */
export async function credentialsOf(
  { loaders }: Context,
  storage: Storage,
): Promise<OAuthClientCredentials | undefined> {
  const credentials = await loaders.clientCredentials.load(storage.id);
  return credentials &&
    credentials.storageOrigin === storage.origin &&
    HOST_MEMBERS.every((name) => credentials[hostAlias(name)] === storage[name])
    ? credentials
    : undefined;
}

/**
 * @param originUserId who the caller is at the storage, where that is known
 * @throws NotConnected, StorageFailure, OutboundFailure, GrantFailed
 */
export async function reachStorage<T>(
  context: Context,
  storage: Storage,
  ask: (access: Access, originUserId: string | null) => Promise<T>,
): Promise<T> {
  const as = (token: string): Access => ({
    ...targetOf(context, storage),
    authorization: `Bearer ${token}`,
  });
  try {
    if (storage.authenticationMethod === AuthenticationMethod.OAuth2SSO)
      return await withIdentity(context, storage, (token) => ask(as(token), null));
    return await withConnection(context, storage, (token, originUserId) =>
      ask(as(token), originUserId),
    );
  } catch (error) {
    throw error instanceof StorageFailure && error.kind === 'unauthorized'
      ? new NotConnected()
      : error;
  }
}

/** An exchanged token that the storage refuses is exchanged for once more by each request; the provider may have ended it. */
async function withIdentity<T>(
  context: Context,
  storage: Storage,
  ask: (token: string) => Promise<T>,
): Promise<T> {
  const token = await identityToken(context, storage);
  try {
    return await ask(token);
  } catch (error) {
    if (!(error instanceof StorageFailure && error.kind === 'unauthorized')) throw error;
    const another = await context
      .once(answersOf)
      .share(['another identity token', storage.id], () => {
        context.openId?.forget(token);
        // Somebody else may have got another one meanwhile.
        return identityToken(context, storage);
      });
    if (another === token) throw error;
    return ask(another);
  }
}

async function identityToken(context: Context, storage: Storage): Promise<string> {
  const token =
    storage.storageAudience === null
      ? undefined
      : await context.openId?.tokenFor(
          context.user,
          storage.storageAudience,
          context.deadlineOf(storage.id),
        );
  if (token === undefined) throw new NotConnected();
  return token;
}

/** A token that the storage refuses is refreshed once; one that another request has just got is tried first. */
async function withConnection<T>(
  context: Context,
  storage: Storage,
  ask: (token: string, originUserId: string | null) => Promise<T>,
): Promise<T> {
  const { loaders, connections } = context;
  const [credentials, connection] = await Promise.all([
    credentialsOf(context, storage),
    loaders.storageTokens.load(storage.id),
  ]);
  if (!credentials || connection?.credentialsId !== credentials.id) throw new NotConnected();
  const partner = oauthClientOf(context, storage, credentials);
  const deadline = context.deadlineOf(storage.id);
  const first = await connections.token(connection, partner, deadline);
  if (!first) throw new NotConnected();
  try {
    return await ask(first.token, first.connection.originUserId);
  } catch (error) {
    if (!(error instanceof StorageFailure && error.kind === 'unauthorized')) throw error;
    const second = await connections.renewed(first.connection, partner, deadline);
    if (!second) throw new NotConnected();
    return ask(second.token, second.connection.originUserId);
  }
}

/** Defines the health checks of how users connect to a storage. */
import { StorageClientRefused } from '../../../auth/connections/grants.js';
import { ClientRefused } from '../../../auth/openid/check-provider.js';
import type { OpenId } from '../../../auth/openid/index.js';
import { ExchangeRefused } from '../../../auth/openid/tokens.js';
import type { Context } from '../../../context.js';
import type { OAuthClientCredentials } from '../../../models/oauth-client-credentials.js';
import { StorageToken } from '../../../models/storage-token.js';
import { AuthorizationState, type Storage } from '../../../models/storage.js';
import type { HealthCheck, HealthCheckResult } from '../../../storages/adapter.js';
import { storageTypes } from '../../../storages/types.js';
import { connectionTo } from '../access/authorization-state.js';
import { requestSync } from '../../base/project-folder-queue/request-sync.js';
import { credentialsOf, oauthClientOf, TOKEN_REFUSED } from '../access/reach-storage.js';

/** Some of the checks use the caller's own connection. */
export const connectionChecks = (context: Context, storage: Storage): HealthCheck[] => [
  ...(storageTypes[storage.type].hasOrigin
    ? [openIdCheck(context, storage), secretCheck(context, storage)]
    : []),
  connectionCheck(context, storage),
];

const openIdCheck = (context: Context, storage: Storage): HealthCheck => ({
  check: 'openid',
  needs: [storageTypes[storage.type].connectionNeeds],
  async run({ sso }): Promise<HealthCheckResult> {
    if (!sso) return { skipped: true, hint: 'Users connect with OAuth 2 of the storage.' };
    if (!context.openId)
      return {
        code: 'openid_missing',
        hint:
          'No OpenID provider is configured. ' + 'Set OIDC_ISSUER and the other OIDC_ variables.',
      };
    if (storage.storageAudience === null)
      return {
        code: 'openid_audience_missing',
        hint:
          'The storage audience is not set. ' +
          'It is the client ID of the storage at the OpenID provider.',
      };
    return checkExchange(context, context.openId, storage, storage.storageAudience);
  },
});

/** Asks the provider itself, so that the storage does not get the blame. */
async function checkExchange(
  context: Context,
  openId: OpenId,
  { id, tokenExchangeScope }: Storage,
  audience: string,
): Promise<HealthCheckResult> {
  const deadline = context.deadlineOf(id);
  try {
    await openId.check(deadline);
    const token = await openId.tokenFor(context.user, audience, deadline, tokenExchangeScope);
    return {
      hint:
        token === undefined
          ? 'The OpenID provider answers. Sign in with it, then your token can be checked.'
          : 'The OpenID provider gives you a token for the storage.',
    };
  } catch (error) {
    if (error instanceof ClientRefused)
      return { code: 'openid_client_refused', hint: error.message };
    if (error instanceof ExchangeRefused)
      return {
        code: 'openid_exchange_refused',
        hint:
          `${error.message} Allow the exchange at the provider, ` +
          'or correct the audience and the scope of the storage.',
      };
    throw error;
  }
}

/**
 * The file server compares the client secret only after it has found the refresh token. So the check
 * refreshes the token of somebody who is connected. Others may compare the secret first: without
 * such a person, the check uses a token that cannot exist.
 */
const secretCheck = (context: Context, storage: Storage): HealthCheck => ({
  check: 'client_secret',
  needs: ['client'],
  async run({ sso }): Promise<HealthCheckResult> {
    if (sso) return { skipped: true, hint: 'Tokens come from the OpenID provider.' };
    const credentials = await credentialsOf(context, storage);
    if (!credentials) return { skipped: true, hint: 'There are no client credentials.' };
    try {
      return (await acceptsClient(context, storage, credentials))
        ? { hint: 'The file server accepts it.' }
        : {
            skipped: true,
            hint:
              'The file server does not refuse the client. It compares the secret only with a ' +
              'token that it knows: that is checked once somebody is connected.',
          };
    } catch (error) {
      if (!(error instanceof StorageClientRefused)) throw error;
      return {
        code: 'client_secret_wrong',
        hint:
          'The file server refuses the client secret. ' +
          'Set the client credentials that the integration app shows; ' +
          'if they are lost, make new ones there.',
      };
    }
  },
});

/** People whose tokens are tried. Each refusal is a wrong guess for the server, which slows down. */
const MOST_TRIED = 3;

/**
 * @returns whether the storage accepted the client. False: it did not refuse it either.
 * @throws StorageClientRefused, OutboundFailure, GrantFailed
 */
async function acceptsClient(
  context: Context,
  storage: Storage,
  credentials: OAuthClientCredentials,
): Promise<boolean> {
  const { db, connections, loaders, outbound, user } = context;
  const client = oauthClientOf(context, storage, credentials);
  const connected = await StorageToken.query(db.read)
    .where('credentials_id', credentials.id)
    .whereNotNull('refresh_token')
    // The caller's own connection first, because the next check uses it.
    .orderByRaw('case when user_id = ? then 0 else 1 end, updated_at desc', [user.id])
    .limit(MOST_TRIED);
  try {
    for (const one of connected) {
      if (await connections.trial(one, client, outbound.deadline())) return true;
      await requestSync(db.write, { storageId: storage.id }, context.clock());
    }
  } finally {
    loaders.storageTokens.clear(storage.id);
  }
  return connected.length === 0 && connections.trial(undefined, client, outbound.deadline());
}

const connectionCheck = (context: Context, storage: Storage): HealthCheck => ({
  check: 'connection',
  needs: [
    storageTypes[storage.type].connectionNeeds,
    ...(storageTypes[storage.type].hasOrigin ? ['openid'] : []),
  ],
  async run({ sso }): Promise<HealthCheckResult> {
    const { state, reason } = await connectionTo(context, storage);
    if (state === AuthorizationState.CONNECTED) return { hint: 'The storage accepts you.' };
    if (state === AuthorizationState.ERROR)
      return {
        code: 'connection_error',
        hint: ['The storage could not be asked who you are.', reason].filter(Boolean).join(' '),
      };
    if (reason === TOKEN_REFUSED) return { code: 'connection_refused', hint: reason };
    return {
      skipped: true,
      hint: sso
        ? (reason ?? '')
        : 'You have not connected to the storage, or it has ended your connection.',
    };
  },
});

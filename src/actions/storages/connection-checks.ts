/** Defines the health checks of how users connect to a storage. */
import type { Context } from '../../context.js';
import { AuthorizationState, type Storage } from '../../models/storage.js';
import type { HealthCheck, HealthCheckResult } from '../../storages/adapter.js';
import { storageTypes } from '../../storages/types.js';
import { authorizationState } from '../storage-access/authorization-state.js';
import { oauthClientOf } from '../storage-access/reach-storage.js';

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
    return { hint: 'Tokens come from the OpenID provider.' };
  },
});

/**
 * The file server checks the client secret only after it has found the refresh token.
 * So the check refreshes the caller's own token.
 */
const secretCheck = (context: Context, storage: Storage): HealthCheck => ({
  check: 'client_secret',
  needs: ['client'],
  async run({ sso }): Promise<HealthCheckResult> {
    if (sso) return { skipped: true, hint: 'Tokens come from the OpenID provider.' };
    const [credentials, connection] = await Promise.all([
      context.loaders.clientCredentials.load(storage.id),
      context.loaders.storageTokens.load(storage.id),
    ]);
    if (!credentials || !connection || connection.refreshToken === null)
      return {
        skipped: true,
        hint: 'It can be checked once you have connected to the storage yourself.',
      };
    const refusal = await context.connections.trial(
      connection,
      oauthClientOf(context, storage, credentials),
      context.deadlineOf(storage.id),
    );
    context.loaders.storageTokens.clear(storage.id);
    if (refusal === 'invalid_client')
      return {
        code: 'client_secret_wrong',
        hint:
          'The file server refuses the client secret. ' +
          'Set the client credentials that the integration app shows; ' +
          'if they are lost, make new ones there.',
      };
    return refusal === undefined
      ? { hint: 'The file server accepts it.' }
      : {
          skipped: true,
          hint:
            'The file server has ended your connection. ' +
            'Connect again, then the secret can be checked.',
        };
  },
});

const connectionCheck = (context: Context, storage: Storage): HealthCheck => ({
  check: 'connection',
  needs: [storageTypes[storage.type].connectionNeeds],
  async run(): Promise<HealthCheckResult> {
    const state = await authorizationState(context, storage);
    if (state === AuthorizationState.Connected) return { hint: 'The storage accepts you.' };
    if (state === AuthorizationState.Error)
      return { code: 'connection_error', hint: 'The storage could not be asked who you are.' };
    return {
      skipped: true,
      hint: 'You have not connected to the storage, or it has ended your connection.',
    };
  },
});

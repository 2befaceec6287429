/** The health of a storage: ordered checks, each with a stable code and what to do. */
import type { Context } from '../../context.js';
import { AuthenticationMethod, AuthorizationState, type Storage } from '../../models/storage.js';
import { CheckStatus, type StorageCheck, type StorageHealth } from '../../models/storage-health.js';
import { demandAdmin } from '../../policies/can.js';
import type { HealthCheckResult, HealthCheck, HealthCheckInput } from '../../storages/adapter.js';
import { storageTypes } from '../../storages/types.js';
import { adapterFor } from '../../storages/index.js';
import { authorizationState } from '../storage-access/authorization-state.js';
import { SealBroken } from '../../secrets/keyring.js';
import { APPLICATION_PASSWORD } from './create-storage.js';
import { isOutbound } from '../storage-access/outbound-error.js';
import { CLIENT_SECRET, oauthClientOf } from '../storage-access/reach-storage.js';
import { targetOf } from '../storage-access/storage-target.js';

/** @throws MissingPermission for everybody but administrators */
export async function checkStorageHealth(
  context: Context,
  storage: Storage,
): Promise<StorageHealth> {
  demandAdmin(context);
  let patient: HealthCheckInput;
  try {
    patient = await patientOf(context, storage);
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error;
    return {
      checks: [
        {
          check: 'secrets',
          code: 'secrets_unreadable',
          status: CheckStatus.failed,
          hint: `${error.message} Set the right key, or the client credentials and the application password anew.`,
        },
      ],
      checkedAt: context.clock().toISOString(),
    };
  }
  const checks: StorageCheck[] = [];
  const passed = new Set<string>();
  for (const check of [...adapterFor(storage.type).checks, ...checksOf(context, storage)]) {
    const missing = check.needs.find((need) => !passed.has(need));
    const outcome =
      missing === undefined
        ? await outcomeOf(context, check, patient)
        : {
            check: check.check,
            code: check.check,
            status: CheckStatus.skipped,
            hint: `It needs the check ${missing}.`,
          };
    checks.push(outcome);
    if (missing === undefined && outcome.status !== CheckStatus.failed) passed.add(check.check);
  }
  return { checks, checkedAt: context.clock().toISOString() };
}

async function patientOf(context: Context, storage: Storage): Promise<HealthCheckInput> {
  const { keyring, loaders } = context;
  const credentials = await loaders.clientCredentials.load(storage.id);
  return {
    target: targetOf(context, storage),
    sso: storage.authenticationMethod === AuthenticationMethod.OAuth2SSO,
    clientId: credentials?.clientId,
    clientSecret: credentials && keyring.open(credentials.clientSecret, CLIENT_SECRET),
    applicationPassword:
      storage.applicationPassword === null
        ? undefined
        : keyring.open(storage.applicationPassword, APPLICATION_PASSWORD),
  };
}

async function outcomeOf(
  { log }: Context,
  { check, run }: HealthCheck,
  patient: HealthCheckInput,
): Promise<StorageCheck> {
  try {
    const found = await run(patient);
    if ('code' in found)
      return { check, code: found.code, status: CheckStatus.failed, hint: found.hint };
    return {
      check,
      code: check,
      status: found.skipped ? CheckStatus.skipped : CheckStatus.ok,
      hint: found.hint,
    };
  } catch (error) {
    if (!isOutbound(error)) log.error({ err: error, check }, 'a check of a storage broke');
    return {
      check,
      code: `${check}_error`,
      status: CheckStatus.failed,
      hint: isOutbound(error) ? error.message : 'The check could not be made.',
    };
  }
}

/** What only the user who asks can show. */
const checksOf = (context: Context, storage: Storage): HealthCheck[] => [
  ...(storageTypes[storage.type].hasOrigin
    ? [openIdCheck(context, storage), secretCheck(context, storage)]
    : []),
  connectionCheck(context, storage),
];

const openIdCheck = (context: Context, storage: Storage): HealthCheck => ({
  check: 'openid',
  needs: ['version'],
  async run({ sso }): Promise<HealthCheckResult> {
    if (!sso) return { skipped: true, hint: 'Users connect with OAuth 2 of the storage.' };
    if (!context.openId)
      return {
        code: 'openid_missing',
        hint: 'No OpenID provider is configured. Set OIDC_ISSUER and the other OIDC_ variables.',
      };
    if (storage.storageAudience === null)
      return {
        code: 'openid_audience_missing',
        hint: 'The storage audience is not set. It is the client ID of the storage at the OpenID provider.',
      };
    return { hint: 'Tokens come from the OpenID provider.' };
  },
});

/** This server looks at the secret only after it has found a refresh token, so the caller's is refreshed. */
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
        hint: 'The file server refuses the client secret. Set the client credentials that the integration app shows; if they are lost, make new ones there.',
      };
    return refusal === undefined
      ? { hint: 'The file server accepts it.' }
      : {
          skipped: true,
          hint: 'The file server has ended your connection. Connect again, then the secret can be checked.',
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

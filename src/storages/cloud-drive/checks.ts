/** The health checks of a cloud drive, from its host to the permissions of the service's client. */
import type { Access, HealthCheckResult, HealthCheck, HealthCheckInput } from '../adapter.js';
import { isRefusal, StorageFailure } from '../failure.js';
import { at } from '../json.js';
import { certificateCheck, clockCheck, hostCheck } from '../reach.js';
import { drive, get } from './client.js';
import { applicationToken, TenantRefused } from './oauth.js';

/** Answers 401 without a token, which is enough. The check `tenant` covers the sign-in host. */
const apiUrl = ({ target }: HealthCheckInput) => `${target.apiUrl}/me`;

/** AADSTS error numbers of Microsoft Entra ID. */
const TENANT_UNKNOWN = [90002, 900023];
const CLIENT_UNKNOWN = 700016;
const SECRET_WRONG = 7000215;
const SECRET_EXPIRED = 7000222;

/** Why the tenant refuses the service's client; undefined if it accepts it. */
async function refusal(input: HealthCheckInput): Promise<TenantRefused | undefined> {
  try {
    await tokenFor(input);
    return undefined;
  } catch (error) {
    if (error instanceof TenantRefused) return error;
    throw error;
  }
}

/** The check `credentials` passes before, so both values are set. */
const tokenFor = ({ target, clientId = '', clientSecret = '' }: HealthCheckInput) =>
  applicationToken(target, { id: clientId, secret: clientSecret });

const credentials = async ({ clientId }: HealthCheckInput): Promise<HealthCheckResult> =>
  clientId === undefined
    ? {
        code: 'credentials_missing',
        hint:
          'There are no client credentials. ' +
          'Register an application in the tenant and set its client ID and secret.',
      }
    : { hint: 'Client credentials are set.' };

async function tenant(input: HealthCheckInput): Promise<HealthCheckResult> {
  if (input.target.tenantId === null)
    return { code: 'tenant_missing', hint: 'The tenant ID is not set.' };
  const refused = await refusal(input);
  return refused?.codes.some((code) => TENANT_UNKNOWN.includes(code))
    ? { code: 'tenant_unknown', hint: 'There is no such tenant. Check the tenant ID.' }
    : { hint: 'The tenant exists.' };
}

async function client(input: HealthCheckInput): Promise<HealthCheckResult> {
  const refused = await refusal(input);
  if (refused?.codes.includes(CLIENT_UNKNOWN))
    return {
      code: 'client_refused',
      hint:
        'The tenant does not know the client ID. ' +
        'Check it, and that the application is registered in this tenant.',
    };
  return { hint: 'The tenant knows the client.' };
}

async function clientSecret(input: HealthCheckInput): Promise<HealthCheckResult> {
  const refused = await refusal(input);
  if (!refused) return { hint: 'The tenant accepts it.' };
  if (refused.codes.includes(SECRET_EXPIRED))
    return {
      code: 'client_secret_expired',
      hint: 'The client secret has expired. Make a new one in the tenant and set it here.',
    };
  if (refused.codes.includes(SECRET_WRONG))
    return {
      code: 'client_secret_wrong',
      hint: 'The tenant refuses the client secret. Set its value, not its id.',
    };
  return { code: 'client_secret_refused', hint: refused.message };
}

export async function applicationAccess(input: HealthCheckInput): Promise<Access> {
  const { token } = await tokenFor(input);
  return { ...input.target, authorization: `Bearer ${token}` };
}

async function driveExists(input: HealthCheckInput): Promise<HealthCheckResult> {
  if (input.target.driveId === null)
    return { code: 'drive_missing', hint: 'The drive ID is not set.' };
  const access = await applicationAccess(input);
  try {
    await get(access, drive(access));
    return { hint: 'The drive exists.' };
  } catch (error) {
    const status = error instanceof StorageFailure ? error.status : undefined;
    if (status === 400)
      return { code: 'drive_malformed', hint: 'The drive ID is malformed. Copy it whole.' };
    if (status === 404)
      return {
        code: 'drive_not_found',
        hint:
          'There is no such drive, or the application may not see it. ' +
          'Check the drive ID and the application permissions.',
      };
    if (isRefusal(status))
      return {
        code: 'drive_forbidden',
        hint:
          'The application may not see the drive. Grant it the application permission ' +
          'Files.ReadWrite.All or Sites.Selected with this site.',
      };
    throw error;
  }
}

/**
 * Without the scope, the API returns an empty list instead of an error. The child count of the
 * folder shows the difference.
 */
async function scope(input: HealthCheckInput): Promise<HealthCheckResult> {
  const access = await applicationAccess(input);
  const missing: HealthCheckResult = {
    code: 'scope_missing',
    hint:
      'The drive shows the application no files although there are some. ' +
      'Grant the application permission Files.ReadWrite.All, ' +
      'and have an administrator of the tenant consent to it.',
  };
  try {
    const root = await get(access, `${drive(access)}/root`);
    const { value } = await get(access, `${drive(access)}/root/children?$top=1`);
    const children = at(root, 'folder', 'childCount');
    return typeof children === 'number' &&
      children > 0 &&
      Array.isArray(value) &&
      value.length === 0
      ? missing
      : { hint: 'The application sees the files.' };
  } catch (error) {
    if (error instanceof StorageFailure && [401, 403, 404].includes(error.status)) return missing;
    throw error;
  }
}

export const checks: readonly HealthCheck[] = [
  hostCheck(apiUrl),
  certificateCheck(apiUrl),
  clockCheck(apiUrl),
  { check: 'credentials', needs: ['host', 'tls'], run: credentials },
  { check: 'tenant', needs: ['credentials'], run: tenant },
  { check: 'client', needs: ['tenant'], run: client },
  { check: 'client_secret', needs: ['client'], run: clientSecret },
  { check: 'drive', needs: ['client_secret'], run: driveExists },
  { check: 'scope', needs: ['drive'], run: scope },
];

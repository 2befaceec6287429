/** Whether a cloud drive is ready, from its host to the rights of our client. */
import type { HealthCheckResult, HealthCheck, HealthCheckInput } from '../adapter.js';
import { StorageFailure } from '../failure.js';
import { certificateCheck, hostCheck } from '../reach.js';
import { at, drive, get } from './client.js';
import { applicationToken, GrantRefused } from './oauth.js';

/** Without a token it answers 401, but it answers; whether the tenant's host does, its own check shows. */
const apiUrl = ({ target }: HealthCheckInput) => `${target.apiUrl}/me`;

/** Numbers of the tenant's errors. */
const TENANT_UNKNOWN = [90002, 900023];
const CLIENT_UNKNOWN = 700016;
const SECRET_WRONG = 7000215;
const SECRET_EXPIRED = 7000222;

/** Why the tenant refuses our client; undefined: it does not. */
async function refusal({
  target,
  clientId,
  clientSecret,
}: HealthCheckInput): Promise<GrantRefused | undefined> {
  try {
    await applicationToken(target, { id: clientId ?? '', secret: clientSecret ?? '' });
    return undefined;
  } catch (error) {
    if (error instanceof GrantRefused) return error;
    throw error;
  }
}

const credentials = async ({ clientId }: HealthCheckInput): Promise<HealthCheckResult> =>
  clientId === undefined
    ? {
        code: 'credentials_missing',
        hint: 'There are no client credentials. Register an application in the tenant and set its client ID and secret.',
      }
    : { hint: 'Client credentials are set.' };

async function tenant(patient: HealthCheckInput): Promise<HealthCheckResult> {
  if (patient.target.tenantId === null)
    return { code: 'tenant_missing', hint: 'The tenant ID is not set.' };
  const refused = await refusal(patient);
  return refused?.codes.some((code) => TENANT_UNKNOWN.includes(code))
    ? { code: 'tenant_unknown', hint: 'There is no such tenant. Check the tenant ID.' }
    : { hint: 'The tenant exists.' };
}

async function client(patient: HealthCheckInput): Promise<HealthCheckResult> {
  const refused = await refusal(patient);
  if (refused?.codes.includes(CLIENT_UNKNOWN))
    return {
      code: 'client_refused',
      hint: 'The tenant does not know the client ID. Check it, and that the application is registered in this tenant.',
    };
  return { hint: 'The tenant knows the client.' };
}

async function clientSecret(patient: HealthCheckInput): Promise<HealthCheckResult> {
  const refused = await refusal(patient);
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

async function asApplication({ target, clientId, clientSecret: secret }: HealthCheckInput) {
  const { token } = await applicationToken(target, { id: clientId!, secret: secret! });
  return { ...target, authorization: `Bearer ${token}` };
}

async function driveExists(patient: HealthCheckInput): Promise<HealthCheckResult> {
  if (patient.target.driveId === null)
    return { code: 'drive_missing', hint: 'The drive ID is not set.' };
  const access = await asApplication(patient);
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
        hint: 'There is no such drive, or the application may not see it. Check the drive ID and the application permissions.',
      };
    if (status === 401 || status === 403)
      return {
        code: 'drive_forbidden',
        hint: 'The application may not see the drive. Grant it the application permission Files.ReadWrite.All or Sites.Selected with this site.',
      };
    throw error;
  }
}

/** Without the scope, lists are not refused but empty: the folder itself says how many children it has. */
async function scope(patient: HealthCheckInput): Promise<HealthCheckResult> {
  const access = await asApplication(patient);
  const missing: HealthCheckResult = {
    code: 'scope_missing',
    hint: 'The drive shows the application no files although there are some. Grant the application permission Files.ReadWrite.All, and have an administrator of the tenant consent to it.',
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
  { check: 'credentials', needs: ['host', 'tls'], run: credentials },
  { check: 'tenant', needs: ['credentials'], run: tenant },
  { check: 'client', needs: ['tenant'], run: client },
  { check: 'client_secret', needs: ['client'], run: clientSecret },
  { check: 'drive', needs: ['client_secret'], run: driveExists },
  { check: 'scope', needs: ['drive'], run: scope },
];

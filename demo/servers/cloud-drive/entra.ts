/** Entra ID's token endpoint. */
import { randomUUID } from 'node:crypto';
import { header, type Call, type Reply } from './exchange.js';
import { challengeOf, type Tenant } from './tenant.js';

/** The refusals: status, `error`, AADSTS number, text. */
const refusals = {
  tenantUnknown: [
    400,
    'invalid_request',
    90002,
    'Tenant not found. Check to make sure you have the correct tenant ID and are signing into the correct cloud.',
  ],
  tenantMalformed: [
    400,
    'invalid_request',
    900023,
    'Specified tenant identifier is neither a valid DNS name, nor a valid external domain.',
  ],
  parameterMissing: [
    400,
    'invalid_request',
    900144,
    'The request body must contain the required parameters.',
  ],
  grantUnsupported: [
    400,
    'unsupported_grant_type',
    70003,
    'The app requested an unsupported grant type.',
  ],
  clientUnknown: [
    400,
    'unauthorized_client',
    700016,
    'Application was not found in the directory. This can happen if the application has not been installed by the administrator of the tenant or consented to by any user in the tenant.',
  ],
  secretMissing: [
    401,
    'invalid_client',
    7000218,
    "The request body must contain the following parameter: 'client_assertion' or 'client_secret'.",
  ],
  secretWrong: [
    401,
    'invalid_client',
    7000215,
    'Invalid client secret provided. Ensure the secret being sent in the request is the client secret value, not the client secret ID.',
  ],
  secretExpired: [
    401,
    'invalid_client',
    7000222,
    'The provided client secret keys are expired. Create new keys for your app.',
  ],
  scopeInvalid: [
    400,
    'invalid_scope',
    1002012,
    'The provided value for scope is not valid. Client credential flows must have a scope value with /.default suffixed to the resource identifier (application ID URI).',
  ],
  codeUnknown: [400, 'invalid_grant', 9002313, 'Invalid request. Request is malformed or invalid.'],
  codeRedeemed: [
    400,
    'invalid_grant',
    54005,
    'OAuth2 Authorization code was already redeemed, please retry with a new valid code or use an existing refresh token.',
  ],
  codeExpired: [
    400,
    'invalid_grant',
    70008,
    'The provided authorization code or refresh token has expired due to inactivity. Send a new interactive authorization request for this user and resource.',
  ],
  redirectDiffers: [
    400,
    'invalid_grant',
    500112,
    'The reply address does not match the reply address provided when requesting Authorization code.',
  ],
  verifierDiffers: [
    400,
    'invalid_grant',
    501481,
    'The Code_Verifier does not match the code_challenge supplied in the authorization request.',
  ],
  refreshUnknown: [400, 'invalid_grant', 70000, 'Provided grant is invalid or malformed.'],
  refreshExpired: [
    400,
    'invalid_grant',
    700082,
    'The refresh token has expired due to inactivity.',
  ],
  refreshRevoked: [
    400,
    'invalid_grant',
    50173,
    'The provided grant has expired due to it being revoked, a fresh auth token is needed.',
  ],
} as const satisfies {
  [name: string]: readonly [status: number, error: string, number: number, text: string];
};

type Kind = keyof typeof refusals;

class TokenRefusal extends Error {
  constructor(readonly kind: Kind) {
    super(kind);
  }
}

const GUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const DOMAIN = /^[a-z0-9-]+(\.[a-z0-9-]+)+$/i;
const SCOPES = ['Files.ReadWrite.All', 'Sites.ReadWrite.All', 'User.Read']
  .map((name) => `https://graph.microsoft.com/${name}`)
  .join(' ');
const RESOURCE = 'https://graph.microsoft.com/.default';
/** Both were seen. */
const lives = [3599, 3924];
let issued = 0;

/** @param tenantName the first segment of the path */
export function token(tenant: Tenant, call: Call, tenantName: string): Reply {
  try {
    const problem = tenantProblem(tenant, tenantName);
    if (problem) throw new TokenRefusal(problem);
    const fields = {
      ...basicCredentials(call),
      ...Object.fromEntries(new URLSearchParams(call.body.toString())),
    };
    return answer(200, grant(tenant, fields));
  } catch (error) {
    if (!(error instanceof TokenRefusal)) throw error;
    const [status] = refusals[error.kind];
    return answer(status, errorBody(tenant, error.kind));
  }
}

/** What is wrong with the name of a tenant in an address. */
export function tenantProblem(
  { tenantId }: Tenant,
  name: string,
): 'tenantMalformed' | 'tenantUnknown' | undefined {
  if (name === tenantId || name === 'common' || name === 'organizations') return undefined;
  return GUID.test(name) || DOMAIN.test(name) ? 'tenantUnknown' : 'tenantMalformed';
}

/** e.g. `AADSTS90002: Tenant not found. …` */
export const descriptionOf = (kind: Kind) => `AADSTS${refusals[kind][2]}: ${refusals[kind][3]}`;

function answer(status: number, json: object): Reply {
  return {
    status,
    json,
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      'Cache-Control': 'no-store, no-cache',
      Pragma: 'no-cache',
      'x-ms-request-id': randomUUID(),
      'Strict-Transport-Security': 'max-age=31536000; includeSubDomains',
    },
  };
}

function errorBody(tenant: Tenant, kind: Kind): object {
  const [, error, number] = refusals[kind];
  const ids = { trace_id: randomUUID(), correlation_id: randomUUID() };
  const timestamp = new Date(tenant.now()).toISOString().replace(/T(.{8}).*/, ' $1Z');
  return {
    error,
    error_description: `${descriptionOf(kind)} Trace ID: ${ids.trace_id} Correlation ID: ${ids.correlation_id} Timestamp: ${timestamp}`,
    error_codes: [number],
    timestamp,
    ...ids,
    error_uri: `https://login.microsoftonline.com/error?code=${number}`,
  };
}

function basicCredentials(call: Call): { client_id?: string; client_secret?: string } {
  const encoded = /^Basic (.+)$/i.exec(header(call, 'authorization') ?? '')?.[1];
  if (encoded === undefined) return {};
  const [id = '', secret = ''] = Buffer.from(encoded, 'base64').toString().split(/:(.*)/s);
  return { client_id: formDecoded(id), client_secret: formDecoded(secret) };
}

const formDecoded = (text: string) => decodeURIComponent(text.replaceAll('+', ' '));

type Fields = { [name: string]: string };

function grant(tenant: Tenant, fields: Fields): object {
  const kind = needed(fields, 'grant_type');
  if (!Object.hasOwn(grants, kind)) throw new TokenRefusal('grantUnsupported');
  checkClient(tenant, fields);
  return grants[kind as keyof typeof grants](tenant, fields);
}

const grants = {
  authorization_code: redeemCode,
  refresh_token: refresh,
  client_credentials: forApplication,
};

function needed(fields: Fields, name: string): string {
  if (!fields[name]) throw new TokenRefusal('parameterMissing');
  return fields[name];
}

function checkClient({ client, secretExpired }: Tenant, fields: Fields): void {
  if (needed(fields, 'client_id') !== client.id) throw new TokenRefusal('clientUnknown');
  if (!fields['client_secret']) throw new TokenRefusal('secretMissing');
  if (fields['client_secret'] !== client.secret) throw new TokenRefusal('secretWrong');
  if (secretExpired) throw new TokenRefusal('secretExpired');
}

function redeemCode(tenant: Tenant, fields: Fields): object {
  const code = tenant.codes.get(needed(fields, 'code'));
  if (!code) throw new TokenRefusal('codeUnknown');
  if (code.redeemed) throw new TokenRefusal('codeRedeemed');
  if (code.expires <= tenant.now()) throw new TokenRefusal('codeExpired');
  if (needed(fields, 'redirect_uri') !== code.redirectUri)
    throw new TokenRefusal('redirectDiffers');
  const verifier = fields['code_verifier'];
  const proof = verifier !== undefined && code.method === 'S256' ? challengeOf(verifier) : verifier;
  if (proof !== code.challenge) throw new TokenRefusal('verifierDiffers');
  code.redeemed = true;
  return forUser(tenant, code.userId, code.scope.split(' ').includes('offline_access'));
}

function refresh(tenant: Tenant, fields: Fields): object {
  const stored = tenant.refreshTokens.get(needed(fields, 'refresh_token'));
  if (!stored) throw new TokenRefusal('refreshUnknown');
  if (stored.revoked) throw new TokenRefusal('refreshRevoked');
  const now = tenant.now();
  if (stored.expires <= now) throw new TokenRefusal('refreshExpired');
  if (stored.used !== undefined && now >= stored.used + tenant.refreshGraceSeconds * 1000)
    throw new TokenRefusal('refreshUnknown');
  stored.used ??= now;
  return forUser(tenant, stored.userId, true);
}

function forUser(tenant: Tenant, userId: string, offline: boolean): object {
  const seconds = lives[issued++ % lives.length]!;
  return {
    token_type: 'Bearer',
    scope: SCOPES,
    expires_in: seconds,
    ext_expires_in: seconds,
    access_token: tenant.accessToken({ userId }, seconds),
    ...(offline && { refresh_token: tenant.refreshToken(userId) }),
  };
}

/** There is no refresh token, even when `offline_access` is asked for. */
function forApplication(tenant: Tenant, fields: Fields): object {
  const scopes = needed(fields, 'scope')
    .split(' ')
    .filter((scope) => scope !== 'offline_access');
  if (scopes.length !== 1 || scopes[0] !== RESOURCE) throw new TokenRefusal('scopeInvalid');
  return {
    token_type: 'Bearer',
    expires_in: 3599,
    ext_expires_in: 3599,
    access_token: tenant.accessToken('app'),
  };
}

/** Speaks to the tenant as an OAuth 2 authorization server (Microsoft Entra ID). */
import type { AuthorizationServer, Target } from '../adapter.js';
import { StorageFailure } from '../failure.js';
import { at } from '../json.js';

/**
 * `.default` means the permissions that the tenant's administrator has granted. National clouds are
 * separate resources. A proxy in front of the API is not a resource, so the public one is used.
 */
const applicationScope = (apiUrl: string): string => {
  const { origin, hostname } = new URL(apiUrl);
  const isResource = /\.(microsoft\.(com|us)|chinacloudapi\.cn)$/.test(hostname);
  return `${isResource ? origin : 'https://graph.microsoft.com'}/.default`;
};

export const authorizationServer = ({
  loginUrl,
  tenantId,
  apiUrl,
}: Target): AuthorizationServer => ({
  issuer: `${loginUrl}/${encodeURIComponent(tenantId ?? '')}/v2.0`,
  authorizationEndpoint: `${loginUrl}/${encodeURIComponent(tenantId ?? '')}/oauth2/v2.0/authorize`,
  tokenEndpoint: `${loginUrl}/${encodeURIComponent(tenantId ?? '')}/oauth2/v2.0/token`,
  scope: `${applicationScope(apiUrl)} offline_access`,
  pkce: true,
  refuses: (status, error) => status === 400 && error === 'invalid_grant',
});

/** A token and its lifetime. */
interface Grant {
  token: string;
  seconds: number;
}

/** The tenant refused the client. The AADSTS numbers are more precise than the OAuth error. */
export class TenantRefused extends StorageFailure {
  constructor(
    status: number,
    readonly codes: readonly number[],
  ) {
    super(
      'unauthorized',
      status,
      `The tenant refuses the client (${
        codes.map((code) => `AADSTS${code}`).join(', ') || `status ${status}`
      }).`,
    );
  }
}

/**
 * Gets a token for the service itself with the client credentials grant.
 * @throws TenantRefused, StorageFailure, OutboundFailure
 */
export async function applicationToken(
  target: Target,
  client: { id: string; secret: string },
): Promise<Grant> {
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: client.id,
    client_secret: client.secret,
    scope: applicationScope(target.apiUrl),
  });
  const { status, body } = await target.send({
    method: 'POST',
    url: authorizationServer(target).tokenEndpoint,
    maxBytes: 256 * 1024,
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    body: form.toString(),
  });
  const answer = parsed(body);
  const token = at(answer, 'access_token');
  const seconds = at(answer, 'expires_in');
  // Only these characters may be in an access token (RFC 6749 appendix A.12). Others would break
  // the header that carries it.
  if (status === 200 && typeof token === 'string' && /^[\x20-\x7e]+$/.test(token))
    return {
      token,
      seconds:
        typeof seconds === 'number' || typeof seconds === 'string' ? Number(seconds) || 0 : 0,
    };
  if (status >= 500 || status === 429)
    throw new StorageFailure(
      'unexpected',
      status,
      `The tenant's token endpoint answered with status ${status}.`,
    );
  const codes = at(answer, 'error_codes');
  throw new TenantRefused(
    status,
    Array.isArray(codes) ? codes.filter((code): code is number => typeof code === 'number') : [],
  );
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

import type { AuthorizationServer, Target } from '../adapter.js';
import { StorageFailure } from '../failure.js';
import { at } from './client.js';

/** `.default` asks for what the administrator of the tenant has granted. National clouds are resources of their own; a proxy in front is none. */
const applicationScope = (apiUrl: string): string => {
  const { origin, hostname } = new URL(apiUrl);
  return `${/\.(microsoft\.(com|us)|chinacloudapi\.cn)$/.test(hostname) ? origin : 'https://graph.microsoft.com'}/.default`;
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

export interface Grant {
  token: string;
  seconds: number;
}

/** Its errors are not those of the API; the numbers say more than the words. */
export class GrantRefused extends StorageFailure {
  constructor(
    status: number,
    readonly codes: readonly number[],
  ) {
    super(
      'unauthorized',
      status,
      `The tenant refuses the client (${codes.map((code) => `AADSTS${code}`).join(', ') || `status ${status}`}).`,
    );
  }
}

/** @throws GrantRefused, OutboundFailure */
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
  // RFC 6749 appendix A.12: what else could not be sent as a header.
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
  throw new GrantRefused(
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

/** Verifies JWT access tokens of the OpenID provider (RFC 9068, and the forms in use before it). */
import { decodeJwt, errors, jwtVerify, type JWTHeaderParameters, type JWTPayload } from 'jose';
import { InsufficientScope, ServiceUnavailable, Unauthenticated } from '../../contract/errors.js';
import { API_SCOPE } from '../../models/oauth-application.js';
import { WRONG_CREDENTIALS } from '../messages.js';
import type { ProviderClient } from './client.js';
import type { Claims } from './users.js';

/** The claims of a verified token. */
type BearerClaims = Claims & JWTPayload & { exp: number };

/** Only asymmetric signatures: no `none`, and no HMAC, whose key could be a known secret. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];
/** Tolerance for clocks that differ. */
const LEEWAY_SECONDS = 30;
/** Header types of access tokens (RFC 9068 section 2.1). */
const ACCESS_TOKEN = new Set(['at+jwt', 'application/at+jwt']);
/** The header type of JWTs of any kind. */
const ANY = 'jwt';
/** Claims of ID tokens only (OpenID Connect Core 1.0 sections 2 and 3.3.2.11). */
const ID_TOKEN_CLAIMS = ['nonce', 'at_hash', 'c_hash'];

/**
 * The claims of an access token that the provider has issued for us and that is valid now.
 * @throws Unauthenticated with the reason as its cause
 * @throws InsufficientScope
 * @throws ServiceUnavailable when the provider's keys cannot be read
 */
export async function verifyBearer(client: ProviderClient, jwt: string): Promise<BearerClaims> {
  const claims = await verified(client, jwt);
  if (scopesOf(claims)?.includes(API_SCOPE) === false) throw new InsufficientScope();
  return claims;
}

async function verified(client: ProviderClient, jwt: string): Promise<BearerClaims> {
  try {
    // Checked first, so that a token of another issuer causes no request.
    if (!client.isIssuer(decodeJwt(jwt).iss))
      throw new errors.JWTClaimValidationFailed('unexpected "iss" claim value', {}, 'iss');
    const { issuer } = await client.metadata();
    const { payload, protectedHeader } = await jwtVerify(jwt, client.key, {
      issuer,
      audience: client.settings.audience,
      algorithms: ALGORITHMS,
      clockTolerance: LEEWAY_SECONDS,
      requiredClaims: ['exp', 'sub'],
    });
    if (!isAccessToken(protectedHeader, payload))
      throw new errors.JWTInvalid('it is no access token');
    // jose has checked `issuer` and `requiredClaims`.
    return payload as BearerClaims;
  } catch (error) {
    throw Object.assign(
      isDefinite(error)
        ? new Unauthenticated(WRONG_CREDENTIALS)
        : new ServiceUnavailable(
            'The OpenID provider cannot be reached at the moment. Try again shortly.',
          ),
      { cause: error },
    );
  }
}

/**
 * Tells access tokens from ID tokens, which the provider signs for the same audience. A token with
 * the general type `JWT` must have scopes.
 */
function isAccessToken({ typ = ANY }: JWTHeaderParameters, claims: JWTPayload): boolean {
  const type = typ.toLowerCase();
  if (
    ID_TOKEN_CLAIMS.some((name) => name in claims) ||
    (claims['typ'] !== undefined && claims['typ'] !== 'Bearer')
  )
    return false;
  return ACCESS_TOKEN.has(type) || (type === ANY && scopesOf(claims) !== undefined);
}

/** The scopes: text or list, in `scope` or `scp`. A value of another type means no scopes. */
function scopesOf({ scope, scp }: JWTPayload): unknown[] | undefined {
  const scopes = scope ?? scp ?? undefined;
  if (scopes === undefined || Array.isArray(scopes)) return scopes;
  return typeof scopes === 'string' ? scopes.split(' ') : [];
}

/** Whether an error is about the token, not about the request for the keys. */
const isDefinite = (error: unknown): boolean =>
  error instanceof errors.JOSEError &&
  !/^ERR_(JWKS_TIMEOUT|JWKS_INVALID|JOSE_GENERIC)$/.test(error.code);

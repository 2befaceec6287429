/** JWT access tokens of the OpenID provider (RFC 9068, and what providers issued before it). */
import { decodeJwt, errors, jwtVerify, type JWTHeaderParameters, type JWTPayload } from 'jose';
import { InsufficientScope, ServiceUnavailable, Unauthenticated } from '../../contract/errors.js';
import { API_SCOPE } from '../../models/oauth-application.js';
import { REFUSED } from '../messages.js';
import type { ProviderClient } from './client.js';
import type { Claims } from './users.js';

/** Signatures with a key that is public; nothing that a known secret, or none, could make. */
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
/** Clocks differ. */
const LEEWAY_SECONDS = 30;
/** Types that say that it is an access token, and the one that says nothing. */
const ACCESS_TOKEN = new Set(['at+jwt', 'application/at+jwt']);
const ANY = 'jwt';
/** What ID tokens have (OpenID Connect Core 2 and 3.3.2.11), and access tokens have not. */
const OF_ID_TOKENS = ['nonce', 'at_hash', 'c_hash'];

/**
 * The claims of an access token that was issued by the provider, to us, and is good now.
 * @throws Unauthenticated with the reason as its cause, InsufficientScope, ServiceUnavailable when the provider's keys cannot be had
 */
export async function verifyBearer(
  client: ProviderClient,
  jwt: string,
): Promise<Claims & JWTPayload> {
  const claims = await verified(client, jwt);
  if (scopesOf(claims)?.includes(API_SCOPE) === false) throw new InsufficientScope();
  return claims;
}

async function verified(client: ProviderClient, jwt: string): Promise<Claims & JWTPayload> {
  try {
    // A token of somebody else costs no request.
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
    return payload as Claims & JWTPayload;
  } catch (error) {
    throw Object.assign(
      isDefinite(error)
        ? new Unauthenticated(REFUSED)
        : new ServiceUnavailable(
            'The OpenID provider cannot be reached at the moment. Try again shortly.',
          ),
      { cause: error },
    );
  }
}

/** The provider signs other tokens for us, too, ID tokens with the same audience. What its header does not call an access token must name scopes. */
function isAccessToken({ typ = ANY }: JWTHeaderParameters, claims: JWTPayload): boolean {
  const type = typ.toLowerCase();
  if (
    OF_ID_TOKENS.some((name) => name in claims) ||
    (claims['typ'] !== undefined && claims['typ'] !== 'Bearer')
  )
    return false;
  return ACCESS_TOKEN.has(type) || (type === ANY && scopesOf(claims) !== undefined);
}

/** A text or a list, under either name; what is neither names none. */
function scopesOf({ scope, scp }: JWTPayload): unknown[] | undefined {
  const scopes = scope ?? scp ?? undefined;
  if (scopes === undefined || Array.isArray(scopes)) return scopes;
  return typeof scopes === 'string' ? scopes.split(' ') : [];
}

/** About the token, not about how its keys were asked for. */
const isDefinite = (error: unknown): boolean =>
  error instanceof errors.JOSEError &&
  !/^ERR_(JWKS_TIMEOUT|JWKS_INVALID|JOSE_GENERIC)$/.test(error.code);

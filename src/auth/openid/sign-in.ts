/** Signing in at the OpenID provider: authorization code with PKCE, state and nonce, bound to the browser that began. */
import * as oauth from 'openid-client';
import type { User } from '../../models/user.js';
import { GrantRefused, type ProviderClient } from './client.js';
import type { RotationDependencies as Dependencies } from '../token-rotation.js';
import { tokensOf, type IdentityTokens } from './tokens.js';
import { userOf, type Claims } from './users.js';

/** So long a browser may be away. */
export const ATTEMPT_SECONDS = 600;
const PURPOSE = 'openid sign-in';

interface Attempt {
  state: string;
  nonce: string;
  verifier: string;
  returnTo: string;
  /** Milliseconds since 1970. */
  until: number;
}

export interface Begun {
  /** Where to send the browser. */
  url: string;
  /** What the browser brings back as a cookie: the attempt, sealed. */
  attempt: string;
}

/** @param callback where the provider sends the browser back to @throws ProviderUnavailable */
export async function begin(
  { keyring, clock }: Dependencies,
  client: ProviderClient,
  callback: string,
  returnTo: string,
): Promise<Begun> {
  const attempt: Attempt = {
    state: oauth.randomState(),
    nonce: oauth.randomNonce(),
    verifier: oauth.randomPKCECodeVerifier(),
    returnTo,
    until: clock().getTime() + ATTEMPT_SECONDS * 1000,
  };
  const { scopes_supported: scopes = [] } = await client.metadata();
  const challenge = await oauth.calculatePKCECodeChallenge(attempt.verifier);
  const url = await client.ask((configuration) =>
    oauth.buildAuthorizationUrl(configuration, {
      redirect_uri: callback,
      state: attempt.state,
      nonce: attempt.nonce,
      code_challenge: challenge,
      code_challenge_method: 'S256',
      // Some give refresh tokens only for this.
      scope: [
        'openid',
        'profile',
        'email',
        ...(scopes.includes('offline_access') ? ['offline_access'] : []),
      ].join(' '),
    }),
  );
  return { url: url.href, attempt: keyring.seal(JSON.stringify(attempt), PURPOSE) };
}

/** What came of it: a user, or why there is none. */
export type Outcome = { user: User; returnTo: string } | 'forged' | 'refused' | 'unknown user';

/**
 * @param answer the callback's address with what the browser brought
 * @param sealed what `begin` gave the browser
 * @throws ProviderUnavailable
 */
export async function finish(
  needs: Dependencies,
  client: ProviderClient,
  tokens: IdentityTokens,
  answer: URL,
  sealed: string | undefined,
): Promise<Outcome> {
  const attempt = opened(needs, sealed);
  if (
    !attempt ||
    attempt.until < needs.clock().getTime() ||
    answer.searchParams.get('state') !== attempt.state
  )
    return 'forged';
  try {
    const answered = await client.ask(
      (configuration) =>
        oauth.authorizationCodeGrant(configuration, answer, {
          expectedState: attempt.state,
          expectedNonce: attempt.nonce,
          pkceCodeVerifier: attempt.verifier,
          idTokenExpected: true,
        }),
      needs.outbound.longDeadline(),
    );
    const user = await userOf(needs, answered.claims() as Claims, 'browser');
    if (!user) return 'unknown user';
    await tokens.keep(user.id, tokensOf(answered));
    return { user, returnTo: attempt.returnTo };
  } catch (error) {
    if (!(error instanceof GrantRefused)) throw error;
    needs.log.warn({ reason: error.message }, 'a sign-in was refused by the OpenID provider');
    return 'refused';
  }
}

function opened({ keyring }: Dependencies, sealed: string | undefined): Attempt | undefined {
  try {
    return sealed === undefined
      ? undefined
      : (JSON.parse(keyring.open(sealed, PURPOSE)) as Attempt);
  } catch {
    return undefined;
  }
}

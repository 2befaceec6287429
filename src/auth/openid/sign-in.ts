/** Sign-in at the OpenID provider: code flow with PKCE, state and nonce, bound to one browser. */
import * as oauth from 'openid-client';
import type { User } from '../../models/user.js';
import { ATTEMPT_SECONDS } from '../attempt-lifetime.js';
import { ProviderRefused, type ProviderClient } from './client.js';
import type { RotationDependencies as Dependencies } from '../token-rotation.js';
import { tokensOf, type IdentityTokens } from './tokens.js';
import { userOf, type Claims } from './users.js';

const PURPOSE = 'openid sign-in';

interface Attempt {
  state: string;
  nonce: string;
  verifier: string;
  returnTo: string;
  /** Milliseconds since 1970. */
  until: number;
}

export interface StartedSignIn {
  /** Where to send the browser. */
  url: string;
  /** The encrypted attempt. The browser keeps it as a cookie. */
  attempt: string;
}

/**
 * @param callback our address to which the provider redirects the browser
 * @throws ProviderUnavailable
 */
export async function begin(
  { keyring, clock }: Dependencies,
  client: ProviderClient,
  callback: string,
  returnTo: string,
): Promise<StartedSignIn> {
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
      // Some providers issue refresh tokens only with `offline_access`.
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

/** The signed-in user, or why there is none. */
export type Outcome = { user: User; returnTo: string } | 'forged' | 'refused' | 'unknown user';

/**
 * @param answer the address of our callback, with the query that the browser brought
 * @param sealed the `attempt` of `begin`, from the browser's cookie
 * @throws ProviderUnavailable
 */
export async function finish(
  needs: Dependencies,
  client: ProviderClient,
  tokens: IdentityTokens,
  answer: URL,
  sealed: string | undefined,
): Promise<Outcome> {
  const attempt = openAttempt(needs, sealed);
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
    await tokens.save(user.id, tokensOf(answered));
    return { user, returnTo: attempt.returnTo };
  } catch (error) {
    if (!(error instanceof ProviderRefused)) throw error;
    needs.log.warn({ reason: error.message }, 'a sign-in was refused by the OpenID provider');
    return 'refused';
  }
}

function openAttempt({ keyring }: Dependencies, sealed: string | undefined): Attempt | undefined {
  try {
    return sealed === undefined
      ? undefined
      : (JSON.parse(keyring.open(sealed, PURPOSE)) as Attempt);
  } catch {
    return undefined;
  }
}

/** Sign-in at the OpenID provider: code flow with PKCE, state and nonce, bound to one browser. */
import * as oauth from 'openid-client';
import type { User } from '../../models/user.js';
import { SealBroken } from '../../secrets/keyring.js';
import type { SignedIn } from '../sessions.js';
import { ATTEMPT_SECONDS } from '../attempt-lifetime.js';
import { identityOf, linkIdentity } from './identities.js';
import { ProviderRefused, type ProviderClient } from './client.js';
import type { RotationNeeds } from '../token-rotation.js';
import type { LinkClaim } from './settings.js';
import { logStranger } from './strangers.js';
import { tokensOf, type IdentityTokens } from './tokens.js';
import { userOf, type Claims } from './users.js';

const PURPOSE = 'openid sign-in';

interface Attempt {
  state: string;
  nonce: string;
  verifier: string;
  returnTo: string;
  /** Id of the session whose user links an identity. Absent: a sign-in. */
  linkFor?: number | undefined;
  /** Milliseconds since 1970. */
  until: number;
}

export interface StartedSignIn {
  /** Where to send the browser. */
  url: string;
  /** The encrypted attempt. The browser keeps it as a cookie. */
  attempt: string;
}

/** See `OpenId.begin`. */
export async function begin(
  { keyring, clock }: RotationNeeds,
  client: ProviderClient,
  callback: string,
  purpose: Pick<Attempt, 'returnTo' | 'linkFor'>,
): Promise<StartedSignIn> {
  const attempt: Attempt = {
    state: oauth.randomState(),
    nonce: oauth.randomNonce(),
    verifier: oauth.randomPKCECodeVerifier(),
    ...purpose,
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
      // Somebody else may have signed this browser in at the provider, to have that identity linked.
      ...(purpose.linkFor !== undefined && { prompt: 'login' }),
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

/** What the cookies of a browser say. */
export interface Browser {
  /** The `attempt` of `begin`. */
  attempt: string | undefined;
  signedIn: SignedIn | undefined;
}

/** The user, or why there is none. */
export type Outcome =
  | { user: User; returnTo: string }
  /** `code` names the identity in the log. */
  | { stranger: string }
  | 'forged'
  | 'refused'
  | 'unknown user'
  | 'not linked';

interface FinishNeeds extends RotationNeeds {
  client: ProviderClient;
  tokens: IdentityTokens;
  linkBy: readonly LinkClaim[];
}

/** See `OpenId.finish`. */
export async function finish(needs: FinishNeeds, answer: URL, browser: Browser): Promise<Outcome> {
  const attempt = openAttempt(needs, browser.attempt);
  if (
    !attempt ||
    attempt.until < needs.clock().getTime() ||
    answer.searchParams.get('state') !== attempt.state ||
    (attempt.linkFor !== undefined && attempt.linkFor !== browser.signedIn?.session.id)
  )
    return 'forged';
  try {
    const answered = await redeem(needs, answer, attempt);
    const claims = answered.claims() as Claims;
    const user =
      attempt.linkFor === undefined
        ? await userOf(needs, claims, needs.linkBy)
        : await linkOwn(needs, claims, browser.signedIn);
    if (!user)
      return attempt.linkFor === undefined
        ? { stranger: logStranger(needs.log, claims) }
        : 'not linked';
    if (!(await needs.tokens.save(user, tokensOf(answered)))) return 'unknown user';
    return { user, returnTo: attempt.returnTo };
  } catch (error) {
    if (!(error instanceof ProviderRefused)) throw error;
    needs.log.warn({ reason: error.message }, 'a sign-in was refused by the OpenID provider');
    return 'refused';
  }
}

/** Exchanges the code for tokens. @throws ProviderRefused, ProviderUnavailable */
const redeem = ({ client, outbound }: FinishNeeds, answer: URL, attempt: Attempt) =>
  client.ask(
    (configuration) =>
      oauth.authorizationCodeGrant(configuration, answer, {
        expectedState: attempt.state,
        expectedNonce: attempt.nonce,
        pkceCodeVerifier: attempt.verifier,
        idTokenExpected: true,
      }),
    outbound.longDeadline(),
  );

/** Links the identity to the user of the session. @returns the user, or undefined if it failed */
async function linkOwn(
  needs: RotationNeeds,
  { iss, sub }: Claims,
  signedIn: SignedIn | undefined,
): Promise<User | undefined> {
  const identity = identityOf(iss, sub);
  if (!signedIn || identity === undefined) return undefined;
  const { user, session } = signedIn;
  const linked = await linkIdentity(needs, {
    userId: user.id,
    identity,
    by: 'page',
    // The session may have ended while the provider answered.
    session: session.id,
  });
  return linked ? user.$set({ identity }) : undefined;
}

function openAttempt({ keyring }: RotationNeeds, sealed: string | undefined): Attempt | undefined {
  if (sealed === undefined) return undefined;
  try {
    return JSON.parse(keyring.open(sealed, PURPOSE)) as Attempt;
  } catch (error) {
    if (error instanceof SealBroken) return undefined;
    throw error;
  }
}

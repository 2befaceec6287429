/** The configured OpenID provider: bearer tokens, sign-in, and users' tokens for other services. */
import type { OpenIdSettings } from './settings.js';
import { Unauthenticated } from '../../contract/errors.js';
import type { Deadline } from '../../outbound/deadline.js';
import type { User } from '../../models/user.js';
import type { RotationNeeds } from '../token-rotation.js';
import { verifyBearer } from './bearer.js';
import { checkProvider } from './check-provider.js';
import { ProviderClient } from './client.js';
import { begin, finish, type Browser, type StartedSignIn, type Outcome } from './sign-in.js';
import { IdentityTokens } from './tokens.js';
import { logStranger } from './strangers.js';
import { userOf } from './users.js';

type OpenIdNeeds = RotationNeeds;

export class OpenId {
  readonly #client: ProviderClient;
  readonly #tokens: IdentityTokens;

  constructor(
    private readonly needs: OpenIdNeeds,
    private readonly settings: OpenIdSettings,
  ) {
    this.#client = new ProviderClient(settings, needs);
    this.#tokens = new IdentityTokens(needs, this.#client);
  }

  /** The host of the issuer, for texts. */
  get host(): string {
    return new URL(this.settings.issuer).host;
  }

  /** The address of the issuer. */
  get address(): string {
    return this.settings.issuer;
  }

  /** What people call the provider. */
  get name(): string {
    return this.settings.name ?? this.host;
  }

  /**
   * The issuer as the provider writes it, which begins the stored identities. The configured one
   * may differ by a slash.
   * @throws ProviderUnavailable
   */
  async issuer(): Promise<string> {
    return (await this.#client.metadata()).issuer;
  }

  /**
   * The user of a JWT access token of the provider.
   * @throws Unauthenticated, InsufficientScope, ServiceUnavailable
   */
  async verify(jwt: string): Promise<User> {
    try {
      const claims = await verifyBearer(this.#client, jwt);
      const linkBy = this.settings.linkBy.filter((claim) => claim !== 'email');
      const user = await userOf(this.needs, claims, linkBy);
      if (!user) {
        logStranger(this.needs.log, claims);
        throw Object.assign(
          new Unauthenticated('The token is good, but nobody here has its identity.'),
          { cause: new Error('unknown user') },
        );
      }
      await this.#tokens.savePresented(user, jwt, claims.exp * 1000);
      return user;
    } catch (error) {
      const { cause, message } = error as Error;
      this.needs.log.warn(
        { reason: cause instanceof Error ? cause.message : message },
        'a token of the OpenID provider was refused',
      );
      throw error;
    }
  }

  /**
   * The user's access token for an audience. The stored token is returned when its `aud` contains
   * the audience, or the audience is `__op-idp__`. Otherwise it is exchanged (RFC 8693). The stored
   * token is refreshed first when it has less than a minute left.
   * @param deadline of the caller; a refresh or exchange continues after it
   * @param scope sent with the exchange
   * @returns undefined when the user has no token
   * @throws ExchangeRefused after a definite refusal of the provider
   * @throws ProviderRefused, ProviderUnavailable when a later attempt may succeed
   */
  tokenFor(
    user: { id: number },
    audience: string,
    deadline: Deadline = this.needs.outbound.deadline(),
    scope: string | null = null,
  ): Promise<string | undefined> {
    return this.#tokens.for(user.id, audience, deadline, scope);
  }

  /**
   * Checks that the provider answers, and that it accepts our client.
   * @throws ClientRefused, ProviderUnavailable
   */
  check(deadline: Deadline = this.needs.outbound.deadline()): Promise<void> {
    return checkProvider(this.#client, deadline);
  }

  /** Drops a cached token that a service has refused. */
  forget(refused: string): void {
    this.#tokens.forget(refused);
  }

  /**
   * Begins a sign-in at the provider.
   * @param callback our address to which the provider redirects the browser
   * @param returnTo the path to open after the sign-in
   * @param linkFor the session whose user wants to link an identity; absent for a sign-in
   * @throws ProviderUnavailable
   */
  begin(callback: string, returnTo: string, linkFor?: { id: number }): Promise<StartedSignIn> {
    return begin(this.needs, this.#client, callback, { returnTo, linkFor: linkFor?.id });
  }

  /**
   * Finishes a sign-in when the browser comes back from the provider. Or it links the identity.
   * @param answer the address of our callback, with the query that the browser brought
   * @param browser what its cookies say
   * @throws ProviderUnavailable
   */
  finish(answer: URL, browser: Browser): Promise<Outcome> {
    const { needs, settings } = this;
    return finish(
      { ...needs, linkBy: settings.linkBy, client: this.#client, tokens: this.#tokens },
      answer,
      browser,
    );
  }
}

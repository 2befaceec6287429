/** The configured OpenID provider: who presents its tokens, who signs in there, and tokens of its users for other services. */
import type { OpenIdSettings } from './settings.js';
import { Unauthenticated } from '../../contract/errors.js';
import type { Deadline } from '../../outbound/client.js';
import type { User } from '../../models/user.js';
import type { RotationDependencies } from '../token-rotation.js';
import { verifyBearer } from './bearer.js';
import { ProviderClient } from './client.js';
import { begin, finish, type Begun, type Outcome } from './sign-in.js';
import { IdentityTokens } from './tokens.js';
import { userOf } from './users.js';

export type Dependencies = RotationDependencies;

export class OpenId {
  readonly #client: ProviderClient;
  readonly #tokens: IdentityTokens;

  constructor(
    private readonly needs: Dependencies,
    private readonly settings: OpenIdSettings,
  ) {
    this.#client = new ProviderClient(settings, needs);
    this.#tokens = new IdentityTokens(needs, this.#client);
  }

  /** The host of the issuer, for people. */
  get host(): string {
    return new URL(this.settings.issuer).host;
  }

  /**
   * The user who presents a JWT access token of the provider.
   * @throws Unauthenticated, InsufficientScope, ServiceUnavailable
   */
  async verify(jwt: string): Promise<User> {
    try {
      const claims = await verifyBearer(this.#client, jwt);
      const user = await userOf(this.needs, claims, 'token');
      if (!user)
        throw Object.assign(
          new Unauthenticated('The token is good, but nobody here has its identity.'),
          { cause: new Error('unknown user') },
        );
      await this.#tokens.keepPresented(user.id, jwt, claims.exp! * 1000);
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
   * The user's access token for an audience: the kept one where its `aud` contains it or the audience is `__op-idp__`, refreshed first
   * when less than a minute is left and the provider can be asked; else one that it is exchanged for (RFC 8693).
   * @param deadline of the caller; what it began goes on afterwards
   * @returns undefined where the user has no token, or the provider refused definitely
   * @throws GrantRefused, ProviderUnavailable when another time may have another answer
   */
  tokenFor(
    user: { id: number },
    audience: string,
    deadline: Deadline = this.needs.outbound.deadline(),
  ): Promise<string | undefined> {
    return this.#tokens.for(user.id, audience, deadline);
  }

  /** After a service has refused a token of `tokenFor`: the next one may be another. */
  forget(refused: string): void {
    this.#tokens.forget(refused);
  }

  /** @param callback where the provider sends the browser back to @throws ProviderUnavailable */
  begin(callback: string, returnTo: string): Promise<Begun> {
    return begin(this.needs, this.#client, callback, returnTo);
  }

  /** @throws ProviderUnavailable */
  finish(answer: URL, attempt: string | undefined): Promise<Outcome> {
    return finish(this.needs, this.#client, this.#tokens, answer, attempt);
  }
}

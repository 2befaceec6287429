/** The OpenID provider as a partner: what it says about itself, our client there, its keys. All HTTP goes through the outbound client. */
import { createRemoteJWKSet, customFetch as joseFetch, type JWTVerifyGetKey } from 'jose';
import * as oauth from 'openid-client';
import type { OpenIdSettings } from './settings.js';
import type { Deadline } from '../../outbound/client.js';
import type { RotationDependencies } from '../token-rotation.js';
import { SingleFlight } from '../../concurrency/single-flight.js';

export const TARGET = 'openid';
/** A key that is not known makes us ask for the keys again, and a failure for the metadata, but not more often than this. */
const COOLDOWN_MS = 30_000;
/** Metadata that are older are asked for again. */
const FRESH_MS = 3_600_000;

/** The provider says no, and will say no again. */
export class GrantRefused extends Error {
  /** @param code of the answer, such as `invalid_grant` @param status of the answer, where it did not come by the browser */
  constructor(
    readonly code: string,
    readonly status: number | undefined,
  ) {
    super(
      `The OpenID provider refuses (${code}${status === undefined ? '' : `, status ${status}`}).`,
    );
    this.name = 'GrantRefused';
  }
}

/** It could not be asked, or gave an answer that may be another one soon. */
export class ProviderUnavailable extends Error {
  constructor(cause: unknown) {
    super(`The OpenID provider cannot be used at the moment: ${reason(cause)}.`);
    this.name = 'ProviderUnavailable';
  }
}

export class ProviderClient {
  #metadata: oauth.ServerMetadata | undefined;
  /** When it was asked last, and when it is asked next; in milliseconds since 1970. */
  #asked = 0;
  #due = 0;
  readonly #asking = new SingleFlight<'metadata', oauth.ServerMetadata>();
  #keys: { uri: string; get: JWTVerifyGetKey } | undefined;

  constructor(
    readonly settings: OpenIdSettings,
    private readonly needs: Pick<RotationDependencies, 'outbound' | 'log' | 'clock'>,
  ) {}

  /** Whether a name is that of the configured issuer; a slash counts, but where nothing else follows the host. */
  isIssuer(name: unknown): boolean {
    return (
      typeof name === 'string' &&
      URL.canParse(name) &&
      new URL(name).href === new URL(this.settings.issuer).href
    );
  }

  /**
   * What discovery said (OpenID Connect Discovery 1.0 section 4). It is asked for again after an hour, and after a request that
   * failed; meanwhile, and while the provider cannot be asked, what it said before stands, so only the first time waits for it.
   * @throws ProviderUnavailable
   */
  async metadata(): Promise<oauth.ServerMetadata> {
    const { clock, log } = this.needs;
    if (this.#metadata && clock().getTime() < this.#due) return this.#metadata;
    const asking = this.#asking.run('metadata', () => this.#discover());
    if (!this.#metadata) return asking;
    asking.catch(({ message }: Error) =>
      log.warn(
        { reason: message },
        'the metadata of the OpenID provider are old, and could not be read again',
      ),
    );
    return this.#metadata;
  }

  /** The key of a token. @throws what jose throws; OutboundFailure */
  readonly key: JWTVerifyGetKey = async (header, token) => {
    const uri = (await this.metadata()).jwks_uri;
    if (uri === undefined) throw new ProviderUnavailable(undefined);
    if (this.#keys?.uri !== uri) {
      const fetch = this.needs.outbound.fetch(TARGET) as never;
      this.#keys = {
        uri,
        get: createRemoteJWKSet(new URL(uri), {
          cooldownDuration: COOLDOWN_MS,
          [joseFetch]: fetch,
        }),
      };
    }
    try {
      return await this.#keys.get(header, token);
    } catch (error) {
      this.#doubt();
      throw error;
    }
  };

  /**
   * A request to the provider in the words of the library.
   * @throws GrantRefused, ProviderUnavailable
   */
  async ask<T>(
    request: (configuration: oauth.Configuration) => T | Promise<T>,
    deadline: Deadline = this.needs.outbound.deadline(),
  ): Promise<T> {
    const { clientId } = this.settings;
    const metadata = await this.metadata();
    const configuration = new oauth.Configuration(
      metadata,
      clientId,
      undefined,
      this.#authentication,
    );
    configuration[oauth.customFetch] = this.needs.outbound.fetch(TARGET, deadline);
    for (const allow of this.#plain) allow(configuration);
    oauth.enableNonRepudiationChecks(configuration);
    try {
      return await request(configuration);
    } catch (error) {
      this.#doubt();
      throw translated(error);
    }
  }

  async #discover(): Promise<oauth.ServerMetadata> {
    const { issuer, clientId } = this.settings;
    const { outbound, clock } = this.needs;
    this.#asked = clock().getTime();
    this.#due = this.#asked + COOLDOWN_MS;
    try {
      const configuration = await oauth.discovery(
        new URL(issuer),
        clientId,
        undefined,
        this.#authentication,
        { execute: this.#plain, [oauth.customFetch]: outbound.fetch(TARGET) },
      );
      this.#due = this.#asked + FRESH_MS;
      return (this.#metadata = configuration.serverMetadata());
    } catch (error) {
      throw new ProviderUnavailable(error);
    }
  }

  /** A request failed: perhaps what it relied on has changed. */
  #doubt(): void {
    this.#due = Math.min(this.#due, this.#asked + COOLDOWN_MS);
  }

  get #authentication(): oauth.ClientAuth {
    const { clientSecret } = this.settings;
    return clientSecret === undefined ? oauth.None() : oauth.ClientSecretBasic(clientSecret);
  }

  /** Plain http only where the configured issuer is. */
  get #plain() {
    return this.settings.issuer.startsWith('http:') ? [oauth.allowInsecureRequests] : [];
  }
}

/** The library's own errors may hold what was sent. */
function translated(error: unknown): Error {
  if (error instanceof oauth.ResponseBodyError && isRefusal(error.status))
    return new GrantRefused(word(error.error), error.status);
  if (error instanceof oauth.WWWAuthenticateChallengeError)
    return new GrantRefused('challenge', error.status);
  if (error instanceof oauth.AuthorizationResponseError)
    return new GrantRefused(word(error.error), undefined);
  const response =
    error instanceof Error && error.cause instanceof Response ? error.cause : undefined;
  if (response && isRefusal(response.status)) return new GrantRefused('unknown', response.status);
  return new ProviderUnavailable(error);
}

/** A client error, but for the wish to be asked later. */
const isRefusal = (answered: number): boolean =>
  answered >= 400 && answered < 500 && answered !== 429;

/** Codes are short words; anything else might be a secret that came back. */
const word = (code: string): string => (/^[a-z_]{1,60}$/.test(code) ? code : 'unknown');

/** In words that hold nothing of what was sent. */
function reason(error: unknown): string {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause.name === 'OutboundFailure' || cause.name === 'ProviderUnavailable')
      return cause.message.replace(/\.$/, '');
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : 'its answer was not understood';
}

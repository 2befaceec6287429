/** The client of the OpenID provider: metadata, keys and requests, all through `Outbound`. */
import { createRemoteJWKSet, customFetch as joseFetch, type JWTVerifyGetKey } from 'jose';
import * as oauth from 'openid-client';
import type { OpenIdSettings } from './settings.js';
import type { Deadline } from '../../outbound/deadline.js';
import type { RotationNeeds } from '../token-rotation.js';
import { SingleFlight } from '../../concurrency/single-flight.js';

export const TARGET = 'openid';
/**
 * Minimum time between two requests for the keys, which an unknown key causes.
 * Also the minimum time between two requests for the metadata after a failure.
 */
const COOLDOWN_MS = 30_000;
/** Metadata that are older are read again. */
const FRESH_MS = 3_600_000;

/** A definite refusal: the same request would be refused again. */
export class ProviderRefused extends Error {
  /**
   * @param code of the answer, such as `invalid_grant`
   * @param status of the answer; undefined when the browser brought it
   */
  constructor(
    readonly code: string,
    readonly status: number | undefined,
  ) {
    super(
      `The OpenID provider refuses (${code}${status === undefined ? '' : `, status ${status}`}).`,
    );
    this.name = 'ProviderRefused';
  }
}

/** The provider was not reached, or its error may be temporary. */
export class ProviderUnavailable extends Error {
  constructor(cause: unknown) {
    super(`The OpenID provider of OIDC_ISSUER cannot be used at the moment: ${reason(cause)}.`);
    this.name = 'ProviderUnavailable';
  }
}

export class ProviderClient {
  #metadata: oauth.ServerMetadata | undefined;
  /** When the metadata were requested last; in milliseconds since 1970. */
  #requestedAt = 0;
  /** When they are due to be requested again; in milliseconds since 1970. */
  #dueAt = 0;
  readonly #discovering = new SingleFlight<'metadata', oauth.ServerMetadata>();
  #keys: { uri: string; get: JWTVerifyGetKey } | undefined;

  constructor(
    readonly settings: OpenIdSettings,
    private readonly needs: Pick<RotationNeeds, 'outbound' | 'log' | 'clock'>,
  ) {}

  /**
   * Whether a name is that of the configured issuer. `https://host` equals `https://host/`. After a
   * path, a slash makes a difference.
   */
  isIssuer(name: unknown): boolean {
    return (
      typeof name === 'string' &&
      URL.canParse(name) &&
      new URL(name).href === new URL(this.settings.issuer).href
    );
  }

  /**
   * The provider's metadata (OpenID Connect Discovery 1.0 section 4). They are read again after an
   * hour, and after a failed request. Meanwhile the old ones are returned, so only the first call
   * waits for the provider.
   * @throws ProviderUnavailable
   */
  async metadata(): Promise<oauth.ServerMetadata> {
    const { clock, log } = this.needs;
    if (this.#metadata && clock().getTime() < this.#dueAt) return this.#metadata;
    const discovery = this.renewMetadata();
    if (!this.#metadata) return discovery;
    discovery.catch(({ message }: Error) =>
      log.warn(
        { reason: message },
        'the metadata of the OpenID provider are old, and could not be read again',
      ),
    );
    return this.#metadata;
  }

  /** Reads the metadata now. @throws ProviderUnavailable */
  renewMetadata(): Promise<oauth.ServerMetadata> {
    return this.#discovering.run('metadata', () => this.#discover());
  }

  /** The key that verifies a token. @throws errors of jose, OutboundFailure, ProviderUnavailable */
  readonly key: JWTVerifyGetKey = async (header, token) => {
    const uri = (await this.metadata()).jwks_uri;
    if (uri === undefined) throw new ProviderUnavailable(undefined);
    if (this.#keys?.uri !== uri) {
      const fetch = this.needs.outbound.fetch(TARGET);
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
      this.#refreshSoon();
      throw error;
    }
  };

  /**
   * Runs a request of the library `openid-client`.
   * @throws ProviderRefused, ProviderUnavailable
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
    for (const allow of this.#allowHttp) allow(configuration);
    oauth.enableNonRepudiationChecks(configuration);
    try {
      return await request(configuration);
    } catch (error) {
      this.#refreshSoon();
      throw translated(error);
    }
  }

  async #discover(): Promise<oauth.ServerMetadata> {
    const { issuer, clientId } = this.settings;
    const { outbound, clock } = this.needs;
    this.#requestedAt = clock().getTime();
    this.#dueAt = this.#requestedAt + COOLDOWN_MS;
    try {
      const configuration = await oauth.discovery(
        new URL(issuer),
        clientId,
        undefined,
        this.#authentication,
        { execute: this.#allowHttp, [oauth.customFetch]: outbound.fetch(TARGET) },
      );
      this.#dueAt = this.#requestedAt + FRESH_MS;
      return (this.#metadata = configuration.serverMetadata());
    } catch (error) {
      throw new ProviderUnavailable(error);
    }
  }

  /** Call it after a failed request: the metadata that it used may have changed. */
  #refreshSoon(): void {
    this.#dueAt = Math.min(this.#dueAt, this.#requestedAt + COOLDOWN_MS);
  }

  get #authentication(): oauth.ClientAuth {
    const { clientSecret } = this.settings;
    return clientSecret === undefined ? oauth.None() : oauth.ClientSecretBasic(clientSecret);
  }

  /** Allows plain http only when the configured issuer uses it. */
  get #allowHttp() {
    return this.settings.issuer.startsWith('http:') ? [oauth.allowInsecureRequests] : [];
  }
}

/** Errors of the library may contain secrets of the request. These errors do not. */
function translated(error: unknown): Error {
  if (error instanceof oauth.ResponseBodyError && isRefusal(error.status))
    return new ProviderRefused(safeCode(error.error), error.status);
  if (error instanceof oauth.WWWAuthenticateChallengeError)
    return new ProviderRefused('challenge', error.status);
  if (error instanceof oauth.AuthorizationResponseError)
    return new ProviderRefused(safeCode(error.error), undefined);
  const response =
    error instanceof Error && error.cause instanceof Response ? error.cause : undefined;
  if (response && isRefusal(response.status))
    return new ProviderRefused('unknown', response.status);
  return new ProviderUnavailable(error);
}

/** A client error except 429, which asks for a later attempt. */
const isRefusal = (answered: number): boolean =>
  answered >= 400 && answered < 500 && answered !== 429;

/** Codes are short words. Any other text is hidden: it might repeat a secret. */
const safeCode = (code: string): string => (/^[a-z_]{1,60}$/.test(code) ? code : 'unknown');

/** By the codes of the library. */
const reasons: { readonly [code: string]: string } = {
  OAUTH_RESPONSE_IS_NOT_CONFORM: 'what answers there is not an OpenID provider',
  OAUTH_INVALID_RESPONSE: 'its answer has not the form that the standard asks for',
  OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED: 'its metadata name another issuer than OIDC_ISSUER',
  OAUTH_JWT_CLAIM_COMPARISON_FAILED: 'its token is for another client, issuer or request',
  OAUTH_JWT_TIMESTAMP_CHECK_FAILED:
    'its token is not valid now; compare the clocks of both servers',
  OAUTH_KEY_SELECTION_FAILED: 'it has no key for its token',
};

/** The reason of a failure, without any text of the answer. */
function reason(error: unknown): string {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause.name === 'OutboundFailure' || cause.name === 'ProviderUnavailable')
      return cause.message.replace(/\.$/, '');
  const { code } = (error ?? {}) as { code?: unknown };
  return (typeof code === 'string' && reasons[code]) || 'its answer was not understood';
}

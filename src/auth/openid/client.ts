/** The OpenID provider as a partner: what it says about itself, our client there, its keys. All HTTP goes through the outbound client. */
import { createRemoteJWKSet, customFetch as joseFetch, type JWTVerifyGetKey } from 'jose';
import * as oauth from 'openid-client';
import type { OpenIdSettings } from '../../config.js';
import type { Deadline, Outbound } from '../../http.js';

export const TARGET = 'openid';
/** A key that is not known makes us ask for the keys again, but not more often than this. */
const COOLDOWN_MS = 30_000;

/** The provider says no, and will say no again. */
export class GrantRefused extends Error {
  /** @param code of the answer, such as `invalid_grant` @param status of the answer, where it did not come by the browser */
  constructor(readonly code: string, readonly status: number | undefined) {
    super(`The OpenID provider refuses (${code}${status === undefined ? '' : `, status ${status}`}).`);
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
  #metadata: Promise<oauth.ServerMetadata> | undefined;
  #keys: { uri: string; get: JWTVerifyGetKey } | undefined;

  constructor(readonly settings: OpenIdSettings, private readonly outbound: Outbound) {}

  /** What discovery said, asked for once; after a failure it is asked for again. @throws ProviderUnavailable */
  metadata(): Promise<oauth.ServerMetadata> {
    this.#metadata ??= this.#discover().catch((error: unknown) => {
      this.#metadata = undefined;
      throw new ProviderUnavailable(error);
    });
    return this.#metadata;
  }

  /** The key of a token. @throws what jose throws; OutboundFailure */
  readonly key: JWTVerifyGetKey = async (header, token) => {
    const uri = (await this.metadata()).jwks_uri;
    if (uri === undefined) throw new ProviderUnavailable(undefined);
    if (this.#keys?.uri !== uri) {
      const fetch = this.outbound.fetch(TARGET) as never;
      this.#keys = { uri, get: createRemoteJWKSet(new URL(uri), { cooldownDuration: COOLDOWN_MS, [joseFetch]: fetch }) };
    }
    return this.#keys.get(header, token);
  };

  /**
   * A request to the provider in the words of the library.
   * @throws GrantRefused, ProviderUnavailable
   */
  async ask<T>(request: (configuration: oauth.Configuration) => T | Promise<T>, deadline: Deadline = this.outbound.deadline()): Promise<T> {
    const { clientId } = this.settings;
    const metadata = await this.metadata();
    const configuration = new oauth.Configuration(metadata, clientId, undefined, this.#authentication);
    configuration[oauth.customFetch] = this.outbound.fetch(TARGET, deadline) as oauth.CustomFetch;
    for (const allow of this.#plain) allow(configuration);
    oauth.enableNonRepudiationChecks(configuration);
    try {
      return await request(configuration);
    } catch (error) {
      throw translated(error);
    }
  }

  async #discover(): Promise<oauth.ServerMetadata> {
    const { issuer, clientId } = this.settings;
    const configuration = await oauth.discovery(new URL(issuer), clientId, undefined, this.#authentication, { execute: this.#plain, [oauth.customFetch]: this.outbound.fetch(TARGET) as oauth.CustomFetch });
    return configuration.serverMetadata();
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
  if (error instanceof oauth.ResponseBodyError && isRefusal(error.status)) return new GrantRefused(word(error.error), error.status);
  if (error instanceof oauth.WWWAuthenticateChallengeError) return new GrantRefused('challenge', error.status);
  if (error instanceof oauth.AuthorizationResponseError) return new GrantRefused(word(error.error), undefined);
  const response = error instanceof Error && error.cause instanceof Response ? error.cause : undefined;
  if (response && isRefusal(response.status)) return new GrantRefused('unknown', response.status);
  return new ProviderUnavailable(error);
}

/** A client error, but for the wish to be asked later. */
const isRefusal = (answered: number): boolean => answered >= 400 && answered < 500 && answered !== 429;

/** Codes are short words; anything else might be a secret that came back. */
const word = (code: string): string => (/^[a-z_]{1,60}$/.test(code) ? code : 'unknown');

/** In words that hold nothing of what was sent. */
function reason(error: unknown): string {
  for (let cause = error; cause instanceof Error; cause = cause.cause) if (cause.name === 'OutboundFailure' || cause.name === 'ProviderUnavailable') return cause.message.replace(/\.$/, '');
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : 'its answer was not understood';
}

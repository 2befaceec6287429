/**
 * Caches the service's own access tokens for storages (client credentials), until shortly before
 * they expire.
 */
import { EARLY_MS } from '../token-rotation.js';

export interface ApplicationGrant {
  token: string;
  /** Lifetime of the token. */
  seconds: number;
}

/** Maximum time in the cache. The storage can state a longer lifetime. */
const MAX_MS = 50 * 60_000;

export class ApplicationTokens {
  readonly #cache = new Map<number, { token: Promise<string>; until: number }>();

  constructor(private readonly clock: () => Date) {}

  /**
   * The token for client credentials. Replaced credentials have a new id, so they get a new token.
   * @param grant requests a token. Callers at the same time share one request. Errors are not
   *   cached.
   */
  get(credentialsId: number, grant: () => Promise<ApplicationGrant>): Promise<string> {
    const known = this.#cache.get(credentialsId);
    if (known && known.until > this.clock().getTime()) return known.token;
    const entry = { token: Promise.resolve(''), until: Infinity };
    entry.token = grant().then(({ token, seconds }) => {
      entry.until = this.clock().getTime() + Math.min(seconds * 1000 - EARLY_MS, MAX_MS);
      return token;
    });
    this.#cache.set(credentialsId, entry);
    entry.token.catch(() => this.#drop(credentialsId, entry.token));
    return entry.token;
  }

  /** Drops a token that the storage has refused. */
  async forget(credentialsId: number, refused: string): Promise<void> {
    const known = this.#cache.get(credentialsId);
    if (known && (await known.token.catch(() => refused)) === refused)
      this.#drop(credentialsId, known.token);
  }

  #drop(credentialsId: number, token: Promise<string>): void {
    if (this.#cache.get(credentialsId)?.token === token) this.#cache.delete(credentialsId);
  }
}

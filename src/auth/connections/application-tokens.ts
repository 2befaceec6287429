/**
 * Caches the service's own access tokens for storages (client credentials), until shortly before
 * they expire.
 */
import { EARLY_MS } from '../token-rotation.js';

interface ApplicationGrant {
  token: string;
  /** Lifetime of the token. */
  seconds: number;
}

/** Maximum time in the cache. The storage can state a longer lifetime. */
const MAX_MS = 50 * 60_000;

export class ApplicationTokens {
  readonly #cache = new Map<string, { token: Promise<string>; until: number }>();

  constructor(private readonly clock: () => Date) {}

  /**
   * The token for client credentials.
   * @param credentials names them, with the time of their last change: a new secret gets a new token
   * @param grant requests a token. Callers at the same time share one request. Errors are not
   *   cached.
   */
  get(credentials: string, grant: () => Promise<ApplicationGrant>): Promise<string> {
    const known = this.#cache.get(credentials);
    if (known && known.until > this.clock().getTime()) return known.token;
    const entry = { token: Promise.resolve(''), until: Infinity };
    entry.token = grant().then(({ token, seconds }) => {
      entry.until = this.clock().getTime() + Math.min(seconds * 1000 - EARLY_MS, MAX_MS);
      return token;
    });
    this.#cache.set(credentials, entry);
    entry.token.catch(() => this.#drop(credentials, entry.token));
    return entry.token;
  }

  /** Drops a token that the storage has refused. */
  async forget(credentials: string, refused: string): Promise<void> {
    const known = this.#cache.get(credentials);
    if (known && (await known.token.catch(() => refused)) === refused)
      this.#drop(credentials, known.token);
  }

  #drop(credentials: string, token: Promise<string>): void {
    if (this.#cache.get(credentials)?.token === token) this.#cache.delete(credentials);
  }
}

/** Tokens of the service itself at a storage (client credentials), remembered by this process until shortly before they end. */
import { EARLY_MS } from '../token-rotation.js';

export interface ApplicationGrant {
  token: string;
  /** How long it lives. */
  seconds: number;
}

/** None is used longer, whatever the storage says. */
const MAX_MS = 50 * 60_000;

export class ApplicationTokens {
  readonly #kept = new Map<number, { token: Promise<string>; until: number }>();

  constructor(private readonly clock: () => Date) {}

  /**
   * The token for client credentials, by their id: those that replace them have another one.
   * @param grant asks for a token; callers at the same time share one request. What it throws is not remembered.
   */
  get(credentialsId: number, grant: () => Promise<ApplicationGrant>): Promise<string> {
    const known = this.#kept.get(credentialsId);
    if (known && known.until > this.clock().getTime()) return known.token;
    const entry = { token: Promise.resolve(''), until: Infinity };
    entry.token = grant().then(({ token, seconds }) => {
      entry.until = this.clock().getTime() + Math.min(seconds * 1000 - EARLY_MS, MAX_MS);
      return token;
    });
    this.#kept.set(credentialsId, entry);
    entry.token.catch(() => this.#drop(credentialsId, entry.token));
    return entry.token;
  }

  /** After the storage refused it. */
  async forget(credentialsId: number, refused: string): Promise<void> {
    const known = this.#kept.get(credentialsId);
    if (known && (await known.token.catch(() => refused)) === refused)
      this.#drop(credentialsId, known.token);
  }

  #drop(credentialsId: number, token: Promise<string>): void {
    if (this.#kept.get(credentialsId)?.token === token) this.#kept.delete(credentialsId);
  }
}

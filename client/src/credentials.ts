/** Who asks: the session of the browser, an API key, or a token that is renewed. */

/**
 * - `'session'`: the cookie of the sign-in page. Only pages of the service itself can use it.
 * - `key`: an API key.
 * - `token`: gives an access token. It is asked again once when the service answers 401.
 */
export type Auth = 'session' | { key: string } | { token: () => string | Promise<string> };

export class Credentials {
  #token: Promise<string> | undefined;

  constructor(private readonly auth: Auth) {}

  /** The headers that identify the caller. */
  async headers(): Promise<{ [name: string]: string }> {
    if (this.auth === 'session')
      // A page of another origin cannot send the first one. The second one prevents a dialog.
      return { 'x-requested-with': 'XMLHttpRequest', 'x-authentication-scheme': 'Session' };
    return { authorization: `Bearer ${await this.#value(this.auth)}` };
  }

  /**
   * Call it after an answer with the status 401.
   * @param refused the headers of the request
   * @returns the headers for another attempt; undefined if there are no others
   */
  async renewed(refused: {
    [name: string]: string;
  }): Promise<{ [name: string]: string } | undefined> {
    if (this.auth === 'session' || 'key' in this.auth) return undefined;
    // Another request can have renewed it in the meantime.
    const now = await this.headers();
    if (now['authorization'] !== refused['authorization']) return now;
    this.#token = undefined;
    return this.headers();
  }

  #value(auth: Exclude<Auth, 'session'>): string | Promise<string> {
    if ('key' in auth) return auth.key;
    this.#token ??= Promise.resolve(auth.token()).catch((error: unknown) => {
      this.#token = undefined;
      throw error;
    });
    return this.#token;
  }
}

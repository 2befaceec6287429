/** Who asks: the session of the browser, an API key, or a token that is renewed. */

/**
 * - `'session'`: the cookie of the sign-in page. Only pages of the service itself can use it.
 * - `person`: the same. It gives the `databaseId` of the person whom the page shows, if it is known.
 *   The service answers 401 when somebody else, or nobody, is signed in by then. `ended` is called
 *   for each such answer.
 * - `key`: an API key.
 * - `token`: gives an access token. It is asked again once when the service answers 401.
 */
export type Auth =
  | 'session'
  | { person: () => number | undefined; ended?: () => void }
  | { key: string }
  | { token: () => string | Promise<string> };

type Secret = Extract<Auth, { key: string } | { token: unknown }>;

const isSecret = (auth: Auth): auth is Secret =>
  auth !== 'session' && ('key' in auth || 'token' in auth);

export class Credentials {
  #token: Promise<string> | undefined;

  constructor(private readonly auth: Auth) {}

  /** The headers that identify the caller. */
  async headers(): Promise<{ [name: string]: string }> {
    const { auth } = this;
    if (isSecret(auth)) return { authorization: `Bearer ${await this.#value(auth)}` };
    const person = auth === 'session' ? undefined : auth.person();
    return {
      // A page of another origin cannot send the first one. The second one prevents a dialog.
      'x-requested-with': 'XMLHttpRequest',
      'x-authentication-scheme': 'Session',
      ...(person !== undefined && { 'x-signed-in-as': String(person) }),
    };
  }

  /**
   * Call it after an answer with the status 401.
   * @param refused the headers of the request
   * @returns the headers for another attempt; undefined if there are no others
   */
  async renewed(refused: {
    [name: string]: string;
  }): Promise<{ [name: string]: string } | undefined> {
    if (this.auth === 'session') return undefined;
    if ('person' in this.auth) this.auth.ended?.();
    if (!('token' in this.auth)) return undefined;
    // Another request can have renewed it in the meantime.
    const now = await this.headers();
    if (now['authorization'] !== refused['authorization']) return now;
    this.#token = undefined;
    return this.headers();
  }

  #value(auth: Secret): string | Promise<string> {
    if ('key' in auth) return auth.key;
    this.#token ??= Promise.resolve(auth.token()).catch((error: unknown) => {
      this.#token = undefined;
      throw error;
    });
    return this.#token;
  }
}

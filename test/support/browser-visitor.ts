/** A simulated browser. It stores cookies by path and sends the headers of browsers. It follows no redirect by itself. */
import type { App } from './app.js';

export interface Seen {
  status: number;
  headers: Headers;
  text: string;
  /** The target of a redirect: a path for an address of the app, otherwise the whole address. */
  location: string | undefined;
}

interface Cookie {
  value: string;
  path: string;
}

/** The parts of an app that a browser needs. */
export interface Site {
  request: App['request'];
  running: { baseUrl: string };
}

export class Visitor {
  readonly cookies = new Map<string, Cookie>();
  /** All `Set-Cookie` headers so far. */
  readonly lines: string[] = [];

  constructor(private readonly app: Site) {}

  get = (path: string, headers: { [name: string]: string } = {}) =>
    this.#send('GET', path, { 'sec-fetch-site': 'none', ...headers });

  post = (
    path: string,
    form: { [name: string]: string },
    headers: { [name: string]: string } = {},
  ) =>
    this.#send(
      'POST',
      path,
      {
        'sec-fetch-site': 'same-origin',
        'content-type': 'application/x-www-form-urlencoded',
        ...headers,
      },
      new URLSearchParams(form).toString(),
    );

  /** Follows redirects within the app until it gets a page or another address. */
  async follow(seen: Seen): Promise<Seen & { path: string }> {
    let path = '';
    let last = seen;
    for (let hops = 0; last.location?.startsWith('/'); hops += 1) {
      if (hops > 10) throw new Error('too many redirects');
      path = last.location;
      last = await this.get(path);
    }
    return { ...last, path };
  }

  async signIn(login: string, password: string, returnTo?: string): Promise<Seen> {
    return this.post(
      `/login${returnTo === undefined ? '' : `?return_to=${encodeURIComponent(returnTo)}`}`,
      { login, password },
    );
  }

  header(path: string): string {
    return [...this.cookies]
      .filter(([, cookie]) => path.startsWith(cookie.path))
      .map(([name, { value }]) => `${name}=${value}`)
      .join('; ');
  }

  async #send(
    method: string,
    path: string,
    headers: { [name: string]: string },
    body?: string,
  ): Promise<Seen> {
    const cookie = this.header(path);
    const answer = await this.app.request(method, path, {
      headers: { accept: 'text/html', ...(cookie && { cookie }), ...headers },
      ...(body !== undefined && { body }),
    });
    for (const line of answer.headers.getSetCookie()) this.#keep(line);
    const location = answer.headers.get('location') ?? undefined;
    return {
      status: answer.status,
      headers: answer.headers,
      text: answer.text,
      location: location?.startsWith(`${this.app.running.baseUrl}/`)
        ? location.slice(this.app.running.baseUrl.length)
        : location,
    };
  }

  #keep(line: string): void {
    this.lines.push(line);
    const [pair = '', ...attributes] = line.split(/; */);
    const [name = '', value = ''] = pair.split(/=(.*)/s);
    const attribute = (wanted: string) =>
      attributes.map((one) => one.split('=')).find(([one]) => one!.toLowerCase() === wanted)?.[1];
    const gone = value === '' || Date.parse(attribute('expires') ?? '') < Date.now();
    if (gone) this.cookies.delete(name);
    else this.cookies.set(name, { value, path: attribute('path') ?? '/' });
  }
}

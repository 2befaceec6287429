/** Sends GraphQL requests to one service. */
import { Credentials, type Auth } from './credentials.js';
import { errorOf, fetchError, noAnswer, type GraphqlBody } from './errors.js';
import type { Document } from './document.js';

/** Where the service is, and who asks. */
export interface ClientOptions {
  /** Address of the service, such as `https://files.example.org`; `''` for the page's own origin. */
  url: string;
  auth: Auth;
  /** Replaces the `fetch` of the platform. Browsers send files with `XMLHttpRequest` instead. */
  fetch?: typeof fetch;
}

export interface RequestOptions {
  /** Ends the request. It then throws the reason of the signal. */
  signal?: AbortSignal | undefined;
  /** Lets the request go on after the page is left. Browsers take 64 kB of such requests. */
  keepAlive?: boolean | undefined;
}

/** A request to the service, without the headers that identify the caller. */
interface ServiceRequest {
  path: string;
  accept: string;
  body: string;
  signal?: AbortSignal | undefined;
  keepAlive?: boolean | undefined;
}

export class Connection {
  /** Address of the service without a final slash. */
  readonly url: string;
  readonly credentials: Credentials;
  /** @throws MoorageError without an answer, or the reason of the signal */
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;

  constructor({ url, auth, fetch = globalThis.fetch }: ClientOptions) {
    this.url = url.replace(/\/+$/, '');
    this.credentials = new Credentials(auth);
    this.fetch = async (url, init) => {
      try {
        // Browsers refuse a call of `fetch` with another `this`.
        return await fetch(url, init);
      } catch (error) {
        init.signal?.throwIfAborted();
        throw fetchError(url, error);
      }
    };
  }

  /** @throws MoorageError, or the reason of the signal */
  async ask<Result, Variables>(
    document: Document<Result, Variables>,
    variables: Variables | undefined,
    { signal, keepAlive }: RequestOptions = {},
  ): Promise<Result> {
    const response = await this.send({
      path: '/graphql',
      accept: 'application/json',
      body: JSON.stringify({ query: String(document), variables }),
      signal,
      keepAlive,
    });
    const text = await answered(response.text(), signal);
    return dataOf<Result>(text, response);
  }

  /**
   * Sends JSON. It asks for a new token once if the service refuses the present one.
   * @throws MoorageError without an answer, or the reason of the signal
   */
  async send({ path, accept, body, signal, keepAlive }: ServiceRequest): Promise<Response> {
    const attempt = (headers: { [name: string]: string }) =>
      this.fetch(this.url + path, {
        method: 'POST',
        headers: { accept, 'content-type': 'application/json', ...headers },
        body,
        signal: signal ?? null,
        keepalive: keepAlive ?? false,
      });
    const headers = await this.credentials.headers();
    const response = await attempt(headers);
    if (response.status !== 401) return response;
    const others = await this.credentials.renewed(headers);
    return others ? attempt(others) : response;
  }
}

/** The data of a GraphQL answer. @throws MoorageError for every other answer */
export function dataOf<Result>(
  text: string,
  answer: { status: number; headers?: Headers },
): Result {
  const body = parsed(text);
  if (body.errors?.length || !body.data) throw errorOf(body, answer);
  // The document says what the service answers.
  return body.data as Result;
}

/** The object in a JSON text; an empty one for every other text. */
function parsed(text: string): GraphqlBody {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

/** The body of an answer, unless its connection is lost. @throws also the reason of the signal */
export async function answered<T>(work: Promise<T>, signal?: AbortSignal): Promise<T> {
  try {
    return await work;
  } catch (error) {
    signal?.throwIfAborted();
    throw noAnswer(error);
  }
}

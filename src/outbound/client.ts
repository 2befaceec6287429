/**
 * The HTTP client for all requests to other servers: storages, webhooks, the OpenID provider.
 *
 * - It checks the addresses that names resolve to, and follows no redirects.
 * - One deadline covers all calls of one incoming request to one target.
 * - It limits the size of answers.
 * - A circuit breaker for each target makes requests to a dead target fail at once.
 */
import { lookup as systemLookup } from 'node:dns';
import { isIP } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, type Dispatcher } from 'undici';
import type { Metrics } from '../observability/metrics.js';
import {
  checkedLookup,
  isAllowedAddress,
  refusedAddress,
  type Lookup,
} from './allowed-addresses.js';
import { Circuits } from './circuits.js';
import { Deadline } from './deadline.js';
import { failureOf, OutboundFailure, TargetDown } from './failure.js';
import type { HttpAnswer, HttpRequest, OpenedAnswer } from './http.js';
import { pauseBeforeRetry } from './retry.js';

interface OutboundOptions {
  storageConnectTimeoutMs: number;
  storageTimeoutMs: number;
  storageAllowPrivate: boolean;
}

/** Largest accepted answer, in bytes. A folder with 10,000 entries has about 12 MiB. */
const MAX_BYTES = 32 * 1024 * 1024;
const CONNECTIONS = 64;

export class Outbound {
  readonly #agent: Agent;
  readonly #circuits = new Circuits();

  /** @param lookup resolves names */
  constructor(
    private readonly options: OutboundOptions,
    private readonly metrics: Metrics,
    lookup: Lookup = systemLookup,
  ) {
    this.#agent = new Agent({
      connections: CONNECTIONS,
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: 20_000,
      maxHeaderSize: 64 * 1024,
      connect: {
        timeout: options.storageConnectTimeoutMs,
        lookup: checkedLookup(lookup, options.storageAllowPrivate),
      },
    });
  }

  /** The usual deadline: `STORAGE_TIMEOUT_MS`. */
  deadline(): Deadline {
    return new Deadline(this.options.storageTimeoutMs);
  }

  /**
   * A deadline three times as long as the usual one. It is for requests that cannot be repeated,
   * because codes and refresh tokens are valid once. Nextcloud's brute-force protection delays all
   * requests from a suspicious address by up to 25 seconds.
   */
  longDeadline(): Deadline {
    return new Deadline(this.options.storageTimeoutMs * 3);
  }

  /**
   * Sends a request and returns the answer, whatever its status. A throttled request (429, or 503
   * with `Retry-After`) is repeated when the pause fits into the deadline.
   * @param target the name of the circuit breaker and of the metrics, e.g. `storage 3`
   * @throws OutboundFailure
   */
  async send(
    target: string,
    request: HttpRequest,
    deadline: Deadline = this.deadline(),
  ): Promise<HttpAnswer> {
    for (let attempt = 0; ; attempt += 1) {
      const answer = await this.#once(target, request, deadline, () =>
        this.#exchange(request, deadline),
      );
      const pause = pauseBeforeRetry(answer, attempt);
      if (pause === undefined || pause >= deadline.leftMs) return answer;
      await sleep(pause);
    }
  }

  /**
   * The same as `send`, as a `fetch` function for libraries.
   * @param around is called with each request, and sends it
   */
  fetch(
    target: string,
    deadline?: Deadline,
    around: (send: () => Promise<HttpAnswer>) => Promise<HttpAnswer> = (send) => send(),
  ): (
    url: string,
    options: { method?: string; headers?: unknown; body?: unknown },
  ) => Promise<Response> {
    return async (url, { method = 'GET', headers, body }) => {
      const request: HttpRequest = {
        method,
        url: String(url),
        headers: Object.fromEntries(
          new Headers(headers as ConstructorParameters<typeof Headers>[0]),
        ),
      };
      if (body !== undefined && body !== null)
        request.body = body instanceof Uint8Array ? Buffer.from(body) : String(body);
      if (body instanceof URLSearchParams)
        request.headers = {
          'content-type': 'application/x-www-form-urlencoded',
          ...request.headers,
        };
      const answer = await around(() => this.send(target, request, deadline ?? this.deadline()));
      const empty = answer.status === 204 || answer.status === 304;
      return new Response(empty ? null : new Uint8Array(answer.body), {
        status: answer.status,
        headers: answer.headers,
      });
    };
  }

  /**
   * Sends a request and opens the body of its answer, for a file of any size. Destroy it if it is
   * not read to its end. The usual deadline is for the head; then each pause may be as long.
   * @throws OutboundFailure, and so does the body, also if it has more than `maxBytes`
   */
  async open(target: string, request: HttpRequest): Promise<OpenedAnswer> {
    const deadline = this.deadline();
    const head = new AbortController();
    const end = () => head.abort();
    deadline.signal.addEventListener('abort', end);
    try {
      return await this.#once(target, request, deadline, async () => {
        const { statusCode, headers, body } = await this.#request(request, {
          signal: head.signal,
          leftMs: deadline.leftMs,
          bodyTimeout: this.options.storageTimeoutMs,
        });
        const pieces = Readable.from(piecesOf(body, request), { objectMode: false });
        // A generator that has not begun does not notice its end.
        pieces.once('close', () => discard(body));
        return { status: statusCode, headers: flatHeaders(headers), body: pieces };
      });
    } finally {
      deadline.signal.removeEventListener('abort', end);
    }
  }

  /** Resets the circuit breaker of a target. Call it after the target's address has changed. */
  forget(target: string): void {
    this.#circuits.forget(target);
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }

  /** Sends a request once, through the circuit breaker, and counts its outcome. */
  async #once<A extends { status: number }>(
    target: string,
    { url }: HttpRequest,
    deadline: Deadline,
    exchange: () => Promise<A>,
  ): Promise<A> {
    const began = performance.now();
    const record = (outcome: string) =>
      this.metrics.outbound(target, outcome, (performance.now() - began) / 1000);
    try {
      const answer = await this.#circuits.execute(target, new URL(url).origin, deadline, exchange);
      record(String(answer.status));
      return answer;
    } catch (error) {
      record(error instanceof OutboundFailure ? error.reason : 'error');
      throw error;
    }
  }

  async #exchange(request: HttpRequest, deadline: Deadline): Promise<HttpAnswer> {
    const { statusCode, headers, body } = await this.#request(request, deadline);
    const pieces: Buffer[] = [];
    for await (const piece of piecesOf(body, request, deadline.signal)) pieces.push(piece);
    return { status: statusCode, headers: flatHeaders(headers), body: Buffer.concat(pieces) };
  }

  async #request(
    { method, url, headers, body, maxBytes = MAX_BYTES }: HttpRequest,
    { signal, leftMs, bodyTimeout = 0 }: Waiting,
  ): Promise<Dispatcher.ResponseData> {
    const { origin, pathname, search, hostname, protocol } = new URL(url);
    if (protocol !== 'https:' && protocol !== 'http:')
      throw new OutboundFailure('address', `${protocol} addresses are not called.`);
    // The look-up, which checks addresses, does not run for a literal address.
    const literal = hostname.replace(/^\[|\]$/g, '');
    if (isIP(literal) && !isAllowedAddress(literal, this.options.storageAllowPrivate))
      throw refusedAddress(hostname);
    if (leftMs === 0) throw new TargetDown('timeout', `${origin} did not answer in time.`);
    try {
      const answer = await this.#agent.request({
        origin,
        path: pathname + search,
        method,
        headers: { 'user-agent': 'Moorage', ...headers },
        body: body ?? null,
        signal,
        bodyTimeout,
      });
      // An answer to HEAD has the length of a body that is not sent.
      if (method !== 'HEAD' && Number(answer.headers['content-length'] ?? 0) > maxBytes) {
        discard(answer.body);
        throw tooLarge(origin, maxBytes);
      }
      return answer;
    } catch (error) {
      throw failureOf(error, origin, signal);
    }
  }
}

interface Waiting {
  signal: AbortSignal;
  leftMs: number;
  /** Longest pause of the body, in milliseconds. 0: the signal ends it. */
  bodyTimeout?: number;
}

/** @throws OutboundFailure */
async function* piecesOf(
  body: Dispatcher.ResponseData['body'],
  { url, maxBytes = MAX_BYTES }: HttpRequest,
  signal?: AbortSignal,
): AsyncGenerator<Buffer> {
  const { origin } = new URL(url);
  try {
    let size = 0;
    for await (const piece of body as AsyncIterable<Buffer>) {
      size += piece.length;
      if (size > maxBytes) throw tooLarge(origin, maxBytes);
      yield piece;
    }
  } catch (error) {
    throw failureOf(error, origin, signal);
  } finally {
    discard(body);
  }
}

function discard(body: Dispatcher.ResponseData['body']): void {
  // `destroy` can emit an error, which must have a listener.
  body.once('error', () => undefined);
  body.destroy();
}

const tooLarge = (origin: string, maxBytes: number) =>
  new OutboundFailure('size', `${origin} answered with more than ${maxBytes} bytes.`);

const flatHeaders = (headers: {
  [name: string]: string | string[] | undefined;
}): { [name: string]: string } =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name.toLowerCase(),
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  );

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
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent } from 'undici';
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
import type { HttpAnswer, HttpRequest } from './http.js';
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
      const answer = await this.#once(target, request, deadline);
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

  /** Resets the circuit breaker of a target. Call it after the target's address has changed. */
  forget(target: string): void {
    this.#circuits.forget(target);
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }

  /** Sends a request once, through the circuit breaker, and counts its outcome. */
  async #once(target: string, request: HttpRequest, deadline: Deadline): Promise<HttpAnswer> {
    const began = performance.now();
    const record = (outcome: string) =>
      this.metrics.outbound(target, outcome, (performance.now() - began) / 1000);
    try {
      const { origin } = new URL(request.url);
      const answer = await this.#circuits.execute(target, origin, deadline, () =>
        this.#exchange(request, deadline),
      );
      record(String(answer.status));
      return answer;
    } catch (error) {
      record(error instanceof OutboundFailure ? error.reason : 'error');
      throw error;
    }
  }

  async #exchange(
    { method, url, headers, body, maxBytes = MAX_BYTES }: HttpRequest,
    { signal, leftMs }: Deadline,
  ): Promise<HttpAnswer> {
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
      });
      return {
        status: answer.statusCode,
        headers: flatHeaders(answer.headers),
        body: await readWhole(
          answer.body,
          maxBytes,
          // An answer to HEAD has the length of a body that is not sent.
          method === 'HEAD' ? undefined : answer.headers['content-length'],
          origin,
        ),
      };
    } catch (error) {
      throw failureOf(error, origin, signal);
    }
  }
}

async function readWhole(
  body: AsyncIterable<Buffer> & {
    destroy(): unknown;
    once(event: 'error', listener: () => void): unknown;
  },
  maxBytes: number,
  announced: string | string[] | undefined,
  origin: string,
): Promise<Buffer> {
  const tooLarge = () => {
    // `destroy` emits an error, which must have a listener.
    body.once('error', () => undefined);
    body.destroy();
    return new OutboundFailure('size', `${origin} answered with more than ${maxBytes} bytes.`);
  };
  if (Number(announced ?? 0) > maxBytes) throw tooLarge();
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const flatHeaders = (headers: {
  [name: string]: string | string[] | undefined;
}): { [name: string]: string } =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name.toLowerCase(),
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  );

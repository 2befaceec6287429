/**
 * The HTTP client for all requests to other servers: storages, webhooks, the OpenID provider.
 *
 * - It checks the addresses that names resolve to, and follows no redirects.
 * - One deadline covers all calls of one incoming request to one target.
 * - It limits the size of answers.
 * - A circuit breaker for each target makes requests to a dead target fail at once.
 */
import { lookup as systemLookup, type LookupAddress, type LookupOptions } from 'node:dns';
import { setMaxListeners } from 'node:events';
import { isIP, type LookupFunction } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  BrokenCircuitError,
  circuitBreaker,
  CircuitState,
  ConsecutiveBreaker,
  handleType,
  type CircuitBreakerPolicy,
} from 'cockatiel';
import ipaddr from 'ipaddr.js';
import { Agent } from 'undici';
import type { Metrics } from '../observability/metrics.js';

export interface HttpRequest {
  method: string;
  url: string;
  headers?: { [name: string]: string };
  body?: string | Buffer;
  /** Largest accepted answer. */
  maxBytes?: number;
}

export interface HttpAnswer {
  status: number;
  /** Names are in lower case. */
  headers: { [name: string]: string };
  body: Buffer;
}

export type FailureReason =
  'address' | 'certificate' | 'circuit' | 'connection' | 'name' | 'size' | 'timeout';

/** There is no complete answer. The message has no query and no headers: they may hold secrets. */
export class OutboundFailure extends Error {
  constructor(
    readonly reason: FailureReason,
    message: string,
  ) {
    super(message);
    this.name = 'OutboundFailure';
  }
}
/** A failure that counts for the circuit breaker: the target is down or slow. */
class TargetDown extends OutboundFailure {}

export interface OutboundOptions {
  storageConnectTimeoutMs: number;
  storageTimeoutMs: number;
  storageAllowPrivate: boolean;
}

type Lookup = (
  hostname: string,
  options: LookupOptions & { all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** Largest accepted answer, in bytes. A folder with 10,000 entries has about 12 MiB. */
const MAX_BYTES = 32 * 1024 * 1024;
const CONNECTIONS = 64;
/** Failures in a row that open the circuit. */
const FAILURES = 5;
/** How long the circuit stays open. */
const OPEN_MS = 10_000;
/** The first pause of a throttled request without `Retry-After`; it doubles with each retry. */
const FIRST_WAIT_MS = 250;
const MAX_RETRIES = 5;

/** The time limit for all calls of one incoming request to one target. */
export class Deadline {
  readonly signal: AbortSignal;
  readonly began = performance.now();
  readonly #until: number;

  constructor(ms: number) {
    this.#until = this.began + ms;
    this.signal = AbortSignal.timeout(ms);
    // Hundreds of batches may wait for one deadline; without this, Node warns of a leak.
    setMaxListeners(0, this.signal);
  }

  get leftMs(): number {
    return Math.max(0, this.#until - performance.now());
  }
}

/**
 * Waits for work, but not longer than `ms`. The work itself goes on.
 * @param timeoutError makes the error that is thrown after that time
 */
export async function within<T>(
  ms: number,
  work: Promise<T>,
  timeoutError: () => Error,
): Promise<T> {
  const finished = new AbortController();
  const timeout = sleep(ms, undefined, { signal: finished.signal }).then(() => {
    throw timeoutError();
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    finished.abort();
  }
}

export class Outbound {
  readonly #agent: Agent;
  readonly #circuits = new Map<string, CircuitBreakerPolicy>();
  /** When each target answered last; times of `performance.now()`. */
  readonly #answeredAt = new Map<string, number>();

  /**
   * @param lookup resolves names. Its answers are checked when a connection is made, so a name
   *   cannot change its address after the check (DNS rebinding).
   */
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
      connect: { timeout: options.storageConnectTimeoutMs, lookup: this.#checkedLookup(lookup) },
    });
  }

  /** The usual deadline: `STORAGE_TIMEOUT_MS`. */
  deadline(): Deadline {
    return new Deadline(this.options.storageTimeoutMs);
  }

  /**
   * Three times as long, for requests that cannot be repeated when their answer is lost: codes and
   * refresh tokens are valid once. Nextcloud's brute-force protection delays all requests from a
   * suspicious address by up to 25 seconds.
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
      const wait = waitOf(answer, attempt);
      if (wait === undefined || wait >= deadline.leftMs) return answer;
      await sleep(wait);
    }
  }

  /** The same as `send`, as a `fetch` function for libraries. */
  fetch(
    target: string,
    deadline?: Deadline,
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
      const answer = await this.send(target, request, deadline ?? this.deadline());
      const empty = answer.status === 204 || answer.status === 304;
      return new Response(empty ? null : new Uint8Array(answer.body), {
        status: answer.status,
        headers: answer.headers,
      });
    };
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }

  async #once(target: string, request: HttpRequest, deadline: Deadline): Promise<HttpAnswer> {
    const began = performance.now();
    const record = (outcome: string) =>
      this.metrics.outbound(target, outcome, (performance.now() - began) / 1000);
    try {
      const circuit = this.#circuit(target);
      const isHalfOpen = circuit.state === CircuitState.HalfOpen;
      const execution = circuit.execute(() =>
        this.#exchange(request, deadline).catch((error: unknown) =>
          this.#rethrow(target, deadline, error),
        ),
      );
      // While another request tests the target, this one waits for it, at most its own deadline.
      const answer = await (isHalfOpen
        ? within(
            deadline.leftMs,
            execution,
            () =>
              new OutboundFailure(
                'timeout',
                `${new URL(request.url).origin} did not answer in time.`,
              ),
          )
        : execution);
      this.#answeredAt.set(target, performance.now());
      record(String(answer.status));
      return answer;
    } catch (thrown) {
      const failure =
        thrown instanceof BrokenCircuitError
          ? new OutboundFailure(
              'circuit',
              'It failed several times in a row and is left alone for some seconds.',
            )
          : thrown;
      record(failure instanceof OutboundFailure ? failure.reason : 'error');
      throw failure;
    }
  }

  /**
   * A target that has answered another request since `began` is not down: this request only waited
   * too long for a free connection. Such a failure does not count for the circuit breaker.
   */
  #rethrow(target: string, { began }: Deadline, error: unknown): never {
    // Earlier answers do not matter for the request that tests a target after a pause.
    const isTest = this.#circuit(target).state === CircuitState.HalfOpen;
    throw error instanceof TargetDown && !isTest && (this.#answeredAt.get(target) ?? 0) > began
      ? new OutboundFailure(error.reason, error.message)
      : error;
  }

  async #exchange(
    { method, url, headers, body, maxBytes = MAX_BYTES }: HttpRequest,
    { signal, leftMs }: Deadline,
  ): Promise<HttpAnswer> {
    const { origin, pathname, search, hostname, protocol } = new URL(url);
    if (protocol !== 'https:' && protocol !== 'http:')
      throw new OutboundFailure('address', `${protocol} addresses are not called.`);
    // The lookup, which checks addresses, does not run for a literal address.
    const literal = hostname.replace(/^\[|\]$/g, '');
    if (isIP(literal) && !this.allows(literal)) throw refusedAddress(hostname);
    if (leftMs === 0) throw new TargetDown('timeout', `${origin} did not answer in time.`);
    try {
      const answer = await this.#agent.request({
        origin,
        path: pathname + search,
        method: method,
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

  /**
   * Whether an IP address may be called: public ones always, private and loopback ones by setting,
   * link-local, metadata and special ones never.
   */
  allows(address: string): boolean {
    const parsed = ipaddr.process(address.replace(/%.*$/, ''));
    if (METADATA.has(parsed.toString())) return false;
    const range = parsed.range();
    if (PRIVATE.has(range)) return this.options.storageAllowPrivate;
    // In IPv6 only 2000::/3 is assigned to networks (RFC 4291); other addresses are translations
    // of IPv4 addresses, or obsolete.
    return (
      range === 'unicast' &&
      (parsed.kind() === 'ipv4' || (parsed.match(GLOBAL_IPV6) && !parsed.match(DOCUMENTATION_IPV6)))
    );
  }

  #checkedLookup(lookup: Lookup): LookupFunction {
    const shared = shareLookups(lookup);
    return (hostname, options, callback) => {
      shared(hostname, { ...options, all: true }, (error, addresses) => {
        if (error) return callback(error, []);
        const allowed = addresses.filter(({ address }) => this.allows(address));
        const [first] = allowed;
        if (!first) return callback(refusedAddress(hostname), []);
        if (options.all) callback(null, allowed);
        else callback(null, first.address, first.family);
      });
    };
  }

  #circuit(target: string): CircuitBreakerPolicy {
    let circuit = this.#circuits.get(target);
    if (!circuit) {
      circuit = circuitBreaker(handleType(TargetDown), {
        halfOpenAfter: OPEN_MS,
        breaker: new ConsecutiveBreaker(FAILURES),
      });
      this.#circuits.set(target, circuit);
    }
    return circuit;
  }

  /** Resets the circuit breaker of a target. Call it after the target's address has changed. */
  forget(target: string): void {
    this.#circuits.delete(target);
    this.#answeredAt.delete(target);
  }
}

/**
 * Shares one look-up among all callers with the same name. A look-up blocks a thread of libuv's
 * pool, so a name server that hangs would block the database and the files.
 */
function shareLookups(lookup: Lookup): Lookup {
  const waiting = new Map<string, Parameters<Lookup>[2][]>();
  return (hostname, options, callback) => {
    const key = JSON.stringify([hostname, options.family, options.hints]);
    const others = waiting.get(key);
    if (others) return void others.push(callback);
    const callbacks = [callback];
    waiting.set(key, callbacks);
    lookup(hostname, options, (error, addresses) => {
      waiting.delete(key);
      for (const each of callbacks) each(error, addresses);
    });
  };
}

const PRIVATE = new Set<string>(['private', 'loopback', 'uniqueLocal', 'carrierGradeNat']);
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');
const DOCUMENTATION_IPV6 = ipaddr.IPv6.parseCIDR('3fff::/20');
/**
 * Metadata services of clouds, which give secrets to every caller, outside the link-local range:
 * AWS over IPv6, Alibaba, Oracle, Azure.
 */
const METADATA = new Set(['fd00:ec2::254', '100.100.100.200', '192.0.0.192', '168.63.129.16']);

const refusedAddress = (hostname: string) =>
  new OutboundFailure('address', `${hostname} is at an address that must not be called.`);

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

function failureOf(error: unknown, origin: string, signal: AbortSignal): unknown {
  const { code = '', name } = error as { code?: string; name?: string };
  const inner = error instanceof AggregateError ? (error.errors[0] as unknown) : error;
  if (inner instanceof OutboundFailure) return inner;
  if (signal.aborted || name === 'TimeoutError' || code === 'UND_ERR_CONNECT_TIMEOUT')
    return new TargetDown('timeout', `${origin} did not answer in time.`);
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return new TargetDown('name', `The name of ${origin} could not be resolved.`);
  if (/^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|ERR_OSSL|EPROTO)/.test(code))
    return new TargetDown(
      'certificate',
      `No secure connection to ${origin} could be made (${code}).`,
    );
  return new TargetDown('connection', `The connection to ${origin} failed${code && ` (${code})`}.`);
}

/**
 * The pause in milliseconds before a throttled request is repeated. It is at least `Retry-After`,
 * and grows with each retry.
 * @returns undefined when the request is not throttled, or after `MAX_RETRIES`
 */
function waitOf({ status, headers }: HttpAnswer, attempt: number): number | undefined {
  const retryAfter = headers['retry-after'];
  if (attempt >= MAX_RETRIES || (status !== 429 && !(status === 503 && retryAfter !== undefined)))
    return undefined;
  const ms = retryAfterMs(retryAfter);
  return ms === undefined
    ? FIRST_WAIT_MS * 2 ** attempt * (1 + Math.random() / 2)
    : Math.max(ms, attempt === 0 ? 0 : FIRST_WAIT_MS * 2 ** attempt);
}

/**
 * `Retry-After` in milliseconds: seconds, decimal ones too, or an HTTP date (RFC 9110 section
 * 10.2.3).
 */
export function retryAfterMs(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (/^\s*\d+(\.\d+)?\s*$/.test(value)) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

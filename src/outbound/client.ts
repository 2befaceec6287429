/**
 * The outbound client: every request to a storage or to the OpenID provider goes through here. Pools per origin, a checked address,
 * one deadline for all that a request of ours needs from one target, a bound on the answer, no redirects, and a circuit breaker for
 * each target, so that a dead one costs nothing.
 */
import { lookup as systemLookup, type LookupAddress, type LookupOptions } from 'node:dns';
import { setMaxListeners } from 'node:events';
import { isIP } from 'node:net';
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
  /** The answer may have so many bytes. */
  maxBytes?: number;
}

export interface HttpAnswer {
  status: number;
  /** By lower-case name. */
  headers: { [name: string]: string };
  body: Buffer;
}

export type FailureReason =
  'address' | 'certificate' | 'circuit' | 'connection' | 'name' | 'size' | 'timeout';

/** There was no whole answer. The message names neither query nor headers: they may hold secrets. */
export class OutboundFailure extends Error {
  constructor(
    readonly reason: FailureReason,
    message: string,
  ) {
    super(message);
    this.name = 'OutboundFailure';
  }
}
/** What a target that is down or slow does; too large an answer is no sign of it. */
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

/** An answer of more bytes is refused; a folder with 10,000 entries has about 12 MiB. */
const MAX_BYTES = 32 * 1024 * 1024;
const CONNECTIONS = 64;
/** So many failures in a row open the circuit, for so long. */
const FAILURES = 5;
const OPEN_MS = 10_000;
/** Without a `Retry-After`, a throttled request waits so long, doubled each time. */
const FIRST_WAIT_MS = 250;
const MAX_RETRIES = 5;

/** All the time that one request of ours may spend on one target. */
export class Deadline {
  readonly signal: AbortSignal;
  readonly began = performance.now();
  readonly #until: number;

  constructor(ms: number) {
    this.#until = this.began + ms;
    this.signal = AbortSignal.timeout(ms);
    // Hundreds of batches may wait for one deadline: that is no leak.
    setMaxListeners(0, this.signal);
  }

  get leftMs(): number {
    return Math.max(0, this.#until - performance.now());
  }
}

/** @param late what is thrown where the work takes longer than that */
export async function within<T>(ms: number, work: Promise<T>, late: () => Error): Promise<T> {
  const answered = new AbortController();
  const over = sleep(ms, undefined, { signal: answered.signal }).then(() => {
    throw late();
  });
  try {
    return await Promise.race([work, over]);
  } finally {
    answered.abort();
  }
}

export class Outbound {
  readonly #agent: Agent;
  readonly #circuits = new Map<string, CircuitBreakerPolicy>();
  /** When each target answered last. */
  readonly #answered = new Map<string, number>();

  /** @param lookup resolves names; its answers are checked at connect time, so that a name cannot turn to another address after the check */
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
        lookup: this.#checkedLookup(lookup) as never,
      },
    });
  }

  /** All the time that a request of ours has for one target. */
  deadline(): Deadline {
    return new Deadline(this.options.storageTimeoutMs);
  }

  /** For what is lost where its answer is, such as a code or a refresh token that is good once: three times as long. A file server that suspects somebody makes everybody from there wait for up to 25 seconds. */
  longDeadline(): Deadline {
    return new Deadline(this.options.storageTimeoutMs * 3);
  }

  /**
   * One request with its answer, whatever the status. A target that asks for patience (429, or 503 with `Retry-After`) is asked
   * again where its wait fits into the deadline.
   * @param target whose circuit and numbers these are, e.g. `storage 3`
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

  /** The same as a `fetch`, for libraries that take one. */
  fetch(
    target: string,
    deadline?: Deadline,
  ): (
    url: string,
    options: { method?: string; headers?: unknown; body?: unknown },
  ) => Promise<Response> {
    return async (url, { method = 'GET', headers, body }) => {
      const sent: HttpRequest = {
        method,
        url: String(url),
        headers: Object.fromEntries(
          new Headers(headers as ConstructorParameters<typeof Headers>[0]),
        ),
      };
      if (body !== undefined && body !== null)
        sent.body = body instanceof Uint8Array ? Buffer.from(body) : String(body);
      if (body instanceof URLSearchParams)
        sent.headers = { 'content-type': 'application/x-www-form-urlencoded', ...sent.headers };
      const answer = await this.send(target, sent, deadline ?? this.deadline());
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
    const note = (outcome: string) =>
      this.metrics.outbound(target, outcome, (performance.now() - began) / 1000);
    try {
      const circuit = this.#circuit(target);
      const waits = circuit.state === CircuitState.HalfOpen;
      const asked = circuit.execute(() =>
        this.#exchange(request, deadline).catch((error: unknown) =>
          this.#judged(target, deadline, error),
        ),
      );
      // Another request is the trial, and may take longer than this one has.
      const answer = await (waits
        ? within(
            deadline.leftMs,
            asked,
            () =>
              new OutboundFailure(
                'timeout',
                `${new URL(request.url).origin} did not answer in time.`,
              ),
          )
        : asked);
      this.#answered.set(target, performance.now());
      note(String(answer.status));
      return answer;
    } catch (thrown) {
      const failure =
        thrown instanceof BrokenCircuitError
          ? new OutboundFailure(
              'circuit',
              'It failed several times in a row and is left alone for some seconds.',
            )
          : thrown;
      note(failure instanceof OutboundFailure ? failure.reason : 'error');
      throw failure;
    }
  }

  /** Who has answered somebody since is not down: this request waited for its turn for too long. */
  #judged(target: string, { began }: Deadline, error: unknown): never {
    // A trial after a pause decides for itself.
    const onTrial = this.#circuit(target).state === CircuitState.HalfOpen;
    throw error instanceof TargetDown && !onTrial && (this.#answered.get(target) ?? 0) > began
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
    // A literal address is not looked up.
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
        headers: flat(answer.headers),
        body: await whole(
          answer.body,
          maxBytes,
          method === 'HEAD' ? undefined : answer.headers['content-length'],
          origin,
        ),
      };
    } catch (error) {
      throw failureOf(error, origin, signal);
    }
  }

  /** Whether an address may be called: public ones, private and loopback ones by setting, link-local, metadata and special ones never. */
  allows(address: string): boolean {
    const parsed = ipaddr.process(address.replace(/%.*$/, ''));
    if (METADATA.has(parsed.toString())) return false;
    const range = parsed.range();
    if (PRIVATE.has(range)) return this.options.storageAllowPrivate;
    // Of IPv6, only what was given to networks (RFC 4291): what else is not special yet is a translation or a relic.
    return (
      range === 'unicast' &&
      (parsed.kind() === 'ipv4' || (parsed.match(GLOBAL_IPV6) && !parsed.match(DOCUMENTATION_IPV6)))
    );
  }

  #checkedLookup(lookup: Lookup) {
    const once = lookedUpOnce(lookup);
    return (
      hostname: string,
      options: LookupOptions,
      callback: (error: Error | null, address?: string | LookupAddress[], family?: number) => void,
    ) => {
      once(hostname, { ...options, all: true }, (error, addresses) => {
        if (error) return callback(error);
        const allowed = addresses.filter(({ address }) => this.allows(address));
        const [first] = allowed;
        if (!first) return callback(refusedAddress(hostname));
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

  /** After a target was changed, its past says nothing. */
  forget(target: string): void {
    this.#circuits.delete(target);
    this.#answered.delete(target);
  }
}

/** Name servers that hang would otherwise hold a thread for each connection that waits; database and files share these threads. */
function lookedUpOnce(lookup: Lookup): Lookup {
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
/** Where clouds tell secrets to whoever asks, outside the link-local range: AWS over IPv6, Alibaba, Oracle, Azure. */
const METADATA = new Set(['fd00:ec2::254', '100.100.100.200', '192.0.0.192', '168.63.129.16']);

const refusedAddress = (hostname: string) =>
  new OutboundFailure('address', `${hostname} is at an address that must not be called.`);

async function whole(
  body: AsyncIterable<Buffer> & {
    destroy(): unknown;
    once(event: 'error', listener: () => void): unknown;
  },
  maxBytes: number,
  announced: string | string[] | undefined,
  origin: string,
): Promise<Buffer> {
  const tooLarge = () => {
    // Destroying it reports an abort that nobody waits for.
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

const flat = (headers: {
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

/** How long to wait before a target is asked again, in milliseconds: as long as it wants, but longer each time, and not for ever. */
function waitOf({ status, headers }: HttpAnswer, attempt: number): number | undefined {
  const asked = headers['retry-after'];
  if (attempt >= MAX_RETRIES || (status !== 429 && !(status === 503 && asked !== undefined)))
    return undefined;
  const ms = retryAfterMs(asked);
  return ms === undefined
    ? FIRST_WAIT_MS * 2 ** attempt * (1 + Math.random() / 2)
    : Math.max(ms, attempt === 0 ? 0 : FIRST_WAIT_MS * 2 ** attempt);
}

/** `Retry-After` in milliseconds: seconds, decimal ones too, or an HTTP date (RFC 9110 section 10.2.3). */
export function retryAfterMs(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (/^\s*\d+(\.\d+)?\s*$/.test(value)) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

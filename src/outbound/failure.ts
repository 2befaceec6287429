/** The errors of requests to other servers. */
export type FailureReason =
  'address' | 'certificate' | 'circuit' | 'connection' | 'name' | 'size' | 'throttled' | 'timeout';

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
export class TargetDown extends OutboundFailure {}

/** Translates an error of the HTTP library. */
export function failureOf(error: unknown, origin: string, signal?: AbortSignal): unknown {
  const { code = '', name } = error as { code?: string; name?: string };
  const inner = error instanceof AggregateError ? (error.errors[0] as unknown) : error;
  if (inner instanceof OutboundFailure) return inner;
  if (signal?.aborted || name === 'TimeoutError' || /^UND_ERR_(CONNECT|BODY)_TIMEOUT$/.test(code))
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

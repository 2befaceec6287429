/** The one error class of the client. */

/** An error of a GraphQL answer. `extensions` are those of Moorage. */
export interface GraphqlError {
  message: string;
  path?: readonly (string | number)[];
  extensions?: {
    code?: string;
    errorIdentifier?: string;
    status?: number;
    attribute?: string;
    violations?: readonly { message: string; attribute: string }[];
  };
}

/** What is known about an error. */
export interface ErrorDetails {
  status?: number | undefined;
  attribute?: string | undefined;
  retryAfter?: number | undefined;
  requestId?: string | undefined;
  errors?: readonly GraphqlError[];
  data?: unknown;
  cause?: unknown;
}

/** Statuses after which the same request can succeed soon. */
const PASSING: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504]);

/** Why a request or an upload failed. `message` says what a person can do. */
export class MoorageError extends Error {
  override readonly name = 'MoorageError';
  /**
   * The code of the service, such as `NOT_FOUND`, or a code of the client: `NETWORK`,
   * `UNEXPECTED_ANSWER`, and those of uploads.
   */
  readonly identifier: string;
  /** The HTTP status of the error; 0 if there was no answer. */
  readonly status: number;
  /** The name of the wrong member, if the error belongs to one. */
  readonly attribute: string | undefined;
  /** After how many seconds the service can be asked again, if it says so. */
  readonly retryAfter: number | undefined;
  /** The id of the request in the log of the service. */
  readonly requestId: string | undefined;
  /** All errors of a GraphQL answer. The first one is this error. */
  readonly errors: readonly GraphqlError[];
  /** The part of the data that the answer has in spite of the errors. */
  readonly data: unknown;

  constructor(identifier: string, message: string, details: ErrorDetails = {}) {
    super(message, { cause: details.cause });
    this.identifier = identifier;
    this.status = details.status ?? 0;
    this.attribute = details.attribute;
    this.retryAfter = details.retryAfter;
    this.requestId = details.requestId;
    this.errors = details.errors ?? [];
    this.data = details.data;
  }

  /** Whether the same request can succeed soon: no answer, or a service that is busy or down. */
  get isTemporary(): boolean {
    if (this.identifier === 'NETWORK') return true;
    // Storages and licences have errors with the status 500 that stay. Other statuses from 500 on
    // stay too, such as 507: the store is full.
    return PASSING.has(this.status) && !/^(OUTBOUND_|MISSING_ENTERPRISE_)/.test(this.identifier);
  }
}

/** No answer: offline, a wrong address, or a browser that does not permit the request. */
export const networkError = (cause?: unknown): MoorageError =>
  new MoorageError('NETWORK', 'No answer came. Check the connection, then try again.', { cause });

/** The body of a GraphQL answer. */
export interface GraphqlBody {
  data?: unknown;
  errors?: readonly GraphqlError[];
}

/** The error of an answer with errors, or of one that is no GraphQL answer. */
export function errorOf(
  { errors, data }: GraphqlBody,
  { status, headers }: { status: number; headers?: Headers },
): MoorageError {
  const first = errors?.[0];
  const { code, attribute, status: meant = status } = first?.extensions ?? {};
  const details = {
    status: meant,
    attribute,
    retryAfter: retryAfterOf(headers?.get('retry-after')),
    requestId: headers?.get('x-request-id') ?? undefined,
    data,
  };
  return first
    ? new MoorageError(code ?? 'UNEXPECTED_ANSWER', first.message, { ...details, errors })
    : new MoorageError(
        'UNEXPECTED_ANSWER',
        `The answer with the status ${status} did not come from Moorage. Check the address.`,
        details,
      );
}

/** @returns seconds from now; the header has seconds or a date */
export function retryAfterOf(header: string | null | undefined): number | undefined {
  if (!header) return undefined;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}

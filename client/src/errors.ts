/** The one error class of the client. */
import type { ErrorCode } from './generated/error-codes.js';

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

/** Codes of the client itself. The README says what they mean. */
export type ClientErrorCode =
  | 'UNREACHABLE'
  | 'NO_ANSWER'
  | 'UNEXPECTED_ANSWER'
  | 'CANCELLED'
  | 'FILE_CHANGED'
  | 'FILE_DIFFERS'
  | 'FILE_NEEDED'
  | 'STREAM_READ'
  | 'STORE_REFUSED'
  | 'STORAGE_REFUSED'
  | 'STORE_UNUSABLE'
  | 'NAME_TAKEN'
  | 'SESSION_GONE'
  | 'REJECTED'
  | 'QUARANTINED'
  | 'UNEXPECTED_ERROR';

/** Statuses after which the same request can succeed soon. */
const PASSING: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504]);

/** Why a request or an upload failed. `message` says what a person can do. */
export class MoorageError extends Error {
  override readonly name = 'MoorageError';
  /** The code of the service, such as `NOT_FOUND`, or one of the client. */
  readonly code: ErrorCode | ClientErrorCode;
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

  constructor(code: ErrorCode | ClientErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, { cause: details.cause });
    this.code = code;
    this.status = details.status ?? 0;
    this.attribute = details.attribute;
    this.retryAfter = details.retryAfter;
    this.requestId = details.requestId;
    this.errors = details.errors ?? [];
    this.data = details.data;
  }

  /** Whether no answer came. Nobody knows whether a change happened. */
  get isUnanswered(): boolean {
    return this.code === 'UNREACHABLE' || this.code === 'NO_ANSWER';
  }

  /** Whether the same request can succeed soon: no answer, or a service that is busy or down. */
  get isTemporary(): boolean {
    if (this.isUnanswered) return true;
    // Storages and licences have errors with the status 500 that stay. Other statuses from 500 on
    // stay too, such as 507: the store is full.
    return PASSING.has(this.status) && !/^(OUTBOUND_|MISSING_ENTERPRISE_)/.test(this.code);
  }
}

/** The connection was lost, or nothing came for too long. */
export const noAnswer = (cause?: unknown): MoorageError =>
  new MoorageError(
    'NO_ANSWER',
    'The connection was lost before the answer came. Check it, then try again. ' +
      'A change may have happened.',
    { cause },
  );

/** There is no connection, or the browser hides all answers from a page of another origin. */
export function unreachable(url: string, cause?: unknown): MoorageError {
  // Node.js has none.
  const page = globalThis.location as Location | undefined;
  const { origin } = new URL(url, page?.href);
  const advice =
    !page || page.origin === origin
      ? `${origin} cannot be reached. Check the connection and the address, then try again.`
      : `${origin} cannot be reached, or takes no requests of pages from ${page.origin}. ` +
        'Check the connection and the address. If they are right, an administrator can add the ' +
        'origin of the page to CORS_ORIGINS.';
  return new MoorageError('UNREACHABLE', advice, { cause });
}

/** What Node.js says of a connection that was lost. Browsers do not tell. */
const LOST: ReadonlySet<unknown> = new Set([
  'ECONNRESET',
  'EPIPE',
  'UND_ERR_BODY_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_SOCKET',
]);

/** The error of a `fetch` that gave no answer. */
export function fetchError(url: string, thrown: unknown): MoorageError {
  const { cause } = thrown as { cause?: { code?: unknown } };
  return LOST.has(cause?.code) ? noAnswer(thrown) : unreachable(url, thrown);
}

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
    ? // Cast: a later service can have codes that are not known here.
      new MoorageError((code ?? 'UNEXPECTED_ANSWER') as ErrorCode, first.message, {
        ...details,
        errors,
      })
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

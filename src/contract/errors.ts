/**
 * The errors that clients can receive, with their HTTP statuses.
 * Other code throws these classes. Only the REST and GraphQL layers add URNs.
 */
import type { ErrorCode } from './error-codes.js';

export interface Violation {
  message: string;
  attribute: string;
}

export class ApiError extends Error {
  /** Last part of the error URN, e.g. `NotFound`. */
  readonly identifier: string;
  readonly status: number;
  /** The status again, under the name that libraries read and may set. */
  statusCode: number;
  /** The code in GraphQL, if it is not made from the identifier. */
  readonly code: ErrorCode | undefined = undefined;
  /** Name of the wrong member in camelCase, if the error belongs to one. */
  readonly attribute: string | undefined;
  /** All violations, if there are several. The first one is also this error's message. */
  violations: readonly Violation[] = [];

  /** Whether the service failed, not the request. Such errors are logged. */
  get isFault(): boolean {
    return this.status >= 500;
  }

  constructor(identifier: string, status: number, message: string, attribute?: string) {
    super(message);
    this.name = identifier;
    this.identifier = identifier;
    this.status = status;
    this.statusCode = status;
    this.attribute = attribute;
  }
}

const define = (identifier: string, status: number, fallback: string) =>
  class extends ApiError {
    constructor(message = fallback, attribute?: string) {
      super(identifier, status, message, attribute);
    }
  };

export const NotFound = define('NotFound', 404, 'The requested resource could not be found.');
export const MissingPermission = define(
  'MissingPermission',
  403,
  'You are not authorized to access this resource.',
);
export const InvalidRequestBody = define(
  'InvalidRequestBody',
  400,
  'The request body was not a single JSON object.',
);
export const TypeNotSupported = define(
  'TypeNotSupported',
  415,
  'The Content-Type of the request is not supported.',
);
export const NotAcceptable = define('TypeNotSupported', 406, 'Missing content-type header');
export const PropertyConstraintViolation = define('PropertyConstraintViolation', 422, 'Invalid.');

/** A resumable upload is larger than the service takes, or than it was said to be. */
export const TooLarge = define(
  'PropertyConstraintViolation',
  413,
  'The request has more bytes than the file that it belongs to.',
);

/** A part of an upload is missing. In profiles with `missingPartIsBlankFile`. */
export class BlankFile extends PropertyConstraintViolation {
  constructor() {
    super("File can't be blank.", 'file');
  }
}

/** A violation with a special identifier in profiles with `multipleErrors`. */
export class NamedViolation extends ApiError {
  constructor(
    readonly specificIdentifier: string,
    message: string,
    attribute: string,
  ) {
    super('PropertyConstraintViolation', 422, message, attribute);
  }
}
export class MissingProperty extends NamedViolation {
  constructor(message: string, attribute: string) {
    super('PropertyMissingError', message, attribute);
  }
}
export class MisformattedProperty extends NamedViolation {
  constructor(message: string, attribute: string) {
    super('PropertyFormatError', message, attribute);
  }
}
export const MultipleErrors = define(
  'MultipleErrors',
  422,
  'Multiple field constraints have been violated.',
);
export const InvalidQuery = define(
  'InvalidQuery',
  400,
  'The query parameters are missing or malformed.',
);

/** A GraphQL answer would be larger than the limit. */
export class AnswerTooLarge extends InvalidQuery {
  override readonly code = 'ANSWER_TOO_LARGE';

  /** @param limit in bytes */
  constructor(limit: number) {
    super(
      `The answer would be larger than ${limit / 1024 / 1024} MiB. ` +
        'Ask for fewer rows with first, for fewer fields, or in several documents.',
    );
  }
}

export const MissingEnterpriseToken = define(
  'MissingEnterpriseToken',
  500,
  'The request can not be handled due to invalid or missing Enterprise token.',
);

/** A request to a storage failed. In profiles with `outboundSiblings`, the identifier says how. */
export class OutboundRequestFailed extends ApiError {
  /** The identifier in profiles with `outboundSiblings`. */
  readonly sibling: string;

  /**
   * @param upstream status of the storage's answer, or the reason why there was none
   * @param advice what is wrong and what to do, as sentences
   */
  constructor(
    upstream: number | string,
    kind: 'forbidden' | 'notFound' | 'other' = 'other',
    advice?: string,
  ) {
    const failed = 'An outbound request to another resource has failed';
    const first =
      typeof upstream === 'number'
        ? `${failed} with status code ${upstream}.`
        : `${failed}: ${upstream}`;
    super('OutboundRequest:NotFound', 500, advice === undefined ? first : `${first} ${advice}`);
    this.sibling = {
      forbidden: 'OutboundRequest:Forbidden',
      notFound: this.identifier,
      other: 'InternalServerError',
    }[kind];
  }
}

export const Unauthenticated = define(
  'Unauthenticated',
  401,
  'You need to be authenticated to access this resource.',
);
/** The request has the cookie of a session that has ended. */
export class SessionEnded extends Unauthenticated {
  constructor() {
    super('Your session has ended. Sign in again.');
  }
}
/** The caller has no token that a storage accepts. The credentials of the request are good. */
export class StorageUnauthenticated extends Unauthenticated {}
export const InsufficientScope = define(
  'InsufficientScope',
  403,
  'The access token does not have the scope api_v3.',
);
export const TooManyRequests = define(
  'TooManyRequests',
  429,
  'Too many requests. Try again later.',
);
export const UpdateConflict = define(
  'UpdateConflict',
  409,
  'The resource was changed since you last read it. Read it again and repeat your change.',
);
export const MethodNotAllowed = define(
  'MethodNotAllowed',
  405,
  'This resource does not support the method.',
);
export const PreconditionFailed = define(
  'PreconditionFailed',
  412,
  'The resource does not match the precondition of the request.',
);
export const RangeNotSatisfiable = define(
  'RangeNotSatisfiable',
  416,
  'The requested range lies outside the file.',
);
export const RequestTimeout = define('RequestTimeout', 408, 'The request took too long to arrive.');
export const HeaderTooLarge = define(
  'HeaderTooLarge',
  431,
  'The headers of the request are too large.',
);
export const ServiceUnavailable = define(
  'ServiceUnavailable',
  503,
  'The service cannot answer at the moment. Try again shortly.',
);
/** The process has too much work. This is expected, so it is not logged as a fault. */
export class Overloaded extends ServiceUnavailable {
  override get isFault(): boolean {
    return false;
  }

  constructor(
    message = 'The service has more to do than it can at the moment. Try again shortly.',
  ) {
    super(message);
  }
}
export const InternalServerError = define(
  'InternalServerError',
  500,
  'An internal error has occurred.',
);

/** Longer names are cut to this length in messages. */
const MAX_QUOTED_NAME = 300;

/** The message for one element of a bulk request that creates file links. */
export function fileLinkProblem(name: string | null | undefined, problem: string): string {
  const full = name?.trim() || 'unknown';
  const quoted =
    full.length > MAX_QUOTED_NAME ? `${full.slice(0, MAX_QUOTED_NAME).toWellFormed()}…` : full;
  return `Error attempting to create dependent object: File link - ${quoted}: ${problem}`;
}

/**
 * Makes one 422 for all violations of a request, at least one.
 * Its message is the first violation; profiles with `multipleErrors` list all of them.
 */
export function violated(violations: readonly Violation[]): ApiError {
  const [first] = violations;
  if (!first) throw new Error('An error for violations needs at least one of them.');
  const error = new PropertyConstraintViolation(first.message, first.attribute);
  error.violations = violations;
  return error;
}

/** The violations of an error: its list, or itself as the only one. */
export const violationsOf = ({
  violations,
  message,
  attribute = 'base',
}: ApiError): readonly Violation[] =>
  violations.length > 0 ? violations : [{ message, attribute }];

/** Whether the body could not be read at all. */
export const isUnread = (error: unknown): boolean =>
  error instanceof InvalidRequestBody || error instanceof BlankFile;

/**
 * Makes one error from the members that could not be read and the violations in the others.
 * @returns undefined if there are neither
 */
export function refusalOf(
  inputErrors: readonly ApiError[],
  found: readonly Violation[],
): ApiError | undefined {
  // The content of a broken body or of broken `_links` is unknown, so nothing else is reported.
  const broken = inputErrors.find((error) => isUnread(error) || error.attribute === '_links');
  if (broken) return broken;
  // An unreadable member gets one violation only, not also those of its placeholder value.
  const others = found.filter(
    ({ attribute }) =>
      attribute === 'base' || inputErrors.every((error) => error.attribute !== attribute),
  );
  if (others.length === 0 && inputErrors.length < 2) return inputErrors[0];
  return violated([...inputErrors.flatMap(violationsOf), ...others]);
}

/** The errors of interface section 7 as a table. Layers throw meanings; only `rest/errors.ts` and the GraphQL `formatError` print URNs. */
import type { Logger } from 'pino';

export interface Violation {
  message: string;
  attribute: string;
}

export class ApiError extends Error {
  /** Last part of the error URN, e.g. `NotFound`. */
  readonly identifier: string;
  readonly status: number;
  /** The same by the name that libraries ask for, and may set. */
  statusCode: number;
  /** Name of the offending member, camelCase, where there is one. */
  readonly attribute: string | undefined;
  /** All violations where several were found; the first one is this error's message. */
  violations: readonly Violation[] = [];

  /** The service failed, not the request: worth a line in the log. */
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
/** A violation that has an identifier of its own where the profile knows it (C28–C30). */
class NamedViolation extends ApiError {
  constructor(
    readonly named: string,
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

export const MissingEnterpriseToken = define(
  'MissingEnterpriseToken',
  500,
  'The request can not be handled due to invalid or missing Enterprise token.',
);

/** A storage failed us. Where the profile knows siblings (decisions 1, C20), the identifier says how. */
export class OutboundRequestFailed extends ApiError {
  readonly sibling: string;

  /** @param upstream status of the answer, or why there was none */
  constructor(upstream: number | string, kind: 'forbidden' | 'notFound' | 'other' = 'other') {
    super(
      'OutboundRequest:NotFound',
      500,
      typeof upstream === 'number'
        ? `An outbound request to another resource has failed with status code ${upstream}.`
        : `An outbound request to another resource has failed: ${upstream}`,
    );
    this.sibling = {
      forbidden: 'OutboundRequest:Forbidden',
      notFound: this.identifier,
      other: 'InternalServerError',
    }[kind];
  }
}

// Beyond section 7: what decisions.md adds (401, 409) and what HTTP itself needs.
export const Unauthenticated = define(
  'Unauthenticated',
  401,
  'You need to be authenticated to access this resource.',
);
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
/** More to do than the process can: expected, so no fault. */
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

/** As much of a name that is too long is quoted. */
const QUOTED = 300;

/** What is wrong with one element of a bulk request (interface 4.4). */
export function fileLinkProblem(name: string | null | undefined, problem: string): string {
  const called = name?.trim() || 'unknown';
  return `Error attempting to create dependent object: File link - ${called.length > QUOTED ? `${called.slice(0, QUOTED).toWellFormed()}…` : called}: ${problem}`;
}

/** One 422 for all violations of one request (decisions 1, C28): the first speaks, the rest may be listed. */
export function violated(violations: readonly Violation[]): ApiError {
  const first = violations[0]!;
  const error = new PropertyConstraintViolation(first.message, first.attribute);
  error.violations = violations;
  return error;
}

/** The violations that an error tells, one or several. */
export const violationsOf = ({
  violations,
  message,
  attribute = 'base',
}: ApiError): readonly Violation[] =>
  violations.length > 0 ? violations : [{ message, attribute }];

/** One refusal for what could not be read of a request and what was found in the rest, if there is anything. */
export function refusalOf(
  inputErrors: readonly ApiError[],
  found: readonly Violation[],
): ApiError | undefined {
  // Nothing can be said about what would have been in there.
  const broken = inputErrors.find(
    (error) => error instanceof InvalidRequestBody || error.attribute === '_links',
  );
  if (broken) return broken;
  // A member that could not be read has one violation, whatever stands for it.
  const others = found.filter(
    ({ attribute }) =>
      attribute === 'base' || inputErrors.every((error) => error.attribute !== attribute),
  );
  if (others.length === 0 && inputErrors.length < 2) return inputErrors[0];
  return violated([...inputErrors.flatMap(violationsOf), ...others]);
}

/** What the caller may be told: a known error as it is, anything else as a bland 500. */
export const presentable = (error: unknown): ApiError =>
  error instanceof ApiError ? error : new InternalServerError();

const RETRY_SECONDS = '5';

/** When to try again, where that makes sense. */
export const retryHeaders = (error: ApiError): { [name: string]: string } =>
  error instanceof ServiceUnavailable ? { 'Retry-After': RETRY_SECONDS } : {};

/** The line of an error that is worth one: of our own with its stack, of a storage that failed us with its message. */
export function logFault(log: Logger, error: ApiError, thrown: unknown, what: string): void {
  if (error instanceof OutboundRequestFailed) log.warn({ reason: error.message }, what);
  else if (error.isFault) log.error({ err: thrown }, what);
}

/** The URN of an error in the words of the profile, e.g. `urn:service-org:api:v3:errors:NotFound`. */
export const errorUrn = (
  {
    urnWord,
    outboundSiblings,
    multipleErrors,
  }: { urnWord: string; outboundSiblings: boolean; multipleErrors: boolean },
  error: ApiError,
): string => {
  const identifier =
    (outboundSiblings && error instanceof OutboundRequestFailed && error.sibling) ||
    (multipleErrors && error instanceof NamedViolation && error.named) ||
    error.identifier;
  return `urn:${urnWord}:api:v3:errors:${identifier}`;
};

/** What goes into the fake and what comes out, below HTTP: whole calls and members of a batch are the same. */

export interface Call {
  method: string;
  /** As sent; for Graph without the version segment, e.g. `/drives/{id}/root`. */
  path: string;
  query: URLSearchParams;
  /** Names in lower case. */
  headers: { [name: string]: string | string[] | undefined };
  body: Buffer;
}

export interface Reply {
  status: number;
  headers: { [name: string]: string };
  /** Sent as JSON. */
  json?: unknown;
  /** Sent as it is. */
  content?: string | Buffer;
}

/** The refusals of Graph: status, code, message, and whether the error carries an `innerError`, or its code. */
const refusals = {
  unauthenticated: [401, 'InvalidAuthenticationToken', 'Access token is empty.', true],
  denied: [403, 'accessDenied', 'Access denied', true],
  unreadable: [404, 'itemNotFound', 'The resource could not be found.', false],
  nonsense: [404, 'itemNotFound', 'Item not found', false],
  parentMissing: [404, 'itemNotFound', 'Item not found', true],
  malformedDrive: [
    400,
    'invalidRequest',
    'The provided drive id appears to be malformed, or does not represent a valid drive.',
    false,
  ],
  invalid: [400, 'invalidRequest', 'Invalid request', true],
  nobodyResolved: [
    400,
    'invalidRequest',
    'One or more of the recipients could not be resolved.',
    'noResolvedUsers',
  ],
  badRequest: [400, 'BadRequest', 'Bad request', true],
  nameTaken: [409, 'nameAlreadyExists', 'Name already exists', true],
  uploadNameTaken: [
    409,
    'upload_name_conflict',
    'Another file exists with the same name as the uploaded session.',
    true,
  ],
  changed: [412, 'resourceModified', "ETag does not match current item's value", true],
  rangeTaken: [
    416,
    'invalidRange',
    'The uploaded fragment has already been received or does not follow the last one.',
    true,
  ],
  quota: [507, 'quotaLimitReached', 'Insufficient space available.', true],
  throttled: [429, 'activityLimitReached', 'The request has been throttled', true],
  unavailable: [503, 'serviceNotAvailable', 'The service is temporarily unavailable.', true],
  dependency: [424, 'FailedDependency', 'A request that this one depends on has failed.', true],
  noUser: [404, 'Request_ResourceNotFound', 'The user does not exist.', true],
  sessionGone: [404, 'itemNotFound', 'The upload session was not found', true],
  sessionAuthenticated: [
    401,
    'unauthenticated',
    'The upload URL is pre-authenticated; no Authorization header may be sent.',
    true,
  ],
} as const satisfies {
  [name: string]: readonly [status: number, code: string, message: string, inner: boolean | string];
};

/** Thrown by an operation that refuses. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly inner: boolean | string;

  constructor(
    kind: keyof typeof refusals,
    message?: string,
    readonly headers: { [name: string]: string } = {},
  ) {
    const [status, code, usual, inner] = refusals[kind];
    super(message ?? usual);
    this.status = status;
    this.code = code;
    this.inner = inner;
  }
}

/** A header that may be there once. */
export function header({ headers }: Call, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}

/** @throws Refusal when the body is no JSON object */
export function jsonOf({ body }: Call): { [name: string]: any } {
  if (body.length === 0) return {};
  let parsed: unknown;
  try {
    parsed = JSON.parse(body.toString());
  } catch {
    throw new Refusal(
      'badRequest',
      'Unable to read JSON request payload. Please ensure Content-Type header is set and payload is of valid JSON format.',
    );
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw new Refusal('badRequest', 'The payload is not an object.');
  return parsed;
}

/** @throws Refusal when a segment of a path is not well encoded */
export function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new Refusal('invalid', 'The path is not well encoded.');
  }
}

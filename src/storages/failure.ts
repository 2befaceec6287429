/** A storage answered, but not with what was asked for. */
export type FailureKind =
  | 'conflict'
  | 'forbidden'
  | 'nameRefused'
  | 'notDirectory'
  | 'notFound'
  | 'unauthorized'
  | 'unexpected';

/** The message is for people and holds nothing secret. */
export class StorageFailure extends Error {
  /** @param status of the HTTP answer */
  constructor(
    readonly kind: FailureKind,
    readonly status: number,
    message: string,
  ) {
    super(message);
    this.name = 'StorageFailure';
  }
}

const kinds: { readonly [status: number]: FailureKind } = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'notFound',
  409: 'conflict',
};

/** The failure that an HTTP status alone means. */
export const failureOf = (
  status: number,
  message = `The storage answered with status ${status}.`,
): StorageFailure => new StorageFailure(kinds[status] ?? 'unexpected', status, message);

/** Of a name that something new cannot have there. */
export const nameRefused = (name: string, rules?: string): StorageFailure =>
  new StorageFailure(
    'nameRefused',
    400,
    [`The storage refuses the name ${JSON.stringify(name)}.`, rules].filter(Boolean).join(' '),
  );

/** A status inside of an answer; undefined for what is none, such as 1e400. */
export const statusIn = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= LARGEST_STATUS
    ? value
    : undefined;

const LARGEST_STATUS = 999;

/** The JSON object of an answer. @throws StorageFailure for anything else */
export function jsonObject({
  status,
  headers,
  body,
}: {
  status: number;
  headers: { [name: string]: string };
  body: Buffer;
}): { [member: string]: unknown } {
  try {
    // The media type is spelled in many ways; what counts is what the body is.
    const value: unknown = /json/i.test(headers['content-type'] ?? '')
      ? JSON.parse(body.toString('utf8'))
      : undefined;
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as { [member: string]: unknown };
  } catch {
    // falls through: half an answer is no answer
  }
  throw new StorageFailure(
    'unexpected',
    status,
    'The storage answered with something that is not JSON.',
  );
}

/** A member of a JSON object, some levels down; undefined where there is none. */
export function at(value: unknown, ...path: string[]): unknown {
  return path.reduce<unknown>(
    (current, name) =>
      typeof current === 'object' && current !== null && Object.hasOwn(current, name)
        ? (current as { [member: string]: unknown })[name]
        : undefined,
    value,
  );
}

/** Whether a status says that the token was refused, or may not do this. */
export const isRefusal = (status: number | undefined): boolean => status === 401 || status === 403;

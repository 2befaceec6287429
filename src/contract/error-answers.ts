/** What the layers above make of an error: its URN, its headers, and a line in the log. */
import type { Logger } from 'pino';
import {
  ApiError,
  InternalServerError,
  NamedViolation,
  OutboundRequestFailed,
  ServiceUnavailable,
} from './errors.js';

/** Hides unknown errors behind a general 500; known errors pass unchanged. */
export const presentable = (error: unknown): ApiError =>
  error instanceof ApiError ? error : new InternalServerError();

const RETRY_SECONDS = '5';

/** The `Retry-After` header (seconds) for errors after which the client can try again. */
export const retryHeaders = (error: ApiError): { [name: string]: string } =>
  error instanceof ServiceUnavailable ? { 'Retry-After': RETRY_SECONDS } : {};

/** Logs a fault: our own errors with their stack, a failed storage only with its message. */
export function logFault(log: Logger, error: ApiError, thrown: unknown, what: string): void {
  if (error instanceof OutboundRequestFailed) log.warn({ reason: error.message }, what);
  else if (error.isFault) log.error({ err: thrown }, what);
}

/** The URN of an error in a profile, e.g. `urn:service-org:api:v3:errors:NotFound`. */
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
    (multipleErrors && error instanceof NamedViolation && error.specificIdentifier) ||
    error.identifier;
  return `urn:${urnWord}:api:v3:errors:${identifier}`;
};

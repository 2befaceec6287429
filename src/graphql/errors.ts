/** Prints errors as GraphQL errors. Codes, identifiers and statuses are those of REST. */
import type { ErrorRequestHandler } from 'express';
import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import type { Logger } from 'pino';
import { challenge } from '../auth/identify.js';
import { errorUrn, logFault, presentable, retryHeaders } from '../contract/error-answers.js';
import type { ErrorCode } from '../contract/error-codes.js';
import {
  ApiError,
  InvalidQuery,
  InvalidRequestBody,
  MethodNotAllowed,
  MultipleErrors,
  NotAcceptable,
  TypeNotSupported,
} from '../contract/errors.js';
import type { Profile } from '../contract/profiles.js';
import { bodyFault, type BodyError } from '../http/body-errors.js';

export interface ErrorOptions {
  profile: Profile;
  log: Logger;
  /** Whether clients can read the schema. If not, errors suggest no names of it either. */
  introspection: boolean;
}

/**
 * @param thrown the original error
 * @param requestLog null: the same fault of this request is in the log already
 * @returns message, path, and `extensions`: code, errorIdentifier, status, attribute, violations
 */
export function formatError(
  { profile, log, introspection }: ErrorOptions,
  formatted: GraphQLFormattedError,
  thrown: unknown,
  requestLog: Logger | null = log,
): GraphQLFormattedError {
  const error = withMultipleErrors(
    profile,
    thrown instanceof ApiError ? thrown : (requestError(formatted, thrown) ?? presentable(thrown)),
  );
  if (requestLog) logFault(requestLog, error, thrown, 'a GraphQL field failed');
  return {
    message: shorten(introspection ? error.message : withoutSuggestion(error), error),
    ...(formatted.locations && { locations: formatted.locations }),
    ...(formatted.path && { path: formatted.path }),
    extensions: extensionsOf(profile, error),
  };
}

/** Some profiles have an identifier of its own for several violations. */
function withMultipleErrors({ multipleErrors }: Profile, error: ApiError): ApiError {
  return multipleErrors && error.violations.length > 1
    ? Object.assign(new MultipleErrors(), { violations: error.violations })
    : error;
}

const MAX_MESSAGE = 1_000;

/** Messages quote the request, and each of many errors could quote all of it. */
const shorten = (message: string, { status }: ApiError): string =>
  status === 400 && message.length > MAX_MESSAGE
    ? `${message.slice(0, MAX_MESSAGE).toWellFormed()}…`
    : message;

/**
 * Removes the names of similar fields, types and values, which graphql-js adds at the end.
 * Not by a pattern: the client writes most of the message, and could make the pattern slow.
 */
function withoutSuggestion({ message, status }: ApiError): string {
  const suggestion =
    status === 400 && message.endsWith('?') ? message.lastIndexOf(' Did you mean ') : -1;
  return suggestion === -1 ? message : message.slice(0, suggestion);
}

const extensionsOf = (profile: Profile, error: ApiError) => ({
  code: codeOf(error),
  errorIdentifier: errorUrn(profile, error),
  status: error.status,
  ...(error.attribute !== undefined && { attribute: error.attribute }),
  ...(error.violations.length > 1 && { violations: error.violations }),
});

/** The code of an error is its identifier in another spelling. */
export const codeOf = ({ code, identifier }: ApiError): ErrorCode =>
  // Cast: `npm run generate` demands that the table has the codes of all errors.
  code ?? (identifier.replace(/:|(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase() as ErrorCode);

/**
 * Errors of the GraphQL libraries about the request: syntax, validation, limits, variables.
 * @returns undefined for every other error
 */
function requestError(formatted: GraphQLFormattedError, thrown: unknown): ApiError | undefined {
  const cause = thrown instanceof GraphQLError ? thrown : undefined;
  const { status } = (cause?.extensions['http'] ?? {}) as { status?: number };
  const HttpError = [MethodNotAllowed, NotAcceptable, TypeNotSupported].find(
    (one) => new one().status === status,
  );
  if (HttpError) return new HttpError(formatted.message);
  switch (formatted.extensions?.['code']) {
    case 'GRAPHQL_PARSE_FAILED':
    case 'GRAPHQL_VALIDATION_FAILED':
    case 'OPERATION_RESOLUTION_FAILURE':
    case 'PERSISTED_QUERY_NOT_FOUND':
    case 'PERSISTED_QUERY_NOT_SUPPORTED':
      return new InvalidQuery(syntaxMessage(formatted.message));
    case 'BAD_USER_INPUT':
    case 'BAD_REQUEST':
      return new InvalidRequestBody(formatted.message);
    default:
      // The libraries report invalid variables without an original error and without a path.
      // A null variable for a required argument has the path of its field.
      return cause &&
        !cause.originalError &&
        (formatted.path === undefined || formatted.message.startsWith('Argument "'))
        ? new InvalidRequestBody(formatted.message)
        : undefined;
  }
}

/** The parser is recursive: deep nesting exhausts the stack before the limit of tokens. */
export const syntaxMessage = (message: string): string =>
  message === 'Maximum call stack size exceeded'
    ? 'Syntax Error: The document is nested too deeply.'
    : message;

/** Answers errors that occur before GraphQL runs: credentials, body, multipart form. */
export const refuse =
  (options: ErrorOptions): ErrorRequestHandler =>
  (thrown: BodyError, req, res, _next) => {
    const error = bodyFault(thrown) ?? presentable(thrown);
    logFault(options.log, error, thrown, 'a GraphQL request failed');
    if (res.headersSent) {
      res.destroy();
      return;
    }
    res.set({ ...challenge(error, req.headers), ...retryHeaders(error) });
    res.status(error.status).json(refusalBody(options.profile, error));
  };

export const refusalBody = (profile: Profile, error: ApiError): object => ({
  errors: [{ message: error.message, extensions: extensionsOf(profile, error) }],
});

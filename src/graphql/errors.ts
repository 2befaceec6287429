/** Errors as GraphQL prints them: the same decision as over REST. */
import type { ErrorRequestHandler } from 'express';
import type { GraphQLError, GraphQLFormattedError } from 'graphql';
import type { Logger } from 'pino';
import { challenge } from '../auth/identify.js';
import {
  ApiError,
  errorUrn,
  InvalidQuery,
  InvalidRequestBody,
  logFault,
  MethodNotAllowed,
  MultipleErrors,
  NotAcceptable,
  presentable,
  retryHeaders,
  TypeNotSupported,
} from '../contract/errors.js';
import type { Profile } from '../contract/profiles.js';
import { bodyFault, type BodyError } from '../http/body-errors.js';

export interface ErrorOptions {
  profile: Profile;
  log: Logger;
  /** Whether the schema is told to everybody. */
  introspection: boolean;
}

/** The same decision as over REST: code, URN, status and attribute (runtime, GraphQL conventions). */
export function formatError(
  { profile, log, introspection }: ErrorOptions,
  formatted: GraphQLFormattedError,
  thrown: unknown,
  requestLog: Logger = log,
): GraphQLFormattedError {
  const error = together(
    profile,
    thrown instanceof ApiError
      ? thrown
      : (requestFault(formatted, thrown as GraphQLError) ?? presentable(thrown)),
  );
  logFault(requestLog, error, thrown, 'a GraphQL field failed');
  return {
    message: short(introspection ? error.message : withoutSuggestion(error), error),
    ...(formatted.locations && { locations: formatted.locations }),
    ...(formatted.path && { path: formatted.path }),
    extensions: extensionsOf(profile, error),
  };
}

/** Several violations have an identifier of their own where the profile knows it (C28). */
function together({ multipleErrors }: Profile, error: ApiError): ApiError {
  return multipleErrors && error.violations.length > 1
    ? Object.assign(new MultipleErrors(), { violations: error.violations })
    : error;
}

const MOST_CHARACTERS = 1_000;

/** What is wrong with a request is told by quoting it; a quotation may be as long as the request, in each of many errors. */
const short = (message: string, { status }: ApiError): string =>
  status === 400 && message.length > MOST_CHARACTERS
    ? `${message.slice(0, MOST_CHARACTERS).toWellFormed()}…`
    : message;

/** graphql-js names fields, types and values that are spelled alike, at the end. By no pattern: the client writes most of a message. */
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

/** E.g. `NOT_FOUND`. */
export const codeOf = ({ identifier }: ApiError) =>
  identifier.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase();

/** What GraphQL itself refuses: a document that does not parse, fit or stay within the limits, and variables that do not fit it. */
function requestFault(
  formatted: GraphQLFormattedError,
  thrown: GraphQLError,
): ApiError | undefined {
  const { status } = (thrown?.extensions?.['http'] ?? {}) as { status?: number };
  const refused = [MethodNotAllowed, NotAcceptable, TypeNotSupported].find(
    (One) => new One().status === status,
  );
  if (refused) return new refused(formatted.message);
  switch (formatted.extensions?.['code']) {
    case 'GRAPHQL_PARSE_FAILED':
    case 'GRAPHQL_VALIDATION_FAILED':
    case 'OPERATION_RESOLUTION_FAILURE':
    case 'PERSISTED_QUERY_NOT_FOUND':
    case 'PERSISTED_QUERY_NOT_SUPPORTED':
      return new InvalidQuery(parseFault(formatted.message));
    case 'BAD_USER_INPUT':
    case 'BAD_REQUEST':
      return new InvalidRequestBody(formatted.message);
    default:
      // graphql-jit and graphql-js report variables that do not fit without a path and without a cause, and those that are null for one field with its path.
      return thrown?.name === 'GraphQLError' &&
        !thrown.originalError &&
        (formatted.path === undefined || formatted.message.startsWith('Argument "'))
        ? new InvalidRequestBody(formatted.message)
        : undefined;
  }
}

/** A parser that descends for each bracket runs out of stack before out of tokens. */
export const parseFault = (message: string): string =>
  message === 'Maximum call stack size exceeded'
    ? 'Syntax Error: The document is nested too deeply.'
    : message;

/** Faults before GraphQL: credentials, body, multipart form. */
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

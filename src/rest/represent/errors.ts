/** The only file that writes an error body (interface 2.10). */
import type { ErrorRequestHandler, RequestHandler } from 'express';
import { challenge } from '../../auth/identify.js';
import {
  type ApiError,
  errorUrn,
  logFault,
  MultipleErrors,
  NotFound,
  presentable,
  retryHeaders,
} from '../../contract/errors.js';
import type { Profile } from '../../contract/profiles.js';
import { hal } from './respond.js';
import type { Locals } from '../request/locals.js';

/** The HAL body of an error in the words of a profile. */
export function errorBody(profile: Profile, error: ApiError): object {
  const one = (message: string, attribute: string | undefined, of: ApiError = error) => ({
    _type: 'Error',
    errorIdentifier: errorUrn(profile, of),
    message,
    ...(attribute !== undefined && { _embedded: { details: { attribute } } }),
  });
  if (error.violations.length < 2) return one(error.message, error.attribute);
  const errors = error.violations.map(({ message, attribute }) => one(message, attribute));
  if (profile.multipleErrors) {
    const all = new MultipleErrors();
    return { ...one(all.message, undefined, all), _embedded: { errors } };
  }
  return {
    ...one(error.message, error.attribute),
    _embedded: { details: { attribute: error.attribute }, errors },
  };
}

export const unknownPath: RequestHandler = () => {
  throw new NotFound();
};

/** Anything that is not an `ApiError` is a bug: logged whole, answered bland. */
export const errorHandler =
  (profile: Profile): ErrorRequestHandler =>
  (thrown, req, res, _next) => {
    const locals = res.locals as Partial<Locals>;
    const error = presentable(translated(thrown));
    if (locals.log) logFault(locals.log, error, thrown, 'a request failed');
    if (res.headersSent) {
      res.destroy();
      return;
    }
    res.set({ ...challenge(error, req.headers), ...retryHeaders(error) });
    hal(res, errorBody(profile, error), error.status);
  };

/** Express refuses malformed percent-encoding before a route is found; nothing lives there. */
const translated = (thrown: unknown): unknown =>
  thrown instanceof URIError ? new NotFound() : thrown;

/** Errors as HAL documents; no other file writes them. */
import type { ErrorRequestHandler, RequestHandler } from 'express';
import { challenge } from '../../auth/identify.js';
import { errorUrn, logFault, presentable, retryHeaders } from '../../contract/error-answers.js';
import { type ApiError, InvalidQuery, MultipleErrors, NotFound } from '../../contract/errors.js';
import type { Profile } from '../../contract/profiles.js';
import { hal } from './respond.js';
import type { Locals } from '../request/locals.js';
import { FILTERS_MALFORMED } from '../request/page-and-filters.js';

/** The HAL document of an error, with the URNs of a profile. */
export function errorBody(profile: Profile, error: ApiError): object {
  const one = (message: string, attribute: string | undefined, of: ApiError = error) => ({
    _type: 'Error',
    errorIdentifier: errorUrn(profile, of),
    message,
    ...(attribute !== undefined && { _embedded: { details: { attribute } } }),
  });
  if (profile.sameFilterMessage && error instanceof InvalidQuery && error.attribute === 'filters')
    return one(FILTERS_MALFORMED, error.attribute);
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

/** Anything but an `ApiError` is a bug: the log has it in full, the answer shows no details. */
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

/** Express throws URIError for malformed percent-encoding, before it looks for a route: 404. */
const translated = (thrown: unknown): unknown =>
  thrown instanceof URIError ? new NotFound() : thrown;

/** Leads a browser without a session that opens a link of a file or a storage to the sign-in. */
import type { ErrorRequestHandler } from 'express';
import { signInPath } from '../../auth/sessions.js';
import { NotFound, SessionEnded } from '../../contract/errors.js';
import { seeOther } from '../represent/respond.js';
import type { Locals } from './locals.js';

/** Addresses that people copy and click. Programs use all others. */
const CLICKED =
  /^\/(attachments\/[^/]+\/content|[^/]+\/[^/]+\/attachments\/archive|file_links\/[^/]+\/(open|download)|(project_)?storages\/[^/]+\/open)\/?$/i;

/**
 * The answer is the same for missing and hidden files, so it reveals nothing. Files that everybody
 * may see are answered as always.
 */
export const leadToSignIn: ErrorRequestHandler = (error: unknown, req, res, next) => {
  const { context, baseUrl } = res.locals as Partial<Locals>;
  const isSignedOut =
    error instanceof SessionEnded || (error instanceof NotFound && context?.user.anonymous);
  if (
    !isSignedOut ||
    res.headersSent ||
    req.method !== 'GET' ||
    req.headers.authorization !== undefined ||
    req.headers['sec-fetch-mode'] !== 'navigate' ||
    !/\btext\/html\b/i.test(req.headers.accept ?? '') ||
    !CLICKED.test(req.path)
  )
    return next(error);
  seeOther(res, `${baseUrl}${signInPath(req.originalUrl)}`);
};

/** An address where nothing is, opened with a browser. */
import type { RequestHandler } from 'express';
import { NotFound } from '../contract/errors.js';
import { sendFailure } from './failure.js';
import { wordsOf } from './words/index.js';

/** Programs talk to these. They keep their own answers. */
const INTERFACES = /^\/(api\/v3|graphql|oauth|uploads|previews|health|metrics)(\/|$)/i;

/** Passes on requests of programs, and those that only a program would make. */
export const wrongAddresses =
  (show: RequestHandler): RequestHandler =>
  (req, res, next) => {
    if (req.method !== 'GET' && req.method !== 'HEAD') return next();
    if (INTERFACES.test(req.path) || req.accepts(['json', 'html']) !== 'html') return next();
    res.vary('Accept');
    return show(req, res, next);
  };

/** The page of a service without the web application. */
export const plainWrongAddress = wrongAddresses((_req, res) => {
  const say = wordsOf(res);
  sendFailure(res, say('wrong.nothingThere'), say('wrong.nothingThereWhy'), new NotFound().status);
});

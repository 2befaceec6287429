/** Checks and reads the bodies of requests: 406, 415, 400. */
import type { Request, RequestHandler, Response } from 'express';
import express from 'express';
import { countFromHere } from '../../http/load-shedding.js';
import {
  InvalidRequestBody,
  isUnread,
  NotAcceptable,
  TypeNotSupported,
  ApiError,
} from '../../contract/errors.js';
import { BODY, bodyFault, type BodyError } from '../../http/body-errors.js';
import { Body, type JsonObject } from './body-members.js';
import { locals } from './locals.js';
import { JsonError, parseStrictJson } from './strict-json.js';

const JSON_TYPES = ['application/json', 'application/hal+json'];

/** The media type of a header, without parameters. */
const mediaType = (header: string) => header.replace(/;.*/s, '').trim().toLowerCase();

/** Ignores parameters other than `q`: clients copy `charset=utf-8` from our answers. */
const acceptsJson = (accept: string | undefined): boolean =>
  (accept || '*/*').split(',').some((range) => {
    const quality = /;\s*q\s*=\s*([\d.]+)/i.exec(range)?.[1];
    return (
      ['*/*', 'application/*', ...JSON_TYPES].includes(mediaType(range)) && Number(quality ?? 1) > 0
    );
  });

const expectType =
  (...types: string[]): RequestHandler =>
  (req, _res, next) => {
    const given = req.headers['content-type'];
    if (given === undefined || given.trim() === '') throw new NotAcceptable();
    if (!acceptsJson(req.headers.accept))
      throw new NotAcceptable(
        'The service answers application/hal+json and application/json only.',
      );
    if (!types.includes(mediaType(given)))
      throw new TypeNotSupported(
        `Expected CONTENT-TYPE to be '${types.join(' ')}' ` +
          `but got '${mediaType(given).slice(0, 100)}'.`,
      );
    next();
  };

export const onlyJson = expectType(...JSON_TYPES);
/** For requests that need no body. */
export const jsonIfAny: RequestHandler = (req, res, next) =>
  Number(req.headers['content-length'] ?? 0) > 0 || req.headers['transfer-encoding'] !== undefined
    ? onlyJson(req, res, next)
    : next();
export const onlyMultipart = expectType('multipart/form-data');

const readBytes = express.raw({ ...BODY, type: () => true });

const parseObject: RequestHandler = (req, _res, next) => {
  req.body = parseJsonObject(Buffer.isBuffer(req.body) ? req.body : new Uint8Array());
  next();
};

/**
 * An empty object in place of a body that cannot be read. The error is noted: the action throws it
 * after the 404 and 403 checks, so outsiders learn nothing about validation.
 * @throws any other error
 */
export function unreadable(res: Response, error: unknown): JsonObject {
  if (!(error instanceof ApiError && isUnread(error))) throw error;
  locals(res).context.inputErrors.push(error);
  return {};
}

const translateReadError: express.ErrorRequestHandler = (error: BodyError, _req, _res, next) =>
  next(bodyFault(error) ?? error);

const deferError: express.ErrorRequestHandler = (error: unknown, req, res, next) => {
  req.body = unreadable(res, error);
  next();
};

/** Puts the body, a single JSON object, into `req.body`. */
export const singleObject: (RequestHandler | express.ErrorRequestHandler)[] = [
  readBytes,
  translateReadError,
  parseObject,
  deferError,
  countFromHere,
];

const parseObjectIfAny: RequestHandler = (req, res, next) => {
  if (Buffer.isBuffer(req.body) && req.body.byteLength > 0) return parseObject(req, res, next);
  req.body = {};
  next();
};

/** As `singleObject`, but no body is an empty object. */
export const optionalObject: (RequestHandler | express.ErrorRequestHandler)[] = [
  readBytes,
  translateReadError,
  parseObjectIfAny,
  deferError,
  countFromHere,
];

/** For a text. The answer is no JSON, so `Accept` does not matter. */
export const onlyText: RequestHandler = ({ headers }, _res, next) => {
  const given = mediaType(headers['content-type'] ?? '');
  if (given === '') throw new NotAcceptable();
  if (given !== 'text/plain')
    throw new TypeNotSupported(
      `Expected CONTENT-TYPE to be 'text/plain' but got '${given.slice(0, 100)}'.`,
    );
  next();
};

const parseText: RequestHandler = (req, _res, next) => {
  try {
    const bytes = Buffer.isBuffer(req.body) ? req.body : new Uint8Array();
    req.body = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new InvalidRequestBody('The request body is not valid UTF-8.');
  }
  next();
};

/** Puts the body, a text, into `req.body`. */
export const plainText: (RequestHandler | express.ErrorRequestHandler)[] = [
  readBytes,
  translateReadError,
  parseText,
  countFromHere,
];

/** @throws InvalidRequestBody for anything but a single JSON object */
export function parseJsonObject(bytes: Uint8Array): JsonObject {
  if (bytes.byteLength === 0) throw new InvalidRequestBody('The request body was empty.');
  let value: unknown;
  try {
    value = parseStrictJson(bytes);
  } catch (error) {
    throw error instanceof JsonError ? new InvalidRequestBody(error.message) : error;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new InvalidRequestBody();
  return value as JsonObject;
}

export const bodyOf = (req: Request, res: Response): Body =>
  new Body(req.body as JsonObject, locals(res).context.inputErrors);

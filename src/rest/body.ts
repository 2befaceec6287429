/** Wire faults of requests with a body, each check by name: 406, 415, 400 (decisions 3). */
import type { Request, RequestHandler } from 'express';
import express from 'express';
import { InvalidRequestBody, NotAcceptable, PropertyConstraintViolation, TypeNotSupported } from '../errors.js';
import { JsonError, parseStrictJson } from './strict-json.js';

const JSON_TYPES = ['application/json', 'application/hal+json'];
const MAX_JSON_BYTES = 1024 * 1024;

/** The media type of a header, without parameters. */
const mediaType = (header: string) => header.split(';')[0]!.trim().toLowerCase();

const expectType = (...types: string[]): RequestHandler => (req, _res, next) => {
  const given = req.headers['content-type'];
  if (given === undefined || given.trim() === '') throw new NotAcceptable();
  if (req.headers.accept !== undefined && !req.accepts(JSON_TYPES)) throw new NotAcceptable('The service answers application/hal+json and application/json only.');
  if (!types.includes(mediaType(given))) throw new TypeNotSupported(`Expected CONTENT-TYPE to be '${types.join(' ')}' but got '${mediaType(given).slice(0, 100)}'.`);
  next();
};

export const onlyJson = expectType(...JSON_TYPES);
export const onlyMultipart = expectType('multipart/form-data');

const readBytes = express.raw({ type: () => true, limit: MAX_JSON_BYTES });

const parseObject: RequestHandler = (req, _res, next) => {
  req.body = parseJsonObject(Buffer.isBuffer(req.body) ? req.body : new Uint8Array());
  next();
};

/** Errors of reading the body: too long, cut off, or in a coding that we do not speak. */
const translateReadError: express.ErrorRequestHandler = (error: { type?: string }, _req, _res, next) => {
  switch (error.type) {
    case 'entity.too.large': return next(new InvalidRequestBody(`The request body is larger than ${MAX_JSON_BYTES} bytes.`));
    case 'encoding.unsupported': return next(new TypeNotSupported('The Content-Encoding of the request is not supported.'));
    case 'request.aborted': case 'request.size.invalid': return next(new InvalidRequestBody('The request body is incomplete.'));
    default: return next(error instanceof Error && 'status' in error && error.status === 400 ? new InvalidRequestBody('The request body could not be read.') : error);
  }
};

/** The body is a single JSON object, in `req.body`. */
export const singleObject: (RequestHandler | express.ErrorRequestHandler)[] = [readBytes, translateReadError, parseObject];

/** @throws InvalidRequestBody for anything but a single JSON object */
export function parseJsonObject(bytes: Uint8Array): JsonObject {
  if (bytes.byteLength === 0) throw new InvalidRequestBody('The request body was empty.');
  let value: unknown;
  try {
    value = parseStrictJson(bytes);
  } catch (error) {
    throw error instanceof JsonError ? new InvalidRequestBody(error.message) : error;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new InvalidRequestBody();
  return value as JsonObject;
}

export interface JsonObject {
  readonly [name: string]: unknown;
}

export const bodyOf = (req: Request): JsonObject => req.body as JsonObject;

const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value);
const labelOf = (name: string) => name[0]!.toUpperCase() + name.slice(1);
const own = (body: JsonObject, name: string): unknown => (Object.hasOwn(body, name) ? body[name] : undefined);

/** A text member; absent and null are undefined. */
export function text(body: JsonObject, name: string): string | undefined {
  const value = own(body, name);
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') throw new PropertyConstraintViolation(`${labelOf(name)} must be a string.`, name);
  return value;
}

/** A text member that may be a Formattable of which `raw` counts. */
export function formattable(body: JsonObject, name: string): string | undefined {
  const value = own(body, name);
  return isObject(value) ? text({ [name]: own(value, 'raw') }, name) : text(body, name);
}

export function flag(body: JsonObject, name: string): boolean | undefined {
  const value = own(body, name);
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'boolean') throw new PropertyConstraintViolation(`${labelOf(name)} must be true or false.`, name);
  return value;
}

export function integer(body: JsonObject, name: string): number | undefined {
  const value = own(body, name);
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'number' || !Number.isInteger(value) || Math.abs(value) > 2_147_483_647) throw new PropertyConstraintViolation(`${labelOf(name)} must be a whole number.`, name);
  return value;
}

/** A number; whether it is a sensible one is for the action to say. */
export function number(body: JsonObject, name: string): number | undefined {
  const value = own(body, name);
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'number' || !Number.isFinite(value)) throw new PropertyConstraintViolation(`${labelOf(name)} must be a number.`, name);
  return value;
}

/** The member `digest` with `algorithm` and `hash`. */
export function digest(body: JsonObject): { algorithm: string; hash: string } | undefined {
  const value = own(body, 'digest');
  if (value === undefined || value === null) return undefined;
  const { algorithm, hash } = isObject(value) ? value : {};
  if (typeof algorithm !== 'string' || typeof hash !== 'string') throw new PropertyConstraintViolation('Digest must be an object with an algorithm and a hash.', 'digest');
  return { algorithm, hash };
}

/** The id in a link of `_links` such as `{"href": "/api/v3/projects/3"}`; undefined where the link is absent. */
export function linkedId(body: JsonObject, name: string, segment: string): string | undefined {
  const link = linkMember(body, name);
  return link === undefined || link === null ? undefined : hrefId(link, name, segment);
}

/** The `href` of a link; undefined where the link is absent, null where it is there without one. */
export function linkedHref(body: JsonObject, name: string): string | null | undefined {
  const link = linkMember(body, name);
  if (link === undefined) return undefined;
  const href = isObject(link) ? own(link, 'href') : undefined;
  return typeof href === 'string' ? href : null;
}

/** A text member that may be null; undefined where it is absent. */
export function textOrNull(body: JsonObject, name: string): string | null | undefined {
  return own(body, name) === null ? null : text(body, name);
}

/** The ids in an array of links; undefined where the member is absent. @param longer another form of the address */
export function linkedIds(body: JsonObject, name: string, segment: string, longer?: string): string[] | undefined {
  const links = linkMember(body, name);
  if (links === undefined || links === null) return undefined;
  if (!Array.isArray(links)) throw new PropertyConstraintViolation(`${labelOf(name)} must be an array of links.`, name);
  return links.map((link) => hrefId(link, name, segment, longer));
}

function linkMember(body: JsonObject, name: string): unknown {
  const links = own(body, '_links');
  if (links !== undefined && links !== null && !isObject(links)) throw new PropertyConstraintViolation('The member _links must be an object.', '_links');
  return isObject(links) ? own(links, name) : undefined;
}

function hrefId(link: unknown, name: string, segment: string, longer = segment): string {
  const href = isObject(link) ? own(link, 'href') : undefined;
  const id = typeof href === 'string' ? new RegExp(`^/api/v3/(?:${segment}|${longer})/(\\d{1,20})/?$`).exec(href)?.[1] : undefined;
  if (id === undefined) throw new PropertyConstraintViolation(`${labelOf(name)} takes links of the form {"href": "/api/v3/${segment}/1"}.`, name);
  return id;
}

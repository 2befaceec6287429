/** Answers queries that were parsed before, without the pipeline of Apollo. */
import type { Request, RequestHandler } from 'express';
import { getOperationAST } from 'graphql';
import type { Context } from '../context.js';
import { sendText } from '../http/send-text.js';
import { answerTo, type Asked } from './answer.js';
import type { Documents } from './documents.js';
import type { ErrorOptions } from './errors.js';

const JSON_TYPE = 'application/json; charset=utf-8';
const RESPONSE_TYPE = 'application/graphql-response+json; charset=utf-8';
/** A third type of answers. Requests for it are passed on to Apollo. */
const CALLBACK_TYPE = 'application/json; callbackSpec=1.0; charset=utf-8';

/**
 * Takes only what Apollo answers in the same way: a `POST` of JSON, which browsers send to other
 * sites only after a preflight request, with a known query and no extensions.
 */
export const knownDocuments =
  (documents: Documents, options: ErrorOptions): RequestHandler =>
  async (req, res, next) => {
    const asked = knownQuery(req, documents);
    const type = asked && req.accepts(JSON_TYPE, RESPONSE_TYPE, CALLBACK_TYPE);
    if (!asked || !type || type === CALLBACK_TYPE) return next();
    const { status = 200, result } =
      (await answerTo(asked, res.locals['context'] as Context, options)) ?? {};
    if (!result) return next();
    sendText(res, status, { 'Content-Type': type }, JSON.stringify(result));
  };

function knownQuery({ method, headers, body }: Request, documents: Documents): Asked | undefined {
  if (method !== 'POST' || !isJson(headers['content-type']) || !isObject(body)) return undefined;
  const { query, variables = null, operationName = null, ...others } = body;
  if (
    typeof query !== 'string' ||
    !(variables === null || isObject(variables)) ||
    !(operationName === null || typeof operationName === 'string') ||
    Object.keys(others).length > 0
  )
    return undefined;
  const document = documents.withText(query);
  const operation = document && getOperationAST(document, operationName);
  return document && operation?.operation === 'query'
    ? { document, operation, operationName, variables: variables ?? {} }
    : undefined;
}

const isObject = (value: unknown): value is { [name: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isJson = (type: string | undefined): boolean =>
  type === 'application/json' || type?.toLowerCase() === JSON_TYPE;

/** Checks the HTTP request and the document of a subscription, before the stream begins. */
import type { Request } from 'express';
import { getOperationAST, getVariableValues, parse, type DocumentNode } from 'graphql';
import {
  InvalidQuery,
  InvalidRequestBody,
  MethodNotAllowed,
  NotAcceptable,
  TypeNotSupported,
} from '../contract/errors.js';
import { MAX_TOKENS } from './document-limits.js';
import { syntaxMessage } from './errors.js';
import { limitListedIds } from './listed-ids.js';
import { schema } from './schema.js';
import { validateDocument } from './validate-document.js';

const EVENT_STREAM = 'text/event-stream';

type Parameters = { query?: unknown; variables?: unknown; extensions?: unknown };

/** @throws MethodNotAllowed, NotAcceptable, TypeNotSupported, InvalidRequestBody */
export function checkRequest(req: Request): void {
  if (req.method !== 'GET' && req.method !== 'POST') throw new MethodNotAllowed();
  if (!req.accepts([EVENT_STREAM, `${EVENT_STREAM};charset=utf-8`]))
    throw new NotAcceptable(
      'Subscriptions are answered as text/event-stream: name it in the Accept header.',
    );
  // graphql-sse knows no ranges and no lists of types.
  req.headers.accept = EVENT_STREAM;
  // express.json leaves other types unread. graphql-sse would read them without a limit.
  if (req.method === 'POST' && !req.is('application/json'))
    throw new TypeNotSupported('A subscription is sent as application/json.');
  req.body ??= {};
  checkParameters(req);
}

/** graphql-sse checks the same, but its errors have no code and quote the parser. */
function checkParameters({ method, url, body }: Request): void {
  const { query, variables, extensions } =
    method === 'GET' ? queryParameters(url) : (body as Parameters);
  if (typeof query !== 'string')
    throw new InvalidRequestBody('The parameter query is missing or no text.');
  for (const [name, value] of Object.entries({ variables, extensions })) {
    if ((value ?? null) !== null && (typeof value !== 'object' || Array.isArray(value)))
      throw new InvalidRequestBody(`The parameter ${name} is not a JSON object.`);
  }
}

function queryParameters(url: string): Parameters {
  const given = new URLSearchParams(url.split('?')[1]);
  const parsed = (name: string): unknown => {
    try {
      return JSON.parse(given.get(name) || 'null');
    } catch {
      return given.get(name);
    }
  };
  return {
    query: given.get('query'),
    variables: parsed('variables'),
    extensions: parsed('extensions'),
  };
}

/** Parses and validates the document. Errors of variables are left to graphql-js. */
export function prepareDocument(
  options: { introspection: boolean },
  query: string,
  operationName: string | undefined,
  variables: { readonly [name: string]: unknown } | undefined,
): { document: DocumentNode } | { errors: readonly Error[] } {
  let document;
  try {
    document = parse(query, { maxTokens: MAX_TOKENS });
  } catch (error) {
    return { errors: [new InvalidQuery(syntaxMessage((error as Error).message))] };
  }
  const errors = validateDocument(document, options);
  if (errors.length > 0) return { errors: errors.map(({ message }) => new InvalidQuery(message)) };
  const operation = getOperationAST(document, operationName);
  if (!operation)
    return { errors: [new InvalidQuery('The document has no operation of that name.')] };
  const { coerced } = getVariableValues(
    schema,
    operation.variableDefinitions ?? [],
    variables ?? {},
    { maxErrors: 1 },
  );
  try {
    if (coerced) limitListedIds(document, operation, coerced);
    return { document };
  } catch (error) {
    return { errors: [error as Error] };
  }
}

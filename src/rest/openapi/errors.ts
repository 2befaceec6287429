/** The error answers by their names (interface 2.10 and section 7). */
import type { Profile } from '../../profile.js';
import { halHeaders, named } from './headers.js';
import { array, constant, object, ref, text, type Schema } from './shapes.js';

interface Refusal {
  status: number;
  identifier: string;
  description: string;
  headers?: ReturnType<typeof named>;
  /** Written before the request was read, so without most headers. */
  early?: true;
}

/** Refusals that an operation can answer. */
const refusals = {
  InvalidRequestBody: { status: 400, identifier: 'InvalidRequestBody', description: 'The body cannot be parsed, lacks a required part, or is not a single JSON object (interface section 7).' },
  Unauthenticated: { status: 401, identifier: 'Unauthenticated', description: 'The credentials that were presented are wrong.', headers: named('WWW-Authenticate') },
  MissingPermission: { status: 403, identifier: 'MissingPermission', description: 'The client sees the resource but lacks the permission (interface sections 5 and 7).' },
  NotFound: { status: 404, identifier: 'NotFound', description: 'The resource is missing, or the client may not see it; nobody can tell which (interface sections 1 and 7).' },
  NotAcceptable: { status: 406, identifier: 'TypeNotSupported', description: 'The request has no Content-Type, or accepts neither application/hal+json nor application/json (interface 7.10).' },
  UpdateConflict: { status: 409, identifier: 'UpdateConflict', description: 'The resource was changed since the `lockVersion` that was sent.' },
  PreconditionFailed: { status: 412, identifier: 'PreconditionFailed', description: '`If-Match` names no entity tag of the content (RFC 9110).' },
  TypeNotSupported: { status: 415, identifier: 'TypeNotSupported', description: 'The Content-Type, or the Content-Encoding, of the request is not supported (interface section 7).' },
  RangeNotSatisfiable: { status: 416, identifier: 'RangeNotSatisfiable', description: 'The range lies outside the file (RFC 9110).', headers: { 'Content-Range': { $ref: '#/components/headers/Unsatisfied-Range' } } },
  PropertyConstraintViolation: { status: 422, identifier: 'PropertyConstraintViolation', description: 'A property violates a constraint (interface section 7).' },
  ServiceUnavailable: { status: 503, identifier: 'ServiceUnavailable', description: 'The service cannot do it at the moment, because the database or the file storage does not answer.', headers: named('Retry-After') },
  InternalServerError: { status: 500, identifier: 'InternalServerError', description: 'The service failed.' },
} satisfies { [name: string]: Refusal };

/** Refusals before an operation is reached; no operation repeats them. */
const outside = {
  MethodNotAllowed: { status: 405, identifier: 'MethodNotAllowed', description: 'The path does not support the method.', headers: named('Allow') },
  RequestTimeout: { status: 408, identifier: 'RequestTimeout', description: 'The request took too long to arrive.', early: true },
  HeaderTooLarge: { status: 431, identifier: 'HeaderTooLarge', description: 'The headers of the request are too large.', early: true },
} satisfies { [name: string]: Refusal };

export type RefusalName = keyof typeof refusals;

/** The refusals of an operation by status, as references. */
export const refused = (...names: RefusalName[]) => Object.fromEntries(names.map((name) => [refusals[name].status, { $ref: `#/components/responses/${name}` }]));

const urn = ({ urnWord }: Profile, identifier: string) => `urn:${urnWord}:api:v3:errors:${identifier}`;

export function errorSchemas(profile: Profile): { [name: string]: Schema } {
  const identifiers = [...new Set([...Object.values(refusals), ...Object.values(outside)].map(({ identifier }) => identifier))].filter((identifier) => identifier !== 'PropertyConstraintViolation');
  const error = (identifier: string, embedded: Schema) => object({ _type: constant('Error'), errorIdentifier: constant(urn(profile, identifier)), message: text, _embedded: embedded });
  const details = object({ attribute: { type: 'string', minLength: 1 } });
  const errors = array(ref('SingleViolation'), { minItems: 2 });
  return {
    Error: object({ _type: constant('Error'), errorIdentifier: { type: 'string', enum: identifiers.map((identifier) => urn(profile, identifier)) }, message: text }, 'A refusal (interface 2.10).'),
    SingleViolation: { ...error('PropertyConstraintViolation', object({ details })), description: 'One violated constraint; `attribute` names the member (interface 2.10).' },
    SeveralViolations: {
      ...(profile.multipleErrors ? error('MultipleErrors', object({ errors })) : error('PropertyConstraintViolation', object({ details, errors }))),
      description: 'Several violated constraints; `errors` lists them all.',
    },
  };
}

export function errorResponses(profile: Profile) {
  const body = ({ identifier }: Refusal): Schema => identifier === 'PropertyConstraintViolation'
    ? { oneOf: [ref('SingleViolation'), ref('SeveralViolations')] }
    : { ...ref('Error'), type: 'object', properties: { errorIdentifier: { const: urn(profile, identifier) } } };
  const response = (refusal: Refusal) => ({
    description: refusal.description,
    headers: refusal.early ? named('Content-Length') : { ...halHeaders, ...refusal.headers },
    content: { 'application/hal+json': { schema: body(refusal) } },
  });
  return Object.fromEntries(Object.entries<Refusal>({ ...refusals, ...outside }).map(([name, refusal]) => [name, response(refusal)]));
}

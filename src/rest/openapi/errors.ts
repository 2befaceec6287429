/** The error answers by their names (interface 2.10 and section 7). */
import type { Profile } from '../../contract/profiles.js';
import { halHeaders, named } from './headers.js';
import { array, constant, object, ref, text, type Schema } from './shapes.js';

interface Refusal {
  status: number;
  identifier: string;
  /** Other identifiers with the same status. */
  siblings?: (profile: Profile) => string[];
  /** Schemas of errors that answer with the same status. */
  named?: (profile: Profile) => string[];
  description: string;
  headers?: ReturnType<typeof named>;
  /** Written before the request was read, so without most headers. */
  early?: true;
}

/** Refusals that an operation can answer. */
const refusals = {
  InvalidRequestBody: {
    status: 400,
    identifier: 'InvalidRequestBody',
    description:
      'The body cannot be parsed, lacks a required part, or is not a single JSON object (interface section 7).',
  },
  InvalidBodyOrParent: {
    status: 400,
    identifier: 'InvalidRequestBody',
    named: () => ['QueryError'],
    description:
      'The body cannot be parsed or is not a single JSON object, or the parent is not a directory (interface section 7).',
  },
  Unauthenticated: {
    status: 401,
    identifier: 'Unauthenticated',
    description: 'The credentials that were presented are wrong.',
    headers: named('WWW-Authenticate'),
  },
  MissingPermission: {
    status: 403,
    identifier: 'MissingPermission',
    siblings: () => ['InsufficientScope'],
    description:
      'The client sees the resource but lacks the permission, or its access token does not have the scope `api_v3` (interface sections 5 and 7).',
    headers: named('Scope-Challenge'),
  },
  NotFound: {
    status: 404,
    identifier: 'NotFound',
    description:
      'The resource is missing, or the client may not see it; nobody can tell which (interface sections 1 and 7).',
  },
  NotAcceptable: {
    status: 406,
    identifier: 'TypeNotSupported',
    description:
      'The request has no Content-Type, or accepts neither application/hal+json nor application/json (interface 7.10).',
  },
  UpdateConflict: {
    status: 409,
    identifier: 'UpdateConflict',
    description:
      'The resource was changed since the `lockVersion` that was sent, or while the request was under way.',
  },
  PreconditionFailed: {
    status: 412,
    identifier: 'PreconditionFailed',
    description: '`If-Match` names no entity tag of the content (RFC 9110).',
  },
  TypeNotSupported: {
    status: 415,
    identifier: 'TypeNotSupported',
    description:
      'The Content-Type, or the Content-Encoding, of the request is not supported (interface section 7).',
  },
  RangeNotSatisfiable: {
    status: 416,
    identifier: 'RangeNotSatisfiable',
    description: 'The range lies outside the file (RFC 9110).',
    headers: { 'Content-Range': { $ref: '#/components/headers/Unsatisfied-Range' } },
  },
  PropertyConstraintViolation: {
    status: 422,
    identifier: 'PropertyConstraintViolation',
    description: 'A property violates a constraint (interface section 7).',
  },
  ServiceUnavailable: {
    status: 503,
    identifier: 'ServiceUnavailable',
    description:
      'The service cannot do it at the moment, because the database or the file storage does not answer.',
    headers: named('Retry-After'),
  },
  MissingOrMisformatted: {
    status: 422,
    identifier: 'PropertyConstraintViolation',
    named: ({ multipleErrors }) =>
      multipleErrors ? ['PropertyMissingError', 'PropertyFormatError'] : [],
    description:
      'An element violates a constraint, or the elements are missing or no array (interface 4.4 and section 7).',
  },
  InvalidQuery: {
    status: 400,
    identifier: 'InvalidQuery',
    description: 'The filters or the page are malformed (interface section 7).',
  },
  OutboundFailure: {
    status: 500,
    identifier: 'OutboundRequest:NotFound',
    siblings: ({ outboundSiblings }) => [
      'MissingEnterpriseToken',
      'InternalServerError',
      ...(outboundSiblings ? ['OutboundRequest:Forbidden'] : []),
    ],
    description:
      'The storage failed, and the message says how; or its type is switched off (`MissingEnterpriseToken`); or the service failed (interface section 7).',
  },
  InternalServerError: {
    status: 500,
    identifier: 'InternalServerError',
    description: 'The service failed.',
  },
} satisfies { [name: string]: Refusal };

/** Refusals before an operation is reached; no operation repeats them. */
const outside = {
  InsufficientScope: {
    status: 403,
    identifier: 'InsufficientScope',
    description: 'The access token does not have the scope `api_v3`.',
    headers: named('Scope-Challenge'),
  },
  MethodNotAllowed: {
    status: 405,
    identifier: 'MethodNotAllowed',
    description: 'The path does not support the method.',
    headers: named('Allow'),
  },
  RequestTimeout: {
    status: 408,
    identifier: 'RequestTimeout',
    description: 'The request took too long to arrive.',
    early: true,
  },
  HeaderTooLarge: {
    status: 431,
    identifier: 'HeaderTooLarge',
    description: 'The headers of the request are too large.',
    early: true,
  },
} satisfies { [name: string]: Refusal };

export type RefusalName = keyof typeof refusals;

/** The refusals of an operation by status, as references. */
export const refused = (...names: RefusalName[]) =>
  Object.fromEntries(
    names.map((name) => [refusals[name].status, { $ref: `#/components/responses/${name}` }]),
  );

/** Those that name what is wrong; they have schemas of their own. */
const withAttribute = new Set(['PropertyConstraintViolation', 'InvalidQuery']);

const urn = ({ urnWord }: Profile, identifier: string) =>
  `urn:${urnWord}:api:v3:errors:${identifier}`;

export function errorSchemas(profile: Profile): { [name: string]: Schema } {
  const identifiers = [
    ...new Set(
      [...Object.values<Refusal>(refusals), ...Object.values<Refusal>(outside)].flatMap(
        ({ identifier, siblings }) => [identifier, ...(siblings?.(profile) ?? [])],
      ),
    ),
  ].filter((identifier) => !withAttribute.has(identifier));
  const error = (identifier: string, embedded: Schema) =>
    object({
      _type: constant('Error'),
      errorIdentifier: constant(urn(profile, identifier)),
      message: text,
      _embedded: embedded,
    });
  const details = object({ attribute: { type: 'string', minLength: 1 } });
  const errors = array(ref('SingleViolation'), { minItems: 2 });
  return {
    Error: object(
      {
        _type: constant('Error'),
        errorIdentifier: {
          type: 'string',
          enum: identifiers.map((identifier) => urn(profile, identifier)),
        },
        message: text,
      },
      'A refusal (interface 2.10).',
    ),
    QueryError: {
      ...error('InvalidQuery', object({ details })),
      description: 'A query parameter is wrong; `attribute` names it (interface 2.10).',
    },
    ...(profile.multipleErrors &&
      Object.fromEntries(
        ['PropertyMissingError', 'PropertyFormatError'].map((identifier) => [
          identifier,
          {
            ...error(identifier, object({ details })),
            description: 'A member that is missing or of another type; `attribute` names it.',
          },
        ]),
      )),
    SingleViolation: {
      ...error('PropertyConstraintViolation', object({ details })),
      description: 'One violated constraint; `attribute` names the member (interface 2.10).',
    },
    SeveralViolations: {
      ...(profile.multipleErrors
        ? error('MultipleErrors', object({ errors }))
        : error('PropertyConstraintViolation', object({ details, errors }))),
      description: 'Several violated constraints; `errors` lists them all.',
    },
  };
}

export function errorResponses(profile: Profile) {
  const body = ({ identifier, siblings, named: own }: Refusal): Schema => {
    if (identifier === 'PropertyConstraintViolation')
      return {
        oneOf: [
          ref('SingleViolation'),
          ref('SeveralViolations'),
          ...(own?.(profile) ?? []).map(ref),
        ],
      };
    if (identifier === 'InvalidQuery') return ref('QueryError');
    const error: Schema = {
      ...ref('Error'),
      type: 'object',
      properties: {
        errorIdentifier: siblings
          ? { enum: [identifier, ...siblings(profile)].map((one) => urn(profile, one)) }
          : { const: urn(profile, identifier) },
      },
    };
    return own ? { oneOf: [error, ...own(profile).map(ref)] } : error;
  };
  const response = (refusal: Refusal) => ({
    description: refusal.description,
    headers: refusal.early ? named('Content-Length') : { ...halHeaders, ...refusal.headers },
    content: { 'application/hal+json': { schema: body(refusal) } },
  });
  return Object.fromEntries(
    Object.entries<Refusal>({ ...refusals, ...outside }).map(([name, refusal]) => [
      name,
      response(refusal),
    ]),
  );
}

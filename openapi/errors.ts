/** Error responses by name, and the schemas of errors. */
import { HeaderTooLarge, RequestTimeout } from '../src/contract/errors.js';
import type { Profile } from '../src/contract/profiles.js';
import { halHeaders, headerRefs } from './headers.js';
import {
  array,
  constant,
  described,
  embedded,
  object,
  ref,
  text,
  typeMember,
  type Members,
  type Schema,
} from './shapes.js';

interface Refusal {
  status: number;
  identifier: string;
  /** Other identifiers with the same status. */
  siblings?: (profile: Profile) => string[];
  /** Schemas of other errors with the same status. */
  named?: (profile: Profile) => string[];
  description: string;
  headers?: ReturnType<typeof headerRefs>;
  /** Sent before the request is read, so without most headers. */
  early?: true;
}

/** Errors that the operations list. */
const refusals = {
  InvalidRequestBody: {
    status: 400,
    identifier: 'InvalidRequestBody',
    description:
      'The body cannot be parsed, lacks a required part, or is not a single JSON object.',
  },
  InvalidBodyOrParent: {
    status: 400,
    identifier: 'InvalidRequestBody',
    named: () => ['QueryError'],
    description:
      'The body cannot be parsed or is not a single JSON object, or the parent is not a directory.',
  },
  Unauthenticated: {
    status: 401,
    identifier: 'Unauthenticated',
    description: 'The request has wrong credentials.',
    headers: headerRefs('WWW-Authenticate'),
  },
  MissingPermission: {
    status: 403,
    identifier: 'MissingPermission',
    siblings: () => ['InsufficientScope'],
    description:
      'The client sees the resource but lacks the permission, or its access token ' +
      'does not have the scope `api_v3`.',
    headers: headerRefs('Scope-Challenge'),
  },
  NotFound: {
    status: 404,
    identifier: 'NotFound',
    description:
      'The resource does not exist, or the client cannot see it. Both get the same ' + 'answer.',
  },
  NotAcceptable: {
    status: 406,
    identifier: 'TypeNotSupported',
    description:
      'The request has no Content-Type, or accepts neither application/hal+json nor ' +
      'application/json.',
  },
  UpdateConflict: {
    status: 409,
    identifier: 'UpdateConflict',
    description:
      'The resource has changed since the `lockVersion` in the request, or during the request.',
  },
  PreconditionFailed: {
    status: 412,
    identifier: 'PreconditionFailed',
    description: '`If-Match` does not name the entity tag of the content (RFC 9110).',
  },
  TypeNotSupported: {
    status: 415,
    identifier: 'TypeNotSupported',
    description:
      'The service does not support the Content-Type or the Content-Encoding of the request.',
  },
  RangeNotSatisfiable: {
    status: 416,
    identifier: 'RangeNotSatisfiable',
    description: 'The range is outside the file (RFC 9110).',
    headers: { 'Content-Range': { $ref: '#/components/headers/Unsatisfied-Range' } },
  },
  PropertyConstraintViolation: {
    status: 422,
    identifier: 'PropertyConstraintViolation',
    description: 'A property violates a constraint.',
  },
  ServiceUnavailable: {
    status: 503,
    identifier: 'ServiceUnavailable',
    description: 'The database or the file storage does not answer at the moment.',
    headers: headerRefs('Retry-After'),
  },
  MissingOrMisformatted: {
    status: 422,
    identifier: 'PropertyConstraintViolation',
    named: ({ multipleErrors }) =>
      multipleErrors ? ['PropertyMissingError', 'PropertyFormatError'] : [],
    description: 'An element violates a constraint, or the elements are missing or not an array.',
  },
  InvalidQuery: {
    status: 400,
    identifier: 'InvalidQuery',
    description: 'The filters, the page or another query parameter is wrong.',
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
      'The storage failed, and the message says how. Or its type is switched off ' +
      '(`MissingEnterpriseToken`). Or this service failed.',
  },
  InternalServerError: {
    status: 500,
    identifier: 'InternalServerError',
    description: 'The service failed.',
  },
} satisfies { [name: string]: Refusal };

/** Errors before an operation is reached. The operations do not list them. */
const outside = {
  InsufficientScope: {
    status: 403,
    identifier: 'InsufficientScope',
    description: 'The access token does not have the scope `api_v3`.',
    headers: headerRefs('Scope-Challenge'),
  },
  MethodNotAllowed: {
    status: 405,
    identifier: 'MethodNotAllowed',
    description: 'The path does not support the method.',
    headers: headerRefs('Allow'),
  },
  RequestTimeout: {
    status: 408,
    identifier: 'RequestTimeout',
    description: new RequestTimeout().message,
    early: true,
  },
  HeaderTooLarge: {
    status: 431,
    identifier: 'HeaderTooLarge',
    description: new HeaderTooLarge().message,
    early: true,
  },
} satisfies { [name: string]: Refusal };

export type RefusalName = keyof typeof refusals;

/** References to the error responses of an operation, by status. */
export const errorReferences = (...names: RefusalName[]) =>
  Object.fromEntries(
    names.map((name) => [refusals[name].status, { $ref: `#/components/responses/${name}` }]),
  );

/** Errors that name a member or parameter. They have their own schemas. */
const withAttribute = new Set(['PropertyConstraintViolation', 'InvalidQuery']);

const urn = ({ urnWord }: Profile, identifier: string) =>
  `urn:${urnWord}:api:v3:errors:${identifier}`;

const IDENTIFIER = 'URN of the error. It never changes, so clients can compare it.';
const message = described('What is wrong, for people.', text);

export function errorSchemas(profile: Profile): Members {
  const identifiers = [
    ...new Set(
      [...Object.values<Refusal>(refusals), ...Object.values<Refusal>(outside)].flatMap(
        ({ identifier, siblings }) => [identifier, ...(siblings?.(profile) ?? [])],
      ),
    ),
  ].filter((identifier) => !withAttribute.has(identifier));
  const error = (identifier: string, more: Members) =>
    object({
      _type: typeMember('Error'),
      errorIdentifier: constant(urn(profile, identifier), IDENTIFIER),
      message,
      _embedded: embedded(more),
    });
  const details = object(
    {
      attribute: {
        type: 'string',
        minLength: 1,
        description: 'Name of the wrong member or parameter.',
      },
    },
    'What is wrong.',
  );
  const errors = array(ref('SingleViolation'), {
    minItems: 2,
    description: 'All violations, one error each.',
  });
  return {
    Error: object(
      {
        _type: typeMember('Error'),
        errorIdentifier: {
          type: 'string',
          enum: identifiers.map((identifier) => urn(profile, identifier)),
          description: IDENTIFIER,
        },
        message,
      },
      'An error.',
    ),
    QueryError: {
      ...error('InvalidQuery', { details }),
      description: 'A query parameter is wrong. `attribute` names it.',
    },
    ...(profile.multipleErrors &&
      Object.fromEntries(
        ['PropertyMissingError', 'PropertyFormatError'].map((identifier) => [
          identifier,
          {
            ...error(identifier, { details }),
            description: 'A member is missing or has the wrong type. `attribute` names it.',
          },
        ]),
      )),
    SingleViolation: {
      ...error('PropertyConstraintViolation', { details }),
      description: 'One violated constraint. `attribute` names the member.',
    },
    SeveralViolations: {
      ...(profile.multipleErrors
        ? error('MultipleErrors', { errors })
        : error('PropertyConstraintViolation', { details, errors })),
      description: 'Several violated constraints. `errors` lists all of them.',
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
          ...(own?.(profile) ?? []).map((name) => ref(name)),
        ],
      };
    if (identifier === 'InvalidQuery') return ref('QueryError');
    const error: Schema = {
      ...ref('Error'),
      type: 'object',
      properties: {
        errorIdentifier: {
          description: IDENTIFIER,
          ...(siblings
            ? { enum: [identifier, ...siblings(profile)].map((one) => urn(profile, one)) }
            : { const: urn(profile, identifier) }),
        },
      },
    };
    return own ? { oneOf: [error, ...own(profile).map((name) => ref(name))] } : error;
  };
  const response = (refusal: Refusal) => ({
    description: refusal.description,
    headers: refusal.early ? headerRefs('Content-Length') : { ...halHeaders, ...refusal.headers },
    content: { 'application/hal+json': { schema: body(refusal) } },
  });
  return Object.fromEntries(
    Object.entries<Refusal>({ ...refusals, ...outside }).map(([name, refusal]) => [
      name,
      response(refusal),
    ]),
  );
}

/** Building blocks of operations: parameters, answers and errors. */
import { halHeaders, headerRefs } from './headers.js';
import { errorReferences, type RefusalName } from './errors.js';
import { ref, type Schema } from './shapes.js';

interface Answers {
  readonly [status: number]: object;
}

interface Operation {
  operationId: string;
  tag: string;
  summary: string;
  description?: string;
  /** GraphQL root field that does the same. */
  graphql: string;
  parameters?: object[];
  body?: object;
  answers: Answers;
  refusals?: RefusalName[];
  /** Whether it sends a request to a storage. */
  outbound?: true;
}

/** An operation. Adds 401, 500 and 503, which every operation can answer. */
export const operation = ({
  operationId,
  tag,
  summary,
  description,
  graphql,
  parameters,
  body,
  answers,
  refusals = [],
  outbound,
}: Operation) => ({
  operationId,
  tags: [tag],
  summary,
  ...(description !== undefined && { description }),
  ...(parameters && { parameters }),
  ...(body && { requestBody: body }),
  responses: {
    ...answers,
    ...errorReferences(
      'Unauthenticated',
      ...refusals,
      outbound ? 'OutboundFailure' : 'InternalServerError',
      'ServiceUnavailable',
    ),
  },
  'x-graphql': graphql,
});

/** Members of an operation that GraphQL does not have. */
export const noGraphql = (reason: string) => ({ 'x-graphql': null, 'x-graphql-reason': reason });

/** Errors about a request body as a whole. */
export const bodyFaults: RefusalName[] = [
  'InvalidRequestBody',
  'NotAcceptable',
  'TypeNotSupported',
];

/** Errors about the body of a request that needs none. */
export const needlessBody: RefusalName[] = ['NotAcceptable', 'TypeNotSupported'];

/** An answer with a HAL document. */
export const hal = (
  status: number,
  schema: string,
  description: string,
  headers: object = halHeaders,
): Answers => ({
  [status]: { description, headers, content: { 'application/hal+json': { schema: ref(schema) } } },
});

export const noContent = (description: string): Answers => ({
  204: { description, headers: headerRefs('X-Request-Id') },
});

/** The parameter `{id}` of a path. */
export const idOf = (noun: string) => ({
  name: 'id',
  in: 'path',
  required: true,
  description: `Id of the ${noun}. Anything else than an id answers 404.`,
  schema: { type: 'integer', minimum: 1, maximum: 2_147_483_647 },
});

/** The id or the identifier of a project. */
export const projectName = {
  ...idOf('project'),
  description: 'Id or identifier of the project.',
  schema: { type: 'string' },
};

/** An answer that sends the client to another service. */
export const redirect303 = (description: string): Answers => ({
  303: { description, headers: headerRefs('X-Request-Id', 'Private-Cache-Control', 'Location') },
});

export const queryParameter = (name: string, description: string, schema: Schema) => ({
  name,
  in: 'query',
  description,
  schema,
});

/** @param field has addresses with it in GraphQL */
export const accessIn = (field: string) =>
  queryParameter(
    'access',
    'Access for some minutes. It is part of the address in the GraphQL field ' +
      `\`${field}\`, which needs no credentials.`,
    { type: 'string' },
  );

export const requestHeader = (name: string, description: string) => ({
  name,
  in: 'header',
  description,
  schema: { type: 'string' },
});

/** Conditions on the entity tag of a content. */
export const conditionParameters = [
  requestHeader('If-Match', 'Answer 412 unless the content has one of these entity tags.'),
  requestHeader('If-None-Match', 'Answer 304 if the content has one of these entity tags.'),
];

export const notModified: Answers = {
  304: {
    description: 'The client has this content already.',
    headers: headerRefs('X-Request-Id', 'Cache-Control', 'ETag'),
  },
};

/** The parameters of a page. */
export const pageParameters = (size = 20, most = 1000) => [
  queryParameter(
    'offset',
    'Number of the page, from 1. A number before the first page is the first page.',
    { type: 'integer', default: 1 },
  ),
  queryParameter(
    'pageSize',
    `The largest number of elements on a page, at most ${most}. -1 means ${most}.`,
    {
      type: 'integer',
      default: size,
    },
  ),
];

/** Those of a list without pages. Clients ask every list for its largest page. */
export const wholeListParameters = ['offset', 'pageSize'].map((name) =>
  queryParameter(name, 'The list has no pages: the answer is the whole list.', {
    type: 'integer',
  }),
);

export const filterParameter = (description: string) =>
  queryParameter('filters', description, { type: 'string', contentMediaType: 'application/json' });

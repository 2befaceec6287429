/** What the operations have in common: parameters, answers, refusals. */
import { halHeaders, named } from './headers.js';
import { refused, type RefusalName } from './errors.js';
import { ref } from './shapes.js';

interface Answers {
  readonly [status: number]: object;
}

interface Operation {
  operationId: string;
  tag: string;
  summary: string;
  description?: string;
  /** Root field of the graph that offers the same. */
  graphql: string;
  parameters?: object[];
  body?: object;
  answers: Answers;
  refusals?: RefusalName[];
  /** Whether a storage is asked. */
  outbound?: true;
}

/** An operation; wrong credentials, failures of the service and of what it depends on can happen to every one. */
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
    ...refused(
      'Unauthenticated',
      ...refusals,
      outbound ? 'OutboundFailure' : 'InternalServerError',
      'ServiceUnavailable',
    ),
  },
  'x-graphql': graphql,
});

/** What can be wrong with a request that carries a body, before its meaning is looked at. */
export const bodyFaults: RefusalName[] = [
  'InvalidRequestBody',
  'NotAcceptable',
  'TypeNotSupported',
];

/** The same of one that needs none. */
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
  204: { description, headers: named('X-Request-Id') },
});

/** The parameter `{id}` of a path. */
export const idOf = (noun: string) => ({
  name: 'id',
  in: 'path',
  required: true,
  description: `Id of the ${noun}; anything that no ${noun} can have as its id is not found.`,
  schema: { type: 'integer', minimum: 1, maximum: 2_147_483_647 },
});

/** An answer that sends the client to another service. */
export const elsewhere = (description: string): Answers => ({
  303: { description, headers: named('X-Request-Id', 'Private-Cache-Control', 'Location') },
});

const queryParameter = (name: string, description: string, schema: object) => ({
  name,
  in: 'query',
  description,
  schema,
});

/** The parameters of a page. */
export const pageParameters = (size = 20) => [
  queryParameter('offset', 'Number of the page, from 1.', { type: 'integer', default: 1 }),
  queryParameter('pageSize', 'How many at most: more than 1000 is 1000, and so is -1.', {
    type: 'integer',
    default: size,
  }),
];

export const filterParameter = (description: string) =>
  queryParameter('filters', description, { type: 'string', contentMediaType: 'application/json' });

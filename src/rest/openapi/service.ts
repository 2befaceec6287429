/** The operations on the service itself and on the one who asks. */
import { named } from './headers.js';
import { hal, operation } from './operations.js';
import { refused } from './errors.js';
import { ref } from './shapes.js';

const tag = 'Service';

export const servicePaths = {
  '/': {
    get: operation({
      operationId: 'viewRoot',
      tag,
      summary: 'View the root',
      graphql: 'viewer',
      description:
        'Where clients start: who they are and where the settings stand (interface section 9).',
      answers: hal(200, 'Root', 'The root.'),
    }),
  },
  '/configuration': {
    get: operation({
      operationId: 'viewConfiguration',
      tag,
      summary: 'View the configuration',
      graphql: 'configuration',
      description:
        'Settings that clients need to know, such as the maximum file size (interface section 8).',
      answers: hal(200, 'Configuration', 'The configuration.'),
    }),
  },
  '/users/me': {
    get: operation({
      operationId: 'viewMe',
      tag: 'Users',
      summary: 'View oneself',
      graphql: 'viewer',
      description:
        'The user whose credentials were presented; without any the anonymous visitor (interface section 5).',
      answers: hal(200, 'User', 'Who is asking.'),
    }),
  },
  '/spec.json': {
    get: {
      operationId: 'viewDescription',
      tags: [tag],
      summary: 'View this description',
      description: 'This document (interface section 4), in the words of the configured profile.',
      responses: {
        200: {
          description: 'An OpenAPI document.',
          headers: named(
            'X-Request-Id',
            'X-Content-Type-Options',
            'Cache-Control',
            'Content-Length',
          ),
          content: { 'application/json': { schema: ref('ApiDescription') } },
        },
        ...refused('Unauthenticated', 'InternalServerError'),
      },
      'x-graphql': null,
      'x-graphql-reason': 'Clients of the graph read its schema instead.',
    },
  },
};

/** The operations on the service itself and on the calling user. */
import { headerRefs } from './headers.js';
import { bodyFaults, hal, noGraphql, operation, queryParameter } from './operation-parts.js';
import { errorReferences } from './errors.js';
import { ref } from './shapes.js';

const tag = 'Service';

export const servicePaths = {
  '/': {
    get: operation({
      operationId: 'viewRoot',
      tag,
      summary: 'View the root',
      graphql: 'viewer',
      description: 'Where clients start: links to the calling user and to the settings.',
      answers: hal(200, 'Root', 'The root.'),
    }),
  },
  '/configuration': {
    get: operation({
      operationId: 'viewConfiguration',
      tag,
      summary: 'View the configuration',
      graphql: 'configuration',
      description: 'Settings that clients need to know, such as the maximum file size.',
      answers: hal(200, 'Configuration', 'The configuration.'),
    }),
  },
  '/render/markdown': {
    post: {
      ...operation({
        operationId: 'renderMarkdown',
        tag,
        summary: 'Render Markdown',
        graphql: '',
        description: 'For a preview. Raw HTML in the text is shown as text.',
        parameters: [
          queryParameter(
            'context',
            'Address of the document to which the text belongs. It changes nothing.',
            { type: 'string' },
          ),
        ],
        body: {
          description: 'The text.',
          required: true,
          content: { 'text/plain': { schema: { type: 'string' } } },
        },
        answers: {
          200: {
            description: 'The HTML.',
            headers: headerRefs(
              'X-Request-Id',
              'X-Content-Type-Options',
              'Cache-Control',
              'Content-Security-Policy',
              'Content-Length',
            ),
            content: { 'text/html': {} },
          },
        },
        refusals: bodyFaults,
      }),
      ...noGraphql('In GraphQL, every text has its HTML.'),
    },
  },
  '/users/me': {
    get: operation({
      operationId: 'viewMe',
      tag: 'Users',
      summary: 'View the calling user',
      graphql: 'viewer',
      description: 'The user of the credentials. Without credentials, the anonymous user.',
      answers: hal(200, 'User', 'The calling user.'),
    }),
  },
  '/spec.json': {
    get: {
      operationId: 'viewDescription',
      tags: [tag],
      summary: 'View this description',
      description: 'This document, for the configured profile.',
      responses: {
        200: {
          description: 'An OpenAPI document.',
          headers: headerRefs(
            'X-Request-Id',
            'X-Content-Type-Options',
            'Cache-Control',
            'Content-Length',
          ),
          content: { 'application/json': { schema: ref('ApiDescription') } },
        },
        ...errorReferences('Unauthenticated', 'InternalServerError'),
      },
      'x-graphql': null,
      'x-graphql-reason': 'GraphQL clients read the schema instead.',
    },
  },
};

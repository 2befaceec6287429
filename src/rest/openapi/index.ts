/** The whole HAL interface as an OpenAPI 3.1 document, written by hand; the tests check every answer against it. */
import type { Profile } from '../../profile.js';
import { version } from '../../version.js';
import { attachmentPaths } from './attachments.js';
import { containerPaths } from './containers.js';
import { errorResponses, errorSchemas } from './errors.js';
import { headers } from './headers.js';
import { schemas } from './schemas.js';
import { servicePaths } from './service.js';

const introduction = [
  'Attachments of work packages, activities, meetings, posts and wiki pages as HAL documents. The sections named here are those of the interface document.',
  'Existence is hidden: what a client may not see is 404, byte for byte like what does not exist.',
  'A path may end with a slash. `HEAD` is answered wherever `GET` is, and `OPTIONS` names the methods of a path in `Allow`.',
  'Not repeated at each operation: 404 for unknown paths, 405 for other methods, 400, 408 and 431 for requests that HTTP itself refuses; their bodies are those of the responses of that name.',
].join('\n\n');

const tags = {
  Attachments: 'Files, alone and of each container (interface 4.1).',
  'Work packages': 'Containers with a history.',
  Activities: 'Comments and records of changes of work packages.',
  Meetings: 'Containers.',
  Posts: 'Containers: forum messages.',
  'Wiki pages': 'Containers.',
  Projects: 'The scope of permissions.',
  Users: 'Authors.',
  Service: 'The service itself.',
};

export const openApi = (profile: Profile): object => ({
  openapi: '3.1.1',
  info: { title: 'Moorage attachments', version, description: introduction, license: { name: 'MIT', identifier: 'MIT' } },
  servers: [{ url: '/api/v3' }],
  tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
  security: [{ basic: [] }, { bearer: [] }, {}],
  paths: { ...servicePaths, ...attachmentPaths(profile), ...containerPaths },
  components: {
    securitySchemes: {
      basic: { type: 'http', scheme: 'basic', description: 'The user name `apikey` with a personal API key as password.' },
      bearer: { type: 'http', scheme: 'bearer', description: 'A personal API key.' },
    },
    schemas: { ...schemas, ...errorSchemas(profile) },
    responses: errorResponses(profile),
    headers,
  },
});

/** The whole HAL interface as an OpenAPI 3.1 document, written by hand; the tests check every answer against it. */
import type { Profile } from '../../contract/profiles.js';
import { containerKinds, containerTypes } from '../../contract/container-kinds.js';
import { listed } from '../../contract/words.js';
import { version } from '../../contract/version.js';
import { attachmentPaths } from './attachments.js';
import { containerPaths } from './containers.js';
import { errorResponses, errorSchemas } from './errors.js';
import { fileLinkPaths } from './file-links.js';
import { headers } from './headers.js';
import { schemas } from './schemas.js';
import { servicePaths } from './service.js';
import { storageSchemas } from './storage-schemas.js';
import { storagePaths } from './storages.js';

const introduction = [
  `Attachments of ${listed(
    containerTypes.map((type) => containerKinds[type].tag.toLowerCase()),
    'and',
  )} as HAL documents. The sections named here are those of the interface document.`,
  'Existence is hidden: what a client may not see is 404, byte for byte like what does not exist.',
  'A path may end with a slash. `HEAD` is answered wherever `GET` is, and `OPTIONS` names the methods of a path in `Allow`.',
  'Not repeated at each operation: 404 for unknown paths, 405 for other methods, 403 for access tokens without the scope `api_v3`, 400, 408 and 431 for requests that HTTP itself refuses; their bodies are those of the responses of that name.',
].join('\n\n');

const tags = {
  Attachments: 'Files, alone and of each container (interface 4.1).',
  ...Object.fromEntries(
    containerTypes.map((type) => [containerKinds[type].tag, containerKinds[type].about]),
  ),
  Projects: 'The scope of permissions.',
  Users: 'Authors.',
  Storages:
    'External file services, the projects that use them, and their OAuth records (interface 4.5).',
  'File links': 'Links from work packages to files in storages (interface 4.4).',
  Service: 'The service itself.',
};

export const openApi = (profile: Profile): object => ({
  openapi: '3.1.1',
  info: {
    title: 'Moorage attachments',
    version,
    description: introduction,
    license: { name: 'MIT', identifier: 'MIT' },
  },
  servers: [{ url: '/api/v3' }],
  tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
  security: [{ basic: [] }, { bearer: [] }, {}],
  paths: {
    ...servicePaths,
    ...attachmentPaths(profile),
    ...containerPaths,
    ...storagePaths(profile),
    ...fileLinkPaths(profile),
  },
  components: {
    securitySchemes: {
      basic: {
        type: 'http',
        scheme: 'basic',
        description: 'The user name `apikey` with a personal API key as password.',
      },
      bearer: {
        type: 'http',
        scheme: 'bearer',
        description:
          "A personal API key, or an access token with the scope `api_v3`: of this service's own authorization server (`/.well-known/oauth-authorization-server`), or a JWT of the configured OpenID provider.",
      },
    },
    schemas: { ...schemas, ...storageSchemas(profile), ...errorSchemas(profile) },
    responses: errorResponses(profile),
    headers,
  },
});

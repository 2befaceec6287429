/** The OpenAPI 3.1 description of the HAL interface. The tests check every answer against it. */
import type { Profile } from '../src/contract/profiles.js';
import { containerKinds, containerTypes } from '../src/contract/container-kinds.js';
import { joinedList } from '../src/contract/words.js';
import { version } from '../src/contract/version.js';
import { attachmentPaths } from './attachments.js';
import { containerPaths } from './containers.js';
import { errorResponses, errorSchemas } from './errors.js';
import { fileLinkPaths } from './file-links.js';
import { headers } from './headers.js';
import { schemas } from './schemas.js';
import { enumsIn } from './derive.js';
import { withExamples } from './examples.js';
import { fileSchemas } from './file-schemas.js';
import { listPaths } from './lists.js';
import { listSchemas } from './list-schemas.js';
import { notificationPaths, notificationSchemas } from './notifications.js';
import { membershipPaths } from './memberships.js';
import { membershipSchemas } from './membership-schemas.js';
import { servicePaths } from './service.js';
import { storageSchemas } from './storage-schemas.js';
import { storagePaths } from './storages.js';

const introduction = [
  `Attachments of ${joinedList(
    containerTypes.map((type) => containerKinds[type].tag.toLowerCase()),
    'and',
  )}, and links to files in external storages, as HAL documents.`,
  'A resource that the client cannot see answers 404, exactly like one that does not exist.',
  'A path may end with a slash. Every path that supports `GET` supports `HEAD`, ' +
    'and `OPTIONS` answers with the methods of a path in `Allow`.',
  'Some refusals are the same everywhere, and the operations do not repeat them: ' +
    '400 `InvalidQuery` for query parameters that the operation does not have, ' +
    '404 for unknown paths, 405 for other methods, 403 for access tokens without ' +
    'the scope `api_v3`, and 400, 408 and 431 for requests that HTTP refuses. ' +
    'Their bodies are in `components/responses`.',
  'The examples show one client after the other: the ids in them belong to the same data.',
].join('\n\n');

const tags = {
  Attachments: 'Files, with and without a container.',
  ...Object.fromEntries(
    containerTypes.map((type) => [containerKinds[type].tag, containerKinds[type].about]),
  ),
  Projects: 'The scope of memberships and permissions.',
  Users: 'The users of the service.',
  Notifications: 'What others added to work packages that concern the client.',
  Storages: 'External file services, their use by projects, and their OAuth records.',
  'File links': 'Links from work packages to files in storages.',
  Service: 'The service itself.',
};

/** Without the enums of GraphQL, which are added if something refers to them. */
const withoutEnums = (profile: Profile) => ({
  paths: {
    ...servicePaths,
    ...attachmentPaths(profile),
    ...mergedPaths(containerPaths, listPaths),
    ...notificationPaths,
    ...membershipPaths,
    ...storagePaths(profile),
    ...fileLinkPaths(profile),
  },
  schemas: {
    ...schemas(profile),
    ...listSchemas(profile),
    ...notificationSchemas,
    ...membershipSchemas,
    ...storageSchemas(profile),
    ...fileSchemas(profile),
    ...errorSchemas(profile),
  },
});

/** Two files can describe operations of one path. */
const mergedPaths = (...parts: { [path: string]: object }[]): { [path: string]: object } => {
  const merged: { [path: string]: object } = {};
  for (const part of parts)
    for (const [path, item] of Object.entries(part)) merged[path] = { ...merged[path], ...item };
  return merged;
};

export function openApi(profile: Profile): object {
  const { paths, schemas: documents } = withoutEnums(profile);
  return {
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
    paths: withExamples(profile, paths),
    components: {
      securitySchemes,
      schemas: { ...documents, ...enumsIn({ documents, paths }) },
      responses: errorResponses(profile),
      headers,
    },
  };
}

const securitySchemes = {
  basic: {
    type: 'http',
    scheme: 'basic',
    description: 'The user name `apikey` with a personal API key as password.',
  },
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description:
      'A personal API key, or an access token with the scope `api_v3`. The token comes from this ' +
      'service (`/.well-known/oauth-authorization-server`), or is a JWT of the configured OpenID ' +
      'provider.',
  },
};

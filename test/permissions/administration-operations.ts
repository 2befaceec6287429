/** The requests of administrators about people, roles, projects and applications. GraphQL only. */
import type { administrationOperations, endings } from './expected-administration.js';
import { overGraphql, queryGraphql, type Client, type OperationRequests } from './requests.js';
import type { Subject } from './targets.js';

type AdministrationOperation = (typeof administrationOperations)[number] | (typeof endings)[number];

const another = () => Math.random().toString(36).slice(2);

/** A mutation with an input that is made for each request. */
const mutation = (
  name: string,
  inputOf: (subject: Subject) => object,
  consumes = false,
): OperationRequests => ({
  writes: true,
  consumes,
  graphql: (client: Client, subject: Subject) =>
    queryGraphql(
      client,
      `mutation ($input: ${name[0]!.toUpperCase()}${name.slice(1)}Input!) { ${name}(input: $input) { __typename } }`,
      { input: inputOf(subject) },
    ),
});
const person = ({ authorId }: Subject) => ({ id: String(authorId) });
const administered = ({ administeredId }: Subject) => ({ id: String(administeredId) });
const member = ({ authorId, projectId }: Subject) => ({
  userId: String(authorId),
  projectId: String(projectId),
});
const query = (text: string): OperationRequests => ({
  graphql: (client) => queryGraphql(client, `{ ${text} }`, {}),
});
const IMPORT =
  'mutation ($file: Upload!) { importDirectory(input: { file: $file }) { errorCount } }';

export const WEBHOOK = { url: 'http://127.0.0.1:9/hook', events: ['ATTACHMENT_CREATED'] };

export const administrationRequests: {
  readonly [operation in AdministrationOperation]: OperationRequests;
} = {
  'create user': mutation('createUser', () => ({ login: another(), firstName: 'New' })),
  'update user': mutation('updateUser', (subject) => ({ ...person(subject), lastName: another() })),
  'lock user': mutation('lockUser', person, true),
  'set password of user': mutation('setUserPassword', (subject) => ({
    ...person(subject),
    password: another(),
  })),
  'erase user': mutation('eraseUser', person, true),
  'create role': mutation('createRole', () => ({ name: another(), permissions: [] })),
  'create project': mutation('createProject', () => ({ identifier: another(), name: 'New' })),
  'update project': mutation('updateProject', ({ projectId }) => ({
    id: String(projectId),
    name: another(),
  })),
  'create OAuth application': mutation('createOAuthApplication', () => ({
    name: 'New',
    redirectUris: ['https://cloud.example.test/back'],
  })),
  'unlock user': mutation('unlockUser', person, true),
  'update role': mutation('updateRole', (subject) => ({
    ...administered(subject),
    name: another(),
  })),
  'delete role': mutation('deleteRole', administered, true),
  'set membership': mutation(
    'setMembership',
    (subject) => ({ ...member(subject), roleIds: [String(subject.administeredId)] }),
    true,
  ),
  'remove membership': mutation('removeMembership', member, true),
  'import directory': {
    writes: true,
    graphql: async ({ app, person }) => {
      const users = [{ login: another(), firstName: 'New', lastName: 'N' }];
      return overGraphql(await app.graphqlUpload(IMPORT, {}, JSON.stringify({ users }), person));
    },
  },
  'delete OAuth application': mutation('deleteOAuthApplication', administered, true),
  'create webhook': mutation('createWebhook', () => WEBHOOK),
  'update webhook': mutation('updateWebhook', (subject) => ({
    ...administered(subject),
    enabled: Math.random() < 0.5,
    url: `${WEBHOOK.url}/${another()}`,
  })),
  'delete webhook': mutation('deleteWebhook', administered, true),
  'rotate webhook secret': mutation('rotateWebhookSecret', administered),
  'redeliver event': mutation('redeliverEvent', administered),
  'list webhooks': query('webhooks { totalCount }'),
  'list files in quarantine': query('quarantinedAttachments { totalCount }'),
  'end sessions of user': mutation(
    'endSessionsOf',
    ({ authorId }) => ({ userId: String(authorId) }),
    true,
  ),
  'view audit': query('auditEvents { totalCount }'),
  'view usage': query('storageUsage { bytes }'),
  'view state of system': query('systemState { version }'),
  'end session': mutation('endSession', administered, true),
  'end authorization': mutation('endAuthorization', administered, true),
  'end connection': mutation('endConnection', administered, true),
  'view sessions of user': {
    graphql: (client, { authorId }) =>
      queryGraphql(
        client,
        'query ($id: ID!) { usersSessions(userId: $id) { nodes { databaseId } } }',
        { id: String(authorId) },
      ),
  },
};

/** The requests of every operation, over REST and GraphQL, with the links and fields that offer it. */
import type { App } from '../support/app.js';
import { prepare } from '../support/direct-upload.js';
import {
  queryGraphql,
  inList,
  isNode,
  cachedGet,
  cached,
  overGraphql,
  rest,
  type Client,
  type OperationRequests,
  type Result,
} from './requests.js';
import { protocolsOf, type Kind, type Operation } from './expected.js';
import { attachmentRequests } from './attachment-operations.js';
import { fileRequests } from './file-operations.js';
import { administrationRequests } from './administration-operations.js';
import { listRequests } from './list-operations.js';
import { notificationRequests } from './notification-operations.js';
import { MISSING, type Subject } from './targets.js';
import { containerKindOf } from './fixtures.js';

const field = (kind: Kind): string => {
  const type = containerKindOf(kind);
  return type[0]!.toLowerCase() + type.slice(1);
};
const isComment = (kind: Kind) => containerKindOf(kind) === 'Activity';
const isWorkPackage = (kind: Kind) => kind === 'work package';
const nameOf = (kind: Kind): 'subject' | 'title' =>
  kind === 'work package' || kind === 'post' ? 'subject' : 'title';
/** The name of the kind in mutations. Comments have a different one there. */
const mutationNoun = (kind: Kind) => (isComment(kind) ? 'Comment' : containerKindOf(kind));
const linksTo = (ids: number[] | undefined) =>
  ids && { attachments: ids.map((id) => ({ href: `/api/v3/attachments/${id}` })) };

const CONTAINER =
  'databaseId viewerCanAddAttachment viewerCanPrepareAttachment viewerCanUpdate viewerCanDelete attachments { nodes { databaseId viewerCanDelete } }';

const containerOver = {
  rest: ({ app, person }: Client, { container }: Subject) => app.get(container!.path, person),
  graphql: (client: Client, { kind, container }: Subject) =>
    queryGraphql(
      client,
      `query ($id: ID!) { container: ${field(kind)}(id: $id) { ${CONTAINER} } }`,
      {
        id: container!.globalId,
      },
    ),
};
/** The container, read once for each caller. It has the links and fields that offer operations. */
const cachedContainer = {
  rest: (client: Client, subject: Subject) => cachedGet(client, subject.container!.path),
  graphql: (client: Client, subject: Subject) =>
    cached(client, subject.container!.globalId, () => containerOver.graphql(client, subject)),
};
const containerLink = (name: string) => async (client: Client, subject: Subject) =>
  name in (await cachedContainer.rest(client, subject)).body._links;
const containerField = (name: string) => async (client: Client, subject: Subject) =>
  (await cachedContainer.graphql(client, subject)).body.container[name] as boolean;

const shows = (rows: any[], key: string, id: number) =>
  rows.find((row) => row[key] === id) ?? (id === MISSING && rows.length === 0);

async function create(
  client: Client,
  { kind, projectId, workPackage }: Subject,
  protocol: 'REST' | 'GraphQL',
  attachmentIds?: number[],
): Promise<Result> {
  const { app, person } = client;
  const internal = kind === 'internal comment';
  if (protocol === 'GraphQL') {
    const noun = mutationNoun(kind);
    const input = {
      ...(isComment(kind)
        ? { workPackageId: workPackage.globalId, comment: 'Hello', internal }
        : { projectId: String(projectId), [nameOf(kind)]: 'New' }),
      ...(attachmentIds && { attachmentIds: attachmentIds.map(String) }),
    };
    return queryGraphql(
      client,
      `mutation ($input: Create${noun}Input!) { done: create${noun}(input: $input) { container: ${isComment(kind) ? 'comment' : field(kind)} { ${CONTAINER} } } }`,
      { input },
    );
  }
  const _links = linksTo(attachmentIds);
  if (isComment(kind))
    return rest(
      app.post(`${workPackage.path}/activities`, person, {
        comment: { raw: 'Hello' },
        internal,
        ...(_links && { _links }),
      }),
    );
  return rest(
    app.post(`/api/v3/projects/${projectId}/work_packages`, person, {
      subject: 'New',
      ...(_links && { _links }),
    }),
  );
}

async function update(
  client: Client,
  { kind, container }: Subject,
  protocol: 'REST' | 'GraphQL',
  attachmentIds?: number[],
): Promise<Result> {
  if (protocol === 'GraphQL') {
    const noun = mutationNoun(kind);
    const input = {
      id: container!.globalId,
      ...(attachmentIds
        ? { attachmentIds: attachmentIds.map(String) }
        : isComment(kind)
          ? { comment: 'Changed' }
          : { [nameOf(kind)]: 'Changed' }),
    };
    return queryGraphql(
      client,
      `mutation ($input: Update${noun}Input!) { done: update${noun}(input: $input) { container: ${isComment(kind) ? 'comment' : field(kind)} { ${CONTAINER} } } }`,
      { input },
    );
  }
  const body = attachmentIds
    ? { _links: linksTo(attachmentIds) }
    : isComment(kind)
      ? { comment: { raw: 'Changed' } }
      : { subject: 'Changed' };
  return rest(client.app.patch(container!.path, client.person, body));
}

/** After a successful claim the container shows the claimed attachment. */
const claim = (write: typeof create): OperationRequests => ({
  writes: true,
  consumes: true,
  async rest(client, subject) {
    const result = await write(client, subject, 'REST', [subject.claimedId]);
    const shown =
      result.outcome === 'ok' &&
      shows(result.body._embedded.attachments._embedded.elements, 'id', subject.claimedId);
    return result.outcome === 'ok' && !shown
      ? { ...result, outcome: 'ok, but nothing was claimed' }
      : result;
  },
  async graphql(client, subject) {
    const result = await write(client, subject, 'GraphQL', [subject.claimedId]);
    const shown =
      result.outcome === 'ok' &&
      shows(result.body.done.container.attachments.nodes, 'databaseId', subject.claimedId);
    return result.outcome === 'ok' && !shown
      ? { ...result, outcome: 'ok, but nothing was claimed' }
      : result;
  },
});

const UPLOAD =
  'mutation ($file: Upload!, $containerId: ID) { createAttachment(input: { file: $file, fileName: "new.txt", containerId: $containerId }) { attachment { databaseId } } }';

/** Follows an address that needs no credentials. */
const follow = ({ app }: Client, href: string) => rest(app.get(href.slice(app.url.length)));

const NEW_UPLOAD = { fileName: 'new.txt', fileSize: 3 };
const PREPARE =
  'mutation ($input: PrepareAttachmentUploadInput!) { prepareAttachmentUpload(input: $input) { upload { databaseId } } }';

export const requests: { readonly [operation in Operation]: OperationRequests } = {
  'view attachment': {
    rest: ({ app, person }, { attachmentId }) =>
      rest(app.get(`/api/v3/attachments/${attachmentId}`, person)),
    graphql: (client, { attachmentId }) =>
      queryGraphql(
        client,
        'query ($id: ID!) { attachment(id: $id) { databaseId fileName author { name } container { databaseId } } }',
        { id: String(attachmentId) },
      ),
    alsoVisible: async (client, { attachmentId }) =>
      (
        await queryGraphql(client, 'query ($id: ID!) { node(id: $id) { id } }', {
          id: Buffer.from(`Attachment:${attachmentId}`).toString('base64url'),
        })
      ).body.node !== null,
  },
  'download content': {
    rest: ({ app, person }, { attachmentId }) =>
      rest(app.get(`/api/v3/attachments/${attachmentId}/content`, person)),
    graphql: async (client, { attachmentId }) => {
      const result = await queryGraphql(
        client,
        'query ($id: ID!) { attachment(id: $id) { contentAddress { href } } }',
        { id: String(attachmentId) },
      );
      return result.outcome === 'ok'
        ? follow(client, result.body.attachment.contentAddress.href)
        : result;
    },
    alsoVisible: async ({ app, person }, { attachmentId }) =>
      (await app.request('HEAD', `/api/v3/attachments/${attachmentId}/content`, { as: person }))
        .status === 200,
    offers: {
      viewerCanDownload: {
        isOffered: async (client, { attachmentId }) =>
          (
            await queryGraphql(
              client,
              'query ($id: ID!) { attachment(id: $id) { viewerCanDownload } }',
              { id: String(attachmentId) },
            )
          ).body.attachment.viewerCanDownload,
      },
    },
  },
  'update attachment': {
    writes: true,
    graphql: (client, { attachmentId }) =>
      queryGraphql(
        client,
        'mutation ($id: ID!, $text: String!) { updateAttachment(input: { id: $id, description: $text }) { attachment { databaseId } } }',
        { id: String(attachmentId), text: `changed ${Math.random()}` },
      ),
    offers: {
      viewerCanUpdate: {
        isOffered: async (client, { attachmentId }) =>
          (
            await queryGraphql(
              client,
              'query ($id: ID!) { attachment(id: $id) { viewerCanUpdate } }',
              { id: String(attachmentId) },
            )
          ).body.attachment.viewerCanUpdate as boolean,
      },
    },
  },
  'delete many attachments': {
    writes: true,
    consumes: true,
    graphql: (client, { attachmentId }) =>
      queryGraphql(
        client,
        'mutation ($ids: [ID!]!) { deleteAttachments(input: { ids: $ids }) { deletedAttachmentIds } }',
        { ids: [String(attachmentId)] },
      ),
  },
  'copy attachment': {
    writes: true,
    graphql: (client, { attachmentId, container }) =>
      queryGraphql(
        client,
        'mutation ($ids: [ID!]!, $to: ID!) { copyAttachments(input: { ids: $ids, to: $to }) { attachments { databaseId } } }',
        { ids: [String(attachmentId)], to: container!.globalId },
      ),
  },
  'delete attachment': {
    writes: true,
    consumes: true,
    rest: ({ app, person }, { attachmentId }) =>
      rest(app.delete(`/api/v3/attachments/${attachmentId}`, person)),
    graphql: (client, { attachmentId }) =>
      queryGraphql(
        client,
        'mutation ($id: ID!) { deleteAttachment(input: { id: $id }) { deletedAttachmentId } }',
        { id: String(attachmentId) },
      ),
    offers: {
      'the delete link': {
        isOffered: async (client, { attachmentId }) =>
          'delete' in (await cachedGet(client, `/api/v3/attachments/${attachmentId}`)).body._links,
      },
      'the delete link in the list': {
        appliesTo: (kind) => !kind.endsWith('unclaimed'),
        isOffered: async ({ app, person }, { container, attachmentId }) =>
          'delete' in
          shows(
            (await app.get(container!.attachments, person)).body._embedded.elements,
            'id',
            attachmentId,
          )._links,
      },
      viewerCanDelete: {
        isOffered: async (client, { attachmentId }) =>
          (
            await queryGraphql(
              client,
              'query ($id: ID!) { attachment(id: $id) { viewerCanDelete } }',
              {
                id: String(attachmentId),
              },
            )
          ).body.attachment.viewerCanDelete,
      },
      'viewerCanDelete in the list': {
        appliesTo: (kind) => !kind.endsWith('unclaimed'),
        isOffered: async (client, subject) =>
          shows(
            (await cachedContainer.graphql(client, subject)).body.container.attachments.nodes,
            'databaseId',
            subject.attachmentId,
          ).viewerCanDelete,
      },
    },
  },
  'download archive': {
    rest: ({ app, person }, { container }) =>
      rest(app.get(`${container!.attachments}/archive`, person)),
    graphql: async (client, { kind, container }) => {
      const result = await queryGraphql(
        client,
        `query ($id: ID!) { container: ${field(kind)}(id: $id) { attachmentsArchive { href } } }`,
        { id: container!.globalId },
      );
      return result.outcome === 'ok'
        ? follow(client, result.body.container.attachmentsArchive.href)
        : result;
    },
  },
  'list attachments': {
    rest: async ({ app, person }, { container, attachmentId }) => {
      const result = await rest(app.get(container!.attachments, person));
      return result.outcome === 'ok' && !shows(result.body._embedded.elements, 'id', attachmentId)
        ? { ...result, outcome: 'out' }
        : result;
    },
    graphql: async (client, { kind, container, attachmentId }) => {
      const result = await queryGraphql(
        client,
        `query ($id: ID!) { container: ${field(kind)}(id: $id) { attachments { totalCount nodes { databaseId fileName } } } }`,
        { id: container!.globalId },
      );
      return result.outcome === 'ok' &&
        !shows(result.body.container.attachments.nodes, 'databaseId', attachmentId)
        ? { ...result, outcome: 'out' }
        : result;
    },
  },
  'list activities': {
    rest: async ({ app, person }, { container }) => {
      const result = await rest(
        app.get(`${await historyOf(app, container!.id)}/activities`, person),
      );
      return result.outcome === 'ok' && !shows(result.body._embedded.elements, 'id', container!.id)
        ? { ...result, outcome: 'out' }
        : result;
    },
    graphql: async (client, { container }) => {
      const id = (await historyOf(client.app, container!.id)).split('/').at(-1);
      const result = await queryGraphql(
        client,
        'query ($id: ID!) { workPackage(id: $id) { activities { totalCount nodes { databaseId } } } }',
        { id },
      );
      return result.outcome === 'ok' &&
        !shows(result.body.workPackage.activities.nodes, 'databaseId', container!.id)
        ? { ...result, outcome: 'out' }
        : result;
    },
  },
  'view container': {
    rest: (client, subject) => rest(containerOver.rest(client, subject)),
    graphql: containerOver.graphql,
    alsoVisible: async (client, { container }) =>
      (
        await queryGraphql(client, 'query ($id: ID!) { node(id: $id) { id } }', {
          id: container!.globalId,
        })
      ).body.node !== null,
  },
  'add attachment': {
    writes: true,
    rest: ({ app, person }, { container }) =>
      rest(app.upload(container!.attachments, { as: person, fileName: 'new.txt' })),
    graphql: async ({ app, person }, { container }) =>
      overGraphql(
        await app.graphqlUpload(UPLOAD, { containerId: container!.globalId }, 'some text', person),
      ),
    offers: {
      'the addAttachment link': { isOffered: containerLink('addAttachment') },
      viewerCanAddAttachment: { isOffered: containerField('viewerCanAddAttachment') },
    },
  },
  'create unclaimed attachment': {
    writes: true,
    rest: ({ app, person }) =>
      rest(app.upload('/api/v3/attachments', { as: person, fileName: 'new.txt' })),
    graphql: async ({ app, person }) =>
      overGraphql(await app.graphqlUpload(UPLOAD, {}, 'some text', person)),
  },
  'prepare upload': {
    writes: true,
    rest: ({ app, person }, { container }) =>
      rest(prepare(app, `${container!.attachments}/prepare`, person, NEW_UPLOAD)),
    graphql: (client, { container }) =>
      queryGraphql(client, PREPARE, { input: { ...NEW_UPLOAD, containerId: container!.globalId } }),
    offers: {
      'the prepareAttachment link': { isOffered: containerLink('prepareAttachment') },
      viewerCanPrepareAttachment: { isOffered: containerField('viewerCanPrepareAttachment') },
    },
  },
  'prepare unclaimed upload': {
    writes: true,
    rest: ({ app, person }) =>
      rest(prepare(app, '/api/v3/attachments/prepare', person, NEW_UPLOAD)),
    graphql: (client) => queryGraphql(client, PREPARE, { input: NEW_UPLOAD }),
  },
  'complete upload': {
    writes: true,
    consumes: true,
    rest: ({ app, person }, { attachmentId }) =>
      rest(app.get(`/api/v3/attachments/${attachmentId}/uploaded`, person)),
    graphql: (client, { attachmentId }) =>
      queryGraphql(
        client,
        'mutation ($id: ID!) { completeAttachmentUpload(input: { id: $id }) { attachment { databaseId status } } }',
        { id: String(attachmentId) },
      ),
    alsoVisible: async ({ app, person }, { attachmentId }) =>
      (await app.get(`/api/v3/attachments/${attachmentId}`, person)).status === 200,
  },
  'release attachment': {
    writes: true,
    consumes: true,
    graphql: (client, { attachmentId }) =>
      queryGraphql(
        client,
        'mutation ($id: ID!) { releaseAttachment(input: { id: $id }) { attachment { databaseId status } } }',
        { id: String(attachmentId) },
      ),
  },
  'create container': {
    writes: true,
    rest: (client, subject) => create(client, subject, 'REST'),
    graphql: (client, subject) => create(client, subject, 'GraphQL'),
    offers: {
      'the createWorkPackageImmediately link': {
        appliesTo: isWorkPackage,
        isOffered: async (client, { projectId }) =>
          'createWorkPackageImmediately' in
          (await cachedGet(client, `/api/v3/projects/${projectId}`)).body._links,
      },
      'viewerCanCreate…': {
        appliesTo: (kind) => !isComment(kind),
        isOffered: (client, subject) =>
          projectField(`viewerCanCreate${containerKindOf(subject.kind)}`)(client, subject),
      },
      'the addComment link': {
        appliesTo: (kind) => kind === 'comment',
        isOffered: async (client, { workPackage }) =>
          'addComment' in (await cachedGet(client, workPackage.path)).body._links,
      },
      'viewerCanComment…': {
        appliesTo: isComment,
        isOffered: async (client, { kind, workPackage }) =>
          (
            await queryGraphql(
              client,
              `query ($id: ID!) { workPackage(id: $id) { may: viewerCanComment${kind === 'comment' ? '' : 'Internally'} } }`,
              { id: workPackage.globalId },
            )
          ).body.workPackage.may,
      },
    },
  },
  'update container': {
    writes: true,
    rest: (client, subject) => update(client, subject, 'REST'),
    graphql: (client, subject) => update(client, subject, 'GraphQL'),
    offers: {
      'the updateImmediately link': {
        appliesTo: isWorkPackage,
        isOffered: containerLink('updateImmediately'),
      },
      'the update link': { appliesTo: isComment, isOffered: containerLink('update') },
      viewerCanUpdate: { isOffered: containerField('viewerCanUpdate') },
    },
  },
  'delete container': {
    writes: true,
    consumes: true,
    graphql: (client, { kind, container }) =>
      queryGraphql(
        client,
        `mutation ($id: ID!) { done: delete${mutationNoun(kind)}(input: { id: $id }) { deleted${containerKindOf(kind)}Id } }`,
        { id: container!.globalId },
      ),
    offers: { viewerCanDelete: { isOffered: containerField('viewerCanDelete') } },
  },
  'claim own on create': claim(create),
  "claim another's on create": claim(create),
  'claim own on update': claim(update),
  "claim another's on update": claim(update),
  'claim claimed on update': claim(update),
  // Many kinds share one author and one project, so each request is sent once.
  'view author': {
    rest: (client, { authorId }) => cachedGet(client, `/api/v3/users/${authorId}`),
    graphql: (client, { authorId }) =>
      cached(client, `user ${authorId}`, () =>
        queryGraphql(client, 'query ($id: ID!) { user(id: $id) { databaseId name } }', {
          id: String(authorId),
        }),
      ),
  },
  'view project': {
    rest: (client, { projectId }) => cachedGet(client, `/api/v3/projects/${projectId}`),
    graphql: (client, { projectId }) =>
      cached(client, `project ${projectId}`, () =>
        queryGraphql(client, 'query ($id: ID!) { project(id: $id) { databaseId name } }', {
          id: String(projectId),
        }),
      ),
  },
  'list contents': {
    graphql: async (client, { kind, projectId, container }) => {
      const list = `${field(kind)}s`;
      return inList(
        await queryGraphql(
          client,
          `query ($id: ID!) { project(id: $id) { rows: ${list}(last: 100) { nodes { databaseId } } } }`,
          { id: String(projectId) },
        ),
        (body) =>
          body.project.rows.nodes.map(({ databaseId }: { databaseId: number }) => databaseId),
        container!.id,
      );
    },
  },
  'list memberships': {
    rest: async (client, { projectId }) =>
      inList(
        await cachedGet(client, '/api/v3/memberships?pageSize=1000'),
        (body) =>
          body._embedded.elements.map(({ _links }: any) =>
            Number(_links.project.href.replace('/api/v3/projects/', '')),
          ),
        projectId,
      ),
    graphql: async (client, { projectId }) =>
      inList(
        await queryGraphql(client, '{ memberships { nodes { project { databaseId } } } }', {}),
        (body) => body.memberships.nodes.map(({ project }: any) => project.databaseId),
        projectId,
      ),
  },
  'create API key': {
    writes: true,
    graphql: (client) =>
      queryGraphql(
        client,
        'mutation ($name: String!) { createApiKey(input: { name: $name }) { key apiKey { databaseId } } }',
        { name: `new ${Math.random()}` },
      ),
  },
  'update API key': {
    writes: true,
    graphql: (client, { apiKeyId }) =>
      queryGraphql(
        client,
        'mutation ($id: ID!, $name: String!) { updateApiKey(input: { id: $id, name: $name }) { apiKey { databaseId name } } }',
        { id: String(apiKeyId), name: `renamed ${Math.random()}` },
      ),
  },
  'delete API key': {
    writes: true,
    consumes: true,
    graphql: (client, { apiKeyId }) =>
      queryGraphql(
        client,
        'mutation ($id: ID!) { deleteApiKey(input: { id: $id }) { deletedApiKeyId } }',
        {
          id: String(apiKeyId),
        },
      ),
  },
  'change password': {
    writes: true,
    offers: {
      viewerCanChangePassword: {
        isOffered: async (client) =>
          (await queryGraphql(client, '{ viewer { viewerCanChangePassword } }', {})).body.viewer
            .viewerCanChangePassword as boolean,
      },
    },
    graphql: (client) =>
      queryGraphql(
        client,
        'mutation { changePassword(input: { currentPassword: "a", newPassword: "b" }) { user { id } } }',
        {},
      ),
  },
  'set mail preference': {
    writes: true,
    graphql: (client) =>
      queryGraphql(
        client,
        'mutation { setMailPreference(input: { preference: DAILY }) { user { id } } }',
        {},
      ),
  },
  'list storages': {
    rest: async ({ app, person }, { storageId }) =>
      inList(
        await rest(app.get('/api/v3/storages?pageSize=1000', person)),
        (body) => body._embedded.elements.map(({ id }: { id: number }) => id),
        storageId,
      ),
    graphql: async (client, { storageId }) =>
      inList(
        await queryGraphql(client, '{ storages { nodes { databaseId } } }', {}),
        (body) => body.storages.nodes.map(({ databaseId }: { databaseId: number }) => databaseId),
        storageId,
      ),
  },
  'view storage': {
    rest: ({ app, person }, { storageId }) =>
      rest(app.get(`/api/v3/storages/${storageId}`, person)),
    graphql: (client, { storageId }) =>
      queryGraphql(
        client,
        'query ($id: ID!) { storage(id: $id) { databaseId name type authorizationState uploadProjects { name } } }',
        { id: String(storageId) },
      ),
    alsoVisible: (client, { storageId }) => isNode(client, 'Storage', storageId),
  },
  'open storage': {
    rest: ({ app, person }, { storageId }) =>
      rest(app.get(`/api/v3/storages/${storageId}/open`, person)),
    graphql: (client, { storageId }) =>
      queryGraphql(client, 'query ($id: ID!) { storage(id: $id) { openUrl } }', {
        id: String(storageId),
      }),
  },
  'create storage': {
    writes: true,
    rest: ({ app, person }) =>
      rest(
        app.post('/api/v3/storages', person, {
          name: `new ${Math.random()}`,
          _links: { type: { href: 'urn:service-org:api:v3:storages:CloudDrive' } },
        }),
      ),
    graphql: (client) =>
      queryGraphql(
        client,
        'mutation ($name: String!) { createStorage(input: { type: CLOUD_DRIVE, name: $name }) { storage { databaseId } } }',
        { name: `new ${Math.random()}` },
      ),
  },
  'update storage': {
    writes: true,
    rest: ({ app, person }, { storageId }) =>
      rest(
        app.patch(`/api/v3/storages/${storageId}`, person, { name: `changed ${Math.random()}` }),
      ),
    graphql: (client, { storageId }) =>
      queryGraphql(
        client,
        'mutation ($id: ID!, $name: String!) { updateStorage(input: { id: $id, name: $name }) { storage { databaseId } } }',
        { id: String(storageId), name: `changed ${Math.random()}` },
      ),
    offers: { viewerCanUpdate: { isOffered: mayWithStorage('viewerCanUpdate') } },
  },
  'delete storage': {
    writes: true,
    consumes: true,
    rest: ({ app, person }, { storageId }) =>
      rest(app.delete(`/api/v3/storages/${storageId}`, person)),
    graphql: (client, { storageId }) =>
      queryGraphql(
        client,
        'mutation ($id: ID!) { deleteStorage(input: { id: $id }) { deletedStorageId } }',
        {
          id: String(storageId),
        },
      ),
    offers: { viewerCanDelete: { isOffered: mayWithStorage('viewerCanDelete') } },
  },
  'set client credentials': {
    writes: true,
    consumes: true,
    rest: ({ app, person }, { storageId }) =>
      rest(
        app.post(`/api/v3/storages/${storageId}/oauth_client_credentials`, person, {
          clientId: 'new',
          clientSecret: 'secret',
        }),
      ),
    graphql: (client, { storageId }) =>
      queryGraphql(
        client,
        'mutation ($id: ID!) { setOAuthClientCredentials(input: { storageId: $id, clientId: "new", clientSecret: "secret" }) { storage { databaseId } } }',
        { id: String(storageId) },
      ),
  },
  'rotate application secret': {
    writes: true,
    graphql: (client, { storageId }) =>
      queryGraphql(
        client,
        'mutation ($id: ID!) { rotateOAuthApplicationSecret(input: { storageId: $id }) { oauthApplication { databaseId } } }',
        { id: String(storageId) },
      ),
  },
  'view health': {
    graphql: (client, { storageId }) =>
      queryGraphql(client, 'query ($id: ID!) { storage(id: $id) { health { checks { code } } } }', {
        id: String(storageId),
      }),
    // Who reads the health also sees the OAuth records.
    offers: {
      'the oauthApplication link': { isOffered: storageLink('oauthApplication') },
      'the oauthClientCredentials link': { isOffered: storageLink('oauthClientCredentials') },
      'the embedded OAuth records': {
        isOffered: async (client, subject) =>
          '_embedded' in (await cachedGet(client, storagePath(subject))).body,
      },
      oauthApplication: { isOffered: storageField('oauthApplication') },
      oauthClientCredentials: { isOffered: storageField('oauthClientCredentials') },
    },
  },
  'list applications': {
    graphql: async (client, { applicationId }) =>
      inList(
        await queryGraphql(client, '{ oauthApplications { nodes { databaseId } } }', {}),
        (body) =>
          body.oauthApplications.nodes.map(({ databaseId }: { databaseId: number }) => databaseId),
        applicationId,
      ),
  },
  'view OAuth application': {
    rest: ({ app, person }, { applicationId }) =>
      rest(app.get(`/api/v3/oauth_applications/${applicationId}`, person)),
    graphql: (client, { applicationId }) =>
      queryGraphql(
        client,
        'query ($id: ID!) { oauthApplication(id: $id) { databaseId owner { name } } }',
        {
          id: String(applicationId),
        },
      ),
    alsoVisible: (client, { applicationId }) => isNode(client, 'OAuthApplication', applicationId),
  },
  'view client credentials': {
    rest: ({ app, person }, { credentialsId }) =>
      rest(app.get(`/api/v3/oauth_client_credentials/${credentialsId}`, person)),
    graphql: (client, { credentialsId }) =>
      queryGraphql(client, 'query ($id: ID!) { oauthClientCredentials(id: $id) { databaseId } }', {
        id: String(credentialsId),
      }),
    alsoVisible: (client, { credentialsId }) =>
      isNode(client, 'OAuthClientCredentials', credentialsId),
  },
  'list project storages': {
    rest: async ({ app, person }, { projectStorageId }) =>
      inList(
        await rest(app.get('/api/v3/project_storages', person)),
        (body) => body._embedded.elements.map(({ id }: { id: number }) => id),
        projectStorageId,
      ),
    graphql: async (client, { projectStorageId }) =>
      inList(
        await queryGraphql(client, '{ projectStorages { nodes { databaseId } } }', {}),
        (body) =>
          body.projectStorages.nodes.map(({ databaseId }: { databaseId: number }) => databaseId),
        projectStorageId,
      ),
  },
  'list uses of a storage': {
    graphql: async (client, { storageId, projectStorageId }) =>
      inList(
        await queryGraphql(
          client,
          'query ($id: ID!) { storage(id: $id) { projectStorages { nodes { databaseId } } } }',
          { id: String(storageId) },
        ),
        (body) =>
          body.storage.projectStorages.nodes.map(
            ({ databaseId }: { databaseId: number }) => databaseId,
          ),
        projectStorageId,
      ),
  },
  'view project storage': {
    rest: ({ app, person }, { projectStorageId }) =>
      rest(app.get(`/api/v3/project_storages/${projectStorageId}`, person)),
    graphql: (client, { projectStorageId }) =>
      queryGraphql(
        client,
        'query ($id: ID!) { projectStorage(id: $id) { databaseId project { name } storage { name } creator { name } } }',
        { id: String(projectStorageId) },
      ),
    alsoVisible: (client, { projectStorageId }) =>
      isNode(client, 'ProjectStorage', projectStorageId),
  },
  'open project storage': {
    rest: ({ app, person }, { projectStorageId }) =>
      rest(app.get(`/api/v3/project_storages/${projectStorageId}/open`, person)),
    graphql: (client, { projectStorageId }) =>
      queryGraphql(client, 'query ($id: ID!) { projectStorage(id: $id) { openUrl } }', {
        id: String(projectStorageId),
      }),
  },
  'create project storage': {
    writes: true,
    consumes: true,
    graphql: (client, { projectId, storageId }) =>
      queryGraphql(
        client,
        'mutation ($projectId: ID!, $storageId: ID!) { createProjectStorage(input: { projectId: $projectId, storageId: $storageId }) { projectStorage { databaseId } } }',
        { projectId: String(projectId), storageId: String(storageId) },
      ),
    offers: {
      viewerCanAdministerStorages: {
        isOffered: (client, subject) =>
          projectField('viewerCanAdministerStorages')(client, subject),
      },
    },
  },
  'update project storage': {
    writes: true,
    graphql: (client, { projectStorageId }) =>
      queryGraphql(
        client,
        'mutation ($id: ID!, $folder: String!) { updateProjectStorage(input: { id: $id, projectFolderMode: MANUAL, projectFolderId: $folder }) { projectStorage { databaseId projectFolderId } } }',
        { id: String(projectStorageId), folder: `folder ${Math.random()}` },
      ),
    offers: { viewerCanUpdate: { isOffered: mayWithProjectStorage('viewerCanUpdate') } },
  },
  'delete project storage': {
    writes: true,
    consumes: true,
    graphql: (client, { projectStorageId }) =>
      queryGraphql(
        client,
        'mutation ($id: ID!) { deleteProjectStorage(input: { id: $id }) { deletedProjectStorageId } }',
        { id: String(projectStorageId) },
      ),
    offers: { viewerCanDelete: { isOffered: mayWithProjectStorage('viewerCanDelete') } },
  },
  ...attachmentRequests,
  ...fileRequests,
  ...listRequests,
  ...administrationRequests,
  ...notificationRequests,
};

const storagePath = ({ storageId }: Subject) => `/api/v3/storages/${storageId}`;
function storageLink(name: string) {
  return async (client: Client, subject: Subject) =>
    name in (await cachedGet(client, storagePath(subject))).body._links;
}
function storageField(name: string) {
  return async (client: Client, { storageId }: Subject) =>
    (
      await queryGraphql(
        client,
        `query ($id: ID!) { storage(id: $id) { ${name} { databaseId } } }`,
        {
          id: String(storageId),
        },
      )
    ).body.storage[name] !== null;
}

function mayWithStorage(name: string) {
  return async (client: Client, { storageId }: Subject) =>
    (
      await queryGraphql(client, `query ($id: ID!) { storage(id: $id) { may: ${name} } }`, {
        id: String(storageId),
      })
    ).body.storage.may as boolean;
}
function mayWithProjectStorage(name: string) {
  return async (client: Client, { projectStorageId }: Subject) =>
    (
      await queryGraphql(client, `query ($id: ID!) { projectStorage(id: $id) { may: ${name} } }`, {
        id: String(projectStorageId),
      })
    ).body.projectStorage.may as boolean;
}

function projectField(name: string) {
  return async (client: Client, { projectId }: Subject) =>
    (
      await queryGraphql(client, `query ($id: ID!) { project(id: $id) { may: ${name} } }`, {
        id: String(projectId),
      })
    ).body.project.may as boolean;
}

/** The path of the work package to which an activity belongs. */
async function historyOf(app: App, activityId: number): Promise<string> {
  const row: { work_package_id: number } | undefined = await app.running.services.db
    .read('activities')
    .where({ id: activityId })
    .first('work_package_id');
  return `/api/v3/work_packages/${row?.work_package_id ?? activityId}`;
}

export const protocolRequests = (operation: Operation, kind: Kind) =>
  protocolsOf(operation, kind).map((protocol) => ({
    protocol,
    run: protocol === 'REST' ? requests[operation].rest! : requests[operation].graphql!,
  }));

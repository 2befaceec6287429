/** Every operation as a request, over REST and over GraphQL, and the offers that announce it. */
import type { App } from '../support/app.js';
import { prepare } from '../support/direct-upload.js';
import {
  ask,
  inList,
  isNode,
  lookAt,
  once,
  overGraphql,
  rest,
  type Asker,
  type Deed,
  type Result,
} from './requests.js';
import { protocolsOf, type Kind, type Operation } from './expected.js';
import { fileDeeds } from './file-operations.js';
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
/** What mutations call the kind: comments have a name of their own. */
const mutationNoun = (kind: Kind) => (isComment(kind) ? 'Comment' : containerKindOf(kind));
const linksTo = (ids: number[] | undefined) =>
  ids && { attachments: ids.map((id) => ({ href: `/api/v3/attachments/${id}` })) };

const CONTAINER =
  'databaseId viewerCanAddAttachment viewerCanPrepareAttachment viewerCanUpdate viewerCanDelete attachments { nodes { databaseId viewerCanDelete } }';

const containerOver = {
  rest: ({ app, person }: Asker, { container }: Subject) => app.get(container!.path, person),
  graphql: (asker: Asker, { kind, container }: Subject) =>
    ask(asker, `query ($id: ID!) { container: ${field(kind)}(id: $id) { ${CONTAINER} } }`, {
      id: container!.globalId,
    }),
};
/** The container as its offers are looked up: once, since no deed changes what a caller may do. */
const look = {
  rest: (asker: Asker, subject: Subject) => lookAt(asker, subject.container!.path),
  graphql: (asker: Asker, subject: Subject) =>
    once(asker, subject.container!.globalId, () => containerOver.graphql(asker, subject)),
};
const containerLink = (name: string) => async (asker: Asker, subject: Subject) =>
  name in (await look.rest(asker, subject)).body._links;
const containerField = (name: string) => async (asker: Asker, subject: Subject) =>
  (await look.graphql(asker, subject)).body.container[name] as boolean;

const shows = (rows: any[], key: string, id: number) =>
  rows.find((row) => row[key] === id) ?? (id === MISSING && rows.length === 0);

async function create(
  asker: Asker,
  { kind, projectId, workPackage }: Subject,
  protocol: 'REST' | 'GraphQL',
  attachmentIds?: number[],
): Promise<Result> {
  const { app, person } = asker;
  const internal = kind === 'internal comment';
  if (protocol === 'GraphQL') {
    const noun = mutationNoun(kind);
    const input = {
      ...(isComment(kind)
        ? { workPackageId: workPackage.globalId, comment: 'Hello', internal }
        : { projectId: String(projectId), [nameOf(kind)]: 'New' }),
      ...(attachmentIds && { attachmentIds: attachmentIds.map(String) }),
    };
    return ask(
      asker,
      `mutation ($input: Create${noun}Input!) { done: create${noun}(input: $input) { container: ${field(kind)} { ${CONTAINER} } } }`,
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
  asker: Asker,
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
    return ask(
      asker,
      `mutation ($input: Update${noun}Input!) { done: update${noun}(input: $input) { container: ${field(kind)} { ${CONTAINER} } } }`,
      { input },
    );
  }
  const body = attachmentIds
    ? { _links: linksTo(attachmentIds) }
    : isComment(kind)
      ? { comment: { raw: 'Changed' } }
      : { subject: 'Changed' };
  return rest(asker.app.patch(container!.path, asker.person, body));
}

/** A claim that succeeds shows the claimed attachment in the container. */
const claim = (write: typeof create): Deed => ({
  writes: true,
  consumes: true,
  async rest(asker, subject) {
    const result = await write(asker, subject, 'REST', [subject.claimedId]);
    const shown =
      result.outcome === 'ok' &&
      shows(result.body._embedded.attachments._embedded.elements, 'id', subject.claimedId);
    return result.outcome === 'ok' && !shown
      ? { ...result, outcome: 'ok, but nothing was claimed' }
      : result;
  },
  async graphql(asker, subject) {
    const result = await write(asker, subject, 'GraphQL', [subject.claimedId]);
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

const NEW_UPLOAD = { fileName: 'new.txt', fileSize: 3 };
const PREPARE =
  'mutation ($input: PrepareAttachmentUploadInput!) { prepareAttachmentUpload(input: $input) { upload { databaseId } } }';

export const deeds: { readonly [operation in Operation]: Deed } = {
  'view attachment': {
    rest: ({ app, person }, { attachmentId }) =>
      rest(app.get(`/api/v3/attachments/${attachmentId}`, person)),
    graphql: (asker, { attachmentId }) =>
      ask(
        asker,
        'query ($id: ID!) { attachment(id: $id) { databaseId fileName author { name } container { databaseId title } } }',
        { id: String(attachmentId) },
      ),
    alsoSees: async (asker, { attachmentId }) =>
      (
        await ask(asker, 'query ($id: ID!) { node(id: $id) { id } }', {
          id: Buffer.from(`Attachment:${attachmentId}`).toString('base64url'),
        })
      ).body.node !== null,
  },
  'download content': {
    rest: ({ app, person }, { attachmentId }) =>
      rest(app.get(`/api/v3/attachments/${attachmentId}/content`, person)),
    alsoSees: async ({ app, person }, { attachmentId }) =>
      (await app.request('HEAD', `/api/v3/attachments/${attachmentId}/content`, { as: person }))
        .status === 200,
  },
  'delete attachment': {
    writes: true,
    consumes: true,
    rest: ({ app, person }, { attachmentId }) =>
      rest(app.delete(`/api/v3/attachments/${attachmentId}`, person)),
    graphql: (asker, { attachmentId }) =>
      ask(
        asker,
        'mutation ($id: ID!) { deleteAttachment(input: { id: $id }) { deletedAttachmentId } }',
        { id: String(attachmentId) },
      ),
    offers: {
      'the delete link': {
        ask: async (asker, { attachmentId }) =>
          'delete' in (await lookAt(asker, `/api/v3/attachments/${attachmentId}`)).body._links,
      },
      'the delete link in the list': {
        only: (kind) => !kind.endsWith('unclaimed'),
        ask: async ({ app, person }, { container, attachmentId }) =>
          'delete' in
          shows(
            (await app.get(container!.attachments, person)).body._embedded.elements,
            'id',
            attachmentId,
          )._links,
      },
      viewerCanDelete: {
        ask: async (asker, { attachmentId }) =>
          (
            await ask(asker, 'query ($id: ID!) { attachment(id: $id) { viewerCanDelete } }', {
              id: String(attachmentId),
            })
          ).body.attachment.viewerCanDelete,
      },
      'viewerCanDelete in the list': {
        only: (kind) => !kind.endsWith('unclaimed'),
        ask: async (asker, subject) =>
          shows(
            (await look.graphql(asker, subject)).body.container.attachments.nodes,
            'databaseId',
            subject.attachmentId,
          ).viewerCanDelete,
      },
    },
  },
  'list attachments': {
    rest: async ({ app, person }, { container, attachmentId }) => {
      const result = await rest(app.get(container!.attachments, person));
      return result.outcome === 'ok' && !shows(result.body._embedded.elements, 'id', attachmentId)
        ? { ...result, outcome: 'out' }
        : result;
    },
    graphql: async (asker, { kind, container, attachmentId }) => {
      const result = await ask(
        asker,
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
    graphql: async (asker, { container }) => {
      const id = (await historyOf(asker.app, container!.id)).split('/').at(-1);
      const result = await ask(
        asker,
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
    rest: (asker, subject) => rest(containerOver.rest(asker, subject)),
    graphql: containerOver.graphql,
    alsoSees: async (asker, { container }) =>
      (await ask(asker, 'query ($id: ID!) { node(id: $id) { id } }', { id: container!.globalId }))
        .body.node !== null,
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
      'the addAttachment link': { ask: containerLink('addAttachment') },
      viewerCanAddAttachment: { ask: containerField('viewerCanAddAttachment') },
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
    graphql: (asker, { container }) =>
      ask(asker, PREPARE, { input: { ...NEW_UPLOAD, containerId: container!.globalId } }),
    offers: {
      'the prepareAttachment link': { ask: containerLink('prepareAttachment') },
      viewerCanPrepareAttachment: { ask: containerField('viewerCanPrepareAttachment') },
    },
  },
  'prepare unclaimed upload': {
    writes: true,
    rest: ({ app, person }) =>
      rest(prepare(app, '/api/v3/attachments/prepare', person, NEW_UPLOAD)),
    graphql: (asker) => ask(asker, PREPARE, { input: NEW_UPLOAD }),
  },
  'complete upload': {
    writes: true,
    consumes: true,
    rest: ({ app, person }, { attachmentId }) =>
      rest(app.get(`/api/v3/attachments/${attachmentId}/uploaded`, person)),
    graphql: (asker, { attachmentId }) =>
      ask(
        asker,
        'mutation ($id: ID!) { completeAttachmentUpload(input: { id: $id }) { attachment { databaseId status } } }',
        { id: String(attachmentId) },
      ),
    alsoSees: async ({ app, person }, { attachmentId }) =>
      (await app.get(`/api/v3/attachments/${attachmentId}`, person)).status === 200,
  },
  'release attachment': {
    writes: true,
    consumes: true,
    graphql: (asker, { attachmentId }) =>
      ask(
        asker,
        'mutation ($id: ID!) { releaseAttachment(input: { id: $id }) { attachment { databaseId status } } }',
        { id: String(attachmentId) },
      ),
  },
  'create container': {
    writes: true,
    rest: (asker, subject) => create(asker, subject, 'REST'),
    graphql: (asker, subject) => create(asker, subject, 'GraphQL'),
    offers: {
      'the createWorkPackage link': {
        only: isWorkPackage,
        ask: async (asker, { projectId }) =>
          'createWorkPackage' in (await lookAt(asker, `/api/v3/projects/${projectId}`)).body._links,
      },
      'viewerCanCreate…': {
        only: (kind) => !isComment(kind),
        ask: (asker, subject) =>
          projectField(`viewerCanCreate${containerKindOf(subject.kind)}`)(asker, subject),
      },
      'the addComment link': {
        only: (kind) => kind === 'comment',
        ask: async (asker, { workPackage }) =>
          'addComment' in (await lookAt(asker, workPackage.path)).body._links,
      },
      'viewerCanComment…': {
        only: isComment,
        ask: async (asker, { kind, workPackage }) =>
          (
            await ask(
              asker,
              `query ($id: ID!) { workPackage(id: $id) { may: viewerCanComment${kind === 'comment' ? '' : 'Internally'} } }`,
              { id: workPackage.globalId },
            )
          ).body.workPackage.may,
      },
    },
  },
  'update container': {
    writes: true,
    rest: (asker, subject) => update(asker, subject, 'REST'),
    graphql: (asker, subject) => update(asker, subject, 'GraphQL'),
    offers: {
      'the updateImmediately link': {
        only: isWorkPackage,
        ask: containerLink('updateImmediately'),
      },
      'the update link': { only: isComment, ask: containerLink('update') },
      viewerCanUpdate: { ask: containerField('viewerCanUpdate') },
    },
  },
  'delete container': {
    writes: true,
    consumes: true,
    graphql: (asker, { kind, container }) =>
      ask(
        asker,
        `mutation ($id: ID!) { done: delete${mutationNoun(kind)}(input: { id: $id }) { deleted${containerKindOf(kind)}Id } }`,
        { id: container!.globalId },
      ),
    offers: { viewerCanDelete: { ask: containerField('viewerCanDelete') } },
  },
  'claim own on create': claim(create),
  "claim another's on create": claim(create),
  'claim own on update': claim(update),
  "claim another's on update": claim(update),
  'claim claimed on update': claim(update),
  // Many kinds of things have one author and one project: the same request is not sent again.
  'view author': {
    rest: (asker, { authorId }) => lookAt(asker, `/api/v3/users/${authorId}`),
    graphql: (asker, { authorId }) =>
      once(asker, `user ${authorId}`, () =>
        ask(asker, 'query ($id: ID!) { user(id: $id) { databaseId name } }', {
          id: String(authorId),
        }),
      ),
  },
  'view project': {
    rest: (asker, { projectId }) => lookAt(asker, `/api/v3/projects/${projectId}`),
    graphql: (asker, { projectId }) =>
      once(asker, `project ${projectId}`, () =>
        ask(asker, 'query ($id: ID!) { project(id: $id) { databaseId name } }', {
          id: String(projectId),
        }),
      ),
  },
  'create API key': {
    writes: true,
    graphql: (asker) =>
      ask(
        asker,
        'mutation ($name: String!) { createApiKey(input: { name: $name }) { key apiKey { databaseId } } }',
        { name: `new ${Math.random()}` },
      ),
  },
  'update API key': {
    writes: true,
    graphql: (asker, { apiKeyId }) =>
      ask(
        asker,
        'mutation ($id: ID!, $name: String!) { updateApiKey(input: { id: $id, name: $name }) { apiKey { databaseId name } } }',
        { id: String(apiKeyId), name: `renamed ${Math.random()}` },
      ),
  },
  'delete API key': {
    writes: true,
    consumes: true,
    graphql: (asker, { apiKeyId }) =>
      ask(asker, 'mutation ($id: ID!) { deleteApiKey(input: { id: $id }) { deletedApiKeyId } }', {
        id: String(apiKeyId),
      }),
  },
  'list storages': {
    rest: async ({ app, person }, { storageId }) =>
      inList(
        await rest(app.get('/api/v3/storages?pageSize=1000', person)),
        (body) => body._embedded.elements.map(({ id }: { id: number }) => id),
        storageId,
      ),
    graphql: async (asker, { storageId }) =>
      inList(
        await ask(asker, '{ storages { nodes { databaseId } } }', {}),
        (body) => body.storages.nodes.map(({ databaseId }: { databaseId: number }) => databaseId),
        storageId,
      ),
  },
  'view storage': {
    rest: ({ app, person }, { storageId }) =>
      rest(app.get(`/api/v3/storages/${storageId}`, person)),
    graphql: (asker, { storageId }) =>
      ask(
        asker,
        'query ($id: ID!) { storage(id: $id) { databaseId name type authorizationState uploadProjects { name } } }',
        { id: String(storageId) },
      ),
    alsoSees: (asker, { storageId }) => isNode(asker, 'Storage', storageId),
  },
  'open storage': {
    rest: ({ app, person }, { storageId }) =>
      rest(app.get(`/api/v3/storages/${storageId}/open`, person)),
    graphql: (asker, { storageId }) =>
      ask(asker, 'query ($id: ID!) { storage(id: $id) { openUrl } }', { id: String(storageId) }),
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
    graphql: (asker) =>
      ask(
        asker,
        'mutation ($name: String!) { createStorage(input: { type: CloudDrive, name: $name }) { storage { databaseId } } }',
        { name: `new ${Math.random()}` },
      ),
  },
  'update storage': {
    writes: true,
    rest: ({ app, person }, { storageId }) =>
      rest(
        app.patch(`/api/v3/storages/${storageId}`, person, { name: `changed ${Math.random()}` }),
      ),
    graphql: (asker, { storageId }) =>
      ask(
        asker,
        'mutation ($id: ID!, $name: String!) { updateStorage(input: { id: $id, name: $name }) { storage { databaseId } } }',
        { id: String(storageId), name: `changed ${Math.random()}` },
      ),
    // Who administers storages, and nobody else, is shown their OAuth records.
    offers: {
      'the oauthApplication link': { ask: storageLink('oauthApplication') },
      'the oauthClientCredentials link': { ask: storageLink('oauthClientCredentials') },
      'the embedded OAuth records': {
        ask: async (asker, subject) =>
          '_embedded' in (await lookAt(asker, storagePath(subject))).body,
      },
      oauthApplication: { ask: storageField('oauthApplication') },
      oauthClientCredentials: { ask: storageField('oauthClientCredentials') },
      viewerCanUpdate: { ask: mayWithStorage('viewerCanUpdate') },
    },
  },
  'delete storage': {
    writes: true,
    consumes: true,
    rest: ({ app, person }, { storageId }) =>
      rest(app.delete(`/api/v3/storages/${storageId}`, person)),
    graphql: (asker, { storageId }) =>
      ask(asker, 'mutation ($id: ID!) { deleteStorage(input: { id: $id }) { deletedStorageId } }', {
        id: String(storageId),
      }),
    offers: { viewerCanDelete: { ask: mayWithStorage('viewerCanDelete') } },
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
    graphql: (asker, { storageId }) =>
      ask(
        asker,
        'mutation ($id: ID!) { setOAuthClientCredentials(input: { storageId: $id, clientId: "new", clientSecret: "secret" }) { storage { databaseId } } }',
        { id: String(storageId) },
      ),
  },
  'rotate application secret': {
    writes: true,
    graphql: (asker, { storageId }) =>
      ask(
        asker,
        'mutation ($id: ID!) { rotateOAuthApplicationSecret(input: { storageId: $id }) { oauthApplication { databaseId } } }',
        { id: String(storageId) },
      ),
  },
  'view health': {
    graphql: (asker, { storageId }) =>
      ask(asker, 'query ($id: ID!) { storage(id: $id) { health { checks { code } } } }', {
        id: String(storageId),
      }),
  },
  'view OAuth application': {
    rest: ({ app, person }, { applicationId }) =>
      rest(app.get(`/api/v3/oauth_applications/${applicationId}`, person)),
    graphql: (asker, { applicationId }) =>
      ask(asker, 'query ($id: ID!) { oauthApplication(id: $id) { databaseId owner { name } } }', {
        id: String(applicationId),
      }),
    alsoSees: (asker, { applicationId }) => isNode(asker, 'OAuthApplication', applicationId),
  },
  'view client credentials': {
    rest: ({ app, person }, { credentialsId }) =>
      rest(app.get(`/api/v3/oauth_client_credentials/${credentialsId}`, person)),
    graphql: (asker, { credentialsId }) =>
      ask(asker, 'query ($id: ID!) { oauthClientCredentials(id: $id) { databaseId } }', {
        id: String(credentialsId),
      }),
    alsoSees: (asker, { credentialsId }) => isNode(asker, 'OAuthClientCredentials', credentialsId),
  },
  'list project storages': {
    rest: async ({ app, person }, { projectStorageId }) =>
      inList(
        await rest(app.get('/api/v3/project_storages', person)),
        (body) => body._embedded.elements.map(({ id }: { id: number }) => id),
        projectStorageId,
      ),
    graphql: async (asker, { projectStorageId }) =>
      inList(
        await ask(asker, '{ projectStorages { nodes { databaseId } } }', {}),
        (body) =>
          body.projectStorages.nodes.map(({ databaseId }: { databaseId: number }) => databaseId),
        projectStorageId,
      ),
  },
  'view project storage': {
    rest: ({ app, person }, { projectStorageId }) =>
      rest(app.get(`/api/v3/project_storages/${projectStorageId}`, person)),
    graphql: (asker, { projectStorageId }) =>
      ask(
        asker,
        'query ($id: ID!) { projectStorage(id: $id) { databaseId project { name } storage { name } creator { name } } }',
        { id: String(projectStorageId) },
      ),
    alsoSees: (asker, { projectStorageId }) => isNode(asker, 'ProjectStorage', projectStorageId),
  },
  'open project storage': {
    rest: ({ app, person }, { projectStorageId }) =>
      rest(app.get(`/api/v3/project_storages/${projectStorageId}/open`, person)),
    graphql: (asker, { projectStorageId }) =>
      ask(asker, 'query ($id: ID!) { projectStorage(id: $id) { openUrl } }', {
        id: String(projectStorageId),
      }),
  },
  'create project storage': {
    writes: true,
    consumes: true,
    graphql: (asker, { projectId, storageId }) =>
      ask(
        asker,
        'mutation ($projectId: ID!, $storageId: ID!) { createProjectStorage(input: { projectId: $projectId, storageId: $storageId }) { projectStorage { databaseId } } }',
        { projectId: String(projectId), storageId: String(storageId) },
      ),
    offers: {
      viewerCanAdministerStorages: {
        ask: (asker, subject) => projectField('viewerCanAdministerStorages')(asker, subject),
      },
    },
  },
  'update project storage': {
    writes: true,
    graphql: (asker, { projectStorageId }) =>
      ask(
        asker,
        'mutation ($id: ID!, $folder: String!) { updateProjectStorage(input: { id: $id, projectFolderMode: manual, projectFolderId: $folder }) { projectStorage { databaseId projectFolderId } } }',
        { id: String(projectStorageId), folder: `folder ${Math.random()}` },
      ),
    offers: { viewerCanUpdate: { ask: mayWithProjectStorage('viewerCanUpdate') } },
  },
  'delete project storage': {
    writes: true,
    consumes: true,
    graphql: (asker, { projectStorageId }) =>
      ask(
        asker,
        'mutation ($id: ID!) { deleteProjectStorage(input: { id: $id }) { deletedProjectStorageId } }',
        { id: String(projectStorageId) },
      ),
    offers: { viewerCanDelete: { ask: mayWithProjectStorage('viewerCanDelete') } },
  },
  ...fileDeeds,
};

const storagePath = ({ storageId }: Subject) => `/api/v3/storages/${storageId}`;
function storageLink(name: string) {
  return async (asker: Asker, subject: Subject) =>
    name in (await lookAt(asker, storagePath(subject))).body._links;
}
function storageField(name: string) {
  return async (asker: Asker, { storageId }: Subject) =>
    (
      await ask(asker, `query ($id: ID!) { storage(id: $id) { ${name} { databaseId } } }`, {
        id: String(storageId),
      })
    ).body.storage[name] !== null;
}

function mayWithStorage(name: string) {
  return async (asker: Asker, { storageId }: Subject) =>
    (
      await ask(asker, `query ($id: ID!) { storage(id: $id) { may: ${name} } }`, {
        id: String(storageId),
      })
    ).body.storage.may as boolean;
}
function mayWithProjectStorage(name: string) {
  return async (asker: Asker, { projectStorageId }: Subject) =>
    (
      await ask(asker, `query ($id: ID!) { projectStorage(id: $id) { may: ${name} } }`, {
        id: String(projectStorageId),
      })
    ).body.projectStorage.may as boolean;
}

function projectField(name: string) {
  return async (asker: Asker, { projectId }: Subject) =>
    (
      await ask(asker, `query ($id: ID!) { project(id: $id) { may: ${name} } }`, {
        id: String(projectId),
      })
    ).body.project.may as boolean;
}

/** The address of the work package whose history an activity is in. */
async function historyOf(app: App, activityId: number): Promise<string> {
  const row: { work_package_id: number } | undefined = await app.running.services.db
    .read('activities')
    .where({ id: activityId })
    .first('work_package_id');
  return `/api/v3/work_packages/${row?.work_package_id ?? activityId}`;
}

export const over = (operation: Operation, kind: Kind) =>
  protocolsOf(operation, kind).map((protocol) => ({
    protocol,
    run: protocol === 'REST' ? deeds[operation].rest! : deeds[operation].graphql!,
  }));

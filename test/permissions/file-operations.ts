/** The requests of operations on file links and on files in storages. If one is allowed, the storage answers it. */
import { randomBytes } from 'node:crypto';
import type { Answer } from '../support/app.js';
import {
  queryGraphql,
  inList,
  isFound,
  isNode,
  cachedGet,
  overRest,
  rest,
  type Client,
  type OperationRequests,
  type Result,
} from './requests.js';
import type { FileOperation } from './expected-files.js';
import { FILE, FOLDER } from './storage-fixtures.js';
import type { Subject } from './targets.js';

type Check = (body: any, subject: Subject) => boolean;

/** An allowed request with a wrong answer does not count as allowed. */
const whole = (result: Result, fits: boolean): Result =>
  result.outcome === 'ok' && !fits ? { ...result, outcome: 'ok, but with a wrong answer' } : result;
const checked = (result: Result, subject: Subject, check: Check): Result =>
  result.outcome === 'ok' ? whole(result, check(result.body, subject)) : result;

const linkPath = ({ linkId }: Subject) => `/api/v3/file_links/${linkId}`;
const scopedPath = ({ workPackage, linkId }: Subject) => `${workPackage.path}/file_links/${linkId}`;
const listPath = ({ workPackage }: Subject) => `${workPackage.path}/file_links`;
const filesPath = ({ storageId }: Subject) => `/api/v3/storages/${storageId}/files`;
const statusUrn = ({ connected }: Subject) =>
  `urn:service-org:api:v3:file-links:${connected ? 'permission:ViewAllowed' : 'Error'}`;
const statusName = ({ connected }: Subject) => (connected ? 'VIEW_ALLOWED' : 'ERROR');
const originOf = ({ remote }: Subject) => remote!.server.server.url;

const LINK =
  'databaseId status originData { id name } storage { databaseId } container { databaseId } creator { databaseId }';
const asLink = (client: Client, { linkId }: Subject, fields: string) =>
  queryGraphql(client, `query ($id: ID!) { fileLink(id: $id) { ${fields} } }`, {
    id: String(linkId),
  });

const view = (pathOf: (subject: Subject) => string): OperationRequests => ({
  rest: async ({ app, person }, subject) =>
    checked(
      await rest(app.get(pathOf(subject), person)),
      subject,
      ({ id, originData, _links }) =>
        id === subject.linkId &&
        originData.name === FILE &&
        _links.status.href === statusUrn(subject),
    ),
  graphql: async (client, subject) =>
    checked(
      await asLink(client, subject, LINK),
      subject,
      ({ fileLink }) =>
        fileLink.databaseId === subject.linkId &&
        fileLink.originData.name === FILE &&
        fileLink.status === statusName(subject),
    ),
  alsoVisible: (client, { linkId }) => isNode(client, 'FileLink', linkId),
});

/** A redirect. Its address must be correct. */
function redirect(
  path: string,
  field: string,
  addressOf: (subject: Subject) => RegExp,
): OperationRequests {
  const goes = (address: string | null | undefined, subject: Subject) =>
    typeof address === 'string' &&
    address.startsWith(originOf(subject)) &&
    addressOf(subject).test(address);
  return {
    async rest({ app, person }, subject) {
      const answer: Answer = await app.get(`${linkPath(subject)}/${path}`, person);
      return whole(
        overRest(answer),
        answer.status === 303 && goes(answer.headers.get('location'), subject),
      );
    },
    graphql: async (client, subject) =>
      checked(await asLink(client, subject, `address: ${field}`), subject, ({ fileLink }) =>
        goes(fileLink.address, subject),
      ),
  };
}

const remove = (pathOf: (subject: Subject) => string): OperationRequests => ({
  writes: true,
  consumes: true,
  rest: ({ app, person }, subject) => rest(app.delete(pathOf(subject), person)),
  graphql: (client, { linkId }) =>
    queryGraphql(
      client,
      'mutation ($id: ID!) { deleteFileLink(input: { id: $id }) { deletedFileLinkId } }',
      {
        id: String(linkId),
      },
    ),
  offers: {
    'the delete link': {
      isOffered: async (client, subject) =>
        'delete' in (await cachedGet(client, linkPath(subject))).body._links,
    },
    viewerCanDelete: {
      isOffered: async (client, subject) =>
        (await asLink(client, subject, 'viewerCanDelete')).body.fileLink.viewerCanDelete,
    },
  },
});

/** Creates a link to a file that has no link yet. */
const create = (inWorkPackage: boolean): OperationRequests => ({
  writes: true,
  async rest({ app, person }, subject) {
    const originId = subject.remote!.server.file(`${FOLDER}/${random()}/${FILE}`);
    const elements = [
      {
        originData: { id: originId, name: FILE },
        _links: { storage: { href: `/api/v3/storages/${subject.storageId}` } },
      },
    ];
    const made = await rest(
      app.post(inWorkPackage ? listPath(subject) : '/api/v3/file_links', person, {
        _embedded: { elements },
      }),
    );
    return checked(
      made,
      subject,
      ({
        _embedded: {
          elements: [link],
        },
      }) => link.originData.id === originId && link._links.status.href === statusUrn(subject),
    );
  },
  async graphql(client, subject) {
    const originId = subject.remote!.server.file(`${FOLDER}/${random()}/${FILE}`);
    const fileLinks = [
      { storageId: String(subject.storageId), originData: { id: originId, name: FILE } },
    ];
    const input = {
      ...(inWorkPackage && { workPackageId: subject.workPackage.globalId }),
      fileLinks,
    };
    const made = await queryGraphql(
      client,
      `mutation ($input: CreateFileLinksInput!) { createFileLinks(input: $input) { fileLinks { ${LINK} } } }`,
      { input },
    );
    return checked(
      made,
      subject,
      ({
        createFileLinks: {
          fileLinks: [link],
        },
      }) => link.originData.id === originId && link.status === statusName(subject),
    );
  },
});

/** Runs a request with a unique name. The storage receives that name only if the request is allowed. */
async function atStorage(
  subject: Subject,
  act: (name: string) => Promise<Result>,
): Promise<Result> {
  const name = random();
  const result = await act(name);
  const received = subject.remote!.server.server.requests.some(
    ({ path, method }) => method === 'MKCOL' && path.includes(name),
  );
  return received === (result.outcome === 'ok')
    ? result
    : {
        ...result,
        outcome: `${result.outcome}, but the storage received ${received ? 'a' : 'no'} request`,
      };
}
const random = () => randomBytes(8).toString('hex');

const uploads = (subject: Subject, { href, method }: { href: string; method: string }) =>
  href.startsWith(`${originOf(subject)}/`) && method.toUpperCase() === 'POST';

/** Creates or updates a work package. @param ids the file links in the request */
async function write(
  client: Client,
  { projectId, container }: Subject,
  protocol: 'REST' | 'GraphQL',
  ids: number[],
): Promise<Result> {
  const { app, person } = client;
  const subject = 'New';
  if (protocol === 'GraphQL') {
    const input = {
      ...(container ? { id: container.globalId } : { projectId: String(projectId), subject }),
      fileLinkIds: ids.map(String),
    };
    const noun = container ? 'UpdateWorkPackage' : 'CreateWorkPackage';
    return queryGraphql(
      client,
      `mutation ($input: ${noun}Input!) { done: ${noun[0]!.toLowerCase()}${noun.slice(1)}(input: $input) { workPackage { databaseId } } }`,
      { input },
    );
  }
  const _links = { fileLinks: ids.map((id) => ({ href: `/api/v3/file_links/${id}` })) };
  return rest(
    container
      ? app.patch(container.path, person, { _links })
      : app.post(`/api/v3/projects/${projectId}/work_packages`, person, { subject, _links }),
  );
}

/** Sends a set of file links. Afterwards the work package has exactly these links. */
const sendLinks = (idsOf: (subject: Subject) => number[]): OperationRequests => {
  const send = async (
    client: Client,
    subject: Subject,
    protocol: 'REST' | 'GraphQL',
  ): Promise<Result> => {
    const result = await write(client, subject, protocol, idsOf(subject));
    if (result.outcome !== 'ok') return result;
    const id = protocol === 'REST' ? result.body.id : result.body.done.workPackage.databaseId;
    const { body } = await client.app.get(`/api/v3/work_packages/${id}/file_links`, client.person);
    return whole(
      result,
      JSON.stringify(body._embedded.elements.map((link: { id: number }) => link.id)) ===
        JSON.stringify(idsOf(subject)),
    );
  };
  return {
    writes: true,
    consumes: true,
    rest: (client, subject) => send(client, subject, 'REST'),
    graphql: (client, subject) => send(client, subject, 'GraphQL'),
  };
};
const claim = sendLinks(({ claimedId }) => [claimedId]);

export const fileRequests: {
  readonly [operation in FileOperation]: OperationRequests;
} = {
  'find file link': { graphql: (client, { linkId }) => isFound(client, 'fileLinks', linkId) },
  'list file links': {
    rest: async ({ app, person }, subject) =>
      inList(
        await rest(app.get(listPath(subject), person)),
        (body) => body._embedded.elements.map(({ id }: { id: number }) => id),
        subject.linkId,
      ),
    graphql: async (client, { workPackage, linkId }) =>
      inList(
        await queryGraphql(
          client,
          `query ($id: ID!) { workPackage(id: $id) { fileLinks { totalCount nodes { ${LINK} } } } }`,
          { id: workPackage.globalId },
        ),
        (body) =>
          body.workPackage.fileLinks.nodes.map(
            ({ databaseId }: { databaseId: number }) => databaseId,
          ),
        linkId,
      ),
  },
  'view file link': view(linkPath),
  'view file link of work package': view(scopedPath),
  'open file link': redirect(
    'open',
    'openUrl',
    ({ remote }) => new RegExp(`/f/${remote!.fileId}\\?openfile=1$`),
  ),
  'open location of file link': redirect(
    'open?location=true',
    'openUrl(location: true)',
    ({ remote }) => new RegExp(`/f/${remote!.fileId}\\?openfile=false$`),
  ),
  'download file link': redirect('download', 'downloadUrl', () => /\/direct\//),
  'delete file link': remove(linkPath),
  'delete file link of work package': remove(scopedPath),
  'create file links': create(true),
  'create unclaimed file links': create(false),
  'browse files': {
    rest: async ({ app, person }, subject) =>
      checked(await rest(app.get(filesPath(subject), person)), subject, ({ files }) =>
        files.some(({ name }: { name: string }) => name === FILE),
      ),
    graphql: async (client, subject) =>
      checked(
        await queryGraphql(
          client,
          'query ($id: ID!) { storage(id: $id) { files { files { name } } } }',
          {
            id: String(subject.storageId),
          },
        ),
        subject,
        ({ storage }) => storage.files.files.some(({ name }: { name: string }) => name === FILE),
      ),
  },
  'view file': {
    rest: async ({ app, person }, subject) =>
      checked(
        await rest(app.get(`${filesPath(subject)}/${subject.remote!.fileId}`, person)),
        subject,
        ({ name }) => name === FILE,
      ),
    graphql: async (client, subject) =>
      checked(
        await queryGraphql(
          client,
          'query ($id: ID!, $file: String!) { storage(id: $id) { file(id: $file) { name } } }',
          { id: String(subject.storageId), file: subject.remote!.fileId },
        ),
        subject,
        ({ storage }) => storage.file.name === FILE,
      ),
  },
  'create folder': {
    rest: ({ app, person }, subject) =>
      atStorage(subject, async (name) =>
        checked(
          await rest(
            app.post(`/api/v3/storages/${subject.storageId}/folders`, person, {
              name,
              parentId: FOLDER,
            }),
          ),
          subject,
          (body) => body.name === name,
        ),
      ),
    graphql: (client, subject) =>
      atStorage(subject, async (name) =>
        checked(
          await queryGraphql(
            client,
            'mutation ($input: CreateStorageFolderInput!) { createStorageFolder(input: $input) { folder { name } } }',
            { input: { storageId: String(subject.storageId), name, parent: FOLDER } },
          ),
          subject,
          ({ createStorageFolder: { folder } }) => folder.name === name,
        ),
      ),
  },
  'prepare storage upload': {
    rest: async ({ app, person }, subject) =>
      checked(
        await rest(
          app.post(`${filesPath(subject)}/prepare_upload`, person, {
            projectId: subject.projectId,
            fileName: 'new.txt',
            parent: FOLDER,
          }),
        ),
        subject,
        ({ _links }) => uploads(subject, _links.destination),
      ),
    graphql: async (client, subject) =>
      checked(
        await queryGraphql(
          client,
          'mutation ($input: PrepareStorageUploadInput!) { prepareStorageUpload(input: $input) { uploadLink { href method } } }',
          {
            input: {
              storageId: String(subject.storageId),
              projectId: String(subject.projectId),
              fileName: 'new.txt',
              parent: FOLDER,
            },
          },
        ),
        subject,
        ({ prepareStorageUpload: { uploadLink } }) => uploads(subject, uploadLink),
      ),
  },
  'claim own file link on create': claim,
  "claim another's file link on create": claim,
  'claim own file link on update': claim,
  "claim another's file link on update": claim,
  'claim claimed file link on update': claim,
  'drop file link on update': sendLinks(() => []),
};

/** What is done with file links and the files of storages, over REST and over GraphQL. Allowed, it goes to the end: the storage answers. */
import { randomBytes } from 'node:crypto';
import type { Answer } from '../support/app.js';
import {
  ask,
  inList,
  isNode,
  lookAt,
  overRest,
  rest,
  type Asker,
  type Deed,
  type Result,
} from './requests.js';
import type { fileOperations } from './expected-files.js';
import { FILE, FOLDER } from './storage-fixtures.js';
import type { Subject } from './targets.js';

type Check = (body: any, subject: Subject) => boolean;

/** An allowed deed whose answer is not what it must be is not allowed. */
const whole = (result: Result, fits: boolean): Result =>
  result.outcome === 'ok' && !fits
    ? { ...result, outcome: 'ok, but not with what it should have' }
    : result;
const checked = (result: Result, subject: Subject, check: Check): Result =>
  result.outcome === 'ok' ? whole(result, check(result.body, subject)) : result;

const linkPath = ({ linkId }: Subject) => `/api/v3/file_links/${linkId}`;
const scopedPath = ({ workPackage, linkId }: Subject) => `${workPackage.path}/file_links/${linkId}`;
const listPath = ({ workPackage }: Subject) => `${workPackage.path}/file_links`;
const filesPath = ({ storageId }: Subject) => `/api/v3/storages/${storageId}/files`;
const statusUrn = ({ connected }: Subject) =>
  `urn:service-org:api:v3:file-links:${connected ? 'permission:ViewAllowed' : 'Error'}`;
const statusName = ({ connected }: Subject) => (connected ? 'ViewAllowed' : 'Error');
const originOf = ({ remote }: Subject) => remote!.server.server.url;

const LINK =
  'databaseId status originData { id name } storage { databaseId } container { databaseId } creator { databaseId }';
const asLink = (asker: Asker, { linkId }: Subject, fields: string) =>
  ask(asker, `query ($id: ID!) { fileLink(id: $id) { ${fields} } }`, { id: String(linkId) });

const view = (pathOf: (subject: Subject) => string): Deed => ({
  rest: async ({ app, person }, subject) =>
    checked(
      await rest(app.get(pathOf(subject), person)),
      subject,
      ({ id, originData, _links }) =>
        id === subject.linkId &&
        originData.name === FILE &&
        _links.status.href === statusUrn(subject),
    ),
  graphql: async (asker, subject) =>
    checked(
      await asLink(asker, subject, LINK),
      subject,
      ({ fileLink }) =>
        fileLink.databaseId === subject.linkId &&
        fileLink.originData.name === FILE &&
        fileLink.status === statusName(subject),
    ),
  alsoSees: (asker, { linkId }) => isNode(asker, 'FileLink', linkId),
});

/** A redirect that leads to where it should. */
function redirect(path: string, field: string, addressOf: (subject: Subject) => RegExp): Deed {
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
    graphql: async (asker, subject) =>
      checked(await asLink(asker, subject, `address: ${field}`), subject, ({ fileLink }) =>
        goes(fileLink.address, subject),
      ),
  };
}

const remove = (pathOf: (subject: Subject) => string): Deed => ({
  writes: true,
  consumes: true,
  rest: ({ app, person }, subject) => rest(app.delete(pathOf(subject), person)),
  graphql: (asker, { linkId }) =>
    ask(asker, 'mutation ($id: ID!) { deleteFileLink(input: { id: $id }) { deletedFileLinkId } }', {
      id: String(linkId),
    }),
  offers: {
    'the delete link': {
      ask: async (asker, subject) =>
        'delete' in (await lookAt(asker, linkPath(subject))).body._links,
    },
    viewerCanDelete: {
      ask: async (asker, subject) =>
        (await asLink(asker, subject, 'viewerCanDelete')).body.fileLink.viewerCanDelete,
    },
  },
});

/** Makes a link to a file that nothing links to yet. */
const create = (inWorkPackage: boolean): Deed => ({
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
  async graphql(asker, subject) {
    const originId = subject.remote!.server.file(`${FOLDER}/${random()}/${FILE}`);
    const fileLinks = [
      { storageId: String(subject.storageId), originData: { id: originId, name: FILE } },
    ];
    const input = {
      ...(inWorkPackage && { workPackageId: subject.workPackage.globalId }),
      fileLinks,
    };
    const made = await ask(
      asker,
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

/** What must not happen at the storage, unless it is allowed, carries a name of its own. */
async function atStorage(
  subject: Subject,
  act: (name: string) => Promise<Result>,
): Promise<Result> {
  const name = random();
  const result = await act(name);
  const asked = subject.remote!.server.server.requests.some(
    ({ path, method }) => method === 'MKCOL' && path.includes(name),
  );
  return asked === (result.outcome === 'ok')
    ? result
    : { ...result, outcome: `${result.outcome}, but the storage was ${asked ? '' : 'not '}asked` };
}
const random = () => randomBytes(8).toString('hex');

const uploads = (subject: Subject, { href, method }: { href: string; method: string }) =>
  href.startsWith(`${originOf(subject)}/`) && method === 'post';

/** @param ids the set of file links that the request names */
async function write(
  asker: Asker,
  { projectId, container }: Subject,
  protocol: 'REST' | 'GraphQL',
  ids: number[],
): Promise<Result> {
  const { app, person } = asker;
  const subject = 'New';
  if (protocol === 'GraphQL') {
    const input = {
      ...(container ? { id: container.globalId } : { projectId: String(projectId), subject }),
      fileLinkIds: ids.map(String),
    };
    const noun = container ? 'UpdateWorkPackage' : 'CreateWorkPackage';
    return ask(
      asker,
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

/** Names a set of links; afterwards the work package has these, and no others. */
const naming = (idsOf: (subject: Subject) => number[]): Deed => {
  const named = async (
    asker: Asker,
    subject: Subject,
    protocol: 'REST' | 'GraphQL',
  ): Promise<Result> => {
    const result = await write(asker, subject, protocol, idsOf(subject));
    if (result.outcome !== 'ok') return result;
    const id = protocol === 'REST' ? result.body.id : result.body.done.workPackage.databaseId;
    const { body } = await asker.app.get(`/api/v3/work_packages/${id}/file_links`, asker.person);
    return whole(
      result,
      JSON.stringify(body._embedded.elements.map((link: { id: number }) => link.id)) ===
        JSON.stringify(idsOf(subject)),
    );
  };
  return {
    writes: true,
    consumes: true,
    rest: (asker, subject) => named(asker, subject, 'REST'),
    graphql: (asker, subject) => named(asker, subject, 'GraphQL'),
  };
};
const claim = naming(({ claimedId }) => [claimedId]);

export const fileDeeds: { readonly [operation in keyof typeof fileOperations]: Deed } = {
  'list file links': {
    rest: async ({ app, person }, subject) =>
      inList(
        await rest(app.get(listPath(subject), person)),
        (body) => body._embedded.elements.map(({ id }: { id: number }) => id),
        subject.linkId,
      ),
    graphql: async (asker, { workPackage, linkId }) =>
      inList(
        await ask(
          asker,
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
    graphql: async (asker, subject) =>
      checked(
        await ask(asker, 'query ($id: ID!) { storage(id: $id) { files { files { name } } } }', {
          id: String(subject.storageId),
        }),
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
    graphql: async (asker, subject) =>
      checked(
        await ask(
          asker,
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
    graphql: (asker, subject) =>
      atStorage(subject, async (name) =>
        checked(
          await ask(
            asker,
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
    graphql: async (asker, subject) =>
      checked(
        await ask(
          asker,
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
  'drop file link on update': naming(() => []),
};

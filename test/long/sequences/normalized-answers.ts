/** The data in responses, in the same form for both interfaces. */
import { wordsOf } from '../../../src/graphql/enum-words.js';
import { segments, type Kind } from '../../support/factories.js';

export type Api = 'REST' | 'GraphQL';

export interface ShownAttachment {
  id: number;
  fileName: string;
  fileSize: number;
  status: string;
  description: string;
  /** SHA-256, hexadecimal. Empty for a prepared attachment. */
  hash: string;
  author: number;
  /** Its path. */
  container: string | null;
  deletable: boolean;
}

export interface ShownContainer {
  id: number;
  title: string | null;
  project: number;
  /** What the reader may do, as names of links. */
  offers: string[];
  author?: number;
  attachments?: ShownAttachment[];
  lockVersion?: number;
  internal?: boolean;
}

export interface ShownLink {
  id: number;
  storage: number;
  originId: string;
  name: string;
  status: string;
  container: string | null;
  creator: number;
  deletable: boolean;
}

export interface ShownStorage {
  id: number;
  name: string;
  state: string;
  /** Whether its OAuth records are shown. */
  administered: boolean;
  /** Projects that accept uploads. */
  uploads: number[];
}

export interface ShownProjectStorage {
  id: number;
  project: number;
  storage: number;
  creator: number;
}

const idIn = (link: { href: string }): number => Number(/(\d+)$/.exec(link.href)?.[1]);
const last = (urn: string): string => urn.split(':').at(-1)!;

/** Reads REST responses. Bodies are `any`: a wrong one fails here or in the comparison. */
export const hal = {
  attachment: ({
    id,
    fileName,
    fileSize,
    status,
    description,
    digest,
    _links,
  }: any): ShownAttachment => ({
    id,
    fileName,
    fileSize,
    status,
    description: description.raw,
    hash: digest.hash,
    author: idIn(_links.author),
    container: _links.container.href,
    deletable: 'delete' in _links,
  }),
  container({
    _type,
    id,
    subject,
    title,
    lockVersion,
    internal,
    _links,
    _embedded,
  }: any): ShownContainer {
    const names = {
      addAttachment: 'addAttachment',
      addComment: 'addComment',
      fileLinks: 'fileLinks',
      addFileLink: 'addFileLink',
      updateImmediately: 'update',
      update: 'update',
    };
    const author = _links.author ?? _links.user;
    return {
      id,
      title: subject ?? title ?? null,
      project: idIn(_links.project),
      offers: Object.entries(names).flatMap(([link, offer]) => (link in _links ? [offer] : [])),
      ...(author && { author: idIn(author) }),
      ...(_embedded && { attachments: hal.list(_embedded.attachments, hal.attachment).elements }),
      ...(_type === 'WorkPackage' && { lockVersion }),
      ...(_type === 'Activity::Comment' && { internal }),
    };
  },
  link: ({ id, originData, _links }: any): ShownLink => ({
    id,
    storage: idIn(_links.storage),
    originId: originData.id,
    name: originData.name,
    status: last(_links.status.href),
    container: _links.container.href,
    creator: idIn(_links.creator),
    deletable: 'delete' in _links,
  }),
  storage: ({ id, name, _links, _embedded }: any): ShownStorage => ({
    id,
    name,
    state: last(_links.authorizationState.href),
    administered: 'oauthApplication' in _links && 'oauthApplication' in _embedded,
    uploads: _links.prepareUpload
      .map(({ payload }: any) => payload.projectId)
      .sort((a: number, b: number) => a - b),
  }),
  projectStorage: ({ id, _links }: any): ShownProjectStorage => ({
    id,
    project: idIn(_links.project),
    storage: idIn(_links.storage),
    creator: idIn(_links.creator),
  }),
  /** @throws Error if the counts of a collection differ from its elements */
  list<T>(
    { _type, total, count, _embedded: { elements } }: any,
    one: (element: any) => T,
  ): { total: number; count: number; elements: T[] } {
    if (_type !== 'Collection' || count !== elements.length || total < count)
      throw new Error(`A ${_type} of ${count} of ${total} has ${elements.length} elements.`);
    return { total, count, elements: elements.map(one) };
  },
};

/** Selections of GraphQL. With the functions of `graph` they give the same data. */
export const fields = {
  attachment:
    'databaseId fileName fileSize status description { raw } digest { hash } author { databaseId } container { __typename databaseId } viewerCanDelete',
  get container() {
    return `... on Container { __typename databaseId project { databaseId } author { databaseId } viewerCanAddAttachment viewerCanUpdate viewerCanDelete attachments(first: 200) { totalCount nodes { ${fields.attachment} } }
      ... on Meeting { title } ... on Post { title: subject } ... on WikiPage { title }
      ... on WorkPackage { title: subject lockVersion viewerCanComment viewerCanViewFileLinks viewerCanManageFileLinks } ... on Activity { internal } }`;
  },
  link: 'databaseId status originData { id name } storage { databaseId } container { databaseId } creator { databaseId } viewerCanDelete',
  storage:
    'databaseId name authorizationState oauthApplication { databaseId } uploadProjects { databaseId }',
  projectStorage: 'databaseId project { databaseId } storage { databaseId } creator { databaseId }',
};

const workPackagePath = (id: number) => `/api/v3/work_packages/${id}`;

/** REST has the words of the enums. */
const words = {
  attachment: wordsOf<string>('AttachmentStatus'),
  link: wordsOf<string>('FileLinkStatus'),
  state: wordsOf<string>('AuthorizationState'),
};

export const graph = {
  attachment: ({
    databaseId: id,
    fileName,
    fileSize,
    status,
    description,
    digest,
    author,
    container,
    viewerCanDelete: deletable,
  }: any): ShownAttachment => ({
    id,
    fileName,
    fileSize,
    status: words.attachment[status]!,
    description: description.raw,
    hash: digest.hash,
    author: author.databaseId,
    container:
      container && `/api/v3/${segments[container.__typename as Kind]}/${container.databaseId}`,
    deletable,
  }),
  container({
    __typename,
    databaseId: id,
    title,
    project,
    author,
    attachments,
    lockVersion,
    internal,
    ...can
  }: any): ShownContainer {
    const names = {
      viewerCanAddAttachment: 'addAttachment',
      viewerCanComment: 'addComment',
      viewerCanViewFileLinks: 'fileLinks',
      viewerCanManageFileLinks: 'addFileLink',
      viewerCanUpdate: 'update',
      viewerCanDelete: 'delete',
    };
    return {
      id,
      // A comment has none.
      title: title ?? null,
      project: project.databaseId,
      offers: Object.entries(names).flatMap(([field, offer]) => (can[field] ? [offer] : [])),
      author: author.databaseId,
      attachments: graph.list(attachments, graph.attachment).elements,
      ...(__typename === 'WorkPackage' && { lockVersion }),
      ...(__typename === 'Activity' && { internal }),
    };
  },
  link: ({
    databaseId: id,
    status,
    originData,
    storage,
    container,
    creator,
    viewerCanDelete: deletable,
  }: any): ShownLink => ({
    id,
    storage: storage.databaseId,
    originId: originData.id,
    name: originData.name,
    status: words.link[status]!,
    container: container && workPackagePath(container.databaseId),
    creator: creator.databaseId,
    deletable,
  }),
  storage: ({
    databaseId: id,
    name,
    authorizationState: state,
    oauthApplication,
    uploadProjects,
  }: any): ShownStorage => ({
    id,
    name,
    state: words.state[state]!,
    administered: oauthApplication !== null,
    uploads: uploadProjects
      .map(({ databaseId }: any) => databaseId)
      .sort((a: number, b: number) => a - b),
  }),
  projectStorage: ({ databaseId: id, project, storage, creator }: any): ShownProjectStorage => ({
    id,
    project: project.databaseId,
    storage: storage.databaseId,
    creator: creator.databaseId,
  }),
  list: <T>(
    { totalCount: total, nodes }: any,
    one: (node: any) => T,
  ): { total: number; count: number; elements: T[] } => ({
    total,
    count: nodes.length,
    elements: nodes.map(one),
  }),
};

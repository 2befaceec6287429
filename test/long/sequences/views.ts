/** The data that a response must show to a user, in the form of `normalized-answers.ts`. */
import { createHash } from 'node:crypto';
import { segments } from '../../support/factories.js';
import {
  attachmentsOf,
  usedIn,
  type Attachment,
  type Container,
  type FileLink,
  type Model,
  type Person,
  type ProjectStorage,
  type Storage,
} from './model.js';
import {
  holds,
  managesFileLinks,
  mayAttach,
  mayCreate,
  mayDelete,
  mayEdit,
  mayRemoveLink,
  seesFileLinks,
} from './rules.js';
import type {
  Api,
  ShownAttachment,
  ShownContainer,
  ShownLink,
  ShownProjectStorage,
  ShownStorage,
} from './normalized-answers.js';

export const pathOf = ({ kind, id }: Container): string => `/api/v3/${segments[kind]}/${id}`;

export function attachmentView(person: Person, attachment: Attachment): ShownAttachment {
  const { id, fileName, content, status, description, author, container } = attachment;
  return {
    id,
    fileName,
    status,
    description,
    fileSize: Buffer.byteLength(content),
    hash: status === 'prepared' ? '' : createHash('sha256').update(content).digest('hex'),
    author: author.id,
    container: container ? pathOf(container) : null,
    deletable: mayDelete(person, attachment),
  };
}

export const attachmentViews = (
  model: Model,
  person: Person,
  container: Container,
): ShownAttachment[] => attachmentsOf(model, container).map((one) => attachmentView(person, one));

/** REST shows only attachments and the editing of work packages and comments. It never shows deletability. */
export function containerView(
  model: Model,
  person: Person,
  container: Container,
  api: Api,
): ShownContainer {
  const { kind, id, project, title, internal, lockVersion, author } = container;
  const whole = kind === 'WorkPackage' || kind === 'Activity' || api === 'GraphQL';
  const offers = {
    addAttachment: mayAttach(person, container),
    addComment: kind === 'WorkPackage' && mayCreate(person, 'Activity', project),
    fileLinks: kind === 'WorkPackage' && seesFileLinks(person, container),
    addFileLink: kind === 'WorkPackage' && managesFileLinks(person, container),
    update: whole && mayEdit(person, container),
    delete: api === 'GraphQL' && mayEdit(person, container),
  };
  return {
    id,
    title,
    project: project.id,
    offers: Object.entries(offers).flatMap(([name, offered]) => (offered ? [name] : [])),
    ...(whole && { author: author.id, attachments: attachmentViews(model, person, container) }),
    ...(kind === 'WorkPackage' && { lockVersion }),
    ...(kind === 'Activity' && { internal }),
  };
}

/** The storage is requested as the user. The response updates the cached data. */
export function linkView(person: Person, link: FileLink): ShownLink {
  const { id, storage, file, container, creator } = link;
  const status = storage.answers && person.connected ? file.status : 'Error';
  if (status === 'ViewAllowed') link.name = file.name;
  return {
    id,
    storage: storage.id,
    originId: file.originId,
    name: link.name,
    status,
    container: container ? pathOf(container) : null,
    creator: creator.id,
    deletable: mayRemoveLink(person, link),
  };
}

/** Without tokens no storage is requested. */
export function storageView(model: Model, person: Person, storage: Storage): ShownStorage {
  const { id, name, answers } = storage;
  const uploads = model.projects.filter(
    (project) => usedIn(model, project, storage) && holds(person, project, 'manage_file_links'),
  );
  return {
    id,
    name,
    state: answers && person.connected ? 'Connected' : 'FailedAuthorization',
    administered: person.admin,
    uploads: uploads.map((project) => project.id).sort((a, b) => a - b),
  };
}

export const projectStorageView = ({
  id,
  project,
  storage,
  creator,
}: ProjectStorage): ShownProjectStorage => ({
  id,
  project: project.id,
  storage: storage.id,
  creator: creator.id,
});

/** A page of a list, numbered from 1, with its own counts. */
export function pageOf<T>(
  list: readonly T[],
  offset: number,
  pageSize: number,
): { total: number; count: number; elements: T[] } {
  const elements = list.slice((offset - 1) * pageSize, offset * pageSize);
  return { total: list.length, count: elements.length, elements };
}

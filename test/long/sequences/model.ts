/** The model: the records of one sequence as plain data. It shares only enums with the service. */
import type { Kind } from '../../support/factories.js';
import type { RoleName } from './rules.js';

export interface Person {
  /** A noun for the start of a sentence. */
  name: string;
  login: string;
  id: number;
  /** Absent for the anonymous user. */
  key: string | undefined;
  admin: boolean;
  /** Has an account at the working storages. */
  connected: boolean;
}

export interface Project {
  id: number;
  identifier: string;
  name: string;
  isPublic: boolean;
  /** The roles of its members. */
  members: Map<Person, RoleName>;
}

interface Thing {
  id: number;
  /** Deleted, or never created. */
  gone: boolean;
}

export interface Container extends Thing {
  kind: Kind;
  project: Project;
  author: Person;
  /** Subject or title. Null for a comment. */
  title: string | null;
  /** An internal comment. */
  internal: boolean;
  /** The work package of a comment. */
  workPackage: Container | undefined;
  lockVersion: number;
}

export interface Attachment extends Thing {
  fileName: string;
  description: string;
  content: string;
  author: Person;
  /** Absent for an unclaimed attachment. */
  container: Container | undefined;
  status: 'prepared' | 'uploaded';
  /** Of a prepared one: whether its bytes have arrived, and whether it was completed. */
  arrived: boolean;
  completed: boolean;
  /** Of a resumable upload, until it is forgotten: how many bytes have arrived. */
  received?: number | undefined;
  /** A deleted one that can be restored. */
  trash?: { deletedBy: Person; replacedBy?: Attachment } | undefined;
}

export interface Storage extends Thing {
  name: string;
  /** Whether it has a server. */
  answers: boolean;
}

export interface ProjectStorage extends Thing {
  project: Project;
  storage: Storage;
  creator: Person;
}

export interface FileLink extends Thing {
  storage: Storage;
  file: RemoteFile;
  /** Its last known data. */
  name: string;
  container: Container | undefined;
  creator: Person;
}

/** A file of a storage, or an unknown id. */
export interface RemoteFile {
  originId: string;
  /** Its name at the storage. */
  name: string;
  /** The status for users with an account. */
  status: 'ViewAllowed' | 'ViewNotAllowed' | 'NotFound';
}

export interface Model {
  people: Person[];
  projects: Project[];
  containers: Container[];
  attachments: Attachment[];
  storages: Storage[];
  projectStorages: ProjectStorage[];
  fileLinks: FileLink[];
  files: RemoteFile[];
}

/** Chooses from a list by any whole number. */
export const pick = <T>(list: readonly T[], number: number): T => list[number % list.length]!;

export const present = <T extends { gone: boolean }>(list: readonly T[]): T[] =>
  list.filter(({ gone }) => !gone);

export const usedIn = ({ projectStorages }: Model, project: Project, storage: Storage): boolean =>
  projectStorages.some((one) => !one.gone && one.project === project && one.storage === storage);

/** The finished attachments in list order: by file name for work packages and meetings, else by creation. */
export function attachmentsOf({ attachments }: Model, container: Container): Attachment[] {
  const own = attachments
    .filter((one) => !one.gone && one.container === container && one.status === 'uploaded')
    .sort((a, b) => a.id - b.id);
  const byName = container.kind === 'WorkPackage' || container.kind === 'Meeting';
  return byName
    ? own.sort((a, b) => (a.fileName < b.fileName ? -1 : a.fileName > b.fileName ? 1 : a.id - b.id))
    : own;
}

/** Links to storages of the project, in the order of their creation. */
export const fileLinksOf = (model: Model, container: Container): FileLink[] =>
  model.fileLinks
    .filter(
      (one) =>
        !one.gone && one.container === container && usedIn(model, container.project, one.storage),
    )
    .sort((a, b) => a.id - b.id);

/** The newest first. */
export const newestFirst = <T extends { id: number }>(list: readonly T[]): T[] =>
  [...list].sort((a, b) => b.id - a.id);

/** Only finished attachments of containers are kept. Their container keeps them. */
export function removeAttachment(attachment: Attachment, deletedBy: Person): void {
  attachment.gone = true;
  if (attachment.container && attachment.status === 'uploaded') attachment.trash = { deletedBy };
}

/** Deletes a container with its content, and a work package with its comments. */
export function removeContainer(model: Model, container: Container): void {
  container.gone = true;
  for (const comment of model.containers)
    if (comment.workPackage === container && !comment.gone) removeContainer(model, comment);
  for (const one of [...model.attachments, ...model.fileLinks])
    if (one.container === container) one.gone = true;
  for (const one of model.attachments) if (one.container === container) one.trash = undefined;
}

/** Without the project storage its links are deleted. */
export function removeProjectStorage(model: Model, removed: ProjectStorage): void {
  removed.gone = true;
  for (const link of model.fileLinks)
    if (link.storage === removed.storage && link.container?.project === removed.project)
      link.gone = true;
}

/** Deletes a storage with all its links, claimed or not. */
export function removeStorage(model: Model, storage: Storage): void {
  storage.gone = true;
  for (const one of [...model.fileLinks, ...model.projectStorages])
    if (one.storage === storage) one.gone = true;
}

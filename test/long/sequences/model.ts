/** What must be the case, as plain data: the interface's things as one sequence knows them. Knows nothing of the service but its words. */
import type { Kind } from '../../support/factories.js';
import type { RoleName } from './rules.js';

export interface Person {
  /** Reads well before a verb. */
  name: string;
  login: string;
  id: number;
  /** Absent for the visitor. */
  key: string | undefined;
  admin: boolean;
  /** Has an account at the storages that answer. */
  connected: boolean;
}

export interface Project {
  id: number;
  identifier: string;
  name: string;
  isPublic: boolean;
  /** What its members are; nobody else is one. */
  members: Map<Person, RoleName>;
}

interface Thing {
  id: number;
  /** Was deleted, or never was. */
  gone: boolean;
}

export interface Container extends Thing {
  kind: Kind;
  project: Project;
  author: Person;
  /** Subject or title; null for a comment. */
  title: string | null;
  /** A comment that only some may read. */
  internal: boolean;
  /** Of a comment. */
  workPackage: Container | undefined;
  lockVersion: number;
}

export interface Attachment extends Thing {
  fileName: string;
  description: string;
  content: string;
  author: Person;
  /** Absent while it is unclaimed. */
  container: Container | undefined;
  status: 'prepared' | 'uploaded';
  /** Of a prepared one: whether its bytes have arrived, and whether that was told. */
  arrived: boolean;
  completed: boolean;
}

export interface Storage extends Thing {
  name: string;
  /** Whether a server stands behind it. */
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
  /** As it was told last. */
  name: string;
  container: Container | undefined;
  creator: Person;
}

/** A file of a storage, or an id that none has. */
export interface RemoteFile {
  originId: string;
  /** Its name there, which an answer of the storage tells. */
  name: string;
  /** What the storage says about it to people with an account. */
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

/** One of a list by any whole number. */
export const pick = <T>(list: readonly T[], number: number): T => list[number % list.length]!;

export const present = <T extends { gone: boolean }>(list: readonly T[]): T[] =>
  list.filter(({ gone }) => !gone);

export const usedIn = ({ projectStorages }: Model, project: Project, storage: Storage): boolean =>
  projectStorages.some((one) => !one.gone && one.project === project && one.storage === storage);

/** The finished attachments in the order of their list (decisions 3): by file name for work packages and meetings, else by creation. */
export function attachmentsOf({ attachments }: Model, container: Container): Attachment[] {
  const own = attachments
    .filter((one) => !one.gone && one.container === container && one.status === 'uploaded')
    .sort((a, b) => a.id - b.id);
  const byName = container.kind === 'WorkPackage' || container.kind === 'Meeting';
  return byName
    ? own.sort((a, b) => (a.fileName < b.fileName ? -1 : a.fileName > b.fileName ? 1 : a.id - b.id))
    : own;
}

/** Those to storages that its project uses, in the order of their creation (interface 4.4, T125). */
export const fileLinksOf = (model: Model, container: Container): FileLink[] =>
  model.fileLinks
    .filter(
      (one) =>
        !one.gone && one.container === container && usedIn(model, container.project, one.storage),
    )
    .sort((a, b) => a.id - b.id);

/** The newest first (decisions 3). */
export const newestFirst = <T extends { id: number }>(list: readonly T[]): T[] =>
  [...list].sort((a, b) => b.id - a.id);

/** A container goes with everything in it (a work package with its comments). */
export function removeContainer(model: Model, container: Container): void {
  container.gone = true;
  for (const comment of model.containers)
    if (comment.workPackage === container && !comment.gone) removeContainer(model, comment);
  for (const one of [...model.attachments, ...model.fileLinks])
    if (one.container === container) one.gone = true;
}

/** A project that no longer uses a storage keeps no links to it (facts 1). */
export function removeProjectStorage(model: Model, removed: ProjectStorage): void {
  removed.gone = true;
  for (const link of model.fileLinks)
    if (link.storage === removed.storage && link.container?.project === removed.project)
      link.gone = true;
}

/** A storage goes with its links (interface 4.5, rule 5), claimed or not. */
export function removeStorage(model: Model, storage: Storage): void {
  storage.gone = true;
  for (const one of [...model.fileLinks, ...model.projectStorages])
    if (one.storage === storage) one.gone = true;
}

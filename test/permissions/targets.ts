/** What the operations of the matrix are about. */
import type { ContainerHandle, Person } from '../support/factories.js';
import type { Cell, Kind } from './expected.js';
import type { Remote } from './storage-fixtures.js';

/** What one operation is about. */
export interface Subject {
  kind: Kind;
  projectId: number;
  /** Where comments are written. */
  workPackage: ContainerHandle;
  /** Absent for what has no container, or not yet. */
  container: ContainerHandle | undefined;
  /** `MISSING` where there is none. */
  attachmentId: number;
  /** The author of the attachment. */
  authorId: number;
  /** What a claim names. */
  claimedId: number;
  apiKeyId: number;
  storageId: number;
  /** The OAuth records of the storage. */
  applicationId: number;
  credentialsId: number;
  projectStorageId: number;
  linkId: number;
  /** The storage of files and links as it answers. */
  remote: Remote | undefined;
  /** Whether the caller has an account there. */
  connected: boolean;
}

export interface Place {
  project: { id: number };
  owner: Person;
  workPackage: ContainerHandle;
}

/** Nothing has this key. */
export const MISSING = 999_999_999;

const noStorage = {
  storageId: MISSING,
  applicationId: MISSING,
  credentialsId: MISSING,
  projectStorageId: MISSING,
  linkId: MISSING,
};

/** What an operation on something else is about. */
export const noSubject = {
  container: undefined,
  attachmentId: MISSING,
  claimedId: MISSING,
  apiKeyId: MISSING,
  ...noStorage,
  remote: undefined,
  connected: false,
};

/** The same about something that does not exist: what a claim or a new link names, else what is asked for. */
export const missing = (subject: Subject, outcome: Cell['outcome']): Subject =>
  outcome === '422'
    ? { ...subject, claimedId: MISSING, storageId: MISSING }
    : {
        ...subject,
        ...noStorage,
        projectId: MISSING,
        attachmentId: MISSING,
        authorId: MISSING,
        apiKeyId: MISSING,
        workPackage: nowhere(subject.workPackage),
        container: subject.container && nowhere(subject.container),
      };

function nowhere(handle: ContainerHandle): ContainerHandle {
  const path = handle.path.replace(/\d+$/, String(MISSING));
  return {
    ...handle,
    id: MISSING,
    path,
    attachments: `${path}/attachments`,
    globalId: Buffer.from(`${handle.kind}:${MISSING}`).toString('base64url'),
  };
}

/** The subjects of the requests of the matrix. */
import type { ContainerHandle, Person } from '../support/factories.js';
import type { Cell, Kind } from './expected.js';
import type { Remote } from './storage-fixtures.js';

/** The records that one request reads or changes. */
export interface Subject {
  kind: Kind;
  projectId: number;
  /** The work package for new comments. */
  workPackage: ContainerHandle;
  /** Absent if there is no container, or not yet. */
  container: ContainerHandle | undefined;
  /** Where an attachment is moved. */
  target: ContainerHandle | undefined;
  /** `MISSING` if there is none. */
  attachmentId: number;
  /** The author of the attachment; for an account, its user. */
  authorId: number;
  /** The attachment or file link that a claim names. */
  claimedId: number;
  apiKeyId: number;
  storageId: number;
  /** The OAuth records of the storage. */
  applicationId: number;
  credentialsId: number;
  projectStorageId: number;
  linkId: number;
  notificationId: number;
  /** What administrators change: a role, a session, a webhook. */
  administeredId: number;
  /** The storage of the files and links, with its server. */
  remote: Remote | undefined;
  /** Whether the caller has an account there. */
  connected: boolean;
}

export interface Place {
  project: { id: number };
  owner: Person;
  /** A member of the project, with a picture. */
  member: Person;
  workPackage: ContainerHandle;
}

/** No record has this id. */
export const MISSING = 999_999_999;

/** The content of an attachment that the matrix makes. */
export const CONTENT = 'some text';

/** A small picture: its bytes, and the end of its address. */
export const PICTURE = {
  bytes: 'a picture',
  digest: 'a'.repeat(64),
  address: `small-${'a'.repeat(64)}`,
};

const noStorage = {
  storageId: MISSING,
  applicationId: MISSING,
  credentialsId: MISSING,
  projectStorageId: MISSING,
  linkId: MISSING,
};

/** A subject without any records. */
export const noSubject = {
  container: undefined,
  target: undefined,
  attachmentId: MISSING,
  claimedId: MISSING,
  apiKeyId: MISSING,
  notificationId: MISSING,
  administeredId: MISSING,
  ...noStorage,
  remote: undefined,
  connected: false,
};

/**
 * The same subject, but missing.
 * For 422 the record that a claim or a new link names is missing, otherwise the requested record.
 */
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
        notificationId: MISSING,
        administeredId: MISSING,
        workPackage: nowhere(subject.workPackage),
        container: subject.container && nowhere(subject.container),
        target: subject.target && nowhere(subject.target),
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

import { registerEnumType } from 'type-graphql';
import type { ContainerType } from './container.js';
import { Record } from './record.js';

/** What can happen to an attachment (decisions 6, and what only subscribers are told). */
export enum AttachmentEvent {
  created = 'attachment:created',
  deleted = 'attachment:deleted',
  scanned = 'attachment:scanned',
  quarantined = 'attachment:quarantined',
  claimed = 'attachment:claimed',
  rejected = 'attachment:rejected',
}
registerEnumType(AttachmentEvent, {
  name: 'AttachmentEvent',
  description: 'What happened to an attachment.',
  valuesConfig: {
    created: {
      description: 'It is there: a regular upload was stored, or a direct upload finalised.',
    },
    deleted: { description: 'It is gone.' },
    scanned: {
      description: 'The virus scan found nothing, or an administrator released it from quarantine.',
    },
    quarantined: { description: 'The virus scan found something; the content is not served.' },
    claimed: { description: 'It has become the attachment of a container.' },
    rejected: {
      description:
        'A completed direct upload could not be finalised and is gone. Only its author is told.',
    },
  },
});

/** What can happen to a file link (decisions 6, and what only subscribers are told). */
export enum FileLinkEvent {
  created = 'file_link:created',
  deleted = 'file_link:deleted',
  claimed = 'file_link:claimed',
}
registerEnumType(FileLinkEvent, {
  name: 'FileLinkEvent',
  description: 'What happened to a file link.',
  valuesConfig: {
    created: { description: 'It was made.' },
    deleted: { description: 'It is gone; the file stays where it is.' },
    claimed: { description: 'It has become the link of a work package.' },
  },
});

/** A row of the outbox, written in the transaction of its change. What it tells about may be gone, so it refers to nothing. */
export class Event extends Record {
  static override tableName = 'events';
  static override booleans = ['internal', 'dispatched'];
  static override jsonAttributes = ['data'];

  /** The same at every delivery of this event. */
  declare deliveryId: string;
  declare kind: AttachmentEvent | FileLinkEvent;
  declare subjectType: 'Attachment' | 'FileLink';
  declare subjectId: number;
  declare containerType: ContainerType | null;
  declare containerId: number | null;
  declare projectId: number | null;
  /** The container is an internal comment. */
  declare internal: boolean;
  /** Of the attachment; the creator of the file link. */
  declare authorId: number;
  /** It was handed to the webhooks. */
  declare dispatched: boolean;
  declare data: (AttachmentData | FileLinkData) & { reason?: string };
}

/** The attachment as it was. */
export interface AttachmentData {
  fileName: string;
  fileSize: number;
  contentType: string;
  status: string;
}

/** The file link as it was. */
export interface FileLinkData {
  storageId: number;
  originId: string;
  originName: string;
  originMimeType: string | null;
}

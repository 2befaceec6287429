/** Events in the outbox. */
import { registerEnumType } from 'type-graphql';
import type { ContainerType } from './container.js';
import { Record } from './record.js';

/**
 * Events of attachments. Webhooks receive the first five. Subscribers receive all, but rejections
 * only as the author.
 */
export enum AttachmentEvent {
  created = 'attachment:created',
  deleted = 'attachment:deleted',
  scanned = 'attachment:scanned',
  quarantined = 'attachment:quarantined',
  updated = 'attachment:updated',
  claimed = 'attachment:claimed',
  rejected = 'attachment:rejected',
}
registerEnumType(AttachmentEvent, {
  name: 'AttachmentEvent',
  description: 'Type of an attachment event.',
  valuesConfig: {
    created: {
      description: 'A regular upload was stored, or a direct upload was finalised.',
    },
    deleted: { description: 'The attachment was deleted.' },
    scanned: {
      description:
        'The virus scan found nothing, or an administrator released the file from quarantine.',
    },
    quarantined: { description: 'The virus scan found malware. Nobody can download the content.' },
    updated: { description: 'The description of the attachment changed.' },
    claimed: { description: 'A container claimed the attachment.' },
    rejected: {
      description:
        'A completed direct upload could not be finalised and was deleted. Only its author ' +
        'receives this event.',
    },
  },
});

/** Events of file links. Webhooks receive the first two, subscribers all. */
export enum FileLinkEvent {
  created = 'file_link:created',
  deleted = 'file_link:deleted',
  claimed = 'file_link:claimed',
}
registerEnumType(FileLinkEvent, {
  name: 'FileLinkEvent',
  description: 'Type of a file link event.',
  valuesConfig: {
    created: { description: 'The file link was created.' },
    deleted: { description: 'The file link was deleted; the file stays in its storage.' },
    claimed: { description: 'A work package claimed the file link.' },
  },
});

/** Events of storages. Webhooks receive them, subscribers do not. */
export enum StorageEvent {
  foldersFailed = 'storage:folders_failed',
  foldersRecovered = 'storage:folders_recovered',
}

/** The event of a notification. Only the notified person receives it, by a subscription. */
export const NOTIFIED = 'notification:created';

/**
 * A row of the outbox, written in the transaction of its change.
 * It has no foreign keys, because its subject can be deleted before the event is delivered.
 */
export class Event extends Record {
  static override tableName = 'events';
  static override booleans = ['internal', 'dispatched'];
  static override jsonAttributes = ['data'];

  /** Every delivery of the event has the same one. */
  declare deliveryId: string;
  declare kind: AttachmentEvent | FileLinkEvent | StorageEvent | typeof NOTIFIED;
  declare subjectType: 'Attachment' | 'FileLink' | 'Notification' | 'Storage';
  declare subjectId: number;
  declare containerType: ContainerType | null;
  declare containerId: number | null;
  declare projectId: number | null;
  /** Whether the container is an internal comment. */
  declare internal: boolean;
  /**
   * The author of the attachment, the creator of the file link, the notified person, or the creator
   * of the storage.
   */
  declare authorId: number;
  /** Whether deliveries to the webhooks exist. */
  declare dispatched: boolean;
  declare data: (AttachmentData | FileLinkData | StorageData) & { reason?: string };
}

/** The attachment at the time of the event. */
export interface AttachmentData {
  fileName: string;
  fileSize: number;
  contentType: string;
  status: string;
}

/** The file link at the time of the event. */
export interface FileLinkData {
  storageId: number;
  originId: string;
  originName: string;
  originMimeType: string | null;
}

/** The storage at the time of the event. */
export interface StorageData {
  storageName: string;
  /** What is wrong, and what to do. Null when it works again. */
  message: string | null;
}

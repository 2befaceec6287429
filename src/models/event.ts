/** Events in the outbox. */
import { registerEnumType } from 'type-graphql';
import type { ContainerType } from './container.js';
import { Record } from './record.js';

/**
 * Events of attachments. Webhooks receive all but the last two. Subscribers receive all, but
 * rejections only as the author.
 */
export enum AttachmentEvent {
  CREATED = 'attachment:created',
  DELETED = 'attachment:deleted',
  SCANNED = 'attachment:scanned',
  QUARANTINED = 'attachment:quarantined',
  UPDATED = 'attachment:updated',
  REPLACED = 'attachment:replaced',
  MOVED = 'attachment:moved',
  RESTORED = 'attachment:restored',
  CLAIMED = 'attachment:claimed',
  REJECTED = 'attachment:rejected',
}
registerEnumType(AttachmentEvent, {
  name: 'AttachmentEvent',
  description: 'Type of an attachment event.',
  valuesConfig: {
    CREATED: {
      description:
        'A regular upload was stored, a direct upload was finalised, or a file was copied.',
    },
    DELETED: { description: 'The attachment was deleted.' },
    SCANNED: {
      description:
        'The virus scan found nothing, or an administrator released the file from quarantine.',
    },
    QUARANTINED: { description: 'The virus scan found malware. Nobody can download the content.' },
    UPDATED: { description: 'The name or the description of the attachment changed.' },
    REPLACED: { description: 'The attachment got a new content.' },
    MOVED: {
      description:
        'The attachment was moved. It is reported twice: for the container where it was, ' +
        'and for the one where it is.',
    },
    RESTORED: { description: 'The attachment was restored from the trash.' },
    CLAIMED: { description: 'A container claimed the attachment.' },
    REJECTED: {
      description:
        'A completed direct upload could not be finalised and was deleted. Only its author ' +
        'receives this event.',
    },
  },
});

/** Events of file links. Webhooks receive the first two, subscribers all. */
export enum FileLinkEvent {
  CREATED = 'file_link:created',
  DELETED = 'file_link:deleted',
  CLAIMED = 'file_link:claimed',
}
registerEnumType(FileLinkEvent, {
  name: 'FileLinkEvent',
  description: 'Type of a file link event.',
  valuesConfig: {
    CREATED: { description: 'The file link was created.' },
    DELETED: { description: 'The file link was deleted; the file stays in its storage.' },
    CLAIMED: { description: 'A work package claimed the file link.' },
  },
});

/** Events of comments. Subscribers receive them, webhooks do not. */
export enum CommentEvent {
  CREATED = 'comment:created',
  UPDATED = 'comment:updated',
  DELETED = 'comment:deleted',
}

/** Events of storages. Webhooks receive them, subscribers do not. */
export enum StorageEvent {
  FOLDERS_FAILED = 'storage:folders_failed',
  FOLDERS_RECOVERED = 'storage:folders_recovered',
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
  declare kind: AttachmentEvent | FileLinkEvent | CommentEvent | StorageEvent | typeof NOTIFIED;
  declare subjectType: 'Activity' | 'Attachment' | 'FileLink' | 'Notification' | 'Storage';
  declare subjectId: number;
  declare containerType: ContainerType | null;
  declare containerId: number | null;
  declare projectId: number | null;
  /** Whether the container is an internal comment. */
  declare internal: boolean;
  /**
   * The author of the attachment or comment, the creator of the file link, the notified person, or the creator
   * of the storage.
   */
  declare authorId: number;
  /** Whether deliveries to the webhooks exist. */
  declare dispatched: boolean;
  declare data: (AttachmentData | FileLinkData | CommentData | StorageData) & { reason?: string };
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

/** The comment is gone when its deletion is told. */
interface CommentData {
  workPackageId: number;
}

/** The storage at the time of the event. */
export interface StorageData {
  storageName: string;
  /** What is wrong, and what to do. Null when it works again. */
  message: string | null;
}

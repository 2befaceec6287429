import { registerEnumType } from 'type-graphql';
import type { ContainerType } from './container.js';
import { Record } from './record.js';

/** What can happen to an attachment (decisions 6, and what only subscribers are told). */
export enum EventKind {
  created = 'attachment:created',
  deleted = 'attachment:deleted',
  scanned = 'attachment:scanned',
  quarantined = 'attachment:quarantined',
  claimed = 'attachment:claimed',
  rejected = 'attachment:rejected',
}
registerEnumType(EventKind, {
  name: 'AttachmentEvent',
  description: 'What happened to an attachment.',
  valuesConfig: {
    created: { description: 'It is there: a regular upload was stored, or a direct upload finalised.' },
    deleted: { description: 'It is gone.' },
    scanned: { description: 'The virus scan found nothing, or an administrator released it from quarantine.' },
    quarantined: { description: 'The virus scan found something; the content is not served.' },
    claimed: { description: 'It has become the attachment of a container.' },
    rejected: { description: 'A completed direct upload could not be finalised and is gone. Only its author is told.' },
  },
});

/** A row of the outbox, written in the transaction of its change. What it tells about may be gone, so it refers to nothing. */
export class Event extends Record {
  static override tableName = 'events';
  static override booleans = ['internal'];
  static override jsonAttributes = ['data'];

  /** The same at every delivery of this event. */
  declare deliveryId: string;
  declare kind: EventKind;
  declare attachmentId: number;
  declare containerType: ContainerType | null;
  declare containerId: number | null;
  declare projectId: number | null;
  /** The container is an internal comment. */
  declare internal: boolean;
  /** Of the attachment. */
  declare authorId: number;
  declare data: EventData;
}

/** The attachment as it was, and why where the service decided. */
export interface EventData {
  fileName: string;
  fileSize: number;
  contentType: string;
  status: string;
  reason?: string;
}

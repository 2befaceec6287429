/** Writes events to the outbox, in the transaction of their change. */
import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import { insertInto, type NewRow } from '../database/statements.js';
import type { Database } from '../database/index.js';
import type { Activity } from '../models/activity.js';
import type { Attachment } from '../models/attachment.js';
import type { ContainerType } from '../models/container.js';
import type {
  AttachmentData,
  AttachmentEvent,
  CommentEvent,
  Event,
  FileLinkData,
  FileLinkEvent,
  StorageData,
  StorageEvent,
} from '../models/event.js';
import type { FileLink } from '../models/file-link.js';
import type { Storage } from '../models/storage.js';
import { containers } from '../policies/permissions.js';

/**
 * The PostgreSQL channel that sends the id of each new event to every process. Version 0.1 sent
 * several in one message, comma-separated.
 */
export const CHANNEL = 'moorage_events';

/**
 * An event with its subject, in the state after the change.
 * If the change removed the container, the subject still has the old one.
 */
type NewEvent = {
  /** Why the service itself made the change. Absent for changes by users. */
  reason?: string | undefined;
} & (
  | {
      kind: AttachmentEvent;
      attachment: Pick<Attachment, 'id' | 'authorId' | 'containerRef' | keyof AttachmentData>;
    }
  | {
      kind: FileLinkEvent;
      fileLink: Pick<FileLink, 'id' | 'creatorId' | 'workPackageId' | keyof FileLinkData>;
    }
  | {
      kind: CommentEvent;
      comment: Pick<Activity, 'id' | 'authorId' | 'workPackageId'>;
    }
  | {
      kind: StorageEvent;
      storage: Pick<Storage, 'id' | 'creatorId' | 'name'>;
      message: StorageData['message'];
    }
);

export async function recordEvents(
  db: Database,
  trx: Knex,
  events: readonly NewEvent[],
  now: string,
): Promise<void> {
  await db.statements.writeAll(
    events.map((event) => ({
      sql: eventText(db, rowOf(event).container?.type),
      values: eventValues(event, now),
    })),
    trx,
  );
}

/**
 * The SQL that records an event of something in a container. It needs the values of `eventValues`.
 * @param type kind of the container; undefined without one
 * @param condition SQL; nothing is recorded unless it holds
 */
export function eventText(
  db: Database,
  type: ContainerType | undefined,
  condition?: string,
): string {
  const insert = insertInto(
    'events',
    {
      delivery_id: ':delivery',
      kind: ':event',
      subject_type: ':subjectType',
      subject_id: ':subject',
      author_id: ':subjectAuthor',
      container_type: type === undefined ? 'null' : `'${type}'`,
      container_id: type === undefined ? 'null' : ':container',
      internal: 'false',
      ...(type !== undefined && receivers(type)),
      data: ':data',
      created_at: ':now',
      updated_at: ':now',
    },
    condition,
  );
  return announcing(db, insert);
}

/** The SQL of an insert into the outbox that also announces the new rows to every process. */
export const announcing = (db: Database, insert: string): string =>
  db.notifying?.(insert, CHANNEL) ?? insert;

/** The columns of an event that decide who can receive it. Nobody, if the container is deleted. */
function receivers(type: ContainerType): NewRow {
  const { tableName } = containers[type].model;
  if (type !== 'Activity')
    return { project_id: `(select project_id from ${tableName} where id = :container)` };
  return {
    project_id:
      '(select project_id from work_packages where id =' +
      ' (select work_package_id from activities where id = :container))',
    internal: 'coalesce((select internal from activities where id = :container), false)',
  };
}

export function eventValues(event: NewEvent, now: string) {
  const { kind, subject_type, subject_id, author_id, container, data } = rowOf(event);
  return {
    delivery: randomUUID(),
    event: kind,
    subjectType: subject_type,
    subject: subject_id,
    subjectAuthor: author_id,
    container: container?.id ?? null,
    data: JSON.stringify(data),
    now,
  };
}

interface Row {
  kind: Event['kind'];
  subject_type: Event['subjectType'];
  subject_id: number;
  author_id: number;
  container: Container | null;
  data: Event['data'];
}
type Container = NonNullable<Attachment['containerRef']>;

function rowOf(event: NewEvent): Row {
  const reason = event.reason === undefined ? {} : { reason: event.reason };
  if ('fileLink' in event) {
    const { id, creatorId, workPackageId, storageId, originId, originName, originMimeType } =
      event.fileLink;
    const container =
      workPackageId === null ? null : { type: 'WorkPackage' as const, id: workPackageId };
    return {
      kind: event.kind,
      subject_type: 'FileLink',
      subject_id: id,
      author_id: creatorId,
      container,
      data: { storageId, originId, originName, originMimeType, ...reason },
    };
  }
  if ('comment' in event) {
    const { id, authorId, workPackageId } = event.comment;
    return {
      kind: event.kind,
      subject_type: 'Activity',
      subject_id: id,
      author_id: authorId,
      container: { type: 'Activity', id },
      data: { workPackageId },
    };
  }
  if ('storage' in event) {
    const { id, creatorId, name } = event.storage;
    return {
      kind: event.kind,
      subject_type: 'Storage',
      subject_id: id,
      author_id: creatorId,
      container: null,
      data: { storageName: name, message: event.message, ...reason },
    };
  }
  const { id, authorId, containerRef, fileName, fileSize, contentType, status } = event.attachment;
  return {
    kind: event.kind,
    subject_type: 'Attachment',
    subject_id: id,
    author_id: authorId,
    container: containerRef ?? null,
    data: { fileName, fileSize, contentType, status, ...reason },
  };
}

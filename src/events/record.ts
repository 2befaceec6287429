/** Writes the outbox: one row for each event, in the transaction of the change (decisions 6). */
import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import type { Database } from '../database/index.js';
import type { Activity } from '../models/activity.js';
import type { Attachment } from '../models/attachment.js';
import type { ContainerType } from '../models/container.js';
import type {
  AttachmentData,
  AttachmentEvent,
  Event,
  FileLinkData,
  FileLinkEvent,
} from '../models/event.js';
import type { FileLink } from '../models/file-link.js';
import { containers } from '../policies/permissions.js';
import { containerRows } from '../policies/visible.js';

/** The channel on which PostgreSQL tells every process the ids of new events, separated by commas. */
export const CHANNEL = 'moorage_events';

/** What changed, as it is after the change; with the container that it belonged to, where it was taken off one. */
export type Happening = {
  /** Where the service decided. */
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
);

/** As many rows as one statement inserts; their ids fit into one notification of PostgreSQL (8,000 bytes). */
const CHUNK = 500;

export async function recordEvents(
  db: Database,
  trx: Knex,
  happenings: readonly Happening[],
  now: string,
): Promise<void> {
  for (let start = 0; start < happenings.length; start += CHUNK) {
    const told = happenings.slice(start, start + CHUNK).map(describe);
    const placeOf = await places(
      trx,
      told.flatMap(({ container }) => container ?? []),
    );
    const made = (await trx('events')
      .insert(
        told.map(({ container, data, ...columns }) => ({
          delivery_id: randomUUID(),
          ...columns,
          container_type: container?.type ?? null,
          container_id: container?.id ?? null,
          ...placeOf(container),
          data: JSON.stringify(data),
          created_at: now,
          updated_at: now,
        })),
      )
      .returning('id')) as { id: number }[];
    await db.notify?.(trx, CHANNEL, made.map(({ id }) => id).join());
  }
}

interface Description {
  kind: Event['kind'];
  subject_type: Event['subjectType'];
  subject_id: number;
  author_id: number;
  container: Container | null;
  data: Event['data'];
}
type Container = NonNullable<Attachment['containerRef']>;

function describe(happening: Happening): Description {
  const reason = happening.reason === undefined ? {} : { reason: happening.reason };
  if ('fileLink' in happening) {
    const { id, creatorId, workPackageId, storageId, originId, originName, originMimeType } =
      happening.fileLink;
    const container =
      workPackageId === null ? null : { type: 'WorkPackage' as const, id: workPackageId };
    return {
      kind: happening.kind,
      subject_type: 'FileLink',
      subject_id: id,
      author_id: creatorId,
      container,
      data: { storageId, originId, originName, originMimeType, ...reason },
    };
  }
  const { id, authorId, containerRef, fileName, fileSize, contentType, status } =
    happening.attachment;
  return {
    kind: happening.kind,
    subject_type: 'Attachment',
    subject_id: id,
    author_id: authorId,
    container: containerRef ?? null,
    data: { fileName, fileSize, contentType, status, ...reason },
  };
}

interface Place {
  project_id: number | null;
  internal: boolean;
}
const nowhere: Place = { project_id: null, internal: false };

/** The project of each container, and whether it is an internal comment; nothing where it is gone. One statement for each kind. */
async function places(
  trx: Knex,
  refs: readonly Container[],
): Promise<(container: Container | null) => Place> {
  const known = new Map<string, Place>();
  const keyOf = ({ type, id }: { type: ContainerType; id: number }) => `${type}:${id}`;
  for (const type of new Set(refs.map((ref) => ref.type))) {
    const ids = [...new Set(refs.filter((ref) => ref.type === type).map(({ id }) => id))];
    for (const row of await containerRows(type, trx).whereIn(
      `${containers[type].model.tableName}.id`,
      ids,
    )) {
      known.set(keyOf({ type, id: row.id }), {
        project_id: row.projectId,
        internal: (row as Activity).internal ?? false,
      });
    }
  }
  return (container) => (container && known.get(keyOf(container))) ?? nowhere;
}

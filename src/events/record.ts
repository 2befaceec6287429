/** Writes the outbox: one row for each event, in the transaction of the change (decisions 6). */
import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import type { Database } from '../database.js';
import type { Activity } from '../models/activity.js';
import type { Attachment } from '../models/attachment.js';
import type { EventData, EventKind } from '../models/event.js';
import { containerRows } from '../policies/visible.js';

/** The channel on which PostgreSQL tells every process the ids of new events, separated by commas. */
export const CHANNEL = 'moorage_events';

type Subject = Pick<Attachment, 'id' | 'authorId' | 'fileName' | 'fileSize' | 'contentType' | 'status' | 'containerRef'>;

export interface Happening {
  kind: EventKind;
  /** As it is after the change; the container that it belonged to, where it was taken off one. */
  attachment: Subject;
  /** Where the service decided. */
  reason?: string | undefined;
}

/** As many rows as one statement inserts. */
const CHUNK = 50;

export async function recordEvents(db: Database, trx: Knex, happenings: readonly Happening[], now: string): Promise<void> {
  const places = new Map<string, Promise<Place>>();
  const placeOf = (ref: NonNullable<Subject['containerRef']>) => {
    const key = `${ref.type}:${ref.id}`;
    return places.get(key) ?? places.set(key, place(trx, ref)).get(key)!;
  };
  for (let start = 0; start < happenings.length; start += CHUNK) {
    const rows = [];
    for (const happening of happenings.slice(start, start + CHUNK)) rows.push(await row(happening, placeOf, now));
    const made = await trx('events').insert(rows).returning('id') as { id: number }[];
    await db.notify?.(trx, CHANNEL, made.map(({ id }) => id).join());
  }
}

interface Place {
  project_id: number | null;
  internal: boolean;
}

async function row({ kind, attachment, reason }: Happening, placeOf: (ref: NonNullable<Subject['containerRef']>) => Promise<Place>, now: string) {
  const { containerRef: ref, fileName, fileSize, contentType, status } = attachment;
  const data: EventData = { fileName, fileSize, contentType, status, ...(reason !== undefined && { reason }) };
  return {
    delivery_id: randomUUID(), kind, attachment_id: attachment.id, author_id: attachment.authorId,
    container_type: ref?.type ?? null, container_id: ref?.id ?? null, ...(ref ? await placeOf(ref) : { project_id: null, internal: false }),
    data: JSON.stringify(data), created_at: now, updated_at: now,
  };
}

/** The project of a container, and whether it is an internal comment; nothing where it is gone. */
async function place(trx: Knex, { type, id }: NonNullable<Subject['containerRef']>): Promise<Place> {
  const container = await containerRows(type, trx).findById(id);
  return { project_id: container?.projectId ?? null, internal: (container as Activity | undefined)?.internal ?? false };
}

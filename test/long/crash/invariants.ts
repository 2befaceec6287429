/** What must be true after each crash, when background work and cleanup have ended. */
import { createHash } from 'node:crypto';
import type { Services } from '../../../src/context.js';
import { Activity } from '../../../src/models/activity.js';
import { Attachment } from '../../../src/models/attachment.js';
import { AttachmentEvent, Event } from '../../../src/models/event.js';
import { ResumableUpload } from '../../../src/models/resumable-upload.js';
import type { Known } from './known.js';

/** @returns a sentence for each violation */
export async function violations(
  { db, blobs }: Services,
  known: readonly Known[],
): Promise<string[]> {
  const found: string[] = [];
  const rows = await Attachment.query(db.read);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const byName = new Map(rows.map((row) => [row.fileName, row]));

  const uploads = new Map(
    (await ResumableUpload.query(db.read)).map((one) => [one.attachmentId, one]),
  );

  for (const row of rows) {
    const name = `attachment ${row.id} (${row.fileName}, ${row.phase}, ${row.status})`;
    const isKept = row.phase === 'kept' || row.phase === 'deleted';
    if (!isKept) found.push(`${name} is still ${row.phase}`);
    if (row.status === 'prepared' && row.leaseUntil !== null)
      found.push(`${name} was completed and is not finalised`);
    if (row.status === 'prepared' || !isKept) continue;
    // What is in the trash waits for no scan.
    if (row.status === 'uploaded' && row.phase === 'kept') found.push(`${name} was not scanned`);
    const bytes = await contentOf(blobs, row.blobKey);
    if (!bytes) found.push(`${name} has no object`);
    else if (bytes.size !== row.fileSize || bytes.digest !== row.digestHash)
      found.push(
        `${name} has an object of ${bytes.size} bytes with the digest ${bytes.digest}, not ${row.fileSize} and ${row.digestHash}`,
      );
  }

  const keys = new Set(rows.map(({ blobKey }) => blobKey));
  // Bytes of a resumable upload that wait for more have the number of those before their end.
  const staged = new Set(
    rows.flatMap(({ id, stagingKey: key }) => [key, `${key}-${uploads.get(id)?.receivedBytes}`]),
  );
  const finished = new Set(
    rows.filter(({ status }) => status !== 'prepared').map(({ blobKey }) => blobKey),
  );
  for await (const { key } of blobs.list('finished'))
    if (!finished.has(key))
      found.push(`the object ${key} belongs to ${keys.has(key) ? 'a prepared row' : 'no row'}`);
  for await (const { key } of blobs.list('staging'))
    if (!staged.has(key)) found.push(`the staged object ${key} belongs to no row`);
  for await (const { key } of blobs.unfinished())
    // Resumable uploads that have begun.
    if (!staged.has(key)) found.push(`something unfinished is left of ${key}`);

  const activities = await Activity.query(db.read);
  const events = await Event.query(db.read);
  for (const file of known) {
    // A crash may have kept the id from the client.
    const row = file.id === undefined ? byName.get(file.fileName) : byId.get(file.id);
    const kept = row?.phase === 'kept' ? row : undefined;
    const name = `${file.how} upload ${file.fileName}, id ${file.id},`;
    const id = file.id ?? row?.id;
    const count = (wanted: AttachmentEvent) =>
      events.filter(({ kind, subjectId }) => kind === wanted && subjectId === id).length;
    const created = count(AttachmentEvent.CREATED);
    const removed = count(AttachmentEvent.DELETED);
    const restored = count(AttachmentEvent.RESTORED);
    const added = activities
      .flatMap(({ changes }) => changes)
      .filter(
        ({ action, fileName }) => action === 'attachmentAdded' && fileName === file.fileName,
      ).length;
    if (file.promised && !file.deleting && !kept) found.push(`${name} was promised and is lost`);
    if (file.promised && !file.deleting && kept?.status === 'prepared')
      found.push(`${name} was completed and forgotten`);
    if (file.deleted && kept) found.push(`${name} was deleted and is back`);
    if (file.inTrash && row?.phase !== 'deleted') found.push(`${name} is not in the trash`);
    if (file.upload && !file.deleting) {
      const received = uploads.get(file.id!)?.receivedBytes ?? -1;
      if (received < file.upload.confirmed)
        found.push(`${name} has ${received} bytes of ${file.upload.confirmed} that were confirmed`);
    }
    if (kept && kept.status !== 'prepared') {
      if (![file.digest, ...(file.perhaps ?? [])].includes(kept.digestHash))
        found.push(`${name} has other bytes than were sent`);
      if (kept.status !== (file.infected ? 'quarantined' : 'scanned'))
        found.push(`${name} is ${kept.status}`);
      if (created !== 1) found.push(`${name} has ${created} events of its creation`);
      if (removed !== restored)
        found.push(`${name} is there, with ${removed} deletions and ${restored} restorations`);
      if (kept.workPackageId !== null && added !== 1 && !file.copied)
        found.push(`${name} has ${added} activities of its addition`);
    }
    if (created > 1 || removed > restored + 1 || (added > 1 && !file.copied))
      found.push(
        `${name} was reported twice: created ${created}, deleted ${removed}, added ${added}`,
      );
    if (file.deleted && created > 0 && removed !== restored + 1)
      found.push(`${name} was deleted with ${removed} events`);
  }
  return found;
}

async function contentOf(
  blobs: Services['blobs'],
  key: string,
): Promise<{ size: number; digest: string } | undefined> {
  if (!(await blobs.stat(key))) return undefined;
  const hash = createHash('sha256');
  let size = 0;
  for await (const chunk of await blobs.read(key)) {
    hash.update(chunk as Uint8Array);
    size += (chunk as Uint8Array).byteLength;
  }
  return { size, digest: hash.digest('hex') };
}

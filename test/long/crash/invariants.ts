/** What must be true after each crash, when background work and cleanup have ended. */
import { createHash } from 'node:crypto';
import type { Services } from '../../../src/context.js';
import { Activity } from '../../../src/models/activity.js';
import { Attachment } from '../../../src/models/attachment.js';
import { AttachmentEvent, Event } from '../../../src/models/event.js';
import type { Known } from './traffic.js';

/** @returns a sentence for each violation */
export async function violations(
  { db, blobs }: Services,
  known: readonly Known[],
): Promise<string[]> {
  const found: string[] = [];
  const rows = await Attachment.query(db.read);
  const byName = new Map(rows.map((row) => [row.fileName, row]));

  for (const row of rows) {
    const name = `attachment ${row.id} (${row.fileName}, ${row.phase}, ${row.status})`;
    if (row.phase !== 'kept') found.push(`${name} is still ${row.phase}`);
    if (row.status === 'prepared' && row.leaseUntil !== null)
      found.push(`${name} was completed and is not finalised`);
    if (row.status === 'prepared' || row.phase !== 'kept') continue;
    if (row.status === 'uploaded') found.push(`${name} was not scanned`);
    const bytes = await contentOf(blobs, row.blobKey);
    if (!bytes) found.push(`${name} has no object`);
    else if (bytes.size !== row.fileSize || bytes.digest !== row.digestHash)
      found.push(
        `${name} has an object of ${bytes.size} bytes with the digest ${bytes.digest}, not ${row.fileSize} and ${row.digestHash}`,
      );
  }

  const keys = new Set(rows.map(({ blobKey }) => blobKey));
  const staged = new Set(rows.map(({ stagingKey }) => stagingKey));
  const finished = new Set(
    rows.filter(({ status }) => status !== 'prepared').map(({ blobKey }) => blobKey),
  );
  for await (const { key } of blobs.list('finished'))
    if (!finished.has(key))
      found.push(`the object ${key} belongs to ${keys.has(key) ? 'a prepared row' : 'no row'}`);
  for await (const { key } of blobs.list('staging'))
    if (!staged.has(key)) found.push(`the staged object ${key} belongs to no row`);
  for await (const { key } of blobs.unfinished())
    found.push(`something unfinished is left of ${key}`);

  const activities = await Activity.query(db.read);
  const events = await Event.query(db.read);
  for (const file of known) {
    const row = byName.get(file.fileName);
    const name = `${file.how} upload ${file.fileName}`;
    const created = events.filter(
      ({ kind, data }) =>
        kind === AttachmentEvent.CREATED && 'fileName' in data && data.fileName === file.fileName,
    ).length;
    const removed = events.filter(
      ({ kind, data }) =>
        kind === AttachmentEvent.DELETED && 'fileName' in data && data.fileName === file.fileName,
    ).length;
    const added = activities
      .flatMap(({ changes }) => changes)
      .filter(
        ({ action, fileName }) => action === 'attachmentAdded' && fileName === file.fileName,
      ).length;
    if (file.promised && !file.deleting && !row) found.push(`${name} was promised and is lost`);
    if (file.promised && !file.deleting && row?.status === 'prepared')
      found.push(`${name} was completed and forgotten`);
    if (file.deleted && row) found.push(`${name} was deleted and is back`);
    if (row && row.status !== 'prepared') {
      if (row.digestHash !== file.digest || row.fileSize !== file.size)
        found.push(`${name} has other bytes than were sent`);
      if (row.status !== (file.infected ? 'quarantined' : 'scanned'))
        found.push(`${name} is ${row.status}`);
      if (created !== 1) found.push(`${name} has ${created} events of its creation`);
      if (row.workPackageId !== null && added !== 1)
        found.push(`${name} has ${added} activities of its addition`);
    }
    if (created > 1 || removed > 1 || added > 1)
      found.push(
        `${name} was reported twice: created ${created}, deleted ${removed}, added ${added}`,
      );
    if (file.deleted && created > 0 && removed !== 1)
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

/** The queue of previews that wait to be made. */
import type { Knex } from 'knex';
import type { Services } from '../../../context.js';
import { MAX_AVATAR_BYTES } from '../../../contract/limits.js';
import { AttachmentStatus, type Attachment } from '../../../models/attachment.js';
import { Preview } from '../../../models/preview.js';
import { timestamps } from '../../../models/record.js';
import type { User } from '../../../models/user.js';
import { holdLease, leaseEnd, type HeldLease } from '../../base/leases/lease.js';
import { acquire, later, leased, type Queue, type QueueNeeds } from '../../base/leases/queue.js';

export const previewQueue: Queue<Preview> = {
  model: Preview,
  waiting: 'lease_until is not null and lease_until <= ?',
  since: 'lease_until',
  lease: (services) => ({ leaseUntil: leaseEnd(services), attempts: Preview.raw('attempts + 1') }),
};

export const acquirePreview = (services: QueueNeeds) => acquire(services, previewQueue);

export const holdPreview = (
  services: QueueNeeds & Pick<Services, 'log'>,
  row: Preview,
  parent: AbortSignal,
): HeldLease =>
  holdLease(
    services,
    {
      row: { preview: row.id },
      token: row.leaseToken,
      renew: (leaseUntil) => leased(Preview, services.db.write, row).patch({ leaseUntil }),
    },
    parent,
  );

/** Any process can acquire the row again after `ms` milliseconds. */
export async function releasePreview(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  row: Preview,
  ms: number,
): Promise<void> {
  await leased(Preview, db.write, row).patch({ leaseUntil: later(clock(), ms), leaseToken: null });
}

/** Lets previews of these objects be made, unless they are known already. */
export async function queuePreviews(
  knex: Knex,
  blobKeys: readonly string[],
  { clock }: Pick<Services, 'clock'>,
): Promise<void> {
  if (blobKeys.length === 0) return;
  const now = clock().toISOString();
  const rows = [...new Set(blobKeys)].map((blobKey) => ({
    blobKey,
    state: 'pending' as const,
    objects: '[]',
    attempts: 0,
    leaseUntil: now,
    ...timestamps(now),
  }));
  await knex(Preview.tableName)
    .insert(rows.map((row) => Preview.columnNameMappers.format(row)))
    .onConflict('blob_key')
    .ignore();
}

/** A file or a picture of a person. */
export type Drawable = Pick<Attachment, 'blobKey' | 'contentType' | 'fileSize'>;

/** The picture of a person, if there is one. */
export const pictureOf = ({ avatarKey, avatarType, avatarSize }: User): Drawable | undefined =>
  avatarKey === null || avatarType === null
    ? undefined
    : // Older versions stored no size. No picture is larger.
      { blobKey: avatarKey, contentType: avatarType, fileSize: avatarSize ?? MAX_AVATAR_BYTES };

/** No program reads a file that the virus scan has not passed. */
export const hasPassed = (
  { scanner }: Pick<Services, 'scanner'>,
  { status }: Pick<Attachment, 'status'>,
): boolean =>
  status === AttachmentStatus.SCANNED ||
  (!scanner && (status === AttachmentStatus.UPLOADED || status === AttachmentStatus.RESCAN));

/** Commits the hidden row of an upload before its first byte is stored. */
import { randomBytes } from 'node:crypto';
import type { Context } from '../../../context.js';
import { columnOf } from '../../../contract/container-kinds.js';
import { unclaimedUntil } from '../../../contract/unclaimed-until.js';
import { insertInto } from '../../../database/statements.js';
import { whereContainerExists } from '../../../database/missing-reference.js';
import { Attachment, AttachmentStatus } from '../../../models/attachment.js';
import type { ContainerRecord, ContainerType } from '../../../models/container.js';
import { rowMaker } from '../../../models/record.js';
import { leaseEnd, newToken } from '../../base/leases/lease.js';
import { containerFull, hasRoom } from './check-container-room.js';
import { checkPendingUploads } from './check-pending-uploads.js';

export interface Container {
  type: ContainerType;
  row: ContainerRecord;
}

interface Reservation {
  /** The largest size that the file can have, as far as the client has announced it. */
  mostBytes?: number | undefined;
  /** Chosen by the client. */
  uploadKey?: string | undefined;
}

/**
 * Without a container, the hidden row takes from the quota of the user while the bytes arrive.
 * @throws NotFound if the container is gone, PropertyConstraintViolation if a limit is reached
 */
export async function reserveAttachment(
  context: Context,
  container: Container | undefined,
  { mostBytes = Infinity, uploadKey }: Reservation = {},
): Promise<Attachment> {
  const { user, db, clock, settings } = context;
  const now = clock();
  const fileSize = Math.min(mostBytes, settings.attachmentMaxSize);
  const columns = await db.statements.columnsOf(Attachment.tableName);
  const text = insertText(container?.type, columns);
  const values = {
    container: container?.row.id,
    project: container?.row.projectId,
    room: settings.attachmentsPerContainer,
    author: user.id,
    fileSize,
    algorithm: settings.digestAlgorithm,
    blobKey: randomBytes(16).toString('hex'),
    leaseUntil: leaseEnd(context),
    leaseToken: newToken(),
    expiresAt: container ? null : unclaimedUntil(now, settings),
    uploadKey: uploadKey ?? null,
    now: now.toISOString(),
  };
  const [inserted] = container
    ? await whereContainerExists(db.statements.write([text], values))
    : await db.write.transaction(async (trx) => {
        await checkPendingUploads(context, trx, fileSize);
        return db.statements.write([text], values, trx);
      });
  const row = inserted?.rows[0];
  if (!row) throw containerFull(settings.attachmentsPerContainer);
  return rowMaker(Attachment, columns)(row);
}

/** Values: see `reserveAttachment`. Nothing is inserted when the container is full. */
function insertText(type: ContainerType | undefined, columns: readonly string[]): string {
  const row = {
    ...(type && { [columnOf(type)]: ':container', project_id: ':project' }),
    author_id: ':author',
    file_name: "''",
    file_size: ':fileSize',
    description_text: "''",
    content_type: "''",
    digest_algorithm: ':algorithm',
    digest_hash: "''",
    status: `'${AttachmentStatus.UPLOADED}'`,
    phase: "'storing'",
    blob_key: ':blobKey',
    lease_until: ':leaseUntil',
    lease_token: ':leaseToken',
    expires_at: ':expiresAt',
    upload_key: ':uploadKey',
    created_at: ':now',
    updated_at: ':now',
  };
  const insert = insertInto(Attachment.tableName, row, type && hasRoom(type));
  return `${insert} returning ${columns.join(', ')}`;
}

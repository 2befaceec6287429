/** Commits the hidden row of an upload before its first byte is stored. */
import { randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import type { Context } from '../../../context.js';
import { columnOf } from '../../../contract/container-kinds.js';
import { MAX_BODY } from '../../../contract/limits.js';
import { unclaimedUntil } from '../../../contract/unclaimed-until.js';
import { insertInto } from '../../../database/statements.js';
import { whereContainerExists } from '../../../database/missing-reference.js';
import { Attachment, AttachmentStatus } from '../../../models/attachment.js';
import type { ContainerRecord, ContainerType } from '../../../models/container.js';
import { rowMaker } from '../../../models/record.js';
import { leaseEnd, newToken } from '../../base/leases/lease.js';
import { containerFull, hasRoom } from './check-container-room.js';
import { checkPendingUploads } from './check-pending-uploads.js';
import { HAS_QUOTA, projectFullAtLeast, roomOfProject } from './check-project-room.js';

export interface Container {
  type: ContainerType;
  row: ContainerRecord;
}

interface Reservation {
  /** The announced size of the whole form, which the file cannot exceed. */
  mostBytes?: number | undefined;
  /** Chosen by the client. */
  uploadKey?: string | undefined;
}

interface Reserved {
  row: Attachment;
  /** What the project has left for it, if it has a quota. */
  room?: { bytes: number; full: (needed: number) => Error };
}

/**
 * Without a container, the hidden row takes from the quota of the user while the bytes arrive.
 * @throws NotFound if the container is gone, PropertyConstraintViolation if a limit is reached
 */
export async function reserveAttachment(
  context: Context,
  container: Container | undefined,
  { mostBytes = Infinity, uploadKey }: Reservation = {},
): Promise<Reserved> {
  const { user, db, clock, settings } = context;
  const now = clock();
  const fileSize = Math.min(mostBytes, settings.attachmentMaxSize);
  const columns = await db.statements.columnsOf(Attachment.tableName);
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
  const insert = async (condition: string | undefined, trx?: Knex) => {
    const text = insertText(container?.type, columns, condition);
    const [inserted] = await db.statements.write([text], values, trx);
    return inserted?.rows[0] && rowMaker(Attachment, columns)(inserted.rows[0]);
  };
  const room = container && hasRoom(container.type);
  // Nearly all projects have no quota: one statement is enough for them.
  const reserved = room && (await whereContainerExists(insert(`${room} and not ${HAS_QUOTA}`)));
  if (reserved) return { row: reserved };
  return whereContainerExists(
    db.write.transaction(async (trx) => {
      if (!container) await checkPendingUploads(context, trx, fileSize);
      const row = await insert(room, trx);
      if (!row) throw containerFull(settings.attachmentsPerContainer);
      return container ? takeRoom(context, trx, row, mostBytes) : { row };
    }),
  );
}

/**
 * The row takes what its file can need at most, or what is left. Its bytes are stopped there.
 * @throws PropertyConstraintViolation if the file is certainly larger
 */
async function takeRoom(
  { db }: Context,
  trx: Knex,
  row: Attachment,
  mostBytes: number,
): Promise<Reserved> {
  const room = await roomOfProject(db, trx, row.projectId, row.fileSize);
  if (!room) return { row };
  const fileSize = Math.max(0, Math.min(row.fileSize, room.quota - room.used));
  const leastBytes = Number.isFinite(mostBytes) ? mostBytes - MAX_BODY : 0;
  if (leastBytes > fileSize) throw projectFullAtLeast(room, leastBytes);
  if (fileSize < row.fileSize) await Attachment.query(trx).findById(row.id).patch({ fileSize });
  return {
    row: row.$set({ fileSize }),
    room: { bytes: fileSize, full: (needed) => projectFullAtLeast(room, needed) },
  };
}

/** Values: see `reserveAttachment`. */
function insertText(
  type: ContainerType | undefined,
  columns: readonly string[],
  condition: string | undefined,
): string {
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
  const insert = insertInto(Attachment.tableName, row, condition);
  return `${insert} returning ${columns.join(', ')}`;
}

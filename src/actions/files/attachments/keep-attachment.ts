/** Makes an upload visible after its bytes are stored, and records it, in one transaction. */
import type { Context } from '../../../context.js';
import { NotFound, ServiceUnavailable } from '../../../contract/errors.js';
import { unclaimedUntil } from '../../../contract/unclaimed-until.js';
import type { Database } from '../../../database/index.js';
import { eventText, eventValues } from '../../../events/record.js';
import { Attachment } from '../../../models/attachment.js';
import type { ContainerType } from '../../../models/container.js';
import { AttachmentEvent } from '../../../models/event.js';
import { containers } from '../../../policies/permissions.js';
import { changeTexts, changeValues } from '../../base/history/record-change.js';
import type { Container } from './reserve-attachment.js';
import type { Stored } from './stored.js';

/** @throws NotFound, ServiceUnavailable if the row was lost */
export async function keepAttachment(
  { user, db, clock, settings, scanner, wake }: Context,
  row: Attachment,
  container: Container | undefined,
  stored: Stored,
): Promise<Attachment> {
  const now = clock();
  const time = now.toISOString();
  const { leaseToken } = row;
  const attachment = row.$set({
    ...stored,
    phase: 'kept' as const,
    // A lease that has run out without a token queues the row for its scan.
    leaseUntil: scanner ? time : null,
    leaseToken: null,
    expiresAt: container ? null : unclaimedUntil(now, settings),
    updatedAt: time,
  });
  const { leaseUntil, expiresAt } = attachment;
  const [kept] = await db.statements.write(textsFor(db, container?.type), {
    ...stored,
    searchText: Attachment.searchTextOf(stored),
    ...changeValues(
      container?.row.id,
      user.id,
      [{ action: 'attachmentAdded', fileName: stored.fileName, attachmentDatabaseId: row.id }],
      time,
    ),
    ...eventValues({ kind: AttachmentEvent.CREATED, attachment }, time),
    id: row.id,
    leaseToken,
    leaseUntil,
    expiresAt,
  });
  if (kept?.count === 0) throw await interruption(db, container);
  if (scanner) wake();
  attachment.knownContainer = container?.row.$set({ updatedAt: time });
  return attachment;
}

const KEEP =
  'update attachments set file_name = :fileName, search_text = :searchText,' +
  ' description_text = :descriptionText,' +
  ' file_size = :fileSize, content_type = :contentType, charset = :charset, digest_hash = :digestHash,' +
  " phase = 'kept', lease_until = :leaseUntil, lease_token = null, expires_at = :expiresAt," +
  " updated_at = :now where id = :id and phase = 'storing' and lease_token = :leaseToken";

/** Only this upload makes its row `kept`. So nothing is recorded for a row that it has lost. */
const KEPT = "exists (select 1 from attachments where id = :id and phase = 'kept')";

const textsFor = (db: Database, type: ContainerType | undefined): readonly string[] => [
  KEEP,
  ...(type ? changeTexts(db, type, 'files', KEPT) : []),
  eventText(db, type, KEPT),
];

export const UPLOAD_INTERRUPTED = 'The upload was interrupted. Send the file again.';

/**
 * The error for an upload that lost its row. Either the container was deleted with its
 * attachments, or another process acquired the row after the lease ran out.
 */
export async function interruption(
  { write }: Database,
  container: Container | undefined,
): Promise<Error> {
  const gone =
    container && !(await containers[container.type].model.query(write).findById(container.row.id));
  return gone ? new NotFound() : new ServiceUnavailable(UPLOAD_INTERRUPTED);
}

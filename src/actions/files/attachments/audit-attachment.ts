/** Records what happens with files in quarantine. */
import type { Knex } from 'knex';
import { recordAudit } from '../../../audit/record.js';
import type { Context } from '../../../context.js';
import type { Attachment } from '../../../models/attachment.js';
import type { AuditKind } from '../../../models/audit-event.js';

export const auditAttachment = (
  { actor, clock }: Context,
  trx: Knex,
  kind: AuditKind,
  { id, fileName: name }: Attachment,
): Promise<void> =>
  recordAudit(trx, clock().toISOString(), actor, {
    kind,
    subject: { type: 'Attachment', id, name },
  });

/** Records changes of the storages of projects. Their subject is the storage. */
import type { Knex } from 'knex';
import { recordAudit } from '../../../audit/record.js';
import type { Context } from '../../../context.js';
import type { AuditKind } from '../../../models/audit-event.js';
import type { ProjectStorage } from '../../../models/project-storage.js';
import { Storage } from '../../../models/storage.js';

type Change = { before: ProjectStorage; after?: ProjectStorage } | { after: ProjectStorage };

export async function auditProjectStorage(
  { actor, clock }: Context,
  trx: Knex,
  kind: AuditKind,
  change: Change,
): Promise<void> {
  const { storageId } = 'before' in change ? change.before : change.after;
  const storage = await Storage.query(trx).findById(storageId);
  await recordAudit(trx, clock().toISOString(), actor, {
    kind,
    subject: { type: 'Storage', id: storageId, name: storage?.name ?? null },
    ...change,
  });
}

/** Tells administrators by e-mail what has been wrong for a while, once. */
import { hostname } from 'node:os';
import type { Services } from '../../../context.js';
import { Alert } from '../../../models/alert.js';
import { timestamps } from '../../../models/record.js';
import { later } from '../../base/leases/queue.js';
import { alertAdministrators } from '../../base/mails/alert-administrators.js';
import { failingStorages, failingWebhooks, fullDisk, subjectOf, type Problem } from './problems.js';

/** How long a storage or a webhook fails before somebody is told. */
const PATIENCE_MS = 3_600_000;

export async function watch(services: Services): Promise<void> {
  if (!services.mailer) return;
  const before = later(services.clock(), -PATIENCE_MS);
  const failing = [...(await failingStorages(services)), ...(await failingWebhooks(services))];
  const disk = await fullDisk(services);
  const known = await Alert.query(services.db.read);
  const isKnown = ({ subject }: Problem) => known.some((alert) => alert.subject === subject);
  for (const problem of [
    ...failing.filter(({ since }) => since <= before),
    ...(disk ? [disk] : []),
  ])
    if (!isKnown(problem)) await tell(services, problem);
  // Disks of other computers are watched by their processes.
  const present = new Set([...failing, ...(disk ? [disk] : [])].map(({ subject }) => subject));
  const own = subjectOf.disk(hostname());
  const over = known.filter(
    ({ subject }) => !present.has(subject) && (!subject.startsWith('disk:') || subject === own),
  );
  if (over.length > 0)
    await Alert.query(services.db.write)
      .delete()
      .whereIn(
        'id',
        over.map(({ id }) => id),
      );
}

/** Of several processes that notice it, one tells it. */
async function tell({ db, clock, wake }: Services, problem: Problem): Promise<void> {
  const now = clock();
  await db.write.transaction(async (trx) => {
    const row = { ...problem, ...timestamps(now.toISOString()) };
    const inserted = await trx(Alert.tableName)
      .insert(Alert.columnNameMappers.format({ ...row, facts: JSON.stringify(row.facts) }))
      .onConflict('subject')
      .ignore()
      .returning('id');
    if (inserted.length > 0) await alertAdministrators(trx, now, problem.subject);
  });
  wake();
}

/** Lets e-mails be sent of new notifications, and of files in quarantine, as soon as their events are dispatched. */
import type { Knex } from 'knex';
import type { Services } from '../../../context.js';
import { chunks } from '../../../database/batches.js';
import { AttachmentEvent, NOTIFIED, type Event } from '../../../models/event.js';
import { User } from '../../../models/user.js';
import { alertAdministrators } from '../../base/mails/alert-administrators.js';
import { digestDue, queueMails } from '../../base/mails/mail-queue.js';

/** @param trx the transaction that dispatches the events */
export async function queueMailsOf(
  services: Pick<Services, 'clock' | 'settings' | 'mailer'>,
  trx: Knex,
  events: readonly Event[],
): Promise<void> {
  if (!services.mailer) return;
  for (const { kind, subjectId } of events)
    if (kind === AttachmentEvent.QUARANTINED)
      await alertAdministrators(trx, services.clock(), `quarantine:${subjectId}`);
  const firstOf = new Map<number, string>();
  for (const { kind, authorId, createdAt } of events)
    if (kind === NOTIFIED) {
      const first = firstOf.get(authorId);
      if (first === undefined || createdAt < first) firstOf.set(authorId, createdAt);
    }
  for (const batch of chunks([...firstOf])) {
    const people = await User.query(trx)
      .select('id', 'mail_preference')
      .whereIn(
        'id',
        batch.map(([id]) => id),
      )
      .where({ status: 'active', anonymous: false })
      .whereNotNull('email');
    const mails = people.flatMap(({ id, mailPreference }) => {
      const dueAt = digestDue(mailPreference, services);
      const since = firstOf.get(id);
      return dueAt === undefined || since === undefined
        ? []
        : [{ userId: id, kind: 'notifications' as const, since, dueAt }];
    });
    await queueMails(trx, services.clock(), mails);
  }
}

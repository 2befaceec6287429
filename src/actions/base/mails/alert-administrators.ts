/** Tells all administrators something by e-mail. */
import type { Knex } from 'knex';
import { User } from '../../../models/user.js';
import { queueMails } from './mail-queue.js';

/** @param subject what it is about; the e-mail says what is true of it when it is sent */
export async function alertAdministrators(trx: Knex, now: Date, subject: string): Promise<void> {
  const people = await User.query(trx)
    .select('id')
    .where({ admin: true, status: 'active' })
    .whereNotNull('email');
  const since = now.toISOString();
  await queueMails(
    trx,
    now,
    people.map(({ id }) => ({ userId: id, kind: 'alert', subject, since, dueAt: since })),
  );
}

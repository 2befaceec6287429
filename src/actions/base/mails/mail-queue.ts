/** The queue of e-mails. */
import type { Knex } from 'knex';
import type { Services } from '../../../context.js';
import { chunks } from '../../../database/batches.js';
import { Mail, MailPreference, type MailKind } from '../../../models/mail.js';
import { timestamps } from '../../../models/record.js';
import { acquire, later, leased, type Queue, type QueueNeeds } from '../leases/queue.js';

/** Longer than an attempt to send a message can take. */
const LEASE_MS = 120_000;
/** The hour of daily e-mails, UTC. */
const DAILY_HOUR = 6;
const DAY_MS = 86_400_000;

export const mailQueue: Queue<Mail> = {
  model: Mail,
  waiting: 'due_at <= ?',
  since: 'due_at',
  lease: ({ clock }) => ({
    dueAt: later(clock(), LEASE_MS),
    // The text is written now, so it tells everything until now.
    renewedFrom: null,
    attempts: Mail.raw('attempts + 1'),
  }),
};

export const acquireMail = (services: QueueNeeds) => acquire(services, mailQueue);

/** When a digest of notifications is sent. Undefined: the person wants none. */
export function digestDue(
  preference: `${MailPreference}`,
  { clock, settings }: Pick<Services, 'clock' | 'settings'>,
): string | undefined {
  if (preference === 'never') return undefined;
  const now = clock();
  if (preference === 'immediate') return later(now, settings.mailDelaySeconds * 1000);
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS + DAILY_HOUR * 3_600_000;
  return new Date(today > now.getTime() ? today : today + DAY_MS).toISOString();
}

interface NewMail {
  userId: number;
  kind: MailKind;
  subject?: string;
  since: string;
  dueAt: string;
}

/** A mail that waits already tells this too. One that is being sent is sent again after that. */
export async function queueMails(trx: Knex, now: Date, mails: readonly NewMail[]): Promise<void> {
  const rows = mails.map((mail) => ({
    subject: '',
    ...mail,
    attempts: 0,
    ...timestamps(now.toISOString()),
  }));
  for (const batch of chunks(rows))
    await trx(Mail.tableName)
      .insert(batch.map((row) => Mail.columnNameMappers.format(row)))
      .onConflict(['user_id', 'kind', 'subject'])
      .merge({
        renewed_from: trx.raw('coalesce(mails.renewed_from, excluded.since)'),
        updated_at: now.toISOString(),
      });
}

/** After a mail was sent, or when there is nothing to tell. It stays if it was renewed meanwhile. */
export async function finishMail(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  mail: Mail,
  dueAgain: string,
): Promise<void> {
  const { write } = db;
  if ((await leased(Mail, write, mail).delete().whereNull('renewed_from')) > 0) return;
  await leased(Mail, write, mail).patch({
    since: Mail.raw('renewed_from'),
    renewedFrom: null,
    dueAt: dueAgain,
    attempts: 0,
    leaseToken: null,
    updatedAt: clock().toISOString(),
  });
}

/** Any process can send it after `ms` milliseconds. */
export async function releaseMail(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  mail: Mail,
  ms: number,
): Promise<void> {
  await leased(Mail, db.write, mail).patch({ dueAt: later(clock(), ms), leaseToken: null });
}

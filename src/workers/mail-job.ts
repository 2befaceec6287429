/** Sends one e-mail, and decides what happens if that fails. */
import { finishMail, releaseMail } from '../actions/base/mails/mail-queue.js';
import { sendMail } from '../actions/operate/mails/send-mail.js';
import type { Services } from '../context.js';
import { MailServerUnavailable, MessageRefused, type Mailer } from '../mail/mailer.js';
import type { Mail } from '../models/mail.js';
import { retryAfter } from './retry-after.js';
import type { WorkerPool } from './worker-pool.js';

/** A message that the server only asks to send later is given up after this time. */
const GIVE_UP_MS = 3 * 86_400_000;

export async function send(
  services: Services & { mailer: Mailer },
  mail: Mail,
  pool: WorkerPool<Mail>,
  signal: AbortSignal,
): Promise<void> {
  const { log, clock } = services;
  try {
    await sendMail(services, mail, signal);
    pool.resume();
  } catch (error) {
    if (signal.aborted) return releaseMail(services, mail, 0);
    const facts = { err: error, mail: mail.id, user: mail.userId, kind: mail.kind };
    if (error instanceof MailServerUnavailable) {
      log.warn(facts, 'the mail server does not work');
      // Without it no e-mail can be sent, so the whole pool pauses, not the single e-mail.
      pool.pause(retryAfter);
      return releaseMail(services, mail, 0);
    }
    const isFinal =
      error instanceof MessageRefused &&
      (error.isFinal || Date.parse(mail.createdAt) + GIVE_UP_MS < clock().getTime());
    log.warn(facts, isFinal ? 'an e-mail was given up' : 'an e-mail could not be sent yet');
    await (isFinal
      ? finishMail(services, mail, clock().toISOString())
      : releaseMail(services, mail, retryAfter(mail.attempts)));
  }
}

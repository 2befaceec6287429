/** Writes one e-mail from what is true now, and sends it. */
import { makeContext, type Services } from '../../../context.js';
import { textOf, type Letter } from '../../../mail/letter.js';
import type { Mailer } from '../../../mail/mailer.js';
import { sayIn } from '../../../mail/words/index.js';
import type { Mail, MailKind } from '../../../models/mail.js';
import { User } from '../../../models/user.js';
import { digestDue, finishMail } from '../../base/mails/mail-queue.js';
import { alertLetter } from './alert-letter.js';
import { linkLetter } from './link-letter.js';
import { notificationLetter } from './notification-letter.js';
import type { Writer } from './writer.js';

const writers: { [kind in MailKind]: Writer } = {
  notifications: notificationLetter,
  invitation: linkLetter,
  password: linkLetter,
  alert: alertLetter,
};

/**
 * A mail without anything to tell is dropped: the person has no address, or is locked, or the news
 * are read.
 * @param mail a leased row
 * @throws MailServerUnavailable, MessageRefused
 */
export async function sendMail(
  services: Services & { mailer: Mailer },
  mail: Mail,
  signal: AbortSignal,
): Promise<void> {
  const user = await User.query(services.db.read).findById(mail.userId).throwIfNotFound();
  const { email: address, name, status } = user;
  const letter =
    address === null || status !== 'active' ? undefined : await letterOf(services, user, mail);
  if (letter && address !== null)
    await services.mailer.send(
      {
        id: `moorage-${mail.id}-${Date.parse(mail.since)}`,
        to: { name, address },
        subject: letter.subject,
        text: textOf(letter),
        unsubscribe: letter.unsubscribe,
      },
      signal,
    );
  const dueAgain =
    mail.kind === 'notifications' ? digestDue(user.mailPreference, services) : undefined;
  await finishMail(services, mail, dueAgain ?? services.clock().toISOString());
}

async function letterOf(services: Services, user: User, mail: Mail): Promise<Letter | undefined> {
  const say = sayIn(user.language ?? 'en');
  const letter = await writers[mail.kind](makeContext(services, user), mail, say);
  return (
    letter && {
      ...letter,
      paragraphs: [
        say('hello', { name: user.firstName || user.login }),
        ...letter.paragraphs,
        say('host', { host: new URL(services.base.url).host }),
      ],
    }
  );
}

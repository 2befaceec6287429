/** Connects to the mail server, and sends nothing. */
import type { Services } from '../../../context.js';

/** @throws MailServerUnavailable */
export async function tryMail({ mailer }: Pick<Services, 'mailer'>): Promise<string> {
  if (!mailer) return 'off; SMTP_URL names a mail server';
  await mailer.check();
  return `${mailer.address} answers`;
}

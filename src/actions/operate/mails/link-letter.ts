/** E-mails with a one-time link, with which a person sets a password. */
import { newLink } from '../../../auth/one-time-links.js';
import { timeIn } from '../../../mail/words/index.js';
import type { Writer } from './writer.js';

/** The link is made now, so the database never has its token. An earlier one ends. */
export const linkLetter: Writer = async ({ user, db, clock, base }, { kind }, say) => {
  const link = await db.write.transaction((trx) => newLink(trx, clock(), 'password', user.id));
  const { login } = user;
  const of = kind === 'invitation' ? 'invitation' : 'password';
  return {
    subject: say(`${of}.subject`, { host: new URL(base.url).host }),
    paragraphs: [
      { text: say(`${of}.text`, { login }), address: base.url + link.path },
      say('link.until', { time: timeIn(user.language ?? 'en', link.expiresAt) }),
      ...(of === 'password' ? [say('password.ignore')] : []),
    ],
  };
};

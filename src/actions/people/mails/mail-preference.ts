/** When notifications come by e-mail. */
import type { Context, Services } from '../../../context.js';
import { MissingPermission } from '../../../contract/errors.js';
import { Mail, type MailPreference } from '../../../models/mail.js';
import { User } from '../../../models/user.js';
import { digestDue } from '../../base/mails/mail-queue.js';

/** @throws MissingPermission for anonymous callers */
export async function setMailPreference(
  context: Context,
  preference: `${MailPreference}`,
): Promise<User> {
  const { user } = context;
  if (user.anonymous) throw new MissingPermission();
  return changePreference(context, user.id, preference);
}

/** An e-mail that waits is dropped, or sent when the person now wants it. */
export async function changePreference(
  services: Pick<Services, 'db' | 'clock' | 'settings' | 'forgetIdentities'>,
  userId: number,
  mailPreference: `${MailPreference}`,
): Promise<User> {
  const { db, clock, forgetIdentities } = services;
  const updatedAt = clock().toISOString();
  const changed = await db.write.transaction(async (trx) => {
    const user = await User.query(trx).patchAndFetchById(userId, { mailPreference, updatedAt });
    const waiting = () => Mail.query(trx).where({ user_id: userId, kind: 'notifications' });
    const dueAt = digestDue(mailPreference, services);
    if (dueAt === undefined) await waiting().delete();
    else await waiting().whereNull('lease_token').patch({ dueAt });
    return user;
  });
  forgetIdentities();
  return changed;
}

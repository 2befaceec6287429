/** Ends sessions: one's own, or, for administrators, anybody's. */
import { recordAudit } from '../../../audit/record.js';
import type { Context } from '../../../context.js';
import { NotFound } from '../../../contract/errors.js';
import { Session } from '../../../models/session.js';
import type { User } from '../../../models/user.js';
import { findSession } from '../../../policies/own-access.js';
import { userFor } from '../administration/people.js';

/** Other processes notice it within two seconds. @throws NotFound for one that the caller does not see */
export async function endSession(context: Context, id: number | undefined): Promise<Session> {
  const session = await findSession(context, id);
  if (!session) throw new NotFound();
  const { db, clock, actor, forgetIdentities } = context;
  await db.write.transaction(async (trx) => {
    if ((await Session.query(trx).deleteById(session.id)) === 0) throw new NotFound();
    await recordAudit(trx, clock().toISOString(), actor, {
      kind: 'SESSION_ENDED',
      subject: { type: 'Session', id: session.id },
      before: session,
    });
  });
  forgetIdentities();
  return session;
}

/** API keys and applications stay. @throws MissingPermission, NotFound */
export async function endSessionsOf(context: Context, userId: number | undefined): Promise<User> {
  const user = await userFor(context, userId);
  const { db, clock, actor, forgetIdentities } = context;
  await db.write.transaction(async (trx) => {
    if ((await Session.query(trx).delete().where({ user_id: user.id })) === 0) return;
    await recordAudit(trx, clock().toISOString(), actor, {
      kind: 'SESSIONS_ENDED',
      subject: { type: 'User', id: user.id },
    });
  });
  forgetIdentities();
  return user;
}

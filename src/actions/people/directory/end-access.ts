/** Ends what people have opened: when they are locked, or their password or identity changes. */
import type { Knex } from 'knex';
import { slices } from './write.js';

/** Tables whose rows let somebody act as a person, by their column `user_id`. */
const OPENED = ['sessions', 'oauth_artifacts', 'identity_tokens', 'one_time_links'] as const;

/**
 * Ends sessions, one-time links, tokens and grants of applications, and the tokens of the OpenID
 * provider. So subscriptions end as well. API keys stay. Call it after the rows of the users are
 * written: their locks keep new sessions and tokens waiting, which then see the change.
 * @param keptSession id of a session that goes on
 */
export async function endAccess(
  trx: Knex,
  userIds: readonly number[],
  keptSession?: number,
): Promise<void> {
  for (const ids of slices([...userIds]))
    for (const table of OPENED) {
      const ended = trx(table).delete().whereIn('user_id', ids);
      if (table === 'sessions' && keptSession !== undefined) ended.whereNot('id', keptSession);
      await ended;
    }
}

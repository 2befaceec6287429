/** The users of the demo directory, who sign in without a password on the computer of the service. */
import type { IncomingMessage } from 'node:http';
import type { Knex } from 'knex';
import { demoPeople } from '../contract/demo-people.js';
import { isLoopback } from '../contract/loopback.js';
import { ApiKey } from '../models/api-key.js';
import { User } from '../models/user.js';

interface DemoUserNeeds {
  db: { read: Knex };
  settings: { demo: boolean };
  base: { url: string };
}

export type DemoUser = Pick<User, 'id' | 'login' | 'firstName'>;

/** What a user of the demo must still have when a session begins. */
export const WITHOUT_PASSWORD = { password_hash: null, identity: null };

/**
 * The users of the demo who may sign in without a password, in the order of the demo. A user with a
 * password, with an identity or without the demo's API key is an ordinary user.
 * @returns nobody for requests from elsewhere, and for requests that a proxy has forwarded
 */
export async function demoUsers(
  { db, settings, base }: DemoUserNeeds,
  { headers }: Pick<IncomingMessage, 'headers'>,
): Promise<DemoUser[]> {
  const isForwarded = Object.keys(headers).some((name) =>
    /^(forwarded|via|x-real-ip|x-forwarded-.*)$/.test(name),
  );
  // A page of another site can name any host that leads here, but not a loopback address.
  const isLocal = isLoopbackUrl(`http://${headers.host ?? ''}`) && isLoopbackUrl(base.url);
  if (!settings.demo || !isLocal || isForwarded) return [];
  const users = await User.query(db.read)
    .where({ status: 'active', anonymous: false, ...WITHOUT_PASSWORD })
    .whereIn(
      ['login', 'email'],
      demoPeople.map(({ login, email }) => [login, email]),
    )
    .whereIn('id', ApiKey.query(db.read).select('user_id').where('name', 'demo'));
  return demoPeople.flatMap(({ login }) => users.filter((user) => user.login === login));
}

const isLoopbackUrl = (url: string): boolean =>
  URL.canParse(url) && isLoopback(new URL(url).hostname);

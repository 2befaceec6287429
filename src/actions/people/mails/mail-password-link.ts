/** Sends a link to set a password to the people who ask for it. */
import type { Services } from '../../../context.js';
import { countQuestion } from '../../../auth/one-time-links.js';

/** After a link was made, no other one is sent for this time. */
const PAUSE_MS = 300_000;
/** People with the same e-mail address. */
const MAX_PEOPLE = 5;

/** Active people with an address, who have a password or were invited to set one. */
const PEOPLE =
  "select users.id, 'password', '', ?, ?, 0, ?, ? from users" +
  ' where users.id in (select id from users where login = ?' +
  ' union select id from users where email is not null and lower(email) = lower(?))' +
  " and status = 'active' and anonymous = false and email is not null" +
  ' and (password_hash is not null or identity is null)' +
  ' and not exists (select 1 from one_time_links' +
  ' where one_time_links.user_id = users.id and one_time_links.created_at > ?)' +
  ' order by users.id limit ?';

/**
 * One statement, whether there is such a person or not: neither answer nor time tells it.
 * @param name a login or an e-mail address
 * @param address of the client
 * @throws TooManyGuesses
 */
export async function mailPasswordLink(
  services: Pick<Services, 'db' | 'clock' | 'keyring' | 'wake'>,
  { name, address }: { name: string; address: string },
): Promise<void> {
  const { db, clock, wake } = services;
  await countQuestion(services, address);
  const now = clock();
  const time = now.toISOString();
  const asked = name.trim().replaceAll('\0', '');
  await db.write.raw(
    `insert into mails (user_id, kind, subject, since, due_at, attempts, created_at, updated_at) ${PEOPLE}` +
      ' on conflict (user_id, kind, subject) do update set renewed_from = excluded.since',
    [
      time,
      time,
      time,
      time,
      asked,
      asked,
      new Date(now.getTime() - PAUSE_MS).toISOString(),
      MAX_PEOPLE,
    ],
  );
  wake();
}

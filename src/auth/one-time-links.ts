/** Makes and takes one-time links: the address has a token, the database only its hash. */
import type { Knex } from 'knex';
import type { Logger } from 'pino';
import { OneTimeLink, type LinkPurpose } from '../models/one-time-link.js';
import { timestamps } from '../models/record.js';
import { User } from '../models/user.js';
import { generateToken, hashToken } from '../secrets/keys-and-tokens.js';
import { TooManyGuesses } from './password-sign-in.js';
import { countAttempt, forgetAttempts, type PasswordNeeds } from './wrong-passwords.js';

const HOUR_MS = 3_600_000;
const LIFETIME_MS = { setup: HOUR_MS, password: 72 * HOUR_MS };

/** Starts the pages of the links. */
const PATHS = { setup: '/setup', password: '/password' };

/** What is kept of a link before the address of the service is known. */
export interface NewLink {
  /** With the token, such as `/setup?token=…`. */
  path: string;
  expiresAt: string;
}

/** Makes a link. An earlier one for the same purpose and person ends. */
export async function newLink(
  trx: Knex,
  now: Date,
  purpose: LinkPurpose,
  userId: number | null = null,
): Promise<NewLink> {
  const token = generateToken();
  const expiresAt = new Date(now.getTime() + LIFETIME_MS[purpose]).toISOString();
  await OneTimeLink.query(trx).delete().where({ purpose, user_id: userId });
  await OneTimeLink.query(trx).insert({
    purpose,
    userId,
    tokenHash: hashToken(token),
    expiresAt,
    ...timestamps(now.toISOString()),
  });
  return { path: `${PATHS[purpose]}?token=${token}`, expiresAt };
}

/** The link with this token, if it was not used and has not ended. */
export const findLink = async (
  knex: Knex,
  now: Date,
  purpose: LinkPurpose,
  token: string,
): Promise<OneTimeLink | undefined> =>
  await OneTimeLink.query(knex)
    .findOne({ purpose, token_hash: hashToken(token) })
    .where('expires_at', '>', now.toISOString());

/** Whose password a link sets, unless they are locked. */
export const personOfLink = async (
  { db }: { db: { read: Knex } },
  { userId }: OneTimeLink,
): Promise<User | undefined> =>
  await User.query(db.read).findOne({ id: userId, status: 'active', anonymous: false });

/** Ends a link. @returns whether it was there: of two requests, one gets true */
export const takeLink = async (trx: Knex, { id }: OneTimeLink): Promise<boolean> =>
  (await OneTimeLink.query(trx).delete().where({ id })) > 0;

/**
 * Limits how often the people of a network ask for links.
 * @param address of the client
 * @throws TooManyGuesses
 */
export async function countQuestion(needs: PasswordNeeds, address: string): Promise<void> {
  // No login has a null character.
  const attempt = { login: '\0asks for a link', address, device: undefined };
  const exceeded = await countAttempt(needs, attempt);
  if (exceeded) throw new TooManyGuesses(exceeded.retryAfterSeconds, 'requests');
}

/**
 * As `findLink`, for requests. A wrong token counts like a wrong password.
 * @param address of the client
 * @throws TooManyGuesses without a look at the token
 */
export async function linkOfRequest(
  needs: PasswordNeeds & { log: Logger },
  purpose: LinkPurpose,
  { token, address }: { token: string; address: string },
): Promise<OneTimeLink | undefined> {
  const { db, clock, log } = needs;
  // No login has a null character.
  const attempt = { login: `\0${purpose}`, address, device: undefined };
  const exceeded = await countAttempt(needs, attempt);
  if (exceeded) {
    log.warn({ address, bound: exceeded.bound }, 'too many wrong one-time links');
    throw new TooManyGuesses(exceeded.retryAfterSeconds, 'links');
  }
  const link = await findLink(db.read, clock(), purpose, token);
  if (link) await forgetAttempts(needs, attempt);
  else log.warn({ address, purpose }, 'a one-time link was refused');
  return link;
}

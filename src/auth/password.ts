/** Checks login and password, with a limit on wrong guesses. */
import { createHmac } from 'node:crypto';
import ipaddr from 'ipaddr.js';
import type { Logger } from 'pino';
import type { Database } from '../database/index.js';
import { TooManyRequests } from '../contract/errors.js';
import { SignInFailure } from '../models/sign-in-failure.js';
import { User } from '../models/user.js';
import type { Keyring } from '../secrets/keyring.js';
import { verifyPassword } from '../secrets/hashes.js';

interface Dependencies {
  db: Database;
  keyring: Keyring;
  clock: () => Date;
  log: Logger;
}

/** Wrong passwords in one window. The limit of an address is higher: many people may share it. */
const LIMITS = { login: 10, address: 50 };
const WINDOW_SECONDS = 15 * 60;

/** Too many wrong passwords for this login or from this address. */
export class TooManyGuesses extends TooManyRequests {
  constructor(readonly retryAfterSeconds: number) {
    super();
  }
}

/**
 * The active user with this login and password. An unknown login takes as long as a wrong password,
 * so the time does not reveal which logins exist.
 * @throws TooManyGuesses without a check of the password
 */
export async function userByPassword(
  needs: Dependencies,
  { login, password, address }: { login: string; password: string; address: string },
): Promise<User | undefined> {
  const { db, log } = needs;
  const keys = {
    login: keyOf(needs, `login ${login.toLowerCase()}`),
    address: keyOf(needs, `address ${network(address)}`),
  };
  // Count first, check afterwards: otherwise parallel guesses would pass the limit.
  for (const kind of ['address', 'login'] as const) {
    const wait = await count(needs, keys[kind], LIMITS[kind]);
    if (wait === undefined) continue;
    log.warn({ address, bound: kind }, 'too many wrong passwords');
    throw new TooManyGuesses(wait);
  }
  const user = await User.query(db.read).findOne({ login, anonymous: false });
  const right =
    (await verifyPassword(password, user?.passwordHash ?? null)) && user?.status === 'active';
  if (!right) {
    // Do not log the login: some people type their password into that field.
    log.warn({ address, user: user?.id }, 'a sign-in was refused');
    return undefined;
  }
  await SignInFailure.query(db.write).delete().where('key_hash', keys.login);
  await SignInFailure.query(db.write).decrement('failures', 1).where('key_hash', keys.address);
  return user;
}

/** An HMAC with our key: logins and addresses could be guessed from a plain hash. */
const keyOf = ({ keyring }: Dependencies, text: string): string =>
  createHmac('sha256', keyring.derived('sign-in failures')).update(text).digest('hex');

/** Counts one guess. @returns seconds to wait when it is above the limit, else undefined */
async function count(
  needs: Dependencies,
  keyHash: string,
  limit: number,
): Promise<number | undefined> {
  const now = needs.clock();
  const guess = {
    keyHash,
    time: now.toISOString(),
    expiresAt: new Date(now.getTime() + WINDOW_SECONDS * 1000).toISOString(),
  };
  const { failures, expires_at } =
    (await countAgain(needs, guess)) ?? (await countFirst(needs, guess));
  return failures > limit
    ? Math.max(1, Math.ceil((Date.parse(expires_at) - now.getTime()) / 1000))
    : undefined;
}

interface Guess {
  keyHash: string;
  time: string;
  /** The end of the window, if this guess is the first one in it. */
  expiresAt: string;
}

interface Counted {
  failures: number;
  expires_at: string;
}

/**
 * Updates an existing row. On PostgreSQL an insert uses up an id even when it becomes an update.
 * The number of guesses is unlimited, and the ids would run out. So the update comes first.
 */
async function countAgain({ db }: Dependencies, guess: Guess): Promise<Counted | undefined> {
  const [row]: Counted[] = await db
    .write('sign_in_failures')
    .update(oneMore(db, guess))
    .where('key_hash', guess.keyHash)
    .returning(['failures', 'expires_at']);
  return row;
}

/** Inserts the row, or updates it if another request has just inserted it. */
async function countFirst({ db }: Dependencies, guess: Guess): Promise<Counted> {
  const { keyHash, time, expiresAt } = guess;
  const [row]: Counted[] = await db
    .write('sign_in_failures')
    .insert({
      key_hash: keyHash,
      failures: 1,
      expires_at: expiresAt,
      created_at: time,
      updated_at: time,
    })
    .onConflict('key_hash')
    .merge(oneMore(db, guess))
    .returning(['failures', 'expires_at']);
  if (!row) throw new Error('The guess was not counted.');
  return row;
}

/** Adds one to the count, or starts a new window with one when the old window is over. */
function oneMore({ write }: Database, { time, expiresAt }: Guess) {
  const over = 'case when sign_in_failures.expires_at <= ? then';
  return {
    failures: write.raw(`${over} 1 else sign_in_failures.failures + 1 end`, [time]),
    expires_at: write.raw(`${over} ? else sign_in_failures.expires_at end`, [time, expiresAt]),
    updated_at: time,
  };
}

/** An IPv6 customer has a whole /64 network, so its first half counts as one address. */
function network(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed.kind() === 'ipv6'
    ? (parsed as ipaddr.IPv6).parts.slice(0, 4).join(':')
    : parsed.toString();
}

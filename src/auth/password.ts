/** Signing in with login and password, with a bound on guesses. */
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

/** Wrong passwords in the time: many people may share one address. */
const LIMITS = { login: 10, address: 50 };
const WINDOW_SECONDS = 15 * 60;

/** Too many wrong passwords for this login or from this address. */
export class TooManyGuesses extends TooManyRequests {
  constructor(readonly retryAfterSeconds: number) {
    super();
  }
}

/**
 * The active user with this login and password. An unknown login takes as long as a wrong password.
 * @throws TooManyGuesses before the password is looked at
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
  // Counted before it is judged, so that guesses at the same moment do not get past the bound.
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
    // Not what was typed as a login: people type passwords there.
    log.warn({ address, user: user?.id }, 'a sign-in was refused');
    return undefined;
  }
  await SignInFailure.query(db.write).delete().where('key_hash', keys.login);
  await SignInFailure.query(db.write).decrement('failures', 1).where('key_hash', keys.address);
  return user;
}

/** Hashed with a key of ours: logins and addresses could be guessed from a plain hash. */
const keyOf = ({ keyring }: Dependencies, text: string): string =>
  createHmac('sha256', keyring.derived('sign-in failures')).update(text).digest('hex');

/** @returns seconds to wait, where it is one too many */
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
  /** When the bound forgets it, unless there was one before. */
  expiresAt: string;
}

interface Counted {
  failures: number;
  expires_at: string;
}

/** On its own it uses up no id, which an insert does on PostgreSQL also where it becomes an update: anybody may guess as often as they like. */
async function countAgain({ db }: Dependencies, guess: Guess): Promise<Counted | undefined> {
  const [row] = (await db
    .write('sign_in_failures')
    .update(oneMore(db, guess))
    .where('key_hash', guess.keyHash)
    .returning(['failures', 'expires_at'])) as Counted[];
  return row;
}

/** Somebody may have been first since it was looked for. */
async function countFirst({ db }: Dependencies, guess: Guess): Promise<Counted> {
  const { keyHash, time, expiresAt } = guess;
  const [row] = (await db
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
    .returning(['failures', 'expires_at'])) as Counted[];
  return row!;
}

/** One more than the row has, or the first again where its time is over. */
function oneMore({ write }: Database, { time, expiresAt }: Guess) {
  const over = 'case when sign_in_failures.expires_at <= ? then';
  return {
    failures: write.raw(`${over} 1 else sign_in_failures.failures + 1 end`, [time]),
    expires_at: write.raw(`${over} ? else sign_in_failures.expires_at end`, [time, expiresAt]),
    updated_at: time,
  };
}

/** An IPv6 network has more addresses than anybody can count: the first half names it. */
function network(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed.kind() === 'ipv6'
    ? (parsed as ipaddr.IPv6).parts.slice(0, 4).join(':')
    : parsed.toString();
}

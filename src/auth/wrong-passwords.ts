/** Counts wrong passwords, and limits them. */
import { createHmac } from 'node:crypto';
import type { Database } from '../database/index.js';
import { clientNetwork } from '../contract/client-network.js';
import { SignInFailure } from '../models/sign-in-failure.js';
import type { Keyring } from '../secrets/keyring.js';

export interface PasswordNeeds {
  db: Database;
  keyring: Keyring;
  clock: () => Date;
}

export interface Attempt {
  login: string;
  address: string;
  /** The browser, if this login has signed in there (`deviceOf`). */
  device: string | undefined;
}

/**
 * Wrong passwords in one window: for a login in one network, for a login in a browser that it has
 * signed in with before, for a login in all such browsers, and for all logins in one network, which
 * many people may share.
 */
const LIMITS = { login: 10, device: 10, devices: 50, network: 50 };
/** A right password takes back only its own attempt from these counters. It deletes the others. */
const SHARED: readonly (keyof typeof LIMITS)[] = ['devices', 'network'];
const WINDOW_SECONDS = 15 * 60;

interface Exceeded {
  bound: Counter['bound'];
  retryAfterSeconds: number;
}

/**
 * Counts an attempt before its password is checked: otherwise parallel guesses would pass the limit.
 * @returns the exceeded limit. The attempt then counts for no other limit.
 */
export async function countAttempt(
  needs: PasswordNeeds,
  attempt: Attempt,
): Promise<Exceeded | undefined> {
  const counters = countersOf(needs, attempt);
  for (const [index, { bound, key }] of counters.entries()) {
    const retryAfterSeconds = await count(needs, key, LIMITS[bound]);
    if (retryAfterSeconds === undefined) continue;
    // No password was checked: attempts on one login must not use up the limit of its network.
    for (const counted of counters.slice(0, index)) await giveBack(needs, counted);
    return { bound, retryAfterSeconds };
  }
  return undefined;
}

/** Call it for a right password. */
export async function forgetAttempts(needs: PasswordNeeds, attempt: Attempt): Promise<void> {
  for (const counter of countersOf(needs, attempt))
    if (SHARED.includes(counter.bound)) await giveBack(needs, counter);
    else await SignInFailure.query(needs.db.write).delete().where('key_hash', counter.key);
}

interface Counter {
  bound: keyof typeof LIMITS;
  key: string;
}

/**
 * The network comes first: above its limit a guess makes no row for another login. A browser with
 * a counter of its own does not count for its network, where strangers could use up the limit.
 * Browsers keep their cookie when a password changes, so all browsers of a login share a counter.
 */
function countersOf(needs: PasswordNeeds, { login, address, device }: Attempt): Counter[] {
  const name = login.toLowerCase();
  const network = clientNetwork(address);
  if (device !== undefined)
    return [
      { bound: 'device', key: failureKey(needs, `device ${device} ${name}`) },
      { bound: 'devices', key: failureKey(needs, `devices ${name}`) },
    ];
  return [
    { bound: 'network', key: failureKey(needs, `network ${network}`) },
    { bound: 'login', key: failureKey(needs, `login ${network} ${name}`) },
  ];
}

const giveBack = async ({ db }: PasswordNeeds, { key }: Counter): Promise<void> =>
  void (await SignInFailure.query(db.write).where('key_hash', key).decrement('failures', 1));

/** An HMAC with our key: logins and addresses could be guessed from a plain hash. */
const failureKey = ({ keyring }: PasswordNeeds, text: string): string =>
  createHmac('sha256', keyring.derived('sign-in failures')).update(text).digest('hex');

/** Counts one guess. @returns seconds to wait when it is above the limit, else undefined */
async function count(
  needs: PasswordNeeds,
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
async function countAgain({ db }: PasswordNeeds, guess: Guess): Promise<Counted | undefined> {
  const [row]: Counted[] = await db
    .write('sign_in_failures')
    .update(oneMore(db, guess))
    .where('key_hash', guess.keyHash)
    .returning(['failures', 'expires_at']);
  return row;
}

/** Inserts the row, or updates it if another request has just inserted it. */
async function countFirst({ db }: PasswordNeeds, guess: Guess): Promise<Counted> {
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

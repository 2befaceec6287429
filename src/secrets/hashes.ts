/** API keys, passwords and tokens: how they are made, and the hashes under which they are stored. */
import { createHash, randomBytes, scrypt as scryptCallback, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const scrypt = promisify(scryptCallback) as (
  password: string,
  salt: Buffer,
  length: number,
  options: { N: number; r: number; p: number },
) => Promise<Buffer>;

/** Shorter API keys are not accepted from a directory file. */
export const MIN_KEY_LENGTH = 20;

/** @returns a new API key: `mrg-` and 40 hexadecimal digits */
export const generateKey = (): string => `mrg-${randomBytes(20).toString('hex')}`;

/** @returns the hash under which an API key is stored, hexadecimal; keys are long and random, so it needs neither salt nor stretching */
export const hashKey = (key: string): string => createHash('sha256').update(key).digest('hex');

const cost = { N: 16_384, r: 8, p: 1 };

/** @returns `scrypt$N$r$p$salt$hash` with base64url parts (RFC 7914) */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const hash = await scrypt(password.normalize('NFKC'), salt, 32, cost);
  return [
    'scrypt',
    cost.N,
    cost.r,
    cost.p,
    salt.toString('base64url'),
    hash.toString('base64url'),
  ].join('$');
}

/** Whether it is the password; takes as long when there is none. */
export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
  const [scheme, n, r, p, salt = '', hash = ''] = (stored ?? NOBODY).split('$');
  if (scheme !== 'scrypt') return false;
  const expected = Buffer.from(hash, 'base64url');
  const actual = await scrypt(
    password.normalize('NFKC'),
    Buffer.from(salt, 'base64url'),
    expected.length,
    { N: Number(n), r: Number(r), p: Number(p) },
  );
  return timingSafeEqual(actual, expected) && stored !== null;
}
const NOBODY = [
  'scrypt',
  cost.N,
  cost.r,
  cost.p,
  Buffer.alloc(16).toString('base64url'),
  Buffer.alloc(32).toString('base64url'),
].join('$');

/** @returns an unguessable token of 43 characters, safe in URLs, cookies and headers */
export const generateToken = (): string => randomBytes(32).toString('base64url');

/** The hash under which a long random token is stored, hexadecimal. */
export const hashToken = hashKey;

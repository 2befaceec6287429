/** Keys and passwords: made, hashed, never kept as they are. */
import { createHash, randomBytes, scrypt as scryptCallback } from 'node:crypto';
import { promisify } from 'node:util';

const scrypt = promisify(scryptCallback) as (password: string, salt: Buffer, length: number, options: { N: number; r: number; p: number }) => Promise<Buffer>;

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
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64url'), hash.toString('base64url')].join('$');
}

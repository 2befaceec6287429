/** Generates API keys and tokens, and hashes them for storage. */
import { createHash, randomBytes } from 'node:crypto';

/** The shortest API key that a directory file may contain. */
export const MIN_KEY_LENGTH = 20;

/** @returns a new API key: `mrg-` and 40 hexadecimal digits */
export const generateKey = (): string => `mrg-${randomBytes(20).toString('hex')}`;

/**
 * @returns the stored hash of an API key: SHA-256, hexadecimal.
 * Keys are long and random, so the hash needs neither salt nor stretching.
 */
export const hashKey = (key: string): string => createHash('sha256').update(key).digest('hex');

/** @returns an unguessable token of 43 characters, safe in URLs, cookies and headers */
export const generateToken = (): string => randomBytes(32).toString('base64url');

/** @returns the stored hash of a long random token: SHA-256, hexadecimal */
export const hashToken = hashKey;

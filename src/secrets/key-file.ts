/** The keys of a configuration; outside production one is made and kept beside the data. */
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { dirname, resolve } from 'node:path';
import { Keyring } from './keyring.js';

/** Where the key of a development server lives. */
export const KEY_FILE = './data/secret-key';

export interface SecretKeys {
  /** 32 bytes. */
  secretKey: Buffer | undefined;
  /** The key before; only opens. */
  secretKeyPrevious: Buffer | undefined;
}

export function openKeyring({ secretKey, secretKeyPrevious }: SecretKeys): Keyring {
  const current = secretKey ?? keptKey();
  return new Keyring(secretKeyPrevious ? [current, secretKeyPrevious] : [current]);
}

function keptKey(): Buffer {
  // By its whole path: below a working directory that is deleted at this moment, Node.js would try again for ever.
  mkdirSync(dirname(resolve(KEY_FILE)), { recursive: true });
  const made = `${KEY_FILE}.${randomBytes(8).toString('hex')}`;
  try {
    writeFileSync(made, `${randomBytes(32).toString('hex')}\n`, {
      mode: 0o600,
      flag: 'wx',
      flush: true,
    });
    // Of several processes that start at once, one gives it its name; whole, or not at all.
    linkSync(made, KEY_FILE);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(made, { force: true });
  }
  const key = Buffer.from(readFileSync(KEY_FILE, 'utf8').trim(), 'hex');
  if (key.length !== 32)
    throw new Error(
      `${KEY_FILE} does not hold a key of 32 bytes in hexadecimal. Restore it, or remove it if no secret was stored yet.`,
    );
  return key;
}

/** Opens the keyring from the configured key, or from a generated key file (not in production). */
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { dirname, resolve } from 'node:path';
import { Keyring } from './keyring.js';

/** The generated key of a development server. */
export const KEY_FILE = './data/secret-key';

interface SecretKeys {
  /** 32 bytes. */
  secretKey: Buffer | undefined;
  /** The key before the last rotation, 32 bytes. It only decrypts. */
  secretKeyPrevious: Buffer | undefined;
}

/** @throws Error if the key file has no valid key */
export function openKeyring({ secretKey, secretKeyPrevious }: SecretKeys): Keyring {
  const current = secretKey ?? keyFromFile();
  return new Keyring(secretKeyPrevious ? [current, secretKeyPrevious] : [current]);
}

function keyFromFile(): Buffer {
  // An absolute path: with a relative one, Node.js retries forever if the working directory is
  // deleted at this moment.
  mkdirSync(dirname(resolve(KEY_FILE)), { recursive: true });
  const temporary = `${KEY_FILE}.${randomBytes(8).toString('hex')}`;
  try {
    writeFileSync(temporary, `${randomBytes(32).toString('hex')}\n`, {
      mode: 0o660, // without the group, unless FILE_GROUP_ACCESS lets it pass the umask
      flag: 'wx',
      flush: true,
    });
    // A link is atomic: of several starting processes one creates the file, and it is complete.
    linkSync(temporary, KEY_FILE);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
  const key = Buffer.from(readFileSync(KEY_FILE, 'utf8').trim(), 'hex');
  if (key.length !== 32)
    throw new Error(
      `${KEY_FILE} does not hold a key of 32 bytes in hexadecimal. ` +
        'Restore it, or remove it if no secret was stored yet.',
    );
  return key;
}

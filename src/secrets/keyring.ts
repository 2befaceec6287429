/** Encrypts secrets that must be readable again, such as the tokens of storages. */
import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';

/** No available key decrypts a sealed text. */
export class SealBroken extends Error {
  constructor() {
    super('A stored secret cannot be decrypted with SECRET_KEY or SECRET_KEY_PREVIOUS.');
    this.name = 'SealBroken';
  }
}

const FORMAT = '1';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts with AES-256-GCM. A sealed text is `1.<key id>.<base64url of iv, ciphertext and tag>`.
 * The key id names the key that sealed it, so keys can be rotated.
 * The purpose, such as `storages.application_password`, is authenticated with the text. So a sealed
 * text that was copied to another column does not open.
 */
export class Keyring {
  readonly #current: SealingKey;
  readonly #keys: readonly SealingKey[];

  /** @param keys 32 bytes each; the first one seals, all open */
  constructor(private readonly keys: readonly [Buffer, ...Buffer[]]) {
    const [current, ...previous] = keys;
    this.#current = sealingKey(current);
    this.#keys = [this.#current, ...previous.map(sealingKey)];
  }

  seal(text: string, purpose: string): string {
    const { id, secret } = this.#current;
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', secret, iv).setAAD(Buffer.from(purpose));
    return [
      FORMAT,
      id,
      Buffer.concat([
        iv,
        cipher.update(text, 'utf8'),
        cipher.final(),
        cipher.getAuthTag(),
      ]).toString('base64url'),
    ].join('.');
  }

  /** @throws SealBroken if no key opens it, or if it was sealed for another purpose */
  open(sealed: string, purpose: string): string {
    const [format, id, data = ''] = sealed.split('.');
    const key = this.#keys.find((one) => one.id === id);
    const bytes = Buffer.from(data, 'base64url');
    if (format !== FORMAT || !key || bytes.length < IV_BYTES + TAG_BYTES) throw new SealBroken();
    try {
      const decipher = createDecipheriv('aes-256-gcm', key.secret, bytes.subarray(0, IV_BYTES))
        .setAAD(Buffer.from(purpose))
        .setAuthTag(bytes.subarray(-TAG_BYTES));
      return Buffer.concat([
        decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)),
        decipher.final(),
      ]).toString('utf8');
    } catch {
      throw new SealBroken();
    }
  }

  /** Whether the current key sealed it. */
  isCurrent(sealed: string): boolean {
    return sealed.startsWith(`${FORMAT}.${this.#current.id}.`);
  }

  /** Derives a key of 32 bytes for another purpose. The same in every process. */
  derived(purpose: string): Buffer {
    return derive(this.keys[0], purpose);
  }
}

interface SealingKey {
  id: string;
  secret: Buffer;
}

const sealingKey = (key: Buffer): SealingKey => ({
  id: createHash('sha256').update('moorage key id').update(key).digest('hex').slice(0, 8),
  secret: derive(key, 'seal'),
});

const derive = (key: Buffer, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', key, Buffer.alloc(0), `moorage ${purpose}`, 32));

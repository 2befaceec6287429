/** Encrypts secrets that must be sent again, such as the tokens of storages. */
import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';

/** A sealed text that no key at hand opens. */
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
 * Encrypts what must be replayed (AES-256-GCM). A sealed text is `1.<key id>.<base64url of iv, ciphertext and tag>`; the key id
 * says which key made it, so that keys can be rotated. `purpose`, such as `storages.application_password`, is authenticated with
 * it: a sealed text moved to another column does not open.
 */
export class Keyring {
  readonly #keys: readonly { id: string; secret: Buffer }[];

  /** @param keys 32 bytes each; the first one seals, all open */
  constructor(private readonly keys: readonly [Buffer, ...Buffer[]]) {
    this.#keys = keys.map((key) => ({
      id: createHash('sha256').update('moorage key id').update(key).digest('hex').slice(0, 8),
      secret: derive(key, 'seal'),
    }));
  }

  seal(text: string, purpose: string): string {
    const { id, secret } = this.#keys[0]!;
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

  /** @throws SealBroken */
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

  /** Whether the key that seals today sealed it. */
  isCurrent(sealed: string): boolean {
    return sealed.startsWith(`${FORMAT}.${this.#keys[0]!.id}.`);
  }

  /** 32 bytes for another purpose, the same in every process. */
  derived(purpose: string): Buffer {
    return derive(this.keys[0], purpose);
  }
}

const derive = (key: Buffer, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', key, Buffer.alloc(0), `moorage ${purpose}`, 32));

/** Finds stored secrets that neither `SECRET_KEY` nor `SECRET_KEY_PREVIOUS` opens. */
import type { Database } from '../../../database/index.js';
import { SealBroken, type Keyring } from '../../../secrets/keyring.js';
import { sealedSecrets } from './rotate-secrets.js';

/**
 * @param openKeyring called only if there are secrets: it can make a key file
 * @returns them as `table.column id`
 */
export async function brokenSecrets(
  db: Pick<Database, 'read'>,
  openKeyring: () => Keyring,
): Promise<string[]> {
  let keyring: Keyring | undefined;
  const broken: string[] = [];
  for await (const { sealed, purpose, id } of sealedSecrets(db)) {
    keyring ??= openKeyring();
    try {
      keyring.open(sealed, purpose);
    } catch (error) {
      if (!(error instanceof SealBroken)) throw error;
      broken.push(`${purpose} ${id}`);
    }
  }
  return broken;
}

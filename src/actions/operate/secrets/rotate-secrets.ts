/** Seals every secret with the current key that an earlier key sealed. */
import type { Services } from '../../../context.js';
import type { Database } from '../../../database/index.js';
import { SealBroken } from '../../../secrets/keyring.js';

/** Every sealed column. Its purpose is `table.column`. */
export const sealedColumns: readonly { table: string; column: string }[] = [
  { table: 'storages', column: 'application_password' },
  { table: 'oauth_client_credentials', column: 'client_secret' },
  { table: 'storage_tokens', column: 'access_token' },
  { table: 'storage_tokens', column: 'refresh_token' },
  { table: 'connection_attempts', column: 'code_verifier' },
  { table: 'identity_tokens', column: 'access_token' },
  { table: 'identity_tokens', column: 'refresh_token' },
  { table: 'webhooks', column: 'secret' },
];

interface RotationReport {
  /** Secrets sealed again with the current key. */
  rotated: number;
  /** Secrets that the current key had sealed already. */
  current: number;
  /** Secrets that no key opens, as `table.column id`. */
  broken: string[];
}

const SECRETS_AT_ONCE = 200;

interface SealedSecret {
  table: string;
  column: string;
  id: number;
  sealed: string;
  /** What `Keyring` calls the purpose. */
  purpose: string;
}

/** All sealed secrets of a database. */
export async function* sealedSecrets(db: Pick<Database, 'read'>): AsyncGenerator<SealedSecret> {
  for (const { table, column } of sealedColumns) {
    const purpose = `${table}.${column}`;
    for (let lastId = 0; ;) {
      const rows = (await db
        .read(table)
        .select('id', `${column} as sealed`)
        .whereNotNull(column)
        .where('id', '>', lastId)
        .orderBy('id')
        .limit(SECRETS_AT_ONCE)) as { id: number; sealed: string }[];
      for (const row of rows) yield { table, column, purpose, ...row };
      if (rows.length < SECRETS_AT_ONCE) break;
      lastId = rows.at(-1)?.id ?? 0;
    }
  }
}

/**
 * Safe while servers run: it never overwrites a secret that changed after it was read.
 */
export async function rotateSecrets({
  db,
  keyring,
}: Pick<Services, 'db' | 'keyring'>): Promise<RotationReport> {
  const report: RotationReport = { rotated: 0, current: 0, broken: [] };
  for await (const { table, column, id, sealed, purpose } of sealedSecrets(db)) {
    if (keyring.isCurrent(sealed)) {
      report.current += 1;
      continue;
    }
    try {
      report.rotated += await db
        .write(table)
        .where({ id, [column]: sealed })
        .update({ [column]: keyring.seal(keyring.open(sealed, purpose), purpose) });
    } catch (error) {
      if (!(error instanceof SealBroken)) throw error;
      report.broken.push(`${purpose} ${id}`);
    }
  }
  return report;
}

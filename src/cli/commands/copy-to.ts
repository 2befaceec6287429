/** `moorage copy-to URL` */
import { resolve } from 'node:path';
import { brokenSecrets } from '../../actions/operate/secrets/broken-secrets.js';
import { readConfig, type Config } from '../../config.js';
import { database as parser } from '../../config/parsers.js';
import { copyDatabase } from '../../database/copy/copy.js';
import type { Database, DatabaseAddress } from '../../database/index.js';
import { DatabaseUnavailable } from '../../database/unavailable.js';
import { openKeyring } from '../../services.js';
import type { Run } from '../command.js';
import { databaseName } from '../database-name.js';
import { UsageError } from '../exit-statuses.js';
import { describe, print } from '../output.js';
import { progressOn } from '../progress.js';
import { withDatabase } from '../services.js';
import { demandFile } from '../up-to-date.js';

export const copyToCommand: Run = async ({ json }, url) => {
  const config = readConfig(process.env);
  const target = addressOf(url);
  const source = nameOf(config.database);
  if (nameOf(target) === source) throw new UsageError('URL is the database of DATABASE_URL.');
  demandFile(config);
  const progress = progressOn(process.stderr);
  const copied = await withAddress(config, config.database, (from) =>
    withAddress(config, target, (to) =>
      copyDatabase({
        from,
        to,
        source,
        check: () => demandKey(from, config),
        progress: (text) => progress.show(text),
      }).catch(namingBoth),
    ),
  );
  progress.clear();
  print(json, { source, target: nameOf(target), tables: copied }, () =>
    [
      ...copied.map(
        ({ table, rows, digest }) => `${table.padEnd(25)} ${String(rows).padStart(9)}  ${digest}`,
      ),
      `Copied ${source} to ${nameOf(target)}. Both have the same rows.`,
    ].join('\n'),
  );
};

function addressOf(url: string | undefined): DatabaseAddress {
  const { data, error } = parser.safeParse(url);
  if (!data) throw new UsageError(`URL ${error.issues[0]?.message}`);
  return data.client === 'postgres' ? { ...data, prepares: false } : data;
}

/** The same from every folder. */
const nameOf = (address: DatabaseAddress): string =>
  databaseName('file' in address ? { ...address, file: resolve(address.file) } : address);

const withAddress = <T>(
  config: Config,
  database: DatabaseAddress,
  use: (db: Database) => Promise<T>,
): Promise<T> =>
  withDatabase(
    { ...config, database: 'file' in database ? { ...database, alone: true } : database },
    use,
  );

/** The servers of the copy need the key that sealed its secrets. @throws Error without it */
async function demandKey(db: Database, config: Config): Promise<void> {
  const broken = await brokenSecrets(db, () => openKeyring(config));
  if (broken.length === 0) return;
  const more = broken.length > SHOWN ? ` and ${broken.length - SHOWN} more` : '';
  throw new Error(
    `SECRET_KEY does not open ${broken.slice(0, SHOWN).join(', ')}${more}. ` +
      'Set the key of the servers, or set these secrets again.',
  );
}

const SHOWN = 10;

function namingBoth(error: unknown): never {
  if (!(error instanceof DatabaseUnavailable)) throw error;
  throw new Error(
    `The database of DATABASE_URL or of URL cannot be used: ${describe(error.cause)}`,
    { cause: error },
  );
}

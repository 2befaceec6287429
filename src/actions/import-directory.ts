/** Takes people, projects and containers from a directory file: all of it, or nothing if any row is bad. */
import type { Services } from '../context.js';
import type { OpenFile } from './directory/read.js';
import type { ImportedIds } from './directory/job.js';
import { takeDirectory } from './directory/take.js';

export type { BadRow, ImportedIds } from './directory/job.js';
export { BadDirectory } from './directory/take.js';
export { MalformedFile } from './directory/read.js';

/**
 * Idempotent by the keys of the rows: a row whose key exists is updated, a membership gets exactly the roles of the file.
 * @param progress called with the number of rows read so far
 * @throws BadDirectory, MalformedFile
 */
export async function importDirectory({ db, clock, forgetIdentities }: Pick<Services, 'db' | 'clock' | 'forgetIdentities'>, open: OpenFile, progress?: (rows: number) => void): Promise<ImportedIds> {
  const ids = await db.write.transaction((trx) => takeDirectory(trx, clock(), open, progress));
  forgetIdentities();
  return ids;
}

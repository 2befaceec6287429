/** Imports people, projects and containers from a directory file in one transaction. */
import type { Services } from '../../../context.js';
import type { OpenFile } from './read-json-rows.js';
import type { ImportedIds } from './job.js';
import { requestSync } from '../../base/project-folder-queue/request-sync.js';
import { correctProjects } from './moved-attachments.js';
import { importRows } from './import-rows.js';

export type { BadRow, ImportedIds } from './job.js';
export { BadDirectory } from './import-rows.js';
export { MalformedFile } from './read-json-rows.js';

/** Another request deleted a row that the file names. Unchanged rows are not locked. */
class DeletedMeanwhile extends Error {
  constructor(cause: { constraint?: string }) {
    super(
      'Nothing was imported: something that the file names was deleted at the same time ' +
        `(${cause.constraint}). Run the import again.`,
      { cause },
    );
    this.name = 'DeletedMeanwhile';
  }
}

/** Only PostgreSQL's code, because on SQLite nothing else writes during the transaction. */
const isForeignKeyViolation = (error: unknown): boolean =>
  (error as { code?: unknown } | null)?.code === '23503';

/**
 * Imports all rows, or nothing if any row is bad. Can be repeated: a row whose key exists is
 * updated, and a membership gets exactly the roles of the file.
 * @param progress called with the number of rows read so far
 * @throws BadDirectory, MalformedFile, DeletedMeanwhile
 */
export async function importDirectory(
  { db, clock, forgetIdentities }: Pick<Services, 'db' | 'clock' | 'forgetIdentities'>,
  open: OpenFile,
  progress?: (rows: number) => void,
): Promise<ImportedIds> {
  const ids = await db.write
    .transaction(async (trx) => {
      // Hashing passwords and reading unchanged rows can take long without a statement.
      await db.allowIdleTransaction(trx);
      const ids = await importRows(trx, clock(), open, progress);
      await requestSync(trx, 'all', clock());
      return ids;
    })
    .catch((error: unknown) => {
      throw isForeignKeyViolation(error)
        ? new DeletedMeanwhile(error as { constraint?: string })
        : error;
    });
  await correctProjects(db.write);
  forgetIdentities();
  return ids;
}

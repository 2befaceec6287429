/** Takes people, projects and containers from a directory file: all of it, or nothing if any row is bad. */
import type { Services } from '../../context.js';
import type { OpenFile } from './read-json-rows.js';
import type { ImportedIds } from './job.js';
import { takeDirectory } from './read-directory.js';

export type { BadRow, ImportedIds } from './job.js';
export { BadDirectory } from './read-directory.js';
export { MalformedFile } from './read-json-rows.js';

/** Rows that are as the file says are not locked. */
export class DeletedMeanwhile extends Error {
  constructor(cause: { constraint?: string }) {
    super(
      `Nothing was imported: something that the file names was deleted at the same time (${cause.constraint}). Run the import again.`,
      { cause },
    );
    this.name = 'DeletedMeanwhile';
  }
}

/** foreign_key_violation of PostgreSQL; on SQLite nobody else writes meanwhile. */
const refersToNothing = (error: unknown): boolean =>
  (error as { code?: unknown } | null)?.code === '23503';

/**
 * Idempotent by the keys of the rows: a row whose key exists is updated, a membership gets exactly the roles of the file.
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
      // Passwords are hashed, and rows read that are nothing new, without a statement in between.
      await db.unhurried(trx);
      return takeDirectory(trx, clock(), open, progress);
    })
    .catch((error: unknown) => {
      throw refersToNothing(error) ? new DeletedMeanwhile(error as { constraint?: string }) : error;
    });
  forgetIdentities();
  return ids;
}

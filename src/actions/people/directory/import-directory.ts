/** Imports people, projects and containers from a directory file in one transaction. */
import type { Knex } from 'knex';
import { COMMAND, recordAudit, type Actor } from '../../../audit/record.js';
import type { Services } from '../../../context.js';
import type { OpenFile } from './read-json-rows.js';
import type { Changes } from './changes.js';
import type { ImportedIds } from './job.js';
import { requestSync } from '../../base/project-folder-queue/request-sync.js';
import { correctProjects } from './moved-attachments.js';
import { importRows } from './import-rows.js';

export type { ListChange } from './changes.js';
export type { BadRow, ImportedIds } from './job.js';
export { BadDirectory } from './import-rows.js';
export { MalformedFile } from './read-json-rows.js';

/** Another request deleted a row that the file names. Unchanged rows are not locked. */
export class DeletedMeanwhile extends Error {
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

/** Ends the transaction of a dry run. */
class OnlyTried extends Error {
  constructor(readonly imported: Imported) {
    super('Nothing was imported: it was a dry run.');
  }
}

interface Imported {
  ids: ImportedIds;
  changes: ReturnType<Changes['report']>;
}

type ImportNeeds = Pick<Services, 'db' | 'clock' | 'forgetIdentities'> & { actor?: Actor };

interface Options {
  /** Called with the number of rows read so far. */
  progress?: ((rows: number) => void) | undefined;
  /** Only tells what would change. */
  dryRun?: boolean;
  /** Called at the end of the transaction. What it throws ends the import. */
  check?: (trx: Knex) => Promise<void>;
}

/**
 * Imports all rows, or nothing if any row is bad. Can be repeated: a row whose key exists is
 * updated, and a membership gets exactly the roles of the file.
 * @throws BadDirectory, MalformedFile, DeletedMeanwhile
 */
export const importDirectory = async (
  services: ImportNeeds,
  open: OpenFile,
  progress?: (rows: number) => void,
): Promise<ImportedIds> => (await importWithReport(services, open, { progress })).ids;

/** The same, with what it has changed or would change. */
export async function importWithReport(
  { db, clock, forgetIdentities, actor = COMMAND }: ImportNeeds,
  open: OpenFile,
  { progress, dryRun = false, check }: Options = {},
): Promise<Imported> {
  const imported = await db.write
    .transaction(async (trx) => {
      // Hashing passwords and reading unchanged rows can take long without a statement.
      await db.allowIdleTransaction(trx);
      const { ids, changes } = await importRows(trx, clock(), open, progress);
      await check?.(trx);
      if (dryRun) throw new OnlyTried({ ids, changes: changes.report() });
      await recordAudit(trx, clock().toISOString(), actor, { kind: 'DIRECTORY_IMPORTED' });
      await requestSync(trx, 'all', clock());
      return { ids, changes: changes.report() };
    })
    .catch((error: unknown) => {
      if (error instanceof OnlyTried) return error.imported;
      throw isForeignKeyViolation(error)
        ? new DeletedMeanwhile(error as { constraint?: string })
        : error;
    });
  if (dryRun) return imported;
  await correctProjects(db.write);
  forgetIdentities();
  return imported;
}

/** Imports the rows of a directory file within a transaction. */
import type { Knex } from 'knex';
import { importContents } from './contents.js';
import { ImportJob, type BadRow } from './job.js';
import { importPeople } from './people.js';
import type { OpenFile } from './read-json-rows.js';

/** The bad rows of a file. Nothing was imported. */
export class BadDirectory extends Error {
  /** @param count of all bad rows; `rows` has a maximum, so that memory is bounded */
  constructor(
    readonly rows: readonly BadRow[],
    readonly count: number,
  ) {
    super(`Nothing was imported: ${count} bad row${count === 1 ? '' : 's'}.`);
    this.name = 'BadDirectory';
  }
}

/**
 * @param progress called with the number of rows read so far
 * @throws BadDirectory, MalformedFile
 */
export async function importRows(
  trx: Knex,
  now: Date,
  open: OpenFile,
  progress: (rows: number) => void = () => undefined,
): Promise<Pick<ImportJob, 'ids' | 'changes'>> {
  const job = new ImportJob(trx, now.toISOString(), progress);
  // The file is read twice, so the order of its rows does not matter. The first pass reads people,
  // roles and projects. The second reads what refers to them.
  await importPeople(job, open);
  await importContents(job, open);
  if (job.badCount > 0) throw new BadDirectory(job.bad, job.badCount);
  return job;
}

/** Writes the rows of a directory file in a transaction, and notes the bad ones. */
import type { Knex } from 'knex';
import { takeContents } from './contents.js';
import { Job, type BadRow, type ImportedIds } from './job.js';
import { takePeople } from './people.js';
import type { OpenFile } from './read-json-rows.js';

/** Every bad row of a file, with its path; nothing was imported. */
export class BadDirectory extends Error {
  /** @param count of all of them; a file that is wrong from end to end is not kept in memory */
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
export async function takeDirectory(
  trx: Knex,
  now: Date,
  open: OpenFile,
  progress: (rows: number) => void = () => undefined,
): Promise<ImportedIds> {
  const job = new Job(trx, now.toISOString(), progress);
  // People, roles and projects first, then what is in the projects: the order in the file does not matter.
  await takePeople(job, open);
  await takeContents(job, open);
  if (job.badCount > 0) throw new BadDirectory(job.bad, job.badCount);
  return job.ids;
}

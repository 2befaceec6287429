/** Changes single people and projects by the rules of a directory file. */
import type { Knex } from 'knex';
import { recordAudit, type Actor, type Audited } from '../../../audit/record.js';
import type { Services } from '../../../context.js';
import { PropertyConstraintViolation } from '../../../contract/errors.js';
import { capitalised } from '../../../contract/words.js';
import { requestSync } from '../../base/project-folder-queue/request-sync.js';
import { BadDirectory } from './import-rows.js';
import type { BadRow, ImportedIds } from './job.js';
import { fillNewDirectory, importJson, lockDirectory } from './new-directory.js';

export type DirectoryNeeds = Pick<Services, 'db' | 'clock' | 'forgetIdentities'> & { actor: Actor };

export interface Change {
  trx: Knex.Transaction;
  now: Date;
  /** Writes what would be a directory file. @throws PropertyConstraintViolation */
  write(directory: object): Promise<ImportedIds>;
  audit(event: Audited): Promise<void>;
}

/** One change follows the other, so each can look first. A new database gets its roles before. */
export async function changeDirectory<T>(
  services: DirectoryNeeds,
  change: (change: Change) => Promise<T>,
): Promise<T> {
  const { db, clock, forgetIdentities, actor } = services;
  const now = clock();
  const result = await db.write.transaction(async (trx) => {
    await lockDirectory(services, trx);
    await fillNewDirectory(trx, now);
    const write = (directory: object) =>
      importJson(trx, now, directory).catch((error: unknown) => {
        throw error instanceof BadDirectory ? violation(error.rows) : error;
      });
    const made = await change({
      trx,
      now,
      write,
      audit: (event) => recordAudit(trx, now.toISOString(), actor, event),
    });
    await requestSync(trx, 'all', now);
    return made;
  });
  forgetIdentities();
  return result;
}

const violation = (rows: readonly BadRow[]) =>
  new PropertyConstraintViolation(rows.map(sentenceOf).join(' '));

/** What a member of the file is for people. */
const nouns: { [member: string]: string } = {
  login: 'login',
  firstName: 'first name',
  lastName: 'last name',
  email: 'e-mail address',
  password: 'password',
  identifier: 'identifier',
  name: 'name',
};

/** `users[0].login` and "is reserved" are "The login is reserved." */
function sentenceOf({ path, message }: BadRow): string {
  const member = /(\w+)$/.exec(path)?.[1] ?? '';
  const text = member in nouns ? `the ${nouns[member]} ${message}` : message;
  return `${capitalised(text)}.`;
}

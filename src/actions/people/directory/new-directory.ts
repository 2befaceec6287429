/** Gives a new database the roles, statuses and types with which a first project works. */
import type { Knex } from 'knex';
import type { Services } from '../../../context.js';
import { Project } from '../../../models/project.js';
import { ANONYMOUS, NON_MEMBER, Role } from '../../../models/role.js';
import { RESERVED_LOGINS, User } from '../../../models/user.js';
import { permissions, type Permission } from '../../../policies/permissions.js';
import { importRows } from './import-rows.js';
import type { ImportedIds } from './job.js';

/** What a member needs no trust for, or what an administrator decides for a project. */
const forManagers: readonly Permission[] = [
  'view_internal_comments',
  'manage_files_in_project',
  'share_files',
];
const ofMembers = permissions.filter((permission) => !forManagers.includes(permission));

/** As in a directory file. */
export const newDirectory = {
  roles: [
    { name: 'Manager', permissions },
    { name: 'Member', permissions: ofMembers },
    {
      name: 'Reader',
      permissions: ofMembers.filter((name) => name.startsWith('view_') || name === 'read_files'),
    },
    { name: NON_MEMBER, permissions: [] },
    { name: ANONYMOUS, permissions: [] },
  ],
  statuses: [
    { name: 'New', color: '#1A67A3', default: true },
    { name: 'In progress', color: '#B35900' },
    { name: 'Done', color: '#2E7D32', closed: true },
    { name: 'Rejected', color: '#6B7280', closed: true },
  ],
  types: [
    { name: 'Task', color: '#1A67A3', default: true },
    { name: 'Feature', color: '#2E7D32' },
    { name: 'Bug', color: '#B3261E' },
    { name: 'Milestone', color: '#6A3FA0' },
  ],
};

/** Whether anybody but the users of the service itself is in the database. */
export const hasPeople = async (trx: Knex): Promise<boolean> =>
  (await User.query(trx)
    .select('id')
    .whereNotIn('login', [...RESERVED_LOGINS])
    .first()) !== undefined;

/** Whoever decides by what is in the directory waits here for others that do. */
export const lockDirectory = async (
  { db }: Pick<Services, 'db'>,
  trx: Knex.Transaction,
): Promise<void> => void (await db.lockRows(User.query(trx).where({ anonymous: true })));

/** Adds nothing as soon as the database has a person, a role or a project: an import may be first. */
export async function fillNewDirectory(trx: Knex.Transaction, now: Date): Promise<void> {
  if (
    (await hasPeople(trx)) ||
    (await Role.query(trx).select('id').first()) ||
    (await Project.query(trx).select('id').first())
  )
    return;
  await importJson(trx, now, newDirectory);
}

/** For the start of a server. Several may start at the same time. */
export const prepareDirectory = (services: Pick<Services, 'db' | 'clock'>): Promise<void> =>
  services.db.write.transaction(async (trx) => {
    await lockDirectory(services, trx);
    await fillNewDirectory(trx, services.clock());
  });

/**
 * Imports what would be a directory file.
 * @throws BadDirectory
 */
export async function importJson(trx: Knex, now: Date, directory: object): Promise<ImportedIds> {
  const file = Buffer.from(JSON.stringify(directory));
  const { ids } = await importRows(trx, now, async function* () {
    yield file;
  });
  return ids;
}

/** Imports the people, roles and projects of a directory file. */
import { ApiKey } from '../../../models/api-key.js';
import { Project } from '../../../models/project.js';
import { Role } from '../../../models/role.js';
import { User } from '../../../models/user.js';
import { hashKey } from '../../../secrets/keys-and-tokens.js';
import { hashPassword, verifyPassword } from '../../../secrets/passwords.js';
import {
  Batch,
  emptyIds,
  listIndex,
  NO_ID,
  requireId,
  type Found,
  type ImportJob,
  type ValidRow,
} from './job.js';
import { writeAvatarUrls } from './avatar-urls.js';
import { endAccess } from './end-access.js';
import type { OpenFile } from './read-json-rows.js';
import { KindsInFile } from './statuses-and-types.js';
import { writeParents, writeProjectTypes } from './project-details.js';
import * as shapes from './rows.js';
import { insert, lookUp, overwrite, slices, upsert, withOtherItems, type Values } from './write.js';

/** Its members arrive one by one, because the lists in a project may not fit in memory. */
type ProjectInFile = Found & { value: { [member: string]: unknown } };

/** Call it before `importContents`: the contents refer to these rows. */
export async function importPeople(job: ImportJob, open: OpenFile): Promise<void> {
  for (const { id, name } of await Role.query(job.trx)) job.roleIds.set(name, id);
  const kinds = new KindsInFile(job);
  const roles = new Batch<shapes.RoleRow>((rows) => writeRoles(job, rows));
  const users = new Batch<shapes.UserRow>((rows) => writeUsers(job, rows));
  const rolesOfFile = emptyIds();
  /** By their index in the file. */
  const projects: ProjectInFile[] = [];
  for await (const found of job.read(open)) {
    if ('problem' in found) {
      job.reject(found.path, found.problem);
      continue;
    }
    switch (found.row) {
      case 'role': {
        const row = job.validKeyed(found, shapes.roleRow, 'name', rolesOfFile);
        if (row) await roles.add(row);
        break;
      }
      case 'user': {
        const row = job.validKeyed(found, shapes.userRow, 'login', job.ids.users);
        if (row) await users.add(row);
        break;
      }
      case 'status':
      case 'type':
        kinds.take(found);
        break;
      case 'project':
        projects[listIndex(found)] = { ...found, value: {} };
        break;
      case 'identifier':
      case 'name':
      case 'public':
      case 'active':
      case 'parent':
      case 'types': {
        const project = projects[listIndex(found)];
        if (!project) throw new Error(`${found.path} came before its project.`);
        project.value[found.row] = found.value;
        break;
      }
    }
  }
  await roles.flush();
  await users.flush();
  await kinds.write();
  // A role whose row is bad counts as known, so that the import reports it only once.
  for (const name of Object.keys(rolesOfFile))
    if (!job.roleIds.has(name)) job.roleIds.set(name, NO_ID);
  await writeProjects(job, projects);
}

async function writeRoles(job: ImportJob, rows: ValidRow<shapes.RoleRow>[]): Promise<void> {
  const wanted = rows.map(({ row: { name, permissions } }) => ({
    id: job.roleIds.get(name),
    name,
    items: new Set<string>(permissions),
  }));
  const changed = await withOtherItems(
    job,
    { table: 'role_permissions', owner: 'role_id', item: 'permission' },
    wanted,
  );
  if (changed.length === 0) return;
  for (const { id, name } of changed)
    job.changes.note(id === undefined ? 'added' : 'changed', 'roles', [name]);
  // A role is written even if only its permissions differ: the lock of its row makes other changes
  // of its permissions wait.
  for (const { id, name } of await overwrite(
    job,
    'roles',
    changed.map(({ name }) => ({ name })),
    ['name'],
  ))
    job.roleIds.set(String(name), id);
  await job
    .trx('role_permissions')
    .delete()
    .whereIn(
      'role_id',
      changed.map(({ name }) => requireId(job.roleIds.get(name), name)),
    );
  await insert(
    job,
    'role_permissions',
    changed.flatMap(({ name, items }) =>
      [...items].map((permission) => ({
        role_id: requireId(job.roleIds.get(name), name),
        permission,
      })),
    ),
  );
}

async function writeUsers(job: ImportJob, rows: ValidRow<shapes.UserRow>[]): Promise<void> {
  const hashes = await passwordHashes(
    job,
    rows.flatMap(({ row: { login, password } }) => (password === undefined ? [] : [login])),
  );
  const newPasswords: string[] = [];
  const values = await Promise.all(
    rows.map(async ({ row: { login, firstName, lastName, email, admin, status, password } }) => {
      const columns: Values = {
        login,
        first_name: firstName,
        last_name: lastName,
        search_text: User.searchTextOf({ firstName, lastName, login }),
        email,
        admin,
        status,
      };
      if (password === undefined || (await verifyPassword(password, hashes.get(login) ?? null)))
        return columns;
      newPasswords.push(login);
      return { ...columns, password_hash: await hashPassword(password) };
    }),
  );
  const lockedNow = await lockedByFile(job, rows);
  for (const { id, login } of await upsert(job, 'users', values, ['login'], {
    admin: false,
    status: 'active',
  }))
    job.ids.users[String(login)] = id;
  const locked = rows.flatMap(({ row: { login, status } }) => (status === 'locked' ? login : []));
  job.changes.note('ended', 'users', lockedNow);
  await endAccess(
    job.trx,
    [...newPasswords, ...locked].map((login) => requireId(job.ids.users[login], login)),
  );
  await writeApiKeys(job, rows);
  await writeAvatarUrls(job, rows);
}

/** People who are active, and whom the file locks. */
const lockedByFile = async (job: ImportJob, rows: ValidRow<shapes.UserRow>[]): Promise<string[]> =>
  job
    .trx('users')
    .where('status', 'active')
    .whereIn(
      'login',
      rows.flatMap(({ row: { login, status } }) => (status === 'locked' ? login : [])),
    )
    .pluck('login');

async function passwordHashes(
  job: ImportJob,
  logins: string[],
): Promise<Map<string, string | null>> {
  const known = new Map<string, string | null>();
  for (const slice of slices(logins)) {
    for (const { login, password_hash } of (await job
      .trx('users')
      .select('login', 'password_hash')
      .whereIn('login', slice)) as { login: string; password_hash: string | null }[])
      known.set(login, password_hash);
  }
  return known;
}

async function writeApiKeys(job: ImportJob, users: ValidRow<shapes.UserRow>[]): Promise<void> {
  const keys = users.flatMap(({ path, row }) =>
    row.apiKeys.map(({ name, key }, index) => ({
      path: `${path}.apiKeys[${index}]`,
      user_id: requireId(job.ids.users[row.login], row.login),
      name,
      key_hash: hashKey(key),
    })),
  );
  for (const slice of slices(keys)) {
    const storedAs = await lookUp(job, 'api_keys', slice, ['user_id', 'name'], ['key_hash']);
    // Unchanged keys are not written: a key that is being revoked now would come back.
    const changed = slice.filter((key) => storedAs(key)?.['key_hash'] !== key.key_hash);
    if (changed.length === 0) continue;
    const hashes = changed.map((key) => key.key_hash);
    // The locks order this before or after a concurrent revocation of one of these keys.
    const holders = new Map(
      (await ApiKey.query(job.trx).whereIn('key_hash', hashes).forUpdate()).map(
        ({ keyHash, userId, name }) => [keyHash, { user_id: userId, name }],
      ),
    );
    const revoked = new Set(
      await job.trx('revoked_api_keys').whereIn('key_hash', hashes).pluck('key_hash'),
    );
    const accepted = changed.filter((key) => {
      if (revoked.has(key.key_hash)) return false;
      const holder = holders.get(key.key_hash);
      holders.set(key.key_hash, key);
      if (!holder || (holder.user_id === key.user_id && holder.name === key.name)) return true;
      job.reject(key.path, 'the key belongs to another name or user');
      return false;
    });
    await overwrite(
      job,
      'api_keys',
      accepted.map(({ user_id, name, key_hash }) => ({ user_id, name, key_hash })),
      ['user_id', 'name'],
    );
  }
}

async function writeProjects(job: ImportJob, found: ProjectInFile[]): Promise<void> {
  const valid = found.flatMap(
    (one) => job.validKeyed(one, shapes.projectRow, 'identifier', job.ids.projects) ?? [],
  );
  for (const slice of slices(valid)) {
    for (const { id, identifier } of await upsert(
      job,
      'projects',
      slice.map(({ row: { identifier, name, public: isPublic, active } }) => ({
        identifier,
        name,
        public: isPublic,
        active,
        search_text: Project.searchTextOf({ identifier, name }),
      })),
      ['identifier'],
      { public: false, active: true },
    ))
      job.ids.projects[String(identifier)] = id;
  }
  for (const { project, row } of valid)
    job.projectIds[project] = requireId(job.ids.projects[row.identifier], row.identifier);
  await writeProjectTypes(job, valid);
  await writeParents(job, valid);
}

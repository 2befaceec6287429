/** People, roles and projects of a directory file: they are written before what refers to them. */
import { ApiKey } from '../../models/api-key.js';
import { Role } from '../../models/role.js';
import { hashKey, hashPassword, verifyPassword } from '../../secrets/hashes.js';
import { Batch, names, NO_ID, type Found, type Job, type Sound } from './job.js';
import type { OpenFile } from './read-json-rows.js';
import * as shapes from './rows.js';
import { insert, lookUp, overwrite, slices, upsert, withOtherItems } from './write.js';

export async function takePeople(job: Job, open: OpenFile): Promise<void> {
  for (const { id, name } of (await Role.query(job.trx)) as Role[]) job.roleIds.set(name, id);
  const roles = new Batch<shapes.RoleRow>((some) => writeRoles(job, some));
  const users = new Batch<shapes.UserRow>((some) => writeUsers(job, some));
  const rolesOfFile = names();
  const projects: Found[] = [];
  for await (const found of job.read(open)) {
    if ('problem' in found) {
      job.reject(found.path, found.problem);
      continue;
    }
    const index = found.indexes[0]!;
    switch (found.row) {
      case 'role': {
        const row = job.keyed(found, shapes.roleRow, 'name', rolesOfFile);
        if (row) await roles.add(row);
        break;
      }
      case 'user': {
        const row = job.keyed(found, shapes.userRow, 'login', job.ids.users);
        if (row) await users.add(row);
        break;
      }
      case 'project':
        projects[index] = { ...found, value: {} };
        break;
      case 'identifier':
      case 'name':
      case 'public':
        Object.assign(projects[index]!.value as object, { [found.row]: found.value });
        break;
    }
  }
  await roles.flush();
  await users.flush();
  // Who has a row is known, even where the row is bad: it need not be complained about twice.
  for (const name of Object.keys(rolesOfFile))
    if (!job.roleIds.has(name)) job.roleIds.set(name, NO_ID);
  await writeProjects(job, projects);
}

async function writeRoles(job: Job, rows: Sound<shapes.RoleRow>[]): Promise<void> {
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
  // The row is written although only its permissions differ: whoever changes them as well waits for it.
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
      changed.map(({ name }) => job.roleIds.get(name)!),
    );
  await insert(
    job,
    'role_permissions',
    changed.flatMap(({ name, items }) =>
      [...items].map((permission) => ({ role_id: job.roleIds.get(name)!, permission })),
    ),
  );
}

async function writeUsers(job: Job, rows: Sound<shapes.UserRow>[]): Promise<void> {
  const known = await passwordHashes(
    job,
    rows.flatMap(({ row: { login, password } }) => (password === undefined ? [] : [login])),
  );
  const changed = new Set<string>();
  const values = await Promise.all(
    rows.map(async ({ row: { login, firstName, lastName, email, admin, status, password } }) => {
      const values = {
        login,
        first_name: firstName,
        last_name: lastName,
        email,
        admin,
        status,
        password_hash: undefined as string | undefined,
      };
      if (password === undefined || (await verifyPassword(password, known.get(login) ?? null)))
        return values;
      changed.add(login);
      return { ...values, password_hash: await hashPassword(password) };
    }),
  );
  for (const { id, login } of await upsert(job, 'users', values, ['login'], {
    admin: false,
    status: 'active',
  }))
    job.ids.users[String(login)] = id;
  // Whoever signed in with the old password does so again.
  for (const some of slices([...changed]))
    await job
      .trx('sessions')
      .delete()
      .whereIn(
        'user_id',
        some.map((login) => job.ids.users[login]!),
      );
  await writeApiKeys(job, rows);
}

async function passwordHashes(job: Job, logins: string[]): Promise<Map<string, string | null>> {
  const known = new Map<string, string | null>();
  for (const some of slices(logins)) {
    for (const { login, password_hash } of (await job
      .trx('users')
      .select('login', 'password_hash')
      .whereIn('login', some)) as { login: string; password_hash: string | null }[])
      known.set(login, password_hash);
  }
  return known;
}

async function writeApiKeys(job: Job, users: Sound<shapes.UserRow>[]): Promise<void> {
  const keys = users.flatMap(({ path, row }) =>
    row.apiKeys.map(({ name, key }, index) => ({
      path: `${path}.apiKeys[${index}]`,
      user_id: job.ids.users[row.login]!,
      name,
      key_hash: hashKey(key),
    })),
  );
  for (const some of slices(keys)) {
    const keptAs = await lookUp(job, 'api_keys', some, ['user_id', 'name'], ['key_hash']);
    // One that is being revoked at this moment is not written, so it does not come back.
    const changed = some.filter((key) => keptAs(key)?.['key_hash'] !== key.key_hash);
    if (changed.length === 0) continue;
    const hashes = changed.map((key) => key.key_hash);
    // Whoever revokes one of them at this moment is waited for, or waits.
    const holders = new Map(
      (await ApiKey.query(job.trx).whereIn('key_hash', hashes).forUpdate()).map(
        ({ keyHash, userId, name }) => [keyHash, { user_id: userId, name }],
      ),
    );
    const revoked = new Set(
      await job.trx('revoked_api_keys').whereIn('key_hash', hashes).pluck('key_hash'),
    );
    const good = changed.filter((key) => {
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
      good.map(({ user_id, name, key_hash }) => ({ user_id, name, key_hash })),
      ['user_id', 'name'],
    );
  }
}

async function writeProjects(job: Job, found: Found[]): Promise<void> {
  const sound = found.flatMap(
    (one) => job.keyed(one, shapes.projectRow, 'identifier', job.ids.projects) ?? [],
  );
  for (const some of slices(sound)) {
    for (const { id, identifier } of await upsert(
      job,
      'projects',
      some.map(({ row }) => row),
      ['identifier'],
      { public: false },
    ))
      job.ids.projects[String(identifier)] = id;
  }
  for (const { project, row } of sound) job.projectIds[project] = job.ids.projects[row.identifier]!;
}

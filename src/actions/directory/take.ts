/** Writes the rows of a directory file in a transaction, and notes the bad ones. */
import type { Knex } from 'knex';
import type { z } from 'zod';
import { ActivityKind } from '../../models/activity.js';
import { ApiKey } from '../../models/api-key.js';
import type { ContainerType } from '../../models/container.js';
import { ProjectFolderMode } from '../../models/project-storage.js';
import { Role } from '../../models/role.js';
import { Storage } from '../../models/storage.js';
import { RESERVED_LOGINS, User } from '../../models/user.js';
import { containers } from '../../policies/permissions.js';
import { hashKey, hashPassword, verifyPassword } from '../../secrets.js';
import { readRows, type FoundRow, type OpenFile, type Place, type Problem } from './read.js';
import * as shapes from './rows.js';
import { BATCH, insert, slices, upsert } from './write.js';

/** The ids that the rows have now, by their keys. */
export interface ImportedIds {
  users: { [login: string]: number };
  projects: { [identifier: string]: number };
  workPackages: { [ref: string]: number };
  activities: { [ref: string]: number };
  meetings: { [ref: string]: number };
  posts: { [ref: string]: number };
  wikiPages: { [ref: string]: number };
}

export interface BadRow {
  path: string;
  message: string;
}

/** Every bad row of a file, with its path; nothing was imported. */
export class BadDirectory extends Error {
  /** @param count of all of them; a file that is wrong from end to end is not kept in memory */
  constructor(readonly rows: readonly BadRow[], readonly count: number) {
    super(`Nothing was imported: ${count} bad row${count === 1 ? '' : 's'}.`);
    this.name = 'BadDirectory';
  }
}

/** More are counted, not kept. */
const MAX_REPORTED = 10_000;

/**
 * @param progress called with the number of rows read so far
 * @throws BadDirectory, MalformedFile
 */
export async function takeDirectory(trx: Knex, now: Date, open: OpenFile, progress: (rows: number) => void = () => undefined): Promise<ImportedIds> {
  const job = new Job(trx, now.toISOString(), progress);
  await job.run(open);
  if (job.badCount > 0) throw new BadDirectory(job.bad, job.badCount);
  return job.ids;
}

const containerLists = {
  workPackages: { type: 'WorkPackage', shape: shapes.workPackageRow },
  meetings: { type: 'Meeting', shape: shapes.titledRow },
  posts: { type: 'Post', shape: shapes.subjectRow },
  wikiPages: { type: 'WikiPage', shape: shapes.titledRow },
} as const satisfies { [list: string]: { type: ContainerType; shape: z.ZodType } };
type ContainerList = keyof typeof containerLists;

type Row = 'role' | 'user' | 'project' | 'identifier' | 'name' | 'public' | 'membership' | 'storage' | ContainerList;

const rows = (row: Row): Place<Row> => ({ list: { row } });
/** An unknown member is a mistake: a misspelt list would silently import nothing. */
const file: Place<Row> = { members: { roles: rows('role'), users: rows('user'), projects: { list: { announced: 'project', members: {
  identifier: { row: 'identifier' }, name: { row: 'name' }, public: { row: 'public' },
  memberships: rows('membership'), storages: rows('storage'),
  workPackages: rows('workPackages'), meetings: rows('meetings'), posts: rows('posts'), wikiPages: rows('wikiPages'),
} } } } };

type Found = FoundRow<Row>;

/** A row that has its shape. */
interface Sound<T> {
  path: string;
  /** Index of the project that it stands in. */
  project: number;
  row: T;
}

/** Rows wait here for their batch. */
class Batch<T> {
  #rows: Sound<T>[] = [];

  constructor(private readonly write: (rows: Sound<T>[]) => Promise<void>) {}

  async add(row: Sound<T>) {
    this.#rows.push(row);
    if (this.#rows.length >= BATCH) await this.flush();
  }

  async flush() {
    const some = this.#rows;
    this.#rows = [];
    if (some.length > 0) await this.write(some);
  }
}

/** Names come from a file: one called `constructor` is like any other. */
const names = () => Object.create(null) as { [name: string]: number };

/** In the place of an id: the file has the row, but it is bad or not written yet. */
const NO_ID = 0;

class Job {
  readonly ids: ImportedIds = { users: names(), projects: names(), workPackages: names(), activities: names(), meetings: names(), posts: names(), wikiPages: names() };
  readonly bad: BadRow[] = [];
  badCount = 0;
  /** Users whom the file only mentions; undefined: the database does not know them either. */
  readonly #otherUsers = new Map<string, number | undefined>();
  readonly #roleIds = new Map<string, number>();
  /** By the position in the file. */
  readonly #projectIds: number[] = [];
  #rows = 0;

  constructor(readonly trx: Knex, readonly now: string, private readonly progress: (rows: number) => void) {}

  /** People, roles and projects first, then what is in the projects: the order in the file does not matter. */
  async run(open: OpenFile): Promise<void> {
    await this.#readPeople(open);
    await this.#readContents(open);
  }

  async #readPeople(open: OpenFile): Promise<void> {
    for (const { id, name } of (await Role.query(this.trx)) as Role[]) this.#roleIds.set(name, id);
    const roles = new Batch<shapes.RoleRow>((some) => this.#writeRoles(some));
    const users = new Batch<shapes.UserRow>((some) => this.#writeUsers(some));
    const rolesOfFile = names();
    const projects: Found[] = [];
    for await (const found of this.#read(open)) {
      if ('problem' in found) {
        this.#reject(found.path, found.problem);
        continue;
      }
      const index = found.indexes[0]!;
      switch (found.row) {
        case 'role': {
          const row = this.#keyed(found, shapes.roleRow, 'name', rolesOfFile);
          if (row) await roles.add(row);
          break;
        }
        case 'user': {
          const row = this.#keyed(found, shapes.userRow, 'login', this.ids.users);
          if (row) await users.add(row);
          break;
        }
        case 'project':
          projects[index] = { ...found, value: {} };
          break;
        case 'identifier': case 'name': case 'public':
          Object.assign(projects[index]!.value as object, { [found.row]: found.value });
          break;
      }
    }
    await roles.flush();
    await users.flush();
    // Who has a row is known, even where the row is bad: it need not be complained about twice.
    for (const name of Object.keys(rolesOfFile)) if (!this.#roleIds.has(name)) this.#roleIds.set(name, NO_ID);
    await this.#writeProjects(projects);
  }

  async #readContents(open: OpenFile): Promise<void> {
    const memberships = new Batch<shapes.MembershipRow>((some) => this.#writeMemberships(some));
    const storages = new Batch<string>((some) => this.#writeStorages(some));
    const lists = Object.fromEntries(Object.keys(containerLists).map((list) => [list, new Batch<shapes.ContainerRow>((some) => this.#writeContainers(list as ContainerList, some))]));
    const members = new Set<string>();
    for await (const found of this.#read(open)) {
      if ('problem' in found) continue;
      switch (found.row) {
        case 'membership': {
          const row = this.#shaped(found, shapes.membershipRow);
          const key = JSON.stringify([found.indexes[0], row?.row.user]);
          if (row && members.has(key)) this.#reject(found.path, `${JSON.stringify(row.row.user)} is a member twice`);
          else if (row) await memberships.add(row);
          members.add(key);
          break;
        }
        case 'storage': {
          const row = this.#shaped(found, shapes.storageRow);
          if (row) await storages.add(row);
          break;
        }
        case 'workPackages': case 'meetings': case 'posts': case 'wikiPages': {
          const shape = containerLists[found.row].shape as unknown as z.ZodType<shapes.ContainerRow>;
          const row = this.#keyed(found, shape, 'ref', this.ids[found.row]);
          if (row) await lists[found.row]!.add(row);
          break;
        }
      }
    }
    await memberships.flush();
    await storages.flush();
    for (const list of Object.values(lists)) await list.flush();
  }

  async *#read(open: OpenFile): AsyncGenerator<Found | Problem> {
    for await (const found of readRows(open, file)) {
      this.progress(this.#rows);
      yield* found;
    }
    this.progress(this.#rows);
  }

  #reject(path: string, message: string) {
    this.badCount += 1;
    if (this.bad.length < MAX_REPORTED) this.bad.push({ path, message });
  }

  #shaped<T>({ path, indexes, value }: Found, shape: z.ZodType<T>): Sound<T> | undefined {
    this.#rows += 1;
    const parsed = shape.safeParse(value);
    for (const issue of parsed.error?.issues ?? []) this.#reject(pathTo(path, issue.path), issue.message.replace(/^.* received undefined$/, 'is missing'));
    return parsed.success ? { path, project: indexes[0]!, row: parsed.data } : undefined;
  }

  /** A row that has its shape and a key that no row before it has; the key counts as taken even where the row is bad. */
  #keyed<T, K extends keyof T & string>(found: Found, shape: z.ZodType<T>, member: K, taken: { [key: string]: number }): Sound<T> | undefined {
    const sound = this.#shaped(found, shape);
    const key = (sound ? sound.row[member] : (found.value as T | null)?.[member]) as unknown;
    if (typeof key !== 'string') return undefined;
    const twice = key.trim() in taken;
    if (twice) this.#reject(found.path, `the key ${JSON.stringify(key)} occurs twice`);
    else taken[key.trim()] = NO_ID;
    return twice ? undefined : sound;
  }

  async #writeRoles(rows: Sound<shapes.RoleRow>[]): Promise<void> {
    for (const { id, name } of await upsert(this, 'roles', rows.map(({ row }) => ({ name: row.name })), ['name'])) this.#roleIds.set(String(name), id);
    await this.trx('role_permissions').delete().whereIn('role_id', rows.map(({ row }) => this.#roleIds.get(row.name)!));
    const granted = rows.flatMap(({ row }) => [...new Set(row.permissions)].map((permission) => ({ role_id: this.#roleIds.get(row.name)!, permission })));
    await insert(this, 'role_permissions', granted);
  }

  async #writeUsers(rows: Sound<shapes.UserRow>[]): Promise<void> {
    const known = await this.#passwordHashes(rows.flatMap(({ row: { login, password } }) => (password === undefined ? [] : [login])));
    const changed = new Set<string>();
    const values = await Promise.all(rows.map(async ({ row: { login, firstName, lastName, email, admin, status, password } }) => {
      const values = { login, first_name: firstName, last_name: lastName, email, admin, status, password_hash: undefined as string | undefined };
      if (password === undefined || await verifyPassword(password, known.get(login) ?? null)) return values;
      changed.add(login);
      return { ...values, password_hash: await hashPassword(password) };
    }));
    for (const { id, login } of await upsert(this, 'users', values, ['login'], { admin: false, status: 'active' })) this.ids.users[String(login)] = id;
    // Whoever signed in with the old password does so again.
    for (const some of slices([...changed])) await this.trx('sessions').delete().whereIn('user_id', some.map((login) => this.ids.users[login]!));
    await this.#writeApiKeys(rows);
  }

  async #passwordHashes(logins: string[]): Promise<Map<string, string | null>> {
    const known = new Map<string, string | null>();
    for (const some of slices(logins)) {
      for (const { login, password_hash } of await this.trx('users').select('login', 'password_hash').whereIn('login', some) as { login: string; password_hash: string | null }[]) known.set(login, password_hash);
    }
    return known;
  }

  async #writeApiKeys(users: Sound<shapes.UserRow>[]): Promise<void> {
    const keys = users.flatMap(({ path, row }) => row.apiKeys.map(({ name, key }, index) => ({ path: `${path}.apiKeys[${index}]`, user_id: this.ids.users[row.login]!, name, key_hash: hashKey(key) })));
    for (const some of slices(keys)) {
      const hashes = some.map((key) => key.key_hash);
      // Whoever revokes one of them at this moment is waited for, or waits.
      const holders = new Map((await ApiKey.query(this.trx).whereIn('key_hash', hashes).forUpdate()).map(({ keyHash, userId, name }) => [keyHash, { user_id: userId, name }]));
      const revoked = new Set(await this.trx('revoked_api_keys').whereIn('key_hash', hashes).pluck('key_hash'));
      const good = some.filter((key) => {
        if (revoked.has(key.key_hash)) return false;
        const holder = holders.get(key.key_hash);
        holders.set(key.key_hash, key);
        if (!holder || (holder.user_id === key.user_id && holder.name === key.name)) return true;
        this.#reject(key.path, 'the key belongs to another name or user');
        return false;
      });
      await upsert(this, 'api_keys', good.map(({ user_id, name, key_hash }) => ({ user_id, name, key_hash })), ['user_id', 'name']);
    }
  }

  async #writeProjects(found: Found[]): Promise<void> {
    const sound = found.flatMap((one) => this.#keyed(one, shapes.projectRow, 'identifier', this.ids.projects) ?? []);
    for (const some of slices(sound)) {
      for (const { id, identifier } of await upsert(this, 'projects', some.map(({ row }) => row), ['identifier'], { public: false })) this.ids.projects[String(identifier)] = id;
    }
    for (const { project, row } of sound) this.#projectIds[project] = this.ids.projects[row.identifier]!;
  }

  async #writeMemberships(rows: Sound<shapes.MembershipRow>[]): Promise<void> {
    const userIds = await this.#userIds(rows.map(({ path, row }) => ({ path: `${path}.user`, login: row.user })));
    for (const { path, row } of rows) {
      for (const [index, name] of row.roles.entries()) if (!this.#roleIds.has(name)) this.#reject(`${path}.roles[${index}]`, `there is no role named ${JSON.stringify(name)}`);
    }
    if (this.badCount > 0) return;
    const wanted = rows.map(({ project, row }, index) => ({ user_id: userIds[index]!, project_id: this.#projectIds[project]!, roles: new Set(row.roles) }));
    const [lasting, ended] = [wanted.filter(({ roles }) => roles.size > 0), wanted.filter(({ roles }) => roles.size === 0)];
    if (ended.length > 0) await this.trx('memberships').delete().whereIn(['user_id', 'project_id'], ended.map(({ user_id, project_id }) => [user_id, project_id]));
    const made = await upsert(this, 'memberships', lasting.map(({ user_id, project_id }) => ({ user_id, project_id })), ['user_id', 'project_id']);
    const idOf = new Map(made.map((row) => [`${row['user_id']} ${row['project_id']}`, row.id]));
    await this.trx('membership_roles').delete().whereIn('membership_id', [...idOf.values()]);
    await insert(this, 'membership_roles', lasting.flatMap(({ user_id, project_id, roles }) => [...roles].map((name) => ({ membership_id: idOf.get(`${user_id} ${project_id}`)!, role_id: this.#roleIds.get(name)! }))));
  }

  /** What is linked already stays as it is, with its folder. */
  async #writeStorages(rows: Sound<string>[]): Promise<void> {
    const known = new Map((await Storage.query(this.trx).select('id', 'name', 'creator_id').whereIn('name', rows.map(({ row }) => row))).map((storage) => [storage.name, storage]));
    const links = rows.flatMap(({ path, project, row }) => {
      const storage = known.get(row);
      if (!storage) this.#reject(path, `there is no storage named ${JSON.stringify(row)}`);
      return storage ? [{ project_id: this.#projectIds[project]!, storage_id: storage.id, creator_id: storage.creatorId, project_folder_mode: ProjectFolderMode.inactive, created_at: this.now, updated_at: this.now }] : [];
    });
    if (this.badCount > 0) return;
    for (const some of slices(links)) await this.trx('project_storages').insert(some).onConflict(['project_id', 'storage_id']).ignore();
  }

  async #writeContainers(list: ContainerList, rows: Sound<shapes.ContainerRow>[]): Promise<void> {
    const authors = await this.#userIds(rows.map(({ path, row }) => ({ path: `${path}.author`, login: row.author })));
    if (this.badCount === 0) {
      const values = rows.map(({ project, row: { ref, subject, title } }, index) => ({ ref, project_id: this.#projectIds[project]!, author_id: authors[index]!, ...(subject === undefined ? { title: title! } : { subject }) }));
      for (const { id, ref } of await upsert(this, containers[containerLists[list].type].model.tableName, values, ['ref'])) this.ids[list][String(ref)] = id;
    }
    if (list === 'workPackages') await this.#takeActivities(rows);
  }

  async #takeActivities(workPackages: Sound<shapes.ContainerRow>[]): Promise<void> {
    const rows = workPackages.flatMap(({ path, project, row: { ref, activities = [] } }) => activities.flatMap((value, index) => {
      const sound = this.#keyed({ row: 'workPackages', path: `${path}.activities[${index}]`, indexes: [project], value }, shapes.activityRow, 'ref', this.ids.activities);
      return sound ? { ...sound, workPackage: ref } : [];
    }));
    const authors = await this.#userIds(rows.map(({ path, row }) => ({ path: `${path}.author`, login: row.author })));
    if (this.badCount > 0) return;
    const values = rows.map(({ row, workPackage }, index) =>
      ({ ref: row.ref, work_package_id: this.ids.workPackages[workPackage]!, author_id: authors[index]!, kind: ActivityKind.comment, comment_text: row.comment, internal: row.internal, changes: '[]' }));
    for (const some of slices(values)) {
      for (const { id, ref } of await upsert(this, 'activities', some, ['ref'], { internal: false })) this.ids.activities[String(ref)] = id;
    }
  }

  /** Ids of users of the file or of the database; an unknown login is a bad row. */
  async #userIds(named: { path: string; login: string }[]): Promise<(number | undefined)[]> {
    const unknown = [...new Set(named.map(({ login }) => login))].filter((login) => !(login in this.ids.users) && !this.#otherUsers.has(login));
    for (const some of slices(unknown)) {
      for (const login of some) this.#otherUsers.set(login, undefined);
      for (const { id, login } of await User.query(this.trx).select('id', 'login').whereIn('login', some).whereNotIn('login', [...RESERVED_LOGINS])) this.#otherUsers.set(login, id);
    }
    return named.map(({ path, login }) => {
      const id = this.ids.users[login] ?? this.#otherUsers.get(login);
      if (id === undefined) this.#reject(path, `there is no user with the login ${JSON.stringify(login)}`);
      return id;
    });
  }
}

const pathTo = (path: string, inside: PropertyKey[]) => inside.reduce<string>((so, key) => (typeof key === 'number' ? `${so}[${key}]` : `${so}.${String(key)}`), path);

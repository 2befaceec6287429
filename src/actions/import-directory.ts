/** Takes people, projects and containers from a directory file: all of it, or nothing if any row is bad. */
import type { Knex } from 'knex';
import type { z } from 'zod';
import type { Services } from '../context.js';
import { ActivityKind } from '../models/activity.js';
import { ApiKey } from '../models/api-key.js';
import type { ContainerType } from '../models/container.js';
import { born } from '../models/record.js';
import { Role } from '../models/role.js';
import { User } from '../models/user.js';
import { containers } from '../policies/permissions.js';
import { hashKey, hashPassword } from '../secrets.js';
import { readRows, type OpenFile } from './directory/read.js';
import * as shapes from './directory/rows.js';

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
  constructor(readonly rows: readonly BadRow[]) {
    super(`Nothing was imported: ${rows.length} bad row${rows.length === 1 ? '' : 's'}.`);
    this.name = 'BadDirectory';
  }
}

const BATCH = 500;
/** More are counted, not kept. */
const MAX_REPORTED = 10_000;

/**
 * Idempotent by the keys of the rows: a row whose key exists is updated, a membership gets exactly the roles of the file.
 * @param progress called with the number of rows read so far
 * @throws BadDirectory, MalformedFile
 */
export async function importDirectory({ db, clock, forgetIdentities }: Pick<Services, 'db' | 'clock' | 'forgetIdentities'>, open: OpenFile, progress: (rows: number) => void = () => undefined): Promise<ImportedIds> {
  const ids = await db.write.transaction(async (trx) => {
    const job = new Import(trx, clock().toISOString(), progress);
    await job.read(open);
    if (job.bad.length > 0) throw new BadDirectory(job.bad);
    return job.ids;
  });
  forgetIdentities();
  return ids;
}

const containerLists = {
  workPackages: { type: 'WorkPackage', shape: shapes.workPackageRow },
  meetings: { type: 'Meeting', shape: shapes.titledRow },
  posts: { type: 'Post', shape: shapes.subjectRow },
  wikiPages: { type: 'WikiPage', shape: shapes.titledRow },
} as const satisfies { [list: string]: { type: ContainerType; shape: z.ZodType } };
type ContainerList = keyof typeof containerLists;

/** A row that has its shape. */
interface Sound<T> {
  path: string;
  indexes: number[];
  row: T;
}

class Import {
  readonly ids: ImportedIds = { users: {}, projects: {}, workPackages: {}, activities: {}, meetings: {}, posts: {}, wikiPages: {} };
  readonly bad: BadRow[] = [];
  readonly #userIds = new Map<string, number | undefined>();
  readonly #roleIds = new Map<string, number>();
  /** By the position in the file. */
  readonly #projectIds: number[] = [];
  #rows = 0;

  constructor(private readonly trx: Knex, private readonly now: string, private readonly progress: (rows: number) => void) {}

  /** People and roles first, then projects, then what is in them: the order in the file does not matter. */
  async read(open: OpenFile): Promise<void> {
    await this.#checkMembers(open);
    for (const role of await this.#roleNames()) this.#roleIds.set(role.name, role.id);
    await this.#each(open, '$.roles.*', shapes.roleRow, ({ name }) => name, (rows) => this.#roles(rows));
    await this.#each(open, '$.users.*', shapes.userRow, ({ login }) => login, (rows) => this.#users(rows));
    await this.#projects(open);
    await this.#each(open, '$.projects.*.memberships.*', shapes.membershipRow, undefined, (rows) => this.#memberships(rows));
    await this.#each(open, '$.projects.*.storages.*', shapes.storageRow, undefined, async (rows) => {
      for (const { path, row } of rows) this.#reject(path, `there is no storage named ${JSON.stringify(row)}`);
    });
    for (const list of Object.keys(containerLists) as ContainerList[]) {
      const key = ({ ref }: shapes.ContainerRow) => ref;
      await this.#each(open, `$.projects.*.${list}.*`, containerLists[list].shape as unknown as z.ZodType<shapes.ContainerRow>, key, (rows) => this.#containers(list, rows));
    }
  }

  #reject(path: string, message: string) {
    if (this.bad.length < MAX_REPORTED) this.bad.push({ path, message });
  }

  /** Shapes every row of a list, notes the bad ones and hands the sound ones on in batches. */
  async #each<T>(open: OpenFile, pattern: string, shape: z.ZodType<T>, keyOf: ((row: T) => string) | undefined, write: (rows: Sound<T>[]) => Promise<void>): Promise<void> {
    const keys = new Set<string>();
    let batch: Sound<T>[] = [];
    const flush = async () => {
      const rows = batch;
      batch = [];
      if (rows.length > 0) await write(rows);
      this.progress(this.#rows);
    };
    for await (const found of readRows(open, [pattern])) {
      for (const { path, indexes, value } of found) {
        this.#rows += 1;
        const row = this.#shaped(path, value, shape);
        if (row === undefined) continue;
        const key = keyOf?.(row);
        if (key !== undefined && keys.has(key)) this.#reject(path, `the key ${JSON.stringify(key)} occurs twice`);
        else batch.push({ path, indexes, row });
        if (key !== undefined) keys.add(key);
        if (batch.length >= BATCH) await flush();
      }
    }
    await flush();
  }

  #shaped<T>(path: string, value: unknown, shape: z.ZodType<T>): T | undefined {
    const parsed = shape.safeParse(value);
    for (const issue of parsed.error?.issues ?? []) this.#reject([path, ...issue.path.map(String)].join('.').replace(/\.(\d+)(?=\.|$)/g, '[$1]'), issue.message);
    return parsed.success ? parsed.data : undefined;
  }

  /** Unknown members are mistakes: a misspelt list would silently import nothing. */
  async #checkMembers(open: OpenFile): Promise<void> {
    const known = ['users', 'roles', 'projects'];
    const inProject = ['identifier', 'name', 'public', 'memberships', 'storages', ...Object.keys(containerLists)];
    let sawRoot = false;
    for await (const found of readRows(open, ['$.*', '$.projects.*.*'])) {
      for (const { path, value } of found) {
        sawRoot = true;
        const [top, inner] = path.split(/\[\d+\]\./);
        const name = inner ?? top!;
        if (/^\[\d+\]/.test(path)) this.#reject(path, 'the file must hold one object');
        else if (inner === undefined ? !known.includes(name) : !inProject.includes(name)) this.#reject(path, 'unknown member');
        else if ((inner === undefined || !['identifier', 'name', 'public'].includes(name)) && !Array.isArray(value)) this.#reject(path, 'must be an array');
      }
    }
    if (!sawRoot) this.#reject('', 'the file must hold an object with users, roles or projects');
  }

  #roleNames(): Promise<Role[]> {
    return Role.query(this.trx) as unknown as Promise<Role[]>;
  }

  async #roles(rows: Sound<shapes.RoleRow>[]): Promise<void> {
    const made = await this.#upsert('roles', rows.map(({ row }) => ({ name: row.name })), 'name');
    for (const { id, name } of made) this.#roleIds.set(String(name), id);
    await this.trx('role_permissions').delete().whereIn('role_id', made.map(({ id }) => id));
    const granted = rows.flatMap(({ row }) => [...new Set(row.permissions)].map((permission) => ({ role_id: this.#roleIds.get(row.name)!, permission })));
    if (granted.length > 0) await this.trx.batchInsert('role_permissions', granted, BATCH);
  }

  async #users(rows: Sound<shapes.UserRow>[]): Promise<void> {
    const values = await Promise.all(rows.map(async ({ row: { login, firstName, lastName, email, admin, status, password } }) =>
      ({ login, first_name: firstName, last_name: lastName, email: email ?? null, admin, status, password_hash: password === undefined ? null : await hashPassword(password) })));
    // A file without a password leaves the one that is set.
    const made = [
      ...await this.#upsert('users', values.filter((value) => value.password_hash !== null), 'login'),
      ...await this.#upsert('users', values.filter((value) => value.password_hash === null).map(({ password_hash: _, ...value }) => value), 'login'),
    ];
    for (const { id, login } of made) this.#userIds.set(String(login), this.ids.users[String(login)] = id);
    await this.#apiKeys(rows);
  }

  async #apiKeys(rows: Sound<shapes.UserRow>[]): Promise<void> {
    const keys = rows.flatMap(({ path, row }) => row.apiKeys.map(({ name, key }, index) => ({ path: `${path}.apiKeys[${index}]`, userId: this.#userIds.get(row.login)!, name, keyHash: hashKey(key) })));
    for (let start = 0; start < keys.length; start += BATCH) {
      const some = keys.slice(start, start + BATCH);
      const taken = new Map((await ApiKey.query(this.trx).whereIn('key_hash', some.map(({ keyHash }) => keyHash))).map((row) => [row.keyHash, row]));
      for (const { path, userId, name, keyHash } of some) {
        const holder = taken.get(keyHash);
        if (holder && (holder.userId !== userId || holder.name !== name)) {
          this.#reject(path, 'the key belongs to another name or user');
          continue;
        }
        const row = await ApiKey.query(this.trx).insert({ userId, name, keyHash, ...born(this.now) }).onConflict(['user_id', 'name']).merge(['key_hash', 'updated_at']).returning('*');
        taken.set(keyHash, row);
      }
    }
  }

  /** The members of a project stand beside its lists, in any order, so they are gathered before anything is written. */
  async #projects(open: OpenFile): Promise<void> {
    const gathered: { [name: string]: unknown }[] = [];
    const fields = ['identifier', 'name', 'public'];
    for await (const found of readRows(open, ['$.projects.*', ...fields.map((name) => `$.projects.*.${name}`)])) {
      for (const { path, indexes, value } of found) {
        const field = /\.(\w+)$/.exec(path)?.[1];
        const project = (gathered[indexes[0]!] ??= {});
        if (field) project[field] = value;
        else if (typeof value !== 'object' || value === null || Array.isArray(value)) this.#reject(path, 'must be an object');
      }
    }
    const seen = new Set<string>();
    for (const [index, value] of gathered.entries()) {
      const row = this.#shaped(`projects[${index}]`, value, shapes.projectRow);
      if (!row) continue;
      if (seen.has(row.identifier)) this.#reject(`projects[${index}]`, `the key ${JSON.stringify(row.identifier)} occurs twice`);
      seen.add(row.identifier);
      const [made] = await this.#upsert('projects', [row], 'identifier');
      this.#projectIds[index] = this.ids.projects[row.identifier] = made!.id;
    }
  }

  async #memberships(rows: Sound<shapes.MembershipRow>[]): Promise<void> {
    const userIds = await this.#usersNamed(rows.map(({ path, row }) => ({ path: `${path}.user`, login: row.user })));
    for (const { path, indexes, row } of rows) {
      for (const name of row.roles) if (!this.#roleIds.has(name)) this.#reject(`${path}.roles`, `there is no role named ${JSON.stringify(name)}`);
      const userId = userIds.get(row.user);
      const projectId = this.#projectIds[indexes[0]!];
      if (this.bad.length > 0 || userId === undefined || projectId === undefined) continue;
      const [membership] = await this.trx('memberships').insert({ user_id: userId, project_id: projectId, created_at: this.now, updated_at: this.now })
        .onConflict(['user_id', 'project_id']).merge(['updated_at']).returning('id') as { id: number }[];
      await this.trx('membership_roles').delete().where('membership_id', membership!.id);
      await this.trx('membership_roles').insert([...new Set(row.roles)].map((name) => ({ membership_id: membership!.id, role_id: this.#roleIds.get(name)! })));
    }
  }

  async #containers(list: ContainerList, rows: Sound<shapes.ContainerRow>[]): Promise<void> {
    const table = containers[containerLists[list].type].model.tableName;
    const authors = await this.#usersNamed(rows.map(({ path, row }) => ({ path: `${path}.author`, login: row.author })));
    const column = 'subject' in containerLists[list].shape.shape ? 'subject' : 'title';
    if (this.bad.length === 0) {
      const values = rows.map(({ indexes, row }) => ({ ref: row.ref, project_id: this.#projectIds[indexes[0]!]!, author_id: authors.get(row.author)!, [column]: row[column]! }));
      for (const { id, ref } of await this.#upsert(table, values, 'ref')) this.ids[list][String(ref)] = id;
    }
    if (list === 'workPackages') await this.#activities(rows as (Sound<shapes.ContainerRow & { activities: unknown[] }>)[]);
  }

  async #activities(workPackages: Sound<shapes.ContainerRow & { activities: unknown[] }>[]): Promise<void> {
    const rows = workPackages.flatMap(({ path, row }) => row.activities.flatMap((value, index) => {
      const activity = this.#shaped(`${path}.activities[${index}]`, value, shapes.activityRow);
      return activity ? [{ path: `${path}.activities[${index}]`, workPackageId: this.ids.workPackages[row.ref]!, row: activity }] : [];
    }));
    const authors = await this.#usersNamed(rows.map(({ path, row }) => ({ path: `${path}.author`, login: row.author })));
    const unique = new Set<string>();
    for (const { path, row } of rows) {
      if (unique.has(row.ref) || row.ref in this.ids.activities) this.#reject(path, `the key ${JSON.stringify(row.ref)} occurs twice`);
      unique.add(row.ref);
    }
    for (let start = 0; start < rows.length && this.bad.length === 0; start += BATCH) {
      const values = rows.slice(start, start + BATCH).map(({ workPackageId, row }) =>
        ({ ref: row.ref, work_package_id: workPackageId, author_id: authors.get(row.author)!, kind: ActivityKind.comment, comment_text: row.comment, internal: row.internal, changes: '[]' }));
      for (const { id, ref } of await this.#upsert('activities', values, 'ref')) this.ids.activities[String(ref)] = id;
    }
  }

  /** Inserts rows, or updates those whose key exists; Objection inserts many rows at once on PostgreSQL only. */
  async #upsert(table: string, rows: { [column: string]: string | number | boolean | null }[], key: string): Promise<{ [column: string]: string | number; id: number }[]> {
    if (rows.length === 0) return [];
    const changing = [...Object.keys(rows[0]!).filter((column) => column !== key), 'updated_at'];
    return this.trx(table).insert(rows.map((row) => ({ ...row, created_at: this.now, updated_at: this.now }))).onConflict(key).merge(changing).returning(['id', key]);
  }

  /** Ids of users of the file or of the database; an unknown login is a bad row. */
  async #usersNamed(named: { path: string; login: string }[]): Promise<Map<string, number | undefined>> {
    const unknown = [...new Set(named.map(({ login }) => login))].filter((login) => !this.#userIds.has(login));
    for (let start = 0; start < unknown.length; start += BATCH) {
      const some = unknown.slice(start, start + BATCH);
      for (const login of some) this.#userIds.set(login, undefined);
      for (const { id, login } of await User.query(this.trx).select('id', 'login').whereIn('login', some).where('anonymous', false)) this.#userIds.set(login, id);
    }
    for (const { path, login } of named) if (this.#userIds.get(login) === undefined) this.#reject(path, `there is no user with the login ${JSON.stringify(login)}`);
    return this.#userIds;
  }
}


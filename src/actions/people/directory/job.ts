/** Holds the state of an import: ids, bad rows, and rows that wait for their batch. */
import type { Knex } from 'knex';
import type { z } from 'zod';
import {
  containerKinds,
  namedContainers,
  type NamedContainer,
} from '../../../contract/container-kinds.js';
import { RESERVED_LOGINS, User } from '../../../models/user.js';
import {
  readRows,
  type FoundRow,
  type OpenFile,
  type Place,
  type Problem,
} from './read-json-rows.js';
import { Changes } from './changes.js';
import * as shapes from './rows.js';
import { WRITTEN_AT_ONCE, slices } from './write.js';

/** The ids of the imported rows, by their keys in the file. */
export type ImportedIds = {
  [list in 'users' | 'projects' | 'activities' | ContainerList]: { [key: string]: number };
};

export interface BadRow {
  path: string;
  message: string;
}

/** Bad rows above this number are counted but not stored. */
const MAX_REPORTED = 10_000;

export type ContainerList = (typeof containerKinds)[NamedContainer]['importList'];

/** The lists of containers that a project has in the file. */
export const containerLists = Object.fromEntries(
  namedContainers.map(
    (type): [ContainerList, { type: NamedContainer; shape: z.ZodType<shapes.ContainerRow> }] => [
      containerKinds[type].importList,
      {
        type,
        shape:
          type === 'WorkPackage'
            ? shapes.workPackageRow
            : containerKinds[type].nameColumn === 'title'
              ? shapes.titledRow
              : shapes.subjectRow,
      },
    ],
  ),
) as { [list in ContainerList]: { type: NamedContainer; shape: z.ZodType<shapes.ContainerRow> } };
const containerListNames = Object.keys(containerLists) as ContainerList[];

/** @returns one value for each list of containers */
export const byContainerList = <T>(make: (list: ContainerList) => T) =>
  // The types of `fromEntries` lose the names.
  Object.fromEntries(containerListNames.map((list) => [list, make(list)])) as {
    [list in ContainerList]: T;
  };

export const isContainerList = (row: string): row is ContainerList => row in containerLists;

type Row =
  | 'role'
  | 'user'
  | 'status'
  | 'type'
  | 'project'
  | 'identifier'
  | 'name'
  | 'public'
  | 'active'
  | 'parent'
  | 'types'
  | 'membership'
  | 'storage'
  | ContainerList;

const rows = (row: Row): Place<Row> => ({ list: { row } });

/** Unknown members are errors, because a misspelt list would silently import nothing. */
const file: Place<Row> = {
  members: {
    roles: rows('role'),
    users: rows('user'),
    statuses: rows('status'),
    types: rows('type'),
    projects: {
      list: {
        startRow: 'project',
        members: {
          identifier: { row: 'identifier' },
          name: { row: 'name' },
          public: { row: 'public' },
          active: { row: 'active' },
          parent: { row: 'parent' },
          types: { row: 'types' },
          memberships: rows('membership'),
          storages: rows('storage'),
          ...byContainerList(rows),
        },
      },
    },
  },
};

export type Found = FoundRow<Row>;

/** A row that has passed validation. */
export interface ValidRow<T> {
  path: string;
  /** Index in the outermost list; for contents this is the index of their project. */
  project: number;
  row: T;
}

/** Collects rows and writes them in batches. */
export class Batch<T> {
  #rows: ValidRow<T>[] = [];

  constructor(private readonly write: (rows: ValidRow<T>[]) => Promise<void>) {}

  async add(row: ValidRow<T>) {
    this.#rows.push(row);
    if (this.#rows.length >= WRITTEN_AT_ONCE) await this.flush();
  }

  async flush() {
    const rows = this.#rows;
    this.#rows = [];
    if (rows.length > 0) await this.write(rows);
  }
}

/** Ids by key. Without a prototype, because a key in the file may be `constructor`. */
export const emptyIds = () => Object.create(null) as { [key: string]: number };

/** Stands for an id if the file has the row, but it is bad or not written yet. */
export const NO_ID = 0;

/** @throws if an earlier step of the import has not set the id: a bug */
export function requireId(id: number | undefined, key: string): number {
  if (id === undefined) throw new Error(`${key} has no id although its row was written.`);
  return id;
}

/** @returns the outermost index: all rows are in lists */
export function listIndex({ path, indexes: [index] }: Found): number {
  if (index === undefined) throw new Error(`${path} is not in a list.`);
  return index;
}

export class ImportJob {
  // The types of `fromEntries` lose the names.
  readonly ids = Object.fromEntries(
    ['users', 'projects', 'workPackages', 'activities', ...containerListNames].map((list) => [
      list,
      emptyIds(),
    ]),
  ) as ImportedIds;
  readonly bad: BadRow[] = [];
  readonly changes = new Changes();
  badCount = 0;
  /** Ids of users that the file only mentions; undefined if the database has no such user. */
  readonly #otherUsers = new Map<string, number | undefined>();
  readonly roleIds = new Map<string, number>();
  readonly statusIds = new Map<string, number>();
  readonly typeIds = new Map<string, number>();
  /** By the index in the file; only projects that were written. */
  readonly projectIds: number[] = [];
  #rows = 0;

  constructor(
    readonly trx: Knex,
    readonly now: string,
    private readonly progress: (rows: number) => void,
  ) {}

  async *read(open: OpenFile): AsyncGenerator<Found | Problem> {
    for await (const found of readRows(open, file)) {
      this.progress(this.#rows);
      yield* found;
    }
    this.progress(this.#rows);
  }

  reject(path: string, message: string) {
    this.badCount += 1;
    if (this.bad.length < MAX_REPORTED) this.bad.push({ path, message });
  }

  /** Counts the row and checks its shape. A row with another shape is bad. */
  valid<T>(found: Found, shape: z.ZodType<T>): ValidRow<T> | undefined {
    this.#rows += 1;
    const { path, value } = found;
    const parsed = shape.safeParse(value);
    for (const issue of parsed.error?.issues ?? [])
      this.reject(
        pathTo(path, issue.path),
        issue.message.replace(/^.* received undefined$/, 'is missing'),
      );
    return parsed.success ? { path, project: listIndex(found), row: parsed.data } : undefined;
  }

  /**
   * As `valid`, but a row whose key an earlier row has is bad too.
   * The key counts as taken even if the row is bad.
   */
  validKeyed<T, K extends keyof T & string>(
    found: Found,
    shape: z.ZodType<T>,
    member: K,
    taken: { [key: string]: number },
  ): ValidRow<T> | undefined {
    const valid = this.valid(found, shape);
    const key: unknown = valid
      ? valid.row[member]
      : (found.value as { [name: string]: unknown } | null | undefined)?.[member];
    if (typeof key !== 'string') return undefined;
    const twice = key.trim() in taken;
    if (twice) this.reject(found.path, `the key ${JSON.stringify(key)} occurs twice`);
    else taken[key.trim()] = NO_ID;
    return twice ? undefined : valid;
  }

  /** The id of a written project. @throws if it was not written; check `badCount` first */
  projectId(index: number): number {
    return requireId(this.projectIds[index], `projects[${index}]`);
  }

  /**
   * Adds the id of the user that each row names, from the file or the database.
   * A row with an unknown login is bad, and gets `NO_ID`.
   * @param member of the row that holds the login
   */
  async withUserIds<T extends { path: string }>(
    rows: T[],
    member: string,
    loginOf: (row: T) => string,
  ): Promise<(T & { userId: number })[]> {
    const unknown = [...new Set(rows.map(loginOf))].filter(
      (login) => !(login in this.ids.users) && !this.#otherUsers.has(login),
    );
    for (const logins of slices(unknown)) {
      for (const login of logins) this.#otherUsers.set(login, undefined);
      for (const { id, login } of await User.query(this.trx)
        .select('id', 'login')
        .whereIn('login', logins)
        .whereNull('erased_at')
        .whereNotIn('login', [...RESERVED_LOGINS]))
        this.#otherUsers.set(login, id);
    }
    return rows.map((row) => {
      const login = loginOf(row);
      const id = this.ids.users[login] ?? this.#otherUsers.get(login);
      if (id === undefined)
        this.reject(
          `${row.path}.${member}`,
          `there is no user with the login ${JSON.stringify(login)}`,
        );
      return { ...row, userId: id ?? NO_ID };
    });
  }
}

const pathTo = (path: string, inside: PropertyKey[]) =>
  inside.reduce<string>(
    (outer, key) => (typeof key === 'number' ? `${outer}[${key}]` : `${outer}.${String(key)}`),
    path,
  );

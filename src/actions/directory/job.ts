/** What is known while the rows of a directory file are taken: their ids, the bad ones, and those that wait to be written. */
import type { Knex } from 'knex';
import type { z } from 'zod';
import {
  containerKinds,
  namedContainers,
  type NamedContainer,
} from '../../contract/container-kinds.js';
import { RESERVED_LOGINS, User } from '../../models/user.js';
import {
  readRows,
  type FoundRow,
  type OpenFile,
  type Place,
  type Problem,
} from './read-json-rows.js';
import * as shapes from './rows.js';
import { BATCH, slices } from './write.js';

/** The ids that the rows have now, by their keys. */
export type ImportedIds = {
  [list in 'users' | 'projects' | 'activities' | ContainerList]: { [key: string]: number };
};

export interface BadRow {
  path: string;
  message: string;
}

/** More are counted, not kept. */
const MAX_REPORTED = 10_000;

export type ContainerList = (typeof containerKinds)[NamedContainer]['importList'];
/** The lists of a project in the file, by their names. */
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
export const isContainerList = (row: string): row is ContainerList => row in containerLists;

type Row =
  | 'role'
  | 'user'
  | 'project'
  | 'identifier'
  | 'name'
  | 'public'
  | 'membership'
  | 'storage'
  | ContainerList;

const rows = (row: Row): Place<Row> => ({ list: { row } });
/** An unknown member is a mistake: a misspelt list would silently import nothing. */
const file: Place<Row> = {
  members: {
    roles: rows('role'),
    users: rows('user'),
    projects: {
      list: {
        announced: 'project',
        members: {
          identifier: { row: 'identifier' },
          name: { row: 'name' },
          public: { row: 'public' },
          memberships: rows('membership'),
          storages: rows('storage'),
          ...Object.fromEntries(
            Object.keys(containerLists).map((list) => [list, rows(list as ContainerList)]),
          ),
        },
      },
    },
  },
};

export type Found = FoundRow<Row>;

/** A row that has its shape. */
export interface Sound<T> {
  path: string;
  /** Index of the project that it stands in. */
  project: number;
  row: T;
}

/** Rows wait here for their batch. */
export class Batch<T> {
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
export const names = () => Object.create(null) as { [name: string]: number };

/** In the place of an id: the file has the row, but it is bad or not written yet. */
export const NO_ID = 0;

export class Job {
  readonly ids = Object.fromEntries(
    ['users', 'projects', 'workPackages', 'activities', ...Object.keys(containerLists)].map(
      (list) => [list, names()],
    ),
  ) as ImportedIds;
  readonly bad: BadRow[] = [];
  badCount = 0;
  /** Users whom the file only mentions; undefined: the database does not know them either. */
  readonly #otherUsers = new Map<string, number | undefined>();
  readonly roleIds = new Map<string, number>();
  /** By the position in the file. */
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

  shaped<T>({ path, indexes, value }: Found, shape: z.ZodType<T>): Sound<T> | undefined {
    this.#rows += 1;
    const parsed = shape.safeParse(value);
    for (const issue of parsed.error?.issues ?? [])
      this.reject(
        pathTo(path, issue.path),
        issue.message.replace(/^.* received undefined$/, 'is missing'),
      );
    return parsed.success ? { path, project: indexes[0]!, row: parsed.data } : undefined;
  }

  /** A row that has its shape and a key that no row before it has; the key counts as taken even where the row is bad. */
  keyed<T, K extends keyof T & string>(
    found: Found,
    shape: z.ZodType<T>,
    member: K,
    taken: { [key: string]: number },
  ): Sound<T> | undefined {
    const sound = this.shaped(found, shape);
    const key = (sound ? sound.row[member] : (found.value as T | null)?.[member]) as unknown;
    if (typeof key !== 'string') return undefined;
    const twice = key.trim() in taken;
    if (twice) this.reject(found.path, `the key ${JSON.stringify(key)} occurs twice`);
    else taken[key.trim()] = NO_ID;
    return twice ? undefined : sound;
  }

  /** Ids of users of the file or of the database; an unknown login is a bad row. */
  async userIds(named: { path: string; login: string }[]): Promise<(number | undefined)[]> {
    const unknown = [...new Set(named.map(({ login }) => login))].filter(
      (login) => !(login in this.ids.users) && !this.#otherUsers.has(login),
    );
    for (const some of slices(unknown)) {
      for (const login of some) this.#otherUsers.set(login, undefined);
      for (const { id, login } of await User.query(this.trx)
        .select('id', 'login')
        .whereIn('login', some)
        .whereNotIn('login', [...RESERVED_LOGINS]))
        this.#otherUsers.set(login, id);
    }
    return named.map(({ path, login }) => {
      const id = this.ids.users[login] ?? this.#otherUsers.get(login);
      if (id === undefined)
        this.reject(path, `there is no user with the login ${JSON.stringify(login)}`);
      return id;
    });
  }
}

const pathTo = (path: string, inside: PropertyKey[]) =>
  inside.reduce<string>(
    (so, key) => (typeof key === 'number' ? `${so}[${key}]` : `${so}.${String(key)}`),
    path,
  );

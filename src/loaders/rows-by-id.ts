/** Loads rows that a visible row refers to, with one statement per table. */
import DataLoader from 'dataloader';
import type { Dependencies } from './dependencies.js';
import type { Cache } from '../concurrency/cache.js';
import { containerTypes } from '../contract/container-kinds.js';
import type { ContainerRecord, ContainerType } from '../models/container.js';
import { Project } from '../models/project.js';
import type { Record } from '../models/record.js';
import { Status } from '../models/status.js';
import { Type } from '../models/type.js';
import { User } from '../models/user.js';
import { containers } from '../policies/permissions.js';
import { PreparedRead } from '../policies/prepared-read.js';
import { containerColumns, containerRows, visible } from '../policies/visible.js';
import { MAX_BATCH } from './page.js';
import { byKeys, KEYS, oneOf } from './rows-by-key.js';

const users = byKeys('id', (db) => User.query(db));
const projects = byKeys('id', (db) => Project.query(db));
const statuses = byKeys('id', (db) => Status.query(db));
const types = byKeys('id', (db) => Type.query(db));

/** Loads users that a visible row refers to. */
export const userLoader = (needs: Dependencies) => cachedRows(needs, users, needs.caches.users);

/** Loads projects of visible rows. */
export const projectLoader = (needs: Dependencies) =>
  cachedRows(needs, projects, needs.caches.projects);

const visibleProjects = byKeys('id', (db, user) => visible.projects(user, db));

/** Loads projects that need not be visible, such as parents: undefined for an invisible one. */
export const visibleProjectLoader = (needs: Dependencies) =>
  oneOf(needs, visibleProjects, ({ id }) => id);

/** Loads statuses of visible work packages. */
export const statusLoader = (needs: Dependencies) =>
  cachedRows(needs, statuses, needs.caches.statuses);

/** Loads types of visible work packages. */
export const typeLoader = (needs: Dependencies) => cachedRows(needs, types, needs.caches.types);

function cachedRows<M extends Record>(
  needs: Dependencies,
  read: PreparedRead<M>,
  cache: Cache<number, M>,
) {
  const loader = new DataLoader<number, M>(
    async (ids) => {
      const start = performance.now();
      const found = await read.rows(needs, { keys: needs.db.reads.listOf(ids) });
      for (const row of found) cache.put(row.id, row, start);
      const byId = new Map(found.map((row) => [row.id, row]));
      return ids.map((id) => byId.get(id) ?? new Error(`There is no row with the id ${id}.`));
    },
    { maxBatchSize: MAX_BATCH },
  );
  return { load: (id: number): M | Promise<M> => cache.peek(id) ?? loader.load(id) };
}

export interface ContainerRef {
  type: ContainerType;
  id: number;
}

const containersByIds = Object.fromEntries(
  containerTypes.map((type) => [
    type,
    new PreparedRead<ContainerRecord>(async (db) => ({
      query: containerRows(type, db.read).whereRaw(
        db.reads.isOneOf(`${containers[type].model.tableName}.id`),
        [KEYS],
      ),
      columns: await containerColumns(db, type),
    })),
  ]),
) as { [type in ContainerType]: PreparedRead<ContainerRecord> };

/** Loads the containers of visible attachments. */
export const containerLoader = (needs: Dependencies) =>
  new DataLoader<ContainerRef, ContainerRecord | undefined, string>(
    async (refs) => {
      const types = [...new Set(refs.map(({ type }) => type))];
      const found = new Map(
        await Promise.all(
          types.map(async (type) => {
            const ids = refs.filter((ref) => ref.type === type).map(({ id }) => id);
            const rows = await containersByIds[type].rows(needs, {
              keys: needs.db.reads.listOf(ids),
            });
            return [type, new Map(rows.map((row) => [row.id, row]))] as const;
          }),
        ),
      );
      return refs.map(({ type, id }) => found.get(type)?.get(id));
    },
    { cacheKeyFn: ({ type, id }) => `${type}:${id}`, maxBatchSize: MAX_BATCH },
  );

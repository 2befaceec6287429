/** Rows that a row already seen refers to, one statement per table. */
import DataLoader from 'dataloader';
import type { ModelClass } from 'objection';
import type { Dependencies } from './dependencies.js';
import type { Cache } from '../concurrency/cache.js';
import type { ContainerRecord, ContainerType } from '../models/container.js';
import { Project } from '../models/project.js';
import type { Record } from '../models/record.js';
import { User } from '../models/user.js';
import { containers } from '../policies/permissions.js';
import { containerRows } from '../policies/visible.js';
import { MAX_BATCH } from './page.js';

/** Users who are named by a row that the caller sees. */
export const userLoader = ({ db, remembered }: Dependencies) =>
  remembering(User as ModelClass<User>, db.read, remembered.users);

/** Projects of containers that the caller sees. */
export const projectLoader = ({ db, remembered }: Dependencies) =>
  remembering(Project as ModelClass<Project>, db.read, remembered.projects);

function remembering<M extends Record>(
  model: ModelClass<M>,
  db: Dependencies['db']['read'],
  rows: Cache<number, M>,
) {
  const loader = new DataLoader<number, M>(
    async (ids) => {
      const asked = Date.now();
      // Objection's own query takes a third longer, and these are asked for with every request.
      const found = (
        await db<object>(model.tableName)
          .select(`${model.tableName}.*`)
          .whereIn('id', [...ids])
      ).map((row) => model.fromDatabaseJson(row));
      for (const row of found) rows.put(row.id, row, asked);
      const byId = new Map(found.map((row) => [row.id, row]));
      return ids.map(
        (id) => byId.get(id) ?? new Error(`There is no row ${id} in ${model.tableName}.`),
      );
    },
    { maxBatchSize: MAX_BATCH },
  );
  return { load: (id: number): M | Promise<M> => rows.peek(id) ?? loader.load(id) };
}

export interface ContainerRef {
  type: ContainerType;
  id: number;
}

/** Containers of attachments that the caller sees. */
export const containerLoader = ({ db }: Dependencies) =>
  new DataLoader<ContainerRef, ContainerRecord | undefined, string>(
    async (refs) => {
      const types = [...new Set(refs.map(({ type }) => type))];
      const found = new Map(
        await Promise.all(
          types.map(async (type) => {
            const ids = refs.filter((ref) => ref.type === type).map(({ id }) => id);
            const rows = await containerRows(type, db.read).whereIn(
              `${containers[type].model.tableName}.id`,
              ids,
            );
            return [type, new Map(rows.map((row) => [row.id, row]))] as const;
          }),
        ),
      );
      return refs.map(({ type, id }) => found.get(type)?.get(id));
    },
    { cacheKeyFn: ({ type, id }) => `${type}:${id}`, maxBatchSize: MAX_BATCH },
  );

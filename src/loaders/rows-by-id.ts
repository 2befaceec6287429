/**
 * Loads rows that another row refers to, with one statement per table. All read through `visible`,
 * so a field shows a row exactly if the caller can read it alone.
 */
import DataLoader from 'dataloader';
import type { LoaderNeeds } from './needs.js';
import type { Cache } from '../concurrency/cache.js';
import { thenMaybe, type MaybePromise } from '../concurrency/maybe-promise.js';
import { containerTypes } from '../contract/container-kinds.js';
import { NotFound } from '../contract/errors.js';
import type { ContainerRecord, ContainerType } from '../models/container.js';
import type { Record } from '../models/record.js';
import type { User } from '../models/user.js';
import { containers } from '../policies/permissions.js';
import { PreparedRead } from '../policies/prepared-read.js';
import { containerColumns, visible } from '../policies/visible.js';
import { MAX_BATCH } from '../database/batches.js';
import { byKeys, KEYS, oneOf } from './rows-by-key.js';

const users = byKeys('id', (db, user) => visible.users(user, db));
const projects = byKeys('id', (db, user) => visible.projects(user, db));
const statuses = byKeys('id', (db, user) => visible.statuses(user, db));
const types = byKeys('id', (db, user) => visible.types(user, db));

/**
 * Callers who see the same rows share what is cached. An entry may be some seconds old: who sees the
 * referring row, which is never cached, sees this one too.
 */
type Audience = (caller: User) => string;

const signedIn: Audience = ({ anonymous }) => (anonymous ? 'anonymous' : 'signed in');
const eachPerson: Audience = ({ admin, anonymous, id }) =>
  admin ? 'admin' : anonymous ? 'anonymous' : String(id);

export const userLoader = (needs: LoaderNeeds) =>
  cachedRows(needs, users, needs.caches.users, signedIn);

export const projectLoader = (needs: LoaderNeeds) =>
  cachedRows(needs, projects, needs.caches.projects, eachPerson);

export const statusLoader = (needs: LoaderNeeds) =>
  cachedRows(needs, statuses, needs.caches.statuses, eachPerson);

export const typeLoader = (needs: LoaderNeeds) =>
  cachedRows(needs, types, needs.caches.types, eachPerson);

/**
 * Loads projects that the referring row does not show by itself, such as parents. They are not
 * cached: undefined as soon as the caller no longer sees one.
 */
export const visibleProjectLoader = (needs: LoaderNeeds) => oneOf(needs, projects, ({ id }) => id);

/** Rows by their ids. */
interface RowLoader<M> {
  /** For fields that are never null. @throws NotFound for a missing and for an invisible row */
  load(id: number): MaybePromise<M>;
  /** Null for no id, and for a missing or invisible row. */
  loadOrNull(id: number | null | undefined): MaybePromise<M | null>;
}

function cachedRows<M extends Record>(
  needs: LoaderNeeds,
  read: PreparedRead<M>,
  cache: Cache<string, M>,
  audienceOf: Audience,
): RowLoader<M> {
  const audience = audienceOf(needs.user);
  const rowKey = (id: number) => `${audience} ${id}`;
  const loader = new DataLoader<number, M | null>(
    async (ids) => {
      const start = performance.now();
      const found = await read.rows(needs, { keys: needs.db.phrases.listOf(ids) });
      for (const row of found) cache.put(rowKey(row.id), row, start);
      const byId = new Map(found.map((row) => [row.id, row]));
      return ids.map((id) => byId.get(id) ?? null);
    },
    { maxBatchSize: MAX_BATCH },
  );
  const loadOrNull = (id: number | null | undefined): MaybePromise<M | null> =>
    typeof id === 'number' ? (cache.peek(rowKey(id)) ?? loader.load(id)) : null;
  return { load: (id) => thenMaybe(loadOrNull(id), demandRow), loadOrNull };
}

function demandRow<M>(row: M | null): M {
  if (row === null) throw new NotFound();
  return row;
}

interface ContainerRef {
  type: ContainerType;
  id: number;
}

const containersByIds = Object.fromEntries(
  containerTypes.map((type) => [
    type,
    new PreparedRead<ContainerRecord>(async (db, user) => ({
      query: visible
        .containers(type, user, db.read)
        .whereRaw(db.phrases.isOneOf(`${containers[type].model.tableName}.id`), [KEYS]),
      columns: await containerColumns(db, type),
    })),
  ]),
) as { [type in ContainerType]: PreparedRead<ContainerRecord> };

/** Loads containers: undefined for missing and for invisible ones. */
export const containerLoader = (needs: LoaderNeeds) =>
  new DataLoader<ContainerRef, ContainerRecord | undefined, string>(
    async (refs) => {
      const types = [...new Set(refs.map(({ type }) => type))];
      const found = new Map(
        await Promise.all(
          types.map(async (type) => {
            const ids = refs.filter((ref) => ref.type === type).map(({ id }) => id);
            const rows = await containersByIds[type].rows(needs, {
              keys: needs.db.phrases.listOf(ids),
            });
            return [type, new Map(rows.map((row) => [row.id, row]))] as const;
          }),
        ),
      );
      return refs.map(({ type, id }) => found.get(type)?.get(id));
    },
    { cacheKeyFn: ({ type, id }) => `${type}:${id}`, maxBatchSize: MAX_BATCH },
  );

/**
 * Queues of rows that processes lease. There is no queue table: a condition selects the rows that
 * wait. Only the process whose token is in the row can finish it.
 */
import type { Knex } from 'knex';
import type { ModelClass, PartialModelObject, QueryBuilder } from 'objection';
import type { Services } from '../../../context.js';
import { countRows } from '../../../database/count-rows.js';
import type { Sql } from '../../../database/index.js';
import type { Record } from '../../../models/record.js';
import { excludeHeldLeases, newToken } from './lease.js';

/** What a queue needs of the services. */
export type QueueNeeds = Pick<Services, 'db' | 'clock' | 'heldLeases' | 'settings'>;

/** Rows that wait for work. */
export interface Waiting {
  model: ModelClass<Record>;
  /**
   * SQL condition for the rows. Each `?` is the present time. It repeats the text of the partial
   * index: SQLite does not recognise equivalent conditions.
   */
  waiting: string;
  /** The column that says since when a row waits. */
  since: string;
  /** The column of the order. Absent: `since`. */
  order?: string;
}

/** A row that a process can lease. */
interface Leased extends Record {
  leaseToken: string | null;
}

export interface Queue<M extends Leased> extends Waiting {
  model: ModelClass<M>;
  /** What a lease changes, besides the token. After it, the row waits again. */
  lease: (needs: QueueNeeds) => PartialModelObject<M>;
}

/** `later(now, ms)` as ISO 8601. */
export const later = (now: Date, ms: number): string => new Date(now.getTime() + ms).toISOString();

/** @returns the row that waits longest, leased to the caller; undefined if none waits */
export async function acquire<M extends Leased>(
  needs: QueueNeeds,
  queue: Queue<M>,
): Promise<M | undefined> {
  // A read first: an empty queue costs no write lock.
  const { text, values } = conditionOf(queue, needs.clock());
  const found = await queue.model
    .query(needs.db.read)
    .select('id')
    .whereRaw(text, [...values])
    .limit(1);
  return found.length === 0 ? undefined : acquireFirst(needs, queue);
}

/** The same without a read before. @param among limits the rows */
export function acquireFirst<M extends Leased>(
  needs: QueueNeeds,
  queue: Queue<M>,
  among?: Sql,
): Promise<M | undefined> {
  const { model, since, order = since } = queue;
  const conditions = [
    ...(among ? [among] : []),
    conditionOf(queue, needs.clock()),
    ...excludeHeldLeases(needs),
  ];
  return lease(needs, queue, {
    text:
      `id = (select id from ${model.tableName} where ` +
      `${conditions.map(({ text }) => text).join(' and ')} ` +
      `order by ${order} limit 1 ${needs.db.skipLocked})`,
    values: conditions.flatMap(({ values }) => values),
  });
}

/** Leases the row that a condition selects, whether it waits or not. */
export async function lease<M extends Leased>(
  needs: QueueNeeds,
  queue: Queue<M>,
  { text, values }: Sql,
): Promise<M | undefined> {
  // Cast: the compiler does not resolve the query builder of a generic model.
  const rows = queue.model.query(needs.db.write) as unknown as QueryBuilder<Record, Record[]>;
  const [row] = await rows
    .patch({ ...queue.lease(needs), leaseToken: newToken() } as PartialModelObject<Record>)
    .whereRaw(text, [...values] as string[])
    .returning('*');
  return row as M | undefined;
}

/** The leased row, while no other process has taken it over. */
export const leased = <M extends Leased>(
  model: (new () => M) & Pick<ModelClass<Record>, 'query'>,
  knex: Knex,
  { id, leaseToken }: Pick<Leased, 'id' | 'leaseToken'>,
): QueryBuilder<M> =>
  // Cast: as above.
  model.query(knex).where({ id, lease_token: leaseToken }) as unknown as QueryBuilder<M>;

/** The time since which the first row waits; undefined if none does. */
export async function waitingSince(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  { model, since, order = since, ...rows }: Waiting,
): Promise<string | undefined> {
  const { text, values } = conditionOf(rows, clock());
  const [first] = await model
    .query(db.read)
    .select(`${since} as since`)
    .whereRaw(text, [...values])
    .orderBy(order)
    .limit(1)
    .castTo<{ since: string }[]>();
  return first?.since;
}

/** How many rows wait. It counts no further than the limit. */
export async function waitingCount(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  { model, ...rows }: Waiting,
  limit: number,
): Promise<number> {
  const { text, values } = conditionOf(rows, clock());
  const some = db
    .read(model.tableName)
    .select(db.read.raw('1'))
    .whereRaw(text, [...values])
    .limit(limit);
  return countRows(db.read.from(some.as('some')));
}

const conditionOf = ({ waiting }: Pick<Waiting, 'waiting'>, now: Date) => ({
  text: waiting,
  values: [...waiting.matchAll(/\?/g)].map(() => now.toISOString()),
});

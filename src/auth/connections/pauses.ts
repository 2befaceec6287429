/**
 * Remembers `Retry-After` of storages for each person, in all processes. Requests during the wait
 * would prolong it.
 */
import type { Logger } from 'pino';
import { Cache } from '../../concurrency/cache.js';
import type { Database } from '../../database/index.js';
import { OutboundFailure } from '../../outbound/failure.js';
import type { HttpAnswer } from '../../outbound/http.js';
import { throttledMs } from '../../outbound/retry.js';
import { timestamps } from '../../models/record.js';
import { StoragePause } from '../../models/storage-pause.js';

/** The service itself, with its own access to a storage. */
export const SERVICE = 0;

/**
 * The token endpoint, when it is asked for a person. Its waits are not those of the files: a token
 * that is still valid can be used. Ids of people are not negative.
 */
export const tokensOf = (person: number): number => -1 - person;

/** A storage can ask for more. It is asked again after this time. */
const LONGEST_MS = 3_600_000;
const ALL = 'all';

export class Pauses {
  /** Few storages ask to wait at the same time, so one read finds all. */
  readonly #cache = new Cache<typeof ALL, Map<string, number>>();

  constructor(
    private readonly db: Database,
    private readonly clock: () => Date,
    private readonly log: Logger,
  ) {}

  /** @throws OutboundFailure while a storage may not be asked for a person */
  async demand(storageId: number, person: number): Promise<void> {
    const left = await this.leftMs(storageId, person);
    if (left > 0)
      throw new OutboundFailure(
        'throttled',
        'The storage has too many requests, and asked this service to wait. ' +
          `Try again in ${Math.ceil(left / 1000)} s.`,
      );
  }

  /**
   * Sends a request, and remembers if its answer asks to wait.
   * @throws OutboundFailure while the storage may not be asked, and what `send` throws
   */
  async patiently(
    storageId: number,
    person: number,
    send: () => Promise<HttpAnswer>,
  ): Promise<HttpAnswer> {
    await this.demand(storageId, person);
    const answer = await send();
    const ms = throttledMs(answer);
    if (ms !== undefined) await this.remember(storageId, person, ms);
    return answer;
  }

  /** As `add`, but never fails: without it, the storage is asked again. */
  async remember(storageId: number, person: number, ms: number): Promise<void> {
    try {
      await this.add(storageId, person, ms);
    } catch (error) {
      this.log.warn({ err: error, storage: storageId }, 'a pause of a storage was not stored');
    }
  }

  /** Milliseconds until a storage may be asked for a person; 0 if it may be asked now. */
  async leftMs(storageId: number, person: number): Promise<number> {
    const all = await this.#cache.get(ALL, () => this.#read());
    const until = all.get(pauseKey(storageId, person));
    return until === undefined ? 0 : Math.max(0, until - this.clock().getTime());
  }

  /** @param ms how long the storage asked to wait */
  async add(storageId: number, person: number, ms: number): Promise<void> {
    const now = this.clock();
    const until = new Date(now.getTime() + Math.min(ms, LONGEST_MS)).toISOString();
    await this.db.write.transaction(async (trx) => {
      await StoragePause.query(trx).delete().where('until', '<', now.toISOString());
      await StoragePause.query(trx)
        .insert({ storageId, person, until, ...timestamps(now.toISOString()) })
        .onConflict(['storage_id', 'person'])
        .merge(['until', 'updated_at']);
    });
    this.#cache.clear();
  }

  async #read(): Promise<Map<string, number>> {
    const rows = await StoragePause.query(this.db.read).where(
      'until',
      '>',
      this.clock().toISOString(),
    );
    return new Map(
      rows.map(({ storageId, person, until }) => [pauseKey(storageId, person), Date.parse(until)]),
    );
  }
}

const pauseKey = (storageId: number, person: number): string => `${storageId} ${person}`;

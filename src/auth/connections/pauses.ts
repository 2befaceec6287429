/**
 * Remembers `Retry-After` of storages for each person, in all processes. Requests during the wait
 * would prolong it.
 */
import { Cache } from '../../concurrency/cache.js';
import type { Database } from '../../database/index.js';
import { timestamps } from '../../models/record.js';
import { StoragePause } from '../../models/storage-pause.js';

/** The service itself, with its own access to a storage. */
export const SERVICE = 0;

/** A storage can ask for more. It is asked again after this time. */
const LONGEST_MS = 3_600_000;
const ALL = 'all';

export class Pauses {
  /** Few storages ask to wait at the same time, so one read finds all. */
  readonly #cache = new Cache<typeof ALL, Map<string, number>>();

  constructor(
    private readonly db: Database,
    private readonly clock: () => Date,
  ) {}

  /** Milliseconds until a storage may be asked for a person; 0 if it may be asked now. */
  async leftMs(storageId: number, person: number): Promise<number> {
    const all = await this.#cache.get(ALL, () => this.#read());
    const until = all.get(keyOf(storageId, person));
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
      rows.map(({ storageId, person, until }) => [keyOf(storageId, person), Date.parse(until)]),
    );
  }
}

const keyOf = (storageId: number, person: number): string => `${storageId} ${person}`;

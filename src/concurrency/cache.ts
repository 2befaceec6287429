/** Caches answers for a short time, by default one second. */
import { LRUCache } from 'lru-cache';

/**
 * How long an answer about keys and permissions is used.
 * So revoked access ends in every process after one second, at most two.
 */
const TTL_MS = 1_000;
/**
 * How long names of people and projects are used. It is longer than `TTL_MS`, because the row that
 * refers to them is read anew.
 */
export const DISPLAY_TTL_MS = 5_000;
const CAPACITY = 20_000;

type Key = string | number;

/** The age of an entry counts from the start of its read, not from its end. */
export class Cache<K extends Key, V> {
  readonly #entries: LRUCache<K, { value: V | Promise<V> }>;
  #clearedAt = 0;

  constructor(ttlMs = TTL_MS) {
    this.#entries = new LRUCache({
      // With `max` instead, each cache would take 0.7 MB and some milliseconds when it is made.
      maxSize: CAPACITY,
      sizeCalculation: () => 1,
      ttl: ttlMs,
      ttlResolution: 0,
    });
  }

  /** Returns the cached value at once, else loads it. Concurrent callers share one load. */
  get(key: K, load: () => Promise<V>): V | Promise<V> {
    const cached = this.#entries.get(key);
    if (cached) return cached.value;
    const start = performance.now();
    const value = load();
    const entry: { value: V | Promise<V> } = { value };
    this.#entries.set(key, entry, { start });
    value.then(
      // After `clear`, the entry is no longer in the cache, and this has no effect.
      (loaded) => (entry.value = loaded),
      () => this.#entries.peek(key) === entry && this.#entries.delete(key),
    );
    return value;
  }

  /** The cached value, or undefined while there is none or it still loads. */
  peek(key: K): V | undefined {
    const value = this.#entries.get(key)?.value;
    return value instanceof Promise ? undefined : value;
  }

  /**
   * Stores a value, unless the cache was cleared after its read began.
   * @param start the time (`performance.now()`) at which the read of the value began
   */
  put(key: K, value: V, start: number) {
    if (start > this.#clearedAt) this.#entries.set(key, { value }, { start });
  }

  /** Empties the cache. Reads that began before do not enter it. */
  clear() {
    this.#clearedAt = performance.now();
    this.#entries.clear();
  }
}

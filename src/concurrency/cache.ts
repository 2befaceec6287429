/** Caches answers for a short time, by default one second. */

/**
 * The lifetime of an answer about keys and permissions.
 * Revoked access therefore ends in every process within two seconds.
 */
const TTL_MS = 1_000;
/** Longer, for names of people and projects: no permission depends on these values. */
export const DISPLAY_TTL_MS = 5_000;
const CAPACITY = 20_000;

export class Cache<K, V> {
  constructor(private readonly ttlMs = TTL_MS) {}

  #entries = new Map<K, { value: V | Promise<V>; until: number }>();

  /** Returns the cached value at once, else loads it. Concurrent callers share one load. */
  get(key: K, load: () => Promise<V>): V | Promise<V> {
    const entry = this.#entries.get(key);
    if (entry && entry.until > Date.now()) return entry.value;
    const entries = this.#entries;
    const until = Date.now() + this.ttlMs;
    const value = load();
    this.#set(key, value, until);
    // `clear` replaces the map. So a load that began before it cannot write into the new map.
    value.then(
      (loaded) => entries.get(key)?.value === value && entries.set(key, { value: loaded, until }),
      () => entries.get(key)?.value === value && entries.delete(key),
    );
    return value;
  }

  /** The cached value, or undefined while there is none or it still loads. */
  peek(key: K): V | undefined {
    const entry = this.#entries.get(key);
    return entry && entry.until > Date.now() && !(entry.value instanceof Promise)
      ? entry.value
      : undefined;
  }

  /** @param requestedAt the time (ms) at which the read of the value began; its age counts from it */
  put(key: K, value: V, requestedAt: number) {
    this.#set(key, value, requestedAt + this.ttlMs);
  }

  clear() {
    this.#entries = new Map();
  }

  #set(key: K, value: V | Promise<V>, until: number) {
    if (this.#entries.size >= CAPACITY) this.#entries.clear();
    this.#entries.set(key, { value, until });
  }
}

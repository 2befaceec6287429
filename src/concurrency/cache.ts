/**
 * Answers that may be somewhat old, a second unless said otherwise: who holds a key, what a user may do.
 * What was revoked therefore stops working in every process within two seconds (decisions 4).
 */
const LIFE_MS = 1_000;
/** What is shown of people and projects beside other things may be older: nothing is allowed or refused because of it. */
export const SHOWN_LIFE_MS = 5_000;
const CAPACITY = 20_000;

export class Cache<K, V> {
  constructor(private readonly lifeMs = LIFE_MS) {}

  #entries = new Map<K, { value: V | Promise<V>; until: number }>();

  /** The remembered value at once, else the one that `load` finds; callers at the same time share one load. */
  get(key: K, load: () => Promise<V>): V | Promise<V> {
    const entry = this.#entries.get(key);
    if (entry && entry.until > Date.now()) return entry.value;
    const entries = this.#entries;
    const until = Date.now() + this.lifeMs;
    const value = load();
    this.#set(key, value, until);
    // Forgotten meanwhile, the map is another one, and the answer stays with those who asked before.
    value.then(
      (loaded) => entries.get(key)?.value === value && entries.set(key, { value: loaded, until }),
      () => entries.get(key)?.value === value && entries.delete(key),
    );
    return value;
  }

  /** The remembered value, if there is one. */
  peek(key: K): V | undefined {
    const entry = this.#entries.get(key);
    return entry && entry.until > Date.now() && !(entry.value instanceof Promise)
      ? entry.value
      : undefined;
  }

  /** @param asked when the value was asked for, in milliseconds: its age counts from there */
  put(key: K, value: V, asked: number) {
    this.#set(key, value, asked + this.lifeMs);
  }

  clear() {
    this.#entries = new Map();
  }

  #set(key: K, value: V | Promise<V>, until: number) {
    if (this.#entries.size >= CAPACITY) this.#entries.clear();
    this.#entries.set(key, { value, until });
  }
}

/** Rows that hardly change, kept for a second: names of people and projects stand in every answer. */
const LIFE_MS = 1_000;
const CAPACITY = 20_000;

export class Remembered<M> {
  readonly #rows = new Map<number, { row: M; until: number }>();

  get(id: number): M | undefined {
    const entry = this.#rows.get(id);
    return entry && entry.until > Date.now() ? entry.row : undefined;
  }

  /** @param asked when the row was asked for, in milliseconds: its age counts from there */
  set(id: number, row: M, asked: number) {
    if (this.#rows.size >= CAPACITY) this.#rows.clear();
    this.#rows.set(id, { row, until: asked + LIFE_MS });
  }

  clear() {
    this.#rows.clear();
  }
}

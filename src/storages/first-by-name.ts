/** Keeps the first entries of a folder in the order of their names. */
import type { FileInfo, Listing } from './adapter.js';

const MOST_ENTRIES = 10_000;

const byName = (a: FileInfo, b: FileInfo): number =>
  a.name < b.name ? -1 : a.name > b.name ? 1 : 0;

export class FirstByName {
  #kept: FileInfo[] = [];
  #truncated = false;

  add(file: FileInfo): void {
    this.#kept.push(file);
    // Not after each one: that would sort the entries for each one.
    if (this.#kept.length === 2 * MOST_ENTRIES) this.#truncate();
  }

  /** All entries in the order of the storage; the first ones by name if there are too many. */
  listing(): Listing {
    if (this.#kept.length > MOST_ENTRIES || this.#truncated) this.#truncate();
    return { files: this.#kept, truncated: this.#truncated };
  }

  #truncate(): void {
    this.#kept = this.#kept.sort(byName).slice(0, MOST_ENTRIES);
    this.#truncated = true;
  }
}

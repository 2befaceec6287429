/** Counts what an import adds, changes and ends. */
import { camelCase } from '../../../contract/words.js';

/** Rows of one list of the file. */
export interface ListChange {
  /** As in the file, such as `users`. */
  list: string;
  count: number;
  /** The keys of the first ones, such as logins. */
  examples: string[];
}

const MOST_EXAMPLES = 20;

export class Changes {
  readonly #lists = {
    added: new Map<string, ListChange>(),
    changed: new Map<string, ListChange>(),
    ended: new Map<string, ListChange>(),
  };

  note(what: 'added' | 'changed' | 'ended', table: string, keys: readonly (string | undefined)[]) {
    if (keys.length === 0) return;
    const lists = this.#lists[what];
    const list = camelCase(table);
    const change = lists.get(list) ?? { list, count: 0, examples: [] };
    lists.set(list, change);
    change.count += keys.length;
    const named = keys.filter((key) => key !== undefined);
    change.examples.push(...named.slice(0, MOST_EXAMPLES - change.examples.length));
  }

  report() {
    const { added, changed, ended } = this.#lists;
    return {
      added: [...added.values()],
      changed: [...changed.values()],
      ended: [...ended.values()],
    };
  }
}

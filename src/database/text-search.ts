/** How the databases look for words in the column `search_text` of a table. */

/** SQL with the values for its placeholders. */
export interface Sql {
  text: string;
  values: readonly unknown[];
}

export interface TextSearch {
  /** A condition: the text of `column` contains the word. It reads no index. */
  contains(column: string, word: string): Sql;
  /**
   * Selects the keys of all rows whose text contains all words, as `id`, and maybe of some others.
   * It reads an index, if the database has one. Each word has at least `MIN_INDEXED` characters.
   */
  keysOf(table: string, words: readonly string[], groups?: Groups): Sql;
}

/** The groups of characters to look for: `few` leave out up to two characters at the start of a word. */
export type Groups = 'few' | 'all';

/** Indexes have groups of three characters. They do not find shorter words. */
export const MIN_INDEXED = 3;

export const sqliteSearch: TextSearch = {
  contains: (column, word) => ({ text: `instr(${column}, ?) > 0`, values: [word] }),
  keysOf: (table, words, groups = 'all') => ({
    text: `select rowid as id from ${table}_search where ${table}_search match ?`,
    values: [
      partsOf(words, (word) => groupsOf(word, groups))
        .map((group) => `"${group.replaceAll('"', '""')}"`)
        .join(' AND '),
    ],
  }),
};

export const postgresSearch: TextSearch = {
  // PostgreSQL would read the index once more for `like`.
  contains: (column, word) => ({ text: `strpos(${column}, ?) > 0`, values: [word] }),
  keysOf: (table, words, groups = 'all') => {
    // The index has groups of letters and digits only. Settings of the server decide what a letter is.
    const parts = partsOf(words, (word) =>
      /^[a-z\d]+$/.test(word) ? groupsOf(word, groups) : [word],
    );
    const text =
      `select ${table}.id from ${table} where ` +
      parts.map(() => `${table}.search_text like ?`).join(' and ');
    return {
      // Of several words, PostgreSQL expects many rows. For a part of them it would not use the index.
      text: words.length > 1 ? `with every as materialized (${text}) select id from every` : text,
      values: parts.map(containing),
    };
  },
};

const partsOf = (words: readonly string[], split: (word: string) => string[]) => [
  ...new Set(words.flatMap(split)),
];

const containing = (word: string) => `%${word.replace(/[\\%_]/g, '\\$&')}%`;

/**
 * Groups of three characters. `all` cover the word. The whole word would be slower: both indexes then
 * read the rows of all groups in it, also of those that begin inside of others.
 */
function groupsOf(word: string, which: Groups): string[] {
  const characters = Array.from(word);
  const starts: number[] = [];
  for (let at = characters.length - MIN_INDEXED; at >= 0; at -= MIN_INDEXED) starts.push(at);
  if (which === 'all' && !starts.includes(0)) starts.push(0);
  return starts.map((at) => characters.slice(at, at + MIN_INDEXED).join(''));
}

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
   * Selects the keys of the rows whose text contains all words, as `id`. It reads an index, if the
   * database has one. Each word has at least `MIN_INDEXED` characters.
   */
  keysOf(table: string, words: readonly string[]): Sql;
}

/** Indexes have groups of three characters. They do not find shorter words. */
export const MIN_INDEXED = 3;

export const sqliteSearch: TextSearch = {
  contains: (column, word) => ({ text: `instr(${column}, ?) > 0`, values: [word] }),
  keysOf: (table, words) => ({
    text: `select rowid as id from ${table}_search where ${table}_search match ?`,
    values: [words.map((word) => `"${word.replaceAll('"', '""')}"`).join(' AND ')],
  }),
};

export const postgresSearch: TextSearch = {
  contains: (column, word) => ({ text: `${column} like ?`, values: [containing(word)] }),
  keysOf: (table, words) => ({
    text:
      `select ${table}.id from ${table} where ` +
      words.map(() => `${table}.search_text like ?`).join(' and '),
    values: words.map(containing),
  }),
};

const containing = (word: string) => `%${word.replace(/[\\%_]/g, '\\$&')}%`;

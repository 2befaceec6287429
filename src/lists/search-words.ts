/** Turns the text of a search into conditions for rows with a `search_text`. */
import { isDeepStrictEqual } from 'node:util';
import { folded, wordsOf } from '../contract/folded-text.js';
import { InvalidQuery } from '../contract/errors.js';
import { MAX_SEARCH } from '../contract/limits.js';
import { isLonger, isStorableText } from '../contract/text-rules.js';
import { withCommas } from '../contract/words.js';
import { MIN_INDEXED, type Database, type Groups, type Sql } from '../database/index.js';

/** More words in one search would make it slow. */
const MAX_WORDS = 10;

/**
 * The words of a search; none for a search without text.
 * @throws InvalidQuery for a search that is too long
 */
export function searchWords(search: string | null | undefined): string[] {
  if (search === null || search === undefined) return [];
  demandSearch(search);
  const words = wordsOf(search);
  if (words.length > MAX_WORDS)
    throw new InvalidQuery(`The search has more than ${MAX_WORDS} words.`, 'search');
  return words;
}

/** @throws InvalidQuery for a text that is too long, or that databases do not store */
export function demandSearch(search: string): void {
  if (isLonger(search, MAX_SEARCH))
    throw new InvalidQuery(
      `The search has more than ${withCommas(MAX_SEARCH)} characters.`,
      'search',
    );
  if (!isStorableText(search))
    throw new InvalidQuery('The search contains NUL or broken characters.', 'search');
}

/** Whether an index can find the word. */
export const isIndexed = (word: string): boolean => Array.from(word).length >= MIN_INDEXED;

/** Conditions for rows of one table whose text contains all words. */
export function containAll(
  db: Database,
  table: string,
  words: readonly string[],
): { filters: Sql[]; starts: Sql[][] } {
  const indexed = words.filter(isIndexed);
  return {
    filters: words.map((word) => db.search.contains(`${table}.search_text`, word)),
    starts: indexed.length > 0 ? [[db.search.keysOf(table, indexed)]] : [],
  };
}

/** Starts for rows of one table whose text contains all words, for a table with many rows. */
export function wordStarts(
  db: Database,
  table: string,
  words: readonly string[],
): { starts: Sql[][]; slowStarts: Sql[][] } {
  const indexed = words.filter(isIndexed);
  if (indexed.length === 0) return { starts: [], slowStarts: [] };
  const keys = (groups: Groups) => [db.search.keysOf(table, indexed, groups)];
  const [few, all] = [keys('few'), keys('all')];
  if (indexed.length === 1) return { starts: [], slowStarts: [all] };
  // Databases read the rows of all groups to find those of several words.
  return { starts: [], slowStarts: isDeepStrictEqual(few, all) ? [all] : [few, all] };
}

/** Whether a name contains a word, which is folded already. */
export const nameContains = (name: string, word: string): boolean => folded(name).includes(word);

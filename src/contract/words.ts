/** Helps to make sentences from the entries of tables. */

/** e.g. `a meeting`, `an activity`. */
export const withArticle = (noun: string): string => `${/^[aeio]/.test(noun) ? 'an' : 'a'} ${noun}`;

/** e.g. `meetings, posts and wiki pages`. */
export const joinedList = (words: readonly string[], last: 'and' | 'or'): string =>
  words.join(', ').replace(/, ([^,]*)$/, ` ${last} $1`);

/** e.g. `10,000`. `toLocaleString` would load the data of all languages at each start. */
export const withCommas = (number: number): string =>
  String(number).replace(/\B(?=(?:\d{3})+$)/g, ',');

/** e.g. `CREATED_AT_ASC`, the name of an enum value in the graph. */
export const constantCase = (word: string): string =>
  word.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toUpperCase();

/** e.g. `wikiPages`, the name of a list, from that of a table. */
export const camelCase = (word: string): string =>
  word.replace(/_(\w)/g, (_match, letter: string) => letter.toUpperCase());

/** For the start of a sentence: the first letter becomes a capital one. */
export const capitalised = (words: string): string =>
  words.charAt(0).toUpperCase() + words.slice(1);

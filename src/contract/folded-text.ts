/** Texts without case and accents, for searches and for lists in the order of names. */

/**
 * The text in Unicode form NFKD, without marks, in lower case, with `ss` for `ß`.
 * Migrations 013 and 031 together do the same. A change needs a migration for the stored texts.
 */
export const folded = (text: string): string =>
  text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ß', 'ss');

/**
 * As `folded`, with one space for each white space. A phrase is found although lines break in it.
 * Migration 029 has the same function.
 */
export const foldedInOneLine = (text: string): string => folded(text).split(/\s+/u).join(' ');

/** The words of a query, folded. They are separated by white space. */
export const wordsOf = (query: string): string[] => [
  ...new Set(
    folded(query)
      .split(/\s+/u)
      .filter((word) => word !== ''),
  ),
];

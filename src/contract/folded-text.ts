/** Texts without case and accents, for searches and for lists in the order of names. */

/**
 * The text in Unicode form NFKD, without marks, in lower case. Migration 013 has the same function.
 * A change needs a migration that writes all texts again.
 */
export const folded = (text: string): string =>
  text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

/** The words of a query, folded. They are separated by white space. */
export const wordsOf = (query: string): string[] => [
  ...new Set(
    folded(query)
      .split(/\s+/u)
      .filter((word) => word !== ''),
  ),
];

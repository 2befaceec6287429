/** Checks of texts that hold for every field. */

/**
 * Whether both databases can store the text. PostgreSQL stores neither NUL nor lone surrogates.
 * SQLite would store both.
 */
export const isStorableText = (text: string): boolean =>
  text.isWellFormed() && !text.includes('\0');

/**
 * Whether a text has more than `max` characters, counted as Unicode code points.
 * `length` counts UTF-16 units: two for an emoji.
 */
export const isLonger = (text: string, max: number): boolean =>
  text.length > max * 2 || codePoints(text).length > max;

/** The first `max` characters, counted as Unicode code points. */
export const firstCharacters = (text: string, max: number): string =>
  codePoints(text).slice(0, max).join('');

const codePoints = (text: string): string[] => Array.from(text);

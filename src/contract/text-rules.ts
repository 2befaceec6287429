/** PostgreSQL stores neither NUL nor lone surrogates; SQLite would. */
export const isStorableText = (text: string): boolean =>
  text.isWellFormed() && !text.includes('\0');

/** Whether a text has more than so many characters, which are not what its length counts. */
export const isLonger = (text: string, max: number): boolean =>
  text.length > max * 2 || [...text].length > max;
